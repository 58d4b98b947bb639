"""Acceptance criteria of the drop path: D1 to D5a."""

from __future__ import annotations

import pytest

from condense_tui.pruning.render import plan_render
from condense_tui.pruning.slots import FateKind
from condense_tui.session.context import Context
from tests.build import (
    SessionBuilder,
    blocks,
    call,
    diagnosed,
    places,
    pruned_texts,
    ref,
    removed,
    text,
    thinking,
)
from tests.orphans import assert_no_orphans


def d1_fixture() -> SessionBuilder:
    """Twelve messages; the live turn reuses the id of the second, compressed chain."""
    session = SessionBuilder()
    session.user(at=1000).assistant(call("bash_18"), at=1100).result("bash_18", at=1150)
    session.answer("first", at=1200)
    session.user(at=2000).assistant(call("bash_23"), at=2100).result("bash_23", at=2150)
    session.answer("second", at=2200)
    session.user(at=3000)
    session.assistant(call("bash_23"), call("gauntlet_setting_24"), at=3100)
    session.result("bash_23", "live output", at=3150).result("gauntlet_setting_24", at=3160)
    session.chain("b5", 1000, 1200, ["bash_18@1150"])
    return session.chain("b7", 2000, 2200, ["bash_23@2150"])


def test_d1_live_turn_with_a_dropped_id_survives() -> None:
    plan = d1_fixture().plan()
    assert removed(plan) == [1, 2, 5, 6]
    assert [slot.place for slot in plan.slots if slot.after is slot.before] == [
        0, 3, 4, 7, 8, 9, 10, 11,
    ]  # fmt: skip
    assert pruned_texts(plan, "toolResult") == ["live output", "output"]
    assert diagnosed(plan) == []
    assert_no_orphans(plan)


def test_d2_drops_go_by_index_range_only() -> None:
    """The recorded ids name a call outside and miss the one inside: the range wins."""
    session = SessionBuilder().user(at=1000).turn("inside", at=1150).answer(at=1200)
    session.user(at=2000).turn("outside", at=2150).answer(at=2200)
    session.chain("b1", 1000, 1200, ["outside@2150", "also_gone@2160"])
    plan = session.plan()
    assert removed(plan) == [1, 2]
    assert diagnosed(plan) == [("range-id-mismatch", "blockId=b1 recorded=2 actual=1")]


@pytest.mark.parametrize(
    ("start", "final", "detail"),
    [
        pytest.param(999, 1200, "start=999 final=1200", id="no start"),
        pytest.param(1000, 1201, "start=1000 final=1201", id="no final"),
        pytest.param(1000, None, "start=1000 final=null", id="null final"),
        pytest.param(3000, 1200, "start=3000 final=1200", id="final before start"),
        pytest.param(2000, 2200, "start=2000 final=2200", id="two starts in one millisecond"),
        pytest.param(3000, 3200, "start=3000 final=3200", id="two finals in one millisecond"),
        pytest.param(1200, 2200, "start=1200 final=2200", id="the start is no user message"),
        pytest.param(1000, 2000, "start=1000 final=2000", id="the final is no assistant message"),
        pytest.param(1000, 1150, "start=1000 final=1150", id="the final is a result"),
    ],
)
def test_d3_boundaries_that_cannot_be_placed_drop_nothing(
    start: int, final: int | None, detail: str
) -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.user(at=2000).user(at=2000).turn("y", at=2150).answer(at=2200)
    session.user(at=3000).turn("z", at=3150).answer(at=3200).answer(at=3200)
    plan = session.chain("b1", start, final, ["x@1150"]).plan()
    assert not plan.is_pruned
    assert diagnosed(plan) == [("unresolved-range", f"blockId=b1 {detail}")]


def d4_fixture(**fields: object) -> SessionBuilder:
    """A compressed chain and a live one that reuses its id; both think before they answer."""
    session = SessionBuilder()
    session.user(at=1000).turn("read_1", "compressed output", at=1150, tool="read")
    session.assistant(thinking(), text("compressed answer"), at=1200)
    session.user(at=2000).turn("read_1", "live output", at=2150, tool="read")
    session.assistant(thinking(), text("live answer"), at=2200)
    return session.chain("b1", 1000, 1200, ["read_1@1150"], **fields)


def test_d4_suppression_holds_for_a_summary_after_the_end() -> None:
    session = d4_fixture().summary(ref("t1", "read_1", 1150), content="of the compressed call")
    session.summary(ref("t2", "read_1", 2150), content="of the live call")
    plan = session.plan()
    assert places(plan, FateKind.SUPPRESSED) == [8]
    assert plan.pruned_messages[-1].body["content"] == "of the live call"
    assert sum(message.is_summary for message in plan.pruned_messages) == 1


def test_d4_protected_relocation_is_range_scoped() -> None:
    plan = d4_fixture(protectedToolCallIds=["read_1"]).plan()
    assert blocks(plan) == [
        '<compressed-chain id="b1" tools="">\nbody of b1\n\n'
        '<protected-output tool="read">\ncompressed output\n</protected-output>\n'
        "</compressed-chain>"
    ]
    assert pruned_texts(plan, "toolResult") == ["live output"]


def test_d4_thinking_strip_is_range_scoped() -> None:
    plan = d4_fixture().plan()
    assert places(plan, FateKind.THINKING_STRIPPED) == [3]
    kinds = [
        [part["type"] for part in message.parts]
        for message in plan.pruned_messages
        if message.role == "assistant"
    ]
    assert kinds == [["text"], ["toolCall"], ["thinking", "text"]]


def test_d5_reapplying_is_a_no_op_that_keeps_the_synthetic() -> None:
    inspection = d4_fixture().inspect()
    first = inspection.plan
    again = Context((), tuple(first.pruned_messages), None)
    second = plan_render(again, inspection.index, inspection.settings)
    assert all(a is b for a, b in zip(first.pruned_messages, second.pruned_messages, strict=True))
    assert sum("<compressed-chain" in message.text for message in second.pruned_messages) == 1


def test_d5a_users_and_third_parties_inside_a_range_survive() -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).user("steering", at=1160)
    session.custom_message("ci-notifier", [text("CI passed")])
    session.message("bashExecution", None, command="git status", output="clean")
    session.entry("branch_summary", summary="what was tried", fromId="e1")
    session.summary(ref("t1", "x", 1150)).turn("y", at=1250).answer(at=1300)
    plan = session.chain("b1", 1000, 1300, ["x@1150", "y@1250"]).plan()
    assert removed(plan) == [1, 2, 7, 8, 9]
    assert [message.role for message in plan.pruned_messages] == [
        "user", "user", "user", "custom", "bashExecution", "branchSummary", "assistant",
    ]  # fmt: skip
    assert pruned_texts(plan, "user")[-1] == "steering"
    assert pruned_texts(plan, "custom") == ["CI passed"]
