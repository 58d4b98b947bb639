"""`at_once`: some work for each of many things, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

_Thing = TypeVar("_Thing")
_Result = TypeVar("_Result")


def at_once(
    work: Callable[[_Thing], _Result], things: Sequence[_Thing], jobs: int
) -> list[_Result]:
    """What the work makes of each, in order; what it raises for one of them ends it all.

    What is under way then, or when this thread is interrupted, is left behind: a connection that
    is silent would hold up whoever wants to leave.
    """
    waiting: SimpleQueue[tuple[_Thing, Future[_Result]]] = SimpleQueue()
    futures: list[Future[_Result]] = [Future() for _ in things]
    for each in zip(things, futures, strict=True):
        waiting.put(each)

    def run() -> None:
        while True:
            try:
                thing, future = waiting.get_nowait()
            except Empty:
                return
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(thing))
            except BaseException as error:
                _cancel(futures)
                future.set_exception(error)

    for _ in range(min(jobs, len(things))):
        Thread(target=run, daemon=True).start()
    try:
        return _results(futures)
    finally:
        _cancel(futures)


def _results(futures: Sequence[Future[_Result]]) -> list[_Result]:
    """In order; where one has failed that is raised, and not that others were cancelled."""
    for future in as_completed(futures):
        if not future.cancelled():
            future.result()
    return [future.result() for future in futures]


def _cancel(futures: Sequence[Future[_Result]]) -> None:
    """What has begun or ended is not touched by it."""
    for future in futures:
        future.cancel()
