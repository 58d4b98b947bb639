"""The browser leaves in order when the system asks it to, and leaves the terminal as it was."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial
from typing import Any

from textual.app import App

# What is sent when the terminal is closed, and when the system ends a program.
_ENDING = ("SIGHUP", "SIGTERM")
_BY_SIGNAL = 128


def leave_on_signals(app: App[Any]) -> None:
    """Exit with the code that shells give a program that a signal ended."""
    loop = asyncio.get_running_loop()
    for name in _ENDING:
        ending = getattr(signal, name, None)
        # Neither Windows nor a loop outside the main thread knows such handlers.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            if ending is not None:
                leave = partial(app.exit, return_code=_BY_SIGNAL + ending)
                loop.add_signal_handler(ending, leave)
