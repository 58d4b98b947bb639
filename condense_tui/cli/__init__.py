"""The command line: a text and a JSON front end on the core."""

from condense_tui.cli.run import main, run

__all__ = ["main", "run"]
