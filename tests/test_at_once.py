"""Several things at a time, and nobody waits for what is silent."""

from __future__ import annotations

from threading import Event, Lock

import pytest

from condense_tui.models.atonce import at_once


def test_results_come_in_order_and_not_more_than_so_many_at_a_time() -> None:
    lock, under_way, most = Lock(), 0, 0

    def work(number: int) -> int:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        with lock:
            under_way -= 1
        return number * number

    assert at_once(work, range(50), 3) == [number * number for number in range(50)]
    assert most <= 3
    assert at_once(work, [], 3) == []


def test_a_failure_ends_it_and_what_is_under_way_is_left_behind() -> None:
    begun, go_on = Event(), Event()
    done: list[str] = []

    def work(name: str) -> None:
        done.append(name)
        if name == "silent":
            begun.set()
            go_on.wait(30)
        if name == "failing":
            begun.wait(30)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        at_once(work, ["silent", "failing", "never", "never"], 2)
    assert sorted(done) == ["failing", "silent"]
    go_on.set()
