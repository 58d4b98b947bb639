"""`without_collections`: the garbage collector kept out of a load."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

MANY_BYTES = 8 * 1024 * 1024
"""A session file of this size and more is worth it."""

_lock = Lock()
_holders = 0


@contextmanager
def without_collections(is_other: bool = False) -> Iterator[None]:
    """While millions of values are made, none of them in a cycle.

    Looking through them all for cycles takes as long as reading, and stops every thread for a
    fraction of a second later on; so what there is then is not looked through any more until
    another session `is_other` is read, which one has to wait for anyway.  Several loads at once
    are one for the collector.
    """
    _hold(is_other)
    try:
        yield
    finally:
        _let_go()


def _hold(is_other: bool) -> None:
    global _holders
    with _lock:
        if not _holders:
            # It is off as long as nothing was ever read.
            has_been_on = gc.isenabled()
            gc.disable()
            if is_other and has_been_on:
                gc.unfreeze()
                gc.collect()
        _holders += 1


def _let_go() -> None:
    global _holders
    with _lock:
        _holders -= 1
        if not _holders:
            gc.freeze()
            gc.enable()


def spare_what_there_is() -> None:
    """Until another session is read, or because the program ends."""
    gc.freeze()


def collect_from_now_on() -> None:
    """Only what is made from now on is looked through for cycles, or once a load is over."""
    with _lock:
        gc.freeze()
        if not _holders:
            gc.enable()
