"""`without_collections`: the garbage collector kept out of a load."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_holders = 0


@contextmanager
def without_collections() -> Iterator[None]:
    """While millions of values are made, none of them in a cycle.

    Looking through them all for cycles takes as long as reading, and stops every thread; so
    what there is then is not looked through before the next load, which has to wait anyway.
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
            _collect_what_was_frozen()
            gc.disable()
        _holders += 1


def _let_go() -> None:
    global _holders
    with _lock:
        _holders -= 1
        if not _holders:
            gc.freeze()
            gc.enable()


def _collect_what_was_frozen() -> None:
    """Screens of earlier sessions hang in cycles, and hold all that they showed."""
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
