"""The command line: a text and a JSON front end on the core."""

from condense_tui.cli.app import main

__all__ = ["main"]
