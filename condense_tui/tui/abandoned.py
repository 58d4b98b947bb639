"""Work in a thread that is left behind when the program ends; Textual's own are waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

_Result = TypeVar("_Result")


async def in_abandoned_thread(
    work: Callable[[], _Result], turn: AbstractContextManager[object] | None = None
) -> _Result:
    """What the work returns or raises; whoever stops waiting for it does not stop it.

    A `turn`, such as a lock, is held meanwhile; work that nobody waits for any more when its
    turn comes is not begun.
    """
    future: Future[_Result] = Future()

    def run() -> None:
        with turn or nullcontext():
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return await asyncio.wrap_future(future)
