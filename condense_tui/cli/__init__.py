"""The command line: a text and a JSON front end on the core."""

from __future__ import annotations

import atexit
import gc
import os
import sys

# Whatever else is loaded here is loaded while Ctrl-C still is a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Sequence
    from typing import NoReturn, TypeVar

    _T = TypeVar("_T")
else:
    # The same without enums, and without what those need.
    import _signal as signal

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
    code = _loaded(_plainly)(tokens)
    if code is not None:
        return code
    run = _loaded(_by_library)
    gc.enable()
    return run(tokens)


def _plainly() -> Callable[[Sequence[str]], int | None]:
    from condense_tui.cli.plainly import run_plainly

    return run_plainly


def _by_library() -> Callable[[Sequence[str]], int]:
    from condense_tui.cli.run import run

    return run


def _loaded(load: Callable[[], _T]) -> _T:
    """Meanwhile Ctrl-C ends the program at once: nothing has been begun.

    As an exception it may come while a library in C is loaded, and not all of them bear it.
    """
    restore = _leave_when_interrupted()
    try:
        return load()
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
