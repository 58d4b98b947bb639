"""Phase 3: which ranges are accepted, what is dropped and suppressed, and where the phase fails.

What a block says is in test_phases_blocks.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.pruning.ranges import Overlap, Range, accepted_ranges
from condense_tui.pruning.records import ChainEntry, chain_from
from condense_tui.pruning.slots import FateKind
from condense_tui.session.entries import entry_of
from tests.build import (
    ABSENT,
    SessionBuilder,
    blocks,
    call,
    chain,
    diagnosed,
    places,
    ref,
    removed,
    text,
    thinking,
)


def conversation(chains: int = 1) -> SessionBuilder:
    """Chains of four messages: user at 1000, result of c1 at 1150, answer at 1200; then 2000…"""
    session = SessionBuilder()
    for number in range(1, chains + 1):
        start = number * 1000
        session.user(at=start).turn(f"c{number}", at=start + 150).answer(at=start + 200)
    return session


def chain_of(payload: dict[str, Any]) -> ChainEntry:
    found = chain_from(entry_of(0, 1, {"type": "custom", "id": "e", "data": payload}))
    assert found is not None
    return found


# Acceptance


def test_a_chain_inside_another_is_skipped_and_says_so() -> None:
    session = conversation(3).chain("b1", 1000, 3200, ["c1@1150", "c2@2150", "c3@3150"])
    plan = session.chain("b2", 2000, 2200, ["c2@2150"]).plan()
    assert removed(plan) == [1, 2, 3, 5, 6, 7, 9, 10]
    assert diagnosed(plan) == [
        ("unresolved-range", "blockId=b2 skipped: range nests inside blockId=b1")
    ]
    assert [found.is_benign_overlap for found in plan.diagnostics] == [True]


def test_a_chain_that_begins_inside_a_skipped_one_is_skipped_too() -> None:
    session = conversation(4).chain("b1", 1000, 2200).chain("b2", 2000, 3200)
    plan = session.chain("b3", 3000, 4200).plan()
    assert [detail for kind, detail in diagnosed(plan) if "skipped" in detail] == [
        "blockId=b2 skipped: range nests inside blockId=b1",
        "blockId=b3 skipped: range nests inside blockId=b2",
    ]
    assert len(blocks(plan)) == 1


def test_a_skip_and_a_chain_that_cannot_be_placed_are_told_apart() -> None:
    plan = conversation(1).chain("b1", 5, 6).plan()
    assert [found.is_benign_overlap for found in plan.diagnostics] == [False]


def test_a_start_is_claimed_once() -> None:
    ranges = [Range(chain_of(chain(f"b{n}", n, 9)), 0, 3 + n) for n in range(2)]
    first, second = accepted_ranges(ranges)
    assert first is ranges[0]
    assert isinstance(second, Overlap)
    assert second.detail == "blockId=b1 skipped: range duplicates startIndex=0 already claimed"
    assert second.dedup_key == "overlap:b1"


def accepted_one_by_one(ranges: Sequence[Range]) -> list[Range]:
    """The rule as it reads, pair by pair."""
    accepted: list[Range] = []
    for candidate in ranges:
        is_inside = any(other.start < candidate.start < other.end for other in ranges)
        if not is_inside and candidate.start not in {claimed.start for claimed in accepted}:
            accepted.append(candidate)
    return accepted


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 8)), max_size=8))
def test_acceptance_is_the_rule_pair_by_pair(pairs: list[tuple[int, int]]) -> None:
    ranges = [
        Range(chain_of(chain(f"b{n}", n, 0)), start, start + length)
        for n, (start, length) in enumerate(pairs)
    ]
    outcomes = list(accepted_ranges(ranges))
    assert [found for found in outcomes if isinstance(found, Range)] == accepted_one_by_one(ranges)
    for found in outcomes:
        if isinstance(found, Overlap) and found.claimed_by:
            assert found.claimed_by.start < found.range.start < found.claimed_by.end


def test_a_later_entry_for_the_same_start_replaces_the_earlier() -> None:
    session = conversation(2).chain("b1", 1000, 2200).chain("b2", 1000, 1200, ["c1@1150"])
    inspection = session.inspect()
    assert [found.block_id for found in inspection.index.chains] == ["b2"]
    assert removed(inspection.plan) == [1, 2]


@pytest.mark.parametrize("compression", [{"enabled": False}, {"rollingWindow": 1}, {}])
def test_compression_that_is_off_or_not_mentioned_does_nothing(compression: Any) -> None:
    session = conversation(1).chain("b1", 1000, 1200).chain("b2", 5, 6)
    plan = session.plan(chainCompression=compression)
    assert not plan.is_pruned
    assert plan.diagnostics == ()


# Cross-check


@pytest.mark.parametrize(
    ("dropped_ids", "detail"),
    [
        (["c1"], None),
        (["c1@1150"], None),
        (["c1", "c1@7"], None),
        ([], "recorded=0 actual=1"),
        (ABSENT, "recorded=0 actual=1"),
        (["c1", "other"], "recorded=2 actual=1"),
        (["other"], "recorded=1 actual=1"),
    ],
)
def test_a_difference_to_the_recorded_ids_is_only_reported(
    dropped_ids: Any, detail: str | None
) -> None:
    plan = conversation(1).chain("b1", 1000, 1200, droppedToolCallIds=dropped_ids).plan()
    assert removed(plan) == [1, 2]
    expected = [("range-id-mismatch", f"blockId=b1 {detail}")] if detail else []
    assert diagnosed(plan) == expected


def test_an_id_that_ends_like_a_key_reports_a_mismatch() -> None:
    session = SessionBuilder().user(at=1000).turn("c@5", at=1150).answer(at=1200)
    plan = session.chain("b1", 1000, 1200, droppedToolCallIds=["c@5"]).plan()
    assert diagnosed(plan) == [("range-id-mismatch", "blockId=b1 recorded=1 actual=1")]


# Summaries


@pytest.mark.parametrize(
    ("refs", "is_suppressed"),
    [
        pytest.param([ref("t1", "c1", 1150)], True, id="by its key"),
        pytest.param([ref("t1", "c1", 1151)], False, id="another occurrence"),
        pytest.param([ref("t1", "c1")], True, id="a legacy ref, by its id"),
        pytest.param([ref("t1", "c1@7")], True, id="a legacy ref that holds a key"),
        pytest.param([ref("t1", "c2")], False, id="a legacy ref of another call"),
        pytest.param([ref("t2", "c2", 2150), ref("t1", "c1", 1150)], True, id="one of its refs"),
        pytest.param([], False, id="no refs"),
        pytest.param([ref("t1", "c1", 1150) | {"resultTimestamp": "1150"}], True, id="no number"),
    ],
)
def test_which_summaries_are_suppressed(refs: list[Any], is_suppressed: bool) -> None:
    session = SessionBuilder().summary(*refs)  # before the chain: anywhere will do
    session.user(at=1000).turn("c1", at=1150).answer(at=1200).user(at=2000).turn("c2", at=2150)
    plan = session.chain("b1", 1000, 1200, ["c1@1150"]).plan()
    assert places(plan, FateKind.SUPPRESSED) == ([0] if is_suppressed else [])


def test_plain_ids_of_old_summaries_are_not_looked_at() -> None:
    session = conversation(1).summary(toolCallRefs=ABSENT, toolCallIds=["c1"])
    plan = session.chain("b1", 1000, 1200, ["c1@1150"]).plan()
    assert places(plan, FateKind.SUPPRESSED) == []


def test_a_summary_inside_the_range_goes_whatever_it_covers() -> None:
    session = SessionBuilder().user(at=1000).turn("c1", at=1150).summary(ref("t9", "other", 7))
    plan = session.answer(at=1300).chain("b1", 1000, 1300, ["c1@1150"]).plan()
    assert places(plan, FateKind.DROPPED) == [1, 2, 3]


# The final answer


@pytest.mark.parametrize(
    ("compression", "parts"),
    [
        ({"enabled": True, "stripFinalAssistantThinking": True}, ["text", "text"]),
        ({"enabled": True, "stripFinalAssistantThinking": False}, ["text", "thinking", "text"]),
        ({"enabled": True}, ["text", "thinking", "text"]),
    ],
)
def test_thinking_of_the_final_answer(compression: Any, parts: list[str]) -> None:
    session = SessionBuilder().user(at=1000).turn("c1", at=1150)
    session.assistant(text("a"), thinking(), text("b"), at=1200).chain("b1", 1000, 1200)
    plan = session.plan(chainCompression=compression)
    assert [part["type"] for part in plan.pruned_messages[-1].parts] == parts


def test_a_final_answer_without_thinking_is_the_same_object() -> None:
    plan = conversation(1).chain("b1", 1000, 1200).plan()
    assert plan.slots[-1].after is plan.slots[-1].before


# Where the extension fails


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"toolRefs": ABSENT}, id="no refs"),
        pytest.param(
            {"rangeSummaryText": ABSENT, "droppedOccurrenceKeys": ABSENT, "droppedToolCallIds": 7},
            id="neither a body nor ids to look one up",
        ),
    ],
)
def test_the_extension_fails_on_an_accepted_entry(fields: dict[str, Any]) -> None:
    plan = conversation(1).chain("b1", 1000, 1200, ["c1@1150"], **fields).plan()
    assert plan.failure is not None
    assert not plan.is_pruned
    assert plan.pruned_chars == plan.raw_chars
    unresolved = conversation(1).chain("b1", 1000, 1201, ["c1@1150"], **fields).plan()
    assert unresolved.failure is None


@pytest.mark.parametrize("refs", [7, "t1", {"shortId": "t1"}, [None]])
def test_the_extension_fails_on_refs_of_a_summary_while_a_chain_is_applied(refs: Any) -> None:
    session = conversation(1).summary(toolCallRefs=refs)
    assert session.plan().failure is None
    assert session.chain("b1", 1000, 1200, ["c1@1150"]).plan().failure is not None


def test_diagnostics_raised_before_a_failure_stay() -> None:
    session = conversation(1).message("assistant", "no list").chain("b1", 1000, 1200)
    plan = session.chain("b2", 7, 8).plan()
    assert plan.failure is not None
    assert [kind for kind, _ in diagnosed(plan)] == ["unresolved-range", "range-id-mismatch"]


def test_each_change_names_its_block_and_the_entry() -> None:
    session = conversation(1).chain("b1", 1000, 1200, ["c1@1150"])
    plan = session.summary(ref("t1", "c1", 1150)).plan()
    fates = [fate for slot in plan.slots for fate in slot.fates if fate.block]
    assert {fate.kind for fate in fates} == {
        FateKind.INSERTED,
        FateKind.DROPPED,
        FateKind.SUPPRESSED,
    }
    assert {(fate.block, fate.source and fate.source.type) for fate in fates} == {("b1", "custom")}


def test_a_call_of_an_assistant_counts_even_without_a_result() -> None:
    session = SessionBuilder().user(at=1000).assistant(call("x"), call("y")).result("x", at=1150)
    plan = session.answer(at=1200).chain("b1", 1000, 1200, droppedToolCallIds=["x", "y"]).plan()
    assert plan.diagnostics == ()
