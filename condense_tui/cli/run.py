"""Command line → exit code: whatever goes wrong ends in one line on stderr."""

from __future__ import annotations

from collections.abc import Sequence

from cyclopts import CycloptsError

from condense_tui.cli.app import app, load_commands
from condense_tui.cli.ending import discard_output, ended
from condense_tui.cli.output import complain
from condense_tui.cli.usage import explain


def run(tokens: Sequence[str]) -> int:
    """The exit code of a command line."""
    if tokens and tokens[0] in app.help_flags:
        load_commands()
    try:
        return ended(
            lambda: app(
                tokens, exit_on_error=False, print_error=False, result_action="return_value"
            )
        )
    except CycloptsError as error:
        complain(explain(error))
        return 2
    except SystemExit as stop:
        return _exit_code(stop)


def _exit_code(stop: SystemExit) -> int:
    """Rich, which prints the help, ends the program where its reader stops."""
    if isinstance(stop.__context__, BrokenPipeError):
        discard_output()
        return 0
    return stop.code if isinstance(stop.code, int) else 1
