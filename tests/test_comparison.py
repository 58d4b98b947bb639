"""Two plans side by side: every message of both, in order, and a fate where they differ."""

from __future__ import annotations

import pytest

from condense_tui.inspection.comparison import compare
from condense_tui.pruning.slots import FateKind
from tests.build import SessionBuilder, call
from tests.vectors import COPIED, SHARED, Vector, vectors_in


@pytest.mark.parametrize("vector", vectors_in(COPIED) + vectors_in(SHARED), ids=str)
def test_holds_both_plans_whole(vector: Vector) -> None:
    inspection = vector.inspect()
    now, then = inspection.plan, inspection.legacy_plan
    compared = compare(now, then)
    slots = compared.plan.slots
    assert [s.before.body for s in slots if s.before] == [
        s.after.body for s in now.slots if s.after
    ]
    assert [s.after.body for s in slots if s.after] == [s.after.body for s in then.slots if s.after]
    for slot, number in zip(slots, compared.numbers, strict=True):
        is_same = slot.fates[-1].kind in (FateKind.KEPT, FateKind.SYSTEM)
        assert is_same == (slot.before is slot.after)
        assert number is None or now.slots[number].place == slot.place


def test_a_live_message_that_goes_and_one_that_comes_back() -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.chain("b1", 1000, 1200, ["x@1150", "y@1"]).user(at=2000)
    session.assistant(call("y")).result("y").answer()
    session.chain("b2", 2000, None, ["z@1"])
    inspection = session.inspect()
    slots = compare(inspection.plan, inspection.legacy_plan).plan.slots
    told = [(slot.message.role, slot.fates[-1].kind, slot.fates[-1].reason) for slot in slots]
    kept = "sent as it is"
    assert told == [
        ("user", FateKind.KEPT, kept),
        ("user", FateKind.KEPT, kept),
        ("assistant", FateKind.KEPT, kept),
        ("user", FateKind.KEPT, kept),
        ("user", FateKind.INSERTED, "inserted for b2, 1 call"),
        ("assistant", FateKind.DROPPED, "not sent then: dropped into b1"),
        ("toolResult", FateKind.DROPPED, "not sent then: dropped into b1"),
        ("assistant", FateKind.KEPT, kept),
    ]
