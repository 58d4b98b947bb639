"""The collector is kept out of a load, and takes what earlier ones left before the next."""

from __future__ import annotations

import gc
import weakref

from condense_tui.tui.collections_off import without_collections


class Screen:
    """In a cycle, as widgets are."""

    def __init__(self) -> None:
        self.parent = self


def test_what_an_earlier_load_left_goes_when_the_next_begins() -> None:
    with without_collections():
        shown = Screen()
    gone = weakref.ref(shown)
    del shown
    gc.collect()
    assert gone() is not None
    with without_collections():
        assert gone() is None


def test_two_loads_at_once_are_one_for_the_collector() -> None:
    first, second = without_collections(), without_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
