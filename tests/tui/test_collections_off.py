"""The collector is kept out of a load, and may take what is left of one later."""

from __future__ import annotations

import gc
import weakref

from condense_tui.tui.collections_off import collect_from_now_on, without_collections


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


def test_at_the_start_there_is_nothing_to_look_through() -> None:
    looks: list[dict[str, int]] = []

    def note(phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            looks.append(told)

    gc.disable()
    gc.callbacks.append(note)
    try:
        with without_collections(is_other=True):
            assert looks == []
    finally:
        gc.callbacks.remove(note)
        gc.enable()
        gc.unfreeze()


def test_a_load_is_not_looked_through_before_it_is_over() -> None:
    gc.disable()
    try:
        with without_collections():
            collect_from_now_on()
            assert not gc.isenabled()
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()
