"""Acceptance criteria of orphans and barriers: O12 to O15, B1 to B5."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.slots import FateKind
from condense_tui.session.jsontext import json_text
from tests.build import (
    SessionBuilder,
    call,
    diagnosed,
    places,
    pruned_texts,
    ref,
    removed,
    text,
)
from tests.orphans import assert_no_orphans, orphans
from tests.test_acceptance_drop import d1_fixture, d4_fixture
from tests.test_acceptance_identity import two_batches

BARRIERS = ["custom", "user", "branchSummary", "compactionSummary", "bashExecution", "oracle"]


def with_barrier(role: str, session: SessionBuilder) -> SessionBuilder:
    """Add a message of this role, in the entry that pi would write it in."""
    if role == "custom":
        return session.custom_message()
    if role == "branchSummary":
        return session.entry("branch_summary", summary="another way", fromId="e1")
    return session.message(role, [text("between")])


@pytest.mark.parametrize("role", BARRIERS)
def test_b1_message_of_any_other_role_closes_the_open_calls(role: str) -> None:
    plan = with_barrier(role, SessionBuilder().user().assistant(call("x"))).result("x").plan()
    assert removed(plan) == [3]
    assert diagnosed(plan) == [("orphan-sweep", "swept 1 orphan toolResult(s): x")]
    (swept,) = (fate for slot in plan.slots for fate in slot.fates if fate.kind is FateKind.SWEPT)
    assert swept.reason == f"swept: a {role} message closed its call"
    assert swept.place == 2


def test_b2_only_what_follows_the_barrier_is_swept() -> None:
    session = SessionBuilder().user().assistant(call("x"), call("y")).result("x")
    plan = session.custom_message().result("y").plan()
    assert removed(plan) == [4]
    assert diagnosed(plan) == [("orphan-sweep", "swept 1 orphan toolResult(s): y")]


def test_b3_message_after_the_result_does_no_harm() -> None:
    plan = SessionBuilder().user().turn("x").custom_message().plan()
    assert not plan.is_pruned
    assert diagnosed(plan) == []


def test_b4_the_pruners_own_output_never_trips_the_barrier() -> None:
    """Stubs, purges, blocks and what stays of a summary keep every answered call answered."""
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.archive("t1", "x", 1150)
    session.user(at=2000).assistant(call("y", script="#" * 600), call("z"), at=2100)
    session.result("y", at=2150, is_error=True).result("z", at=2160)
    session.archive("t2", "z", 2160).turn("v").turn("w")
    plan = session.chain("b1", 1000, 1200, ["x@1150"]).plan()
    happened = {fate.kind for slot in plan.slots for fate in slot.fates}
    assert happened >= {
        FateKind.STUBBED,
        FateKind.PURGED,
        FateKind.DROPPED,
        FateKind.INSERTED,
        FateKind.SUPPRESSED,
    }
    assert diagnosed(plan) == []
    assert_no_orphans(plan)


ANSWERED: list[Any] = [
    {"role": "assistant", "content": [call("x"), call("y")]},
    {"role": "toolResult", "toolCallId": "y"},
    {"role": "toolResult", "toolCallId": "x"},
]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(ANSWERED, [], id="answered in another order"),
        pytest.param([ANSWERED[0], {"role": "custom"}, ANSWERED[1]], [2], id="B5"),
        pytest.param([ANSWERED[0], {"role": "user"}, ANSWERED[1]], [2], id="a user between"),
        pytest.param(ANSWERED[1:], [0, 1], id="no call at all"),
        pytest.param([*ANSWERED, ANSWERED[1]], [3], id="answered twice"),
        pytest.param([ANSWERED[0], ANSWERED[0], ANSWERED[1]], [], id="asked again"),
        pytest.param(
            [ANSWERED[0], {"role": "assistant", "content": []}, ANSWERED[1]],
            [2],
            id="another turn between",
        ),
        pytest.param(
            [ANSWERED[0], {"role": "toolResult", "toolCallId": "?"}, ANSWERED[1]],
            [1],
            id="an orphan closes nothing",
        ),
    ],
)
def test_b5_the_shared_checker_itself(messages: list[Any], expected: list[int]) -> None:
    assert orphans(messages) == expected


@pytest.mark.parametrize("role", BARRIERS)
def test_o12_no_orphan_is_sent(role: str) -> None:
    session = SessionBuilder().user().result("nobody's").assistant(call("x"), call("y"))
    with_barrier(role, session.result("x")).result("y").assistant(call("y")).result("x")
    plan = session.result("y").result("y").plan()
    assert len(orphans([message.body for message in plan.raw_messages])) == 4
    assert_no_orphans(plan)
    assert len(removed(plan)) == 4


@pytest.mark.parametrize("fixture", [d1_fixture, d4_fixture, two_batches])
def test_o13_clean_sessions_are_not_swept(fixture: Any) -> None:
    plan = fixture().plan()
    assert places(plan, FateKind.SWEPT) == []
    assert "orphan-sweep" not in [kind for kind, _ in diagnosed(plan)]


def test_o13_id_used_before_does_not_license_a_later_orphan() -> None:
    session = SessionBuilder().user().turn("x", "answered").answer().user()
    plan = session.result("x", "orphan").plan()
    assert removed(plan) == [5]
    assert pruned_texts(plan, "toolResult") == ["answered"]


def test_o14_nothing_swept_means_the_same_objects() -> None:
    inspection = SessionBuilder().user().turn("x").answer().custom_message().inspect()
    plan = inspection.plan
    assert not plan.is_pruned
    sent = zip(plan.pruned_messages, inspection.context.messages, strict=True)
    assert all(after is before for after, before in sent)


def test_o15_diagnostics_are_counted_and_none_reaches_the_model() -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.user(at=2000).result("orphan").answer()
    session.chain("b1", 1000, 1200, ["y@1150"]).chain("b2", 1500, None)
    recorded = {"kind": "backfill-empty", "detail": "blockId=b9 nothing to extract"}
    session.custom("context-prune-diagnostic", recorded)
    inspection = session.summary(ref("t1", "x", 1150)).inspect()
    plan = inspection.plan
    assert sorted(kind for kind, _ in diagnosed(plan)) == [
        "orphan-sweep",
        "range-id-mismatch",
        "unresolved-range",
    ]
    assert "diag u1/m1/o1" in inspection.status_line
    sent = json_text([message.body for message in plan.pruned_messages])
    assert "blockId=" not in sent
    assert "orphan toolResult" not in sent
