"""A command → its exit code: what it cannot do ends in one line on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from condense_tui.cli.opening import CommandError
from condense_tui.cli.output import complain, flush_output


def ended(command: Callable[[], object]) -> int:
    """What it returns where that is a number, else 0."""
    try:
        result = command()
        flush_output()
        return result if isinstance(result, int) else 0
    except CommandError as error:
        complain(str(error))
        return error.exit_code
    except OSError as error:
        return code_after(error)


def code_after(error: OSError) -> int:
    """The exit code where the system refused something."""
    discard_output()
    if isinstance(error, BrokenPipeError):
        return 0
    complain((error.strerror or type(error).__name__).lower())
    return 2


def discard_output() -> None:
    """Nobody reads any more: what is still buffered must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
