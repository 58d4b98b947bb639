"""The collector is kept out of a load, and may take what is left of one later."""

from __future__ import annotations

import gc
import weakref

from condense_tui.tui.collections_off import without_collections


class Screen:
    """In a cycle, as widgets are."""

    def __init__(self) -> None:
        self.parent = self


def test_what_was_read_is_looked_through_when_another_session_is_read() -> None:
    with without_collections(is_other=True):
        shown = Screen()
        assert not gc.isenabled()
    gone = weakref.ref(shown)
    del shown
    gc.collect()
    assert gone() is not None
    with without_collections():
        assert gone() is not None
    with without_collections(is_other=True):
        assert gone() is None
    gc.unfreeze()


def test_two_loads_at_once_are_one_for_the_collector() -> None:
    first, second = without_collections(), without_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
