"""The browser leaves in order when the system asks it to, and leaves the terminal as it was."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Timer
from typing import Any, NoReturn

from textual.app import App

# What is sent when the terminal is closed, and when the system ends a program.
_ENDING = tuple(getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name))
_BY_SIGNAL = 128
_SECONDS_TO_LEAVE = 3.0


class EndingError(Exception):
    """The system asked the program to end while it could not: `signal` is what it was sent."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


def leave_on_signals(app: App[Any]) -> None:
    """Exit with the code that shells give a program that a signal ended."""
    loop = asyncio.get_running_loop()
    for ending in _ENDING:
        # Neither Windows nor a loop outside the main thread knows such handlers.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(ending, partial(_leave, app, _BY_SIGNAL + ending))


def _leave(app: App[Any], code: int) -> None:
    """In order, or, where something waits for a terminal that is gone, all the same."""
    app.exit(return_code=code)
    end = Timer(_SECONDS_TO_LEAVE, os._exit, [code])
    end.daemon = True
    end.start()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """For what keeps the loop from hearing of a signal: it is raised as `EndingError`."""

    def end(number: int, _frame: object) -> None:
        raise EndingError(number)

    with ExitStack() as stack:
        for ending in _ENDING:
            stack.callback(signal.signal, ending, signal.signal(ending, end))
        yield


def leave_at_once(ended: EndingError) -> NoReturn:
    """End where the terminal is given back already, and may be gone: nothing is written to it."""
    os._exit(_BY_SIGNAL + ended.signal)
