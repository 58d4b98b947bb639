"""Command line → exit code: whatever goes wrong ends in one line on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cyclopts import CycloptsError

from condense_tui.cli.app import app
from condense_tui.cli.opening import CommandError
from condense_tui.cli.output import complain, flush_output
from condense_tui.cli.usage import explain


def run(tokens: Sequence[str]) -> int:
    """The exit code of a command line."""
    try:
        result = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
        flush_output()
        return result if isinstance(result, int) else 0
    except CommandError as error:
        complain(str(error))
        return error.exit_code
    except CycloptsError as error:
        complain(explain(error))
        return 2
    except SystemExit as stop:
        return _exit_code(stop)
    except OSError as error:
        return code_after(error)


def code_after(error: OSError) -> int:
    """The exit code where the system refused something."""
    _discard_output()
    if isinstance(error, BrokenPipeError):
        return 0
    complain((error.strerror or type(error).__name__).lower())
    return 2


def _discard_output() -> None:
    """Nobody reads any more: what is still buffered must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_code(stop: SystemExit) -> int:
    """Rich, which prints the help, ends the program where its reader stops."""
    if isinstance(stop.__context__, BrokenPipeError):
        _discard_output()
        return 0
    return stop.code if isinstance(stop.code, int) else 1
