"""The index built from a branch, and what the extension notes about itself."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.index import PruneIndex
from tests.build import ABSENT, SessionBuilder, record, ref, spilled, text


def index_of(session: SessionBuilder) -> PruneIndex:
    return session.inspect().index


# Look-ups


@pytest.fixture
def ladder() -> PruneIndex:
    """Something on every rung."""
    session = SessionBuilder().index(record("a", 10), record("b", 20), record("b", 21))
    session.index(record("legacy"), record("lone", 40))
    session.summary(ref("t1", "a", 10), ref("t2", "gone", 50), ref("lone", "b", 20))
    return index_of(session.alias(("c", 30), ("a", 10)).alias(("d", 31), ("gone", 50)))


@pytest.mark.parametrize(
    ("asked", "key", "has_record"),
    [
        pytest.param("a@10", "a@10", True, id="a key"),
        pytest.param("legacy", "legacy", True, id="a bare key"),
        pytest.param("c@30", "a@10", True, id="an alias"),
        pytest.param("d@31", "gone@50", False, id="an alias of a missing record"),
        pytest.param("t1", "a@10", True, id="a ref"),
        pytest.param("t2", "gone@50", False, id="a ref of a missing record"),
        pytest.param("lone", "b@20", True, id="a ref before a bare id"),
        pytest.param("a", "a@10", True, id="a bare id with one key"),
        pytest.param("b", None, False, id="a bare id with two keys"),
        pytest.param("c", None, False, id="a bare id of an alias"),
        pytest.param("a@11", None, False, id="a key that no record has"),
        pytest.param("", None, False, id="nothing"),
    ],
)
def test_the_first_rung_that_applies_decides(
    ladder: PruneIndex, asked: str, key: str | None, has_record: bool
) -> None:
    assert ladder.resolve(asked) == key
    assert (ladder.record(asked) is not None) is has_record


@pytest.mark.parametrize(
    ("key", "is_summarised"),
    [("a@10", True), ("c@30", True), ("legacy", True), ("a", False), ("c", False), ("t1", False)],
)
def test_is_summarised_is_exact(ladder: PruneIndex, key: str, is_summarised: bool) -> None:
    assert ladder.is_summarized(key) is is_summarised


def test_an_alias_is_followed_once() -> None:
    session = SessionBuilder().index(record("a", 1, "of a"))
    index = index_of(session.alias(("b", 2), ("a", 1)).alias(("c", 3), ("b", 2)))
    assert index.resolve("c@3") == "b@2"
    assert index.record("c@3") is None


def test_aliases_come_last_and_share_the_ref() -> None:
    session = SessionBuilder().alias(("b", 2), ("a", 1)).archive("t1", "a", 1)
    index = index_of(session.alias(("c", 3), ("x", 9)))
    assert index.ref_of_key == {"a@1": "t1", "b@2": "t1"}


def test_an_alias_written_twice_is_one_occurrence_and_the_last_one_counts() -> None:
    session = SessionBuilder().index(record("a", 1, "of a"), record("b", 2, "of b"))
    index = index_of(session.alias(("x", 9), ("a", 1)).alias(("x", 9), ("b", 2)))
    assert index.resolve("x@9") == "b@2"
    assert [found.result_text for found in index.records_for("x")] == ["of b"]


@pytest.mark.parametrize("payload", [{}, None, 7, {"newToolCallId": "b"}, {"newToolCallId": 1}])
def test_an_alias_of_the_wrong_shape_is_skipped(payload: Any) -> None:
    index = index_of(SessionBuilder().custom("context-prune-dedup-alias", payload))
    assert index.aliases == {}
    assert index.failure is None


# Refs and summaries


@pytest.mark.parametrize(
    ("refs", "number"),
    [
        ([], 1),
        ([ref("t1", "a", 1), ref("t7", "b", 2)], 8),
        ([ref("t007", "a", 1)], 8),
        ([ref("x9", "a", 1), ref("t", "b", 1), ref("t-3", "c", 1), ref("T5", "d", 1)], 1),
        ([ref("t3", "t3")], 4),
    ],
)
def test_the_next_free_ref(refs: list[Any], number: int) -> None:
    assert index_of(SessionBuilder().summary(*refs)).next_ref_number == number


def test_a_ref_that_is_its_own_key_is_not_registered() -> None:
    session = SessionBuilder().summary(toolCallRefs=ABSENT, toolCallIds=["a", "b@5", 7, None])
    index = index_of(session)
    assert index.key_of_ref == {}
    assert [found.key for found in index.summaries[0].refs] == ["a", "b@5"]


def test_backfilled_entries_bring_their_own_refs() -> None:
    session = SessionBuilder().index(record("a", 1), backfilled=True, refs=[ref("t4", "a", 1)])
    index = index_of(session.index(record("b", 2), refs=[ref("t9", "b", 2)]))
    assert index.key_of_ref == {"t4": "a@1"}
    assert [found.is_backfilled for found in index.records.values()] == [True, False]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("words", ["words"]),
        ([text("a"), {"type": "image"}, text("b")], ["a\nb"]),
        ("", []),
        ([], []),
        (None, []),
    ],
)
def test_summaries_count_while_they_have_a_text(content: Any, texts: list[str]) -> None:
    index = index_of(SessionBuilder().summary(ref("t1", "a", 1), content=content))
    assert [summary.text for summary in index.summaries] == texts
    assert index.key_of_ref == {"t1": "a@1"}


def test_only_the_branch_counts() -> None:
    session = SessionBuilder().user().archive("t1", "a", 1).back_to("e1").archive("t2", "b", 2)
    assert list(index_of(session).records) == ["b@2"]
    assert list(session.inspect("e3").index.records) == ["a@1"]


# Records and hashes


def test_a_later_record_replaces_the_earlier_in_its_place() -> None:
    session = SessionBuilder().index(record("a", 1, "one"), record("b", 2), record("a", 1, "two"))
    index = index_of(session)
    assert [found.result_text for found in index.records.values()] == ["two", "output"]


def test_content_hashes() -> None:
    session = SessionBuilder().index(record("stored", 1, contentHash="h"))
    session.index(record("same", 2, contentHash="h"), record("computed", 3, "text  \r\n"))
    session.index(record("equal", 4, "text"), record("other", 5, "text", toolName="read"))
    session.index(record("backfilled", 6, "new"), backfilled=True)
    session.index(spilled("spilled", 7))
    assert index_of(session).key_of_content_hash == {
        "h": "stored@1",
        content_hash("bash", "text"): "computed@3",
        content_hash("read", "text"): "other@5",
        content_hash("bash", ""): "spilled@7",
    }


def test_hashing_a_long_run_of_blanks_takes_no_time() -> None:
    """A pattern that backtracks needs seconds for this, and hours for a megabyte."""
    session = SessionBuilder().index(record("x", 1, "a" + " " * 8_000 + "b"))
    started = perf_counter()
    assert len(index_of(session).key_of_content_hash) == 1
    assert perf_counter() - started < 1


# Where the rebuild fails


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(ABSENT, id="no data"),
        pytest.param(None, id="null"),
        pytest.param({"toolCalls": [record("x", 5, resultText=ABSENT)]}, id="no text, no hash"),
        pytest.param({"toolCalls": [None]}, id="no record"),
    ],
)
def test_the_rebuild_stops_where_the_extension_fails(payload: Any) -> None:
    """What was read before counts, nothing after it does, and no alias at all."""
    session = SessionBuilder().archive("t1", "a", 1).alias(("b", 2), ("a", 1))
    session.custom("context-prune-index", payload).archive("t2", "c", 3)
    session.chain("b1", 1, 2)
    index = index_of(session)
    assert index.failure is not None
    assert index.failure.entry.id == "e4"
    assert "a@1" in index.records
    assert "c@3" not in index.records
    assert (index.aliases, index.chains, index.key_of_ref) == ({}, (), {"t1": "a@1"})
    assert session.inspect().plan.failure is None


def test_a_hash_stands_in_for_a_text() -> None:
    session = SessionBuilder().index(record("x", 5, resultText=ABSENT, contentHash="h"))
    assert index_of(session).failure is None


# Chains


def test_chains_are_read_back_in_order_of_their_start() -> None:
    session = SessionBuilder().chain("b2", 300, 400).chain("b1", 100, 200).chain("b3", 2.5, 9)
    session.chain("", 5, 6).chain("b5", "7", 8).chain("b6", None, 8).chain("b7", 200, None)
    index = index_of(session)
    assert [chain.block_id for chain in index.chains] == ["b3", "b1", "b7", "b2"]


# Ledger


def test_the_last_snapshot_of_the_stats_counts_over_zeros() -> None:
    session = SessionBuilder().custom("context-prune-stats", {"callCount": 5, "totalCost": 1.5})
    session.custom("context-prune-stats", {"callCount": 7})
    assert session.inspect().ledger.stats == {
        "totalInputTokens": 0,
        "totalOutputTokens": 0,
        "totalCost": 0,
        "callCount": 7,
        "chainsCompressed": 0,
        "rangesSummarized": 0,
    }


def test_recorded_diagnostics_are_counted_apart_from_our_own() -> None:
    session = SessionBuilder().result("orphan")
    for detail in ("blockId=b1", "blockId=b1", "blockId=b2"):
        session.custom("context-prune-diagnostic", {"kind": "unresolved-range", "detail": detail})
    session.custom("context-prune-diagnostic", {"kind": "not-yet-known", "detail": "new"})
    inspection = session.inspect()
    assert [found.kind for found in inspection.plan.diagnostics] == ["orphan-sweep"]
    assert len(inspection.ledger.recorded) == 3
    assert len(inspection.ledger.recorded_distinct) == 2


def test_the_frontier_decides_nothing() -> None:
    """Its outcome may say that nothing was summarised; records alone decide."""
    session = SessionBuilder().user().turn("x", at=2000)
    frontier = {"lastAttemptedToolCallId": "x", "lastAttemptedTurnIndex": 0, "outcome": "skipped"}
    inspection = session.custom("context-prune-frontier", frontier).inspect()
    assert not inspection.plan.is_pruned
    assert inspection.ledger.frontier is not None
    assert inspection.ledger.frontier["outcome"] == "skipped"
    assert [batch.calls[0].key for batch in inspection.pending] == ["x@2000"]
