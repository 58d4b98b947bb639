"""The command line: a text and a JSON front end on the core."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

_INTERRUPTED = 130


def main(tokens: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code: 0, 1 for not found, 2 for no answer.

    Its parts are loaded here, where Ctrl-C is already no accident; until then nothing that is
    made lies in a cycle, and to look for some would take a sixth of the time.
    """
    gc.disable()
    try:
        code = _run(sys.argv[1:] if tokens is None else tokens)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    _leave_when_interrupted()
    # Python gives its handlers back before it is through.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _run(tokens: Sequence[str]) -> int:
    with _loading():
        from condense_tui.cli.plainly import run_plainly

    code = run_plainly(tokens)
    if code is not None:
        return code
    with _loading():
        from condense_tui.cli.run import run

    gc.enable()
    return run(tokens)


@contextmanager
def _loading() -> Iterator[None]:
    """Ctrl-C ends the program at once: nothing has been begun.

    As an exception it may come while a library in C is loaded, and not all of them bear it.
    """
    restore = _leave_when_interrupted()
    try:
        yield
    finally:
        restore()


def _leave_when_interrupted() -> Callable[[], object]:
    """Where Ctrl-C raises an exception it now leaves; what is handed back undoes that."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        return lambda: None
    signal.signal(signal.SIGINT, _leave)
    return lambda: signal.signal(signal.SIGINT, before)


def _leave(_number: int, _frame: object) -> NoReturn:
    os._exit(_INTERRUPTED)
