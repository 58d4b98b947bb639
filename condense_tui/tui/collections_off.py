"""`without_collections`: the garbage collector kept out of a load."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY_BYTES = 64 * 1024 * 1024
"""A session file of this size and more is worth it."""

_lock = Lock()
_holders = 0


@contextmanager
def without_collections() -> Iterator[None]:
    """While millions of values are made, none of them in a cycle.

    Looking through them all for cycles takes as long as reading, and stops every thread; so
    what there is then goes at once to the oldest generation, which is seldom looked through.
    Several loads at once are one for the collector.
    """
    _hold()
    try:
        yield
    finally:
        _let_go()


def _hold() -> None:
    global _holders
    with _lock:
        if not _holders:
            gc.disable()
        _holders += 1


def _let_go() -> None:
    global _holders
    with _lock:
        _holders -= 1
        if not _holders:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def end_without_collection() -> None:
    """What there is when the program ends need not be looked through for cycles any more."""
    gc.freeze()
