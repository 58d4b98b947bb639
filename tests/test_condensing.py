"""Condensing: the acceptance numbers of the write side, and the rules one by one."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.condensing.condense import Mode, condense
from condense_tui.condensing.condense import Order as CondenseOrder
from condense_tui.condensing.outcomes import CallOutcome, ChainOutcome
from condense_tui.condensing.summariser import Answer
from condense_tui.pruning.query import query
from condense_tui.pruning.records import EntryType, entry_type
from condense_tui.pruning.slots import FateKind
from condense_tui.session.entries import Refusal
from tests.build import SessionBuilder, call, places, record, spilled, text
from tests.condensing import (
    BLOBS,
    ONE_CALL,
    Told,
    bullets,
    clerk,
    condensed,
    payloads,
    refs_of,
)

LONG = "a line of output\n" * 100
OTHER = "another line of it\n" * 100
NO_WINDOW = {"chainCompression": {"enabled": True, "rollingWindow": 0, "fuseRangeSummary": True}}


def outputs(found: Any, ref: str) -> list[str]:
    (answer,) = query(found.after.index, [ref], lambda _record: None)
    return [match.raw.decode() for match in answer.matches]


def outcomes(found: Any) -> list[CallOutcome]:
    return [report.outcome for report in found.report.calls]


# Acceptance


def test_i8_a_live_batch_that_collides_with_summarised_ids_is_captured() -> None:
    session = (
        SessionBuilder()
        .user()
        .turn("bash_23", LONG, at=2_000)
        .archive("t1", "bash_23", 2_000, LONG)
    )
    session.user().turn("bash_23", OTHER, at=3_000)
    found = condensed(session.inspect())
    assert refs_of(found) == [("t2", "bash_23@3000")]
    assert outputs(found, "t1") == [LONG]
    assert outputs(found, "t2") == [OTHER]


def test_i9_batches_that_share_an_id_are_no_duplicates() -> None:
    session = SessionBuilder().user().turn("bash_1", LONG, at=2_000)
    session.archive("t1", "bash_1", 2_000, LONG).user().turn("bash_1", OTHER, at=3_000)
    assert payloads(condensed(session.inspect()), EntryType.ALIAS) == []


def test_i9_two_spilled_occurrences_share_no_file() -> None:
    session = SessionBuilder().user().turn("bash_1", LONG, at=2_000).turn("bash_1", OTHER, at=3_000)
    found = condensed(session.inspect(spillThreshold=1000))
    assert dict(found.files) == {
        f"{BLOBS}/bash_1_2000.txt": LONG,
        f"{BLOBS}/bash_1_3000.txt": OTHER,
    }


def test_keys_that_come_to_one_file_name_share_no_file() -> None:
    session = SessionBuilder().user().turn("a.b", LONG, at=2_000).turn("a:b", OTHER, at=2_000)
    found = condensed(session.inspect(spillThreshold=1000))
    assert dict(found.files) == {
        f"{BLOBS}/a_b_2000.txt": LONG,
        f"{BLOBS}/a_b_2000_2.txt": OTHER,
    }


def test_i10_occurrences_without_a_timestamp_are_bare_keyed() -> None:
    session = SessionBuilder().user().turn("bash_1", LONG, at=None)
    found = condensed(session.inspect())
    assert refs_of(found) == [("t1", "bash_1")]
    (index,) = payloads(found, EntryType.INDEX)
    assert "resultTimestamp" not in index["toolCalls"][0]


def test_i10a_pairing_is_positional() -> None:
    """The same id in two turns; the second turn's result is not the first turn's."""
    session = SessionBuilder().user()
    session.assistant(call("bash_1", command="one")).result("bash_1", LONG, at=2_000)
    session.assistant(call("bash_1", command="two")).result("bash_1", OTHER, at=3_000)
    found = condensed(session.inspect())
    recorded = [entry["toolCalls"][0] for entry in payloads(found, EntryType.INDEX)]
    assert [(each["args"]["command"], each["resultText"]) for each in recorded] == [
        ("one", LONG),
        ("two", OTHER),
    ]


# Rules


def test_nothing_pending_writes_nothing() -> None:
    assert condensed(SessionBuilder().user().answer().inspect()).entries == ()


def test_an_output_archived_before_is_an_alias() -> None:
    session = SessionBuilder().user().turn("a", LONG, at=2_000).archive("t1", "a", 2_000, LONG)
    session.user().turn("b", LONG, at=3_000)
    found = condensed(session.inspect())
    assert payloads(found, EntryType.ALIAS) == [
        {
            "newToolCallId": "b",
            "originalToolCallId": "a",
            "newResultTimestamp": 3_000,
            "originalResultTimestamp": 2_000,
        }
    ]
    assert outcomes(found) == [CallOutcome.DUPLICATE]
    assert found.report.calls[0].ref == "t1"


def nearly_the_same() -> SessionBuilder:
    """Equal by content hash, which leaves blanks at line ends aside."""
    session = SessionBuilder().user().turn("a", LONG, at=2_000).archive("t1", "a", 2_000, LONG)
    return session.user().turn("b", LONG.replace("\n", " \n"), at=3_000).answer()


def test_a_flush_of_now_takes_only_the_very_same_output_for_a_duplicate() -> None:
    assert outcomes(condensed(nearly_the_same().inspect())) == [CallOutcome.SUMMARISED]


def test_a_replay_takes_for_a_duplicate_what_the_extension_does() -> None:
    """And says that it is none."""
    found = condensed(nearly_the_same().inspect(), mode=Mode.REPLAY)
    assert len(payloads(found, EntryType.ALIAS)) == 1
    assert outcomes(found) == [CallOutcome.MISTAKEN]


def test_duplicates_are_left_when_they_are_not_looked_for() -> None:
    session = SessionBuilder().user().turn("a", LONG, at=2_000).archive("t1", "a", 2_000, LONG)
    session.user().turn("b", LONG, at=3_000)
    found = condensed(session.inspect(dedupByContentHash=False))
    assert outcomes(found) == [CallOutcome.SUMMARISED]


@pytest.mark.parametrize(
    ("settings", "outcome"),
    [
        ({"protectedTools": ["bash"]}, CallOutcome.PROTECTED),
        ({"minBatchChars": 2_000}, CallOutcome.TOO_SMALL),
        ({"spillThreshold": 1_700}, CallOutcome.SPILLED),
        ({"spillThreshold": 1_701}, CallOutcome.SUMMARISED),
    ],
)
def test_what_becomes_of_a_call(settings: Any, outcome: CallOutcome) -> None:
    session = SessionBuilder().user().turn("a", LONG)
    assert outcomes(condensed(session.inspect(**settings))) == [outcome]


def test_a_summary_that_is_not_shorter_is_rejected_and_the_frontier_moves_on() -> None:
    session = SessionBuilder().user().turn("a", LONG)
    found = condensed(session.inspect(), Told(lambda _batch: Answer("x" * 1_700)))
    assert outcomes(found) == [CallOutcome.NOT_SHORTER]
    (frontier,) = payloads(found, EntryType.FRONTIER)
    assert (frontier["lastAttemptedToolCallId"], frontier["outcome"]) == ("a", "skipped-oversized")
    assert condensed(found.after).entries == ()


@pytest.mark.parametrize("answer", [None, Answer("  \n"), Answer("cut", stop_reason="length")])
def test_a_failing_summariser_leaves_the_rest_pending(answer: Answer | None) -> None:
    session = SessionBuilder().user().turn("a", LONG).turn("b", OTHER).turn("c", LONG + OTHER)
    answers = {"a": Answer("short", ONE_CALL), "b": answer}
    told = Told(lambda batch: answers.get(batch.calls[0].call.id, bullets(batch)))
    found = condensed(session.inspect(), told)
    assert outcomes(found) == [CallOutcome.SUMMARISED, CallOutcome.FAILED]
    (frontier,) = payloads(found, EntryType.FRONTIER)
    assert frontier["lastAttemptedToolCallId"] == "a"
    assert [ref for ref, _ in refs_of(condensed(found.after))] == ["t2", "t3"]


def test_labels_become_refs_and_the_footer_names_them() -> None:
    session = SessionBuilder().user()
    session.assistant(call("a", "read"), call("b")).result("a", LONG, tool="read").result(
        "b", OTHER
    )
    (summary, *_) = condensed(session.inspect()).entries
    assert summary.body["content"] == (
        "- `t1` done\n- `t2` done\n\n---\n**Summarized tool refs**: `t1`, `t2`\n"
        "Use `context_tree_query` with these refs to retrieve the original full outputs."
    )
    assert summary.body["details"]["toolNames"] == ["read", "bash"]


def test_batches_of_one_user_message_are_merged_where_asked_for() -> None:
    session = SessionBuilder().user().turn("a", LONG).turn("b", OTHER).answer()
    session.user().turn("c", LONG + OTHER).answer()
    told = Told(bullets)
    condensed(session.inspect(), told, batching_mode="agent-message")
    assert [[each.call.id for each in batch.calls] for batch in told.asked] == [["a", "b"], ["c"]]


def test_refs_and_blocks_go_on_from_the_highest() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG, at=1_200).answer(at=1_300)
    session.archive("t41", "a", 1_200, LONG).chain("b7", 1_100, 1_300, ["a@1200"])
    session.user().turn("b", OTHER).answer()
    found = condensed(session.inspect(**NO_WINDOW))
    assert [ref for ref, _ in refs_of(found)] == ["t42"]
    assert [entry["blockId"] for entry in payloads(found, EntryType.CHAIN)] == ["b8"]


def test_the_call_that_the_frontier_names_divides_its_turn() -> None:
    session = SessionBuilder().user().assistant(call("a"), call("b"))
    session.result("a", LONG).result("b", OTHER)
    session.custom(
        "context-prune-frontier", {"lastAttemptedToolCallId": "a", "lastAttemptedTurnIndex": 0}
    )
    assert [key.split("@")[0] for _, key in refs_of(condensed(session.inspect()))] == ["b"]


def test_of_a_doubled_id_the_last_call_is_the_frontier() -> None:
    session = SessionBuilder().user().assistant(call("a"), call("a")).result("a", "short")
    assert condensed(condensed(session.inspect()).after).entries == ()


@pytest.mark.parametrize("turn", ["1", None, [], 0.5, -1, 2**60])
def test_a_frontier_of_any_shape_costs_nothing(turn: Any) -> None:
    session = SessionBuilder().user().turn("a", LONG)
    session.custom(
        "context-prune-frontier", {"lastAttemptedToolCallId": "x", "lastAttemptedTurnIndex": turn}
    )
    condensed(session.inspect())
    condensed(session.inspect(), mode=Mode.REPLAY)


def test_results_that_share_an_id_and_a_time_are_left_alone() -> None:
    """Their key could only give back one of them."""
    session = SessionBuilder().user().turn("a", LONG, at=2_000).turn("a", OTHER, at=2_000)
    assert outcomes(condensed(session.inspect())) == [CallOutcome.UNSAFE] * 2


def test_a_result_without_a_time_whose_id_is_used_again_is_left_alone() -> None:
    """Its record would stand for the other one too."""
    session = SessionBuilder().user().turn("a", LONG, at=None).turn("a", OTHER, at=2_000)
    found = condensed(session.inspect())
    assert outcomes(found) == [CallOutcome.UNSAFE, CallOutcome.SUMMARISED]


def test_a_broken_index_entry_refuses() -> None:
    session = SessionBuilder().user().turn("a", LONG).custom("context-prune-index", None)
    found = condense(session.inspect(), Told(bullets), clerk(), CondenseOrder(BLOBS))
    assert isinstance(found, Refusal)


# Chains


def chained(*builders: Any) -> SessionBuilder:
    """Three requests: outputs long and short, and nothing but short."""
    session = SessionBuilder().user(at=1_100).turn("a", LONG).turn("b", "short").answer(at=1_200)
    session.user(at=2_100).turn("c", "tiny").answer(at=2_200)
    return session.user(at=3_100).turn("d", OTHER).answer(at=3_200)


def test_chains_outside_the_window_are_compressed() -> None:
    found = condensed(chained().inspect(**NO_WINDOW))
    assert [report.outcome for report in found.report.chains] == [
        ChainOutcome.COVERED,
        ChainOutcome.DETERMINISTIC,
        ChainOutcome.COVERED,
    ]
    assert len(places(found.after.plan, FateKind.DROPPED)) == 8
    assert condensed(found.after).entries == ()


def test_the_window_holds_the_newest_back_unless_it_is_ignored() -> None:
    assert condensed(chained().inspect()).report.chains == []
    found = condensed(chained().inspect(), ignores_window=True)
    assert [report.block_id for report in found.report.chains] == ["b1", "b2", "b3"]


def test_compression_that_is_switched_off_stays_off() -> None:
    settings = {"chainCompression": {"enabled": False, "rollingWindow": 0}}
    found = condensed(chained().inspect(**settings), ignores_window=True)
    assert found.report.chains == []


def test_a_flush_of_now_archives_what_a_covered_chain_would_lose() -> None:
    """The extension drops a batch that was too small with its chain, unarchived."""
    found = condensed(chained().inspect(**NO_WINDOW))
    assert found.report.chains[0].backfilled == 1
    assert outputs(found, "b") == ["short"]
    replay = condensed(chained().inspect(**NO_WINDOW), mode=Mode.REPLAY)
    assert replay.report.chains[0].backfilled == 0
    assert outputs(replay, "b") == []


def test_results_of_no_call_are_archived_too() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).result("stray", "kept", at=5_000)
    found = condensed(session.answer(at=1_200).inspect(**NO_WINDOW))
    assert outputs(found, "stray@5000") == ["kept"]


def test_a_long_output_of_an_uncovered_chain_goes_to_a_file() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG, at=1_150).answer(at=1_200)
    settings = NO_WINDOW | {"minBatchChars": 10_000}
    (index,) = payloads(condensed(session.inspect(**settings)), EntryType.INDEX)
    assert index["backfilled"] is True
    assert index["toolCalls"][0]["turnIndex"] == -1
    found = condensed(session.inspect(**settings, spillThreshold=1_000))
    assert list(found.files) == [f"{BLOBS}/a_1150.txt"]


def test_summaries_are_fused_where_the_summariser_can() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).turn("b", OTHER).answer(at=1_200)
    told = Told(bullets, lambda _texts: Answer("one text", ONE_CALL))
    found = condensed(session.inspect(**NO_WINDOW), told)
    (chain,) = payloads(found, EntryType.CHAIN)
    assert chain["rangeSummaryText"] == "one text"
    assert len(told.fused_texts[0]) == 2
    *_, stats = payloads(found, EntryType.STATS)
    assert (stats["callCount"], stats["chainsCompressed"], stats["rangesSummarized"]) == (3, 1, 1)


@pytest.mark.parametrize("answer", [None, Answer(""), Answer("cut", stop_reason="length")])
def test_summaries_that_cannot_be_fused_stand_side_by_side(answer: Answer | None) -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).turn("b", OTHER).answer(at=1_200)
    found = condensed(session.inspect(**NO_WINDOW), Told(bullets, lambda _texts: answer))
    (chain,) = payloads(found, EntryType.CHAIN)
    assert "rangeSummaryText" not in chain


def test_a_fully_protected_chain_is_left_alone() -> None:
    found = condensed(chained().inspect(**NO_WINDOW, protectedTools=["bash"]))
    assert {report.outcome for report in found.report.chains} == {ChainOutcome.PROTECTED}
    assert found.entries == ()


def test_a_chain_without_any_result_is_reported_once() -> None:
    session = SessionBuilder().user(at=1_100).assistant(call("a")).answer(at=1_200)
    found = condensed(session.inspect(**NO_WINDOW))
    (diagnostic,) = payloads(found, EntryType.DIAGNOSTIC)
    assert diagnostic["kind"] == "backfill-empty"
    assert condensed(found.after).entries == ()


def test_a_chain_that_a_compaction_cut_is_left_alone() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).answer(at=1_200)
    session.entry("compaction", summary="s", firstKeptEntryId="e4", tokensBefore=1)
    found = condensed(session.inspect(**NO_WINDOW))
    assert [report.outcome for report in found.report.chains] == [ChainOutcome.UNPLACED]


def test_a_flush_of_now_lets_be_what_a_compaction_took_out() -> None:
    """A summary of it would only add to the context.  The extension summarises it."""
    session = SessionBuilder().user(at=1_100).turn("a", LONG).answer(at=1_200)
    session.entry("compaction", summary="s", firstKeptEntryId="e4", tokensBefore=1)
    assert outcomes(condensed(session.inspect())) == [CallOutcome.UNSEEN]
    replay = condensed(session.inspect(), mode=Mode.REPLAY)
    assert outcomes(replay) == [CallOutcome.SUMMARISED]


def test_a_recovery_in_grace_holds_its_chain_back() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG, tool="context_tree_query")
    session.answer(at=1_200).user(at=2_000)
    assert condensed(session.inspect(**NO_WINDOW)).report.chains == []
    for at in range(2_100, 2_500, 100):
        session.user(at=at)
    assert len(condensed(session.inspect(**NO_WINDOW)).report.chains) == 1


# Replay


def test_a_replay_flushes_at_each_final_answer() -> None:
    found = condensed(chained().inspect(minBatchChars=1), mode=Mode.REPLAY)
    flushes = payloads(found, EntryType.FLUSH_METRICS)
    assert [each["trigger"] for each in flushes] == ["message-end"] * 3
    assert [each["capturedBatches"] for each in flushes] == [2, 1, 1]


def test_a_replay_goes_on_from_the_frontier() -> None:
    first = condensed(chained().inspect(), mode=Mode.REPLAY)
    assert condensed(first.after, mode=Mode.REPLAY).entries == ()


def test_the_answer_that_just_came_closes_its_chain() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).answer(at=1_200)
    found = condensed(session.inspect(**NO_WINDOW), mode=Mode.REPLAY)
    assert [report.block_id for report in found.report.chains] == ["b1"]


# Entries


def test_new_entries_hang_below_the_leaf_one_below_the_other() -> None:
    inspection = chained().inspect(**NO_WINDOW)
    found = condensed(inspection)
    parents = [entry.parent_id for entry in found.entries]
    assert parents == [inspection.branch.leaf_id, *(entry.id for entry in found.entries[:-1])]
    assert all(entry_type(entry) for entry in found.entries)


def test_an_older_spill_is_not_taken_for_the_same() -> None:
    """Nobody can look into its file here."""
    digest_of = condensed(SessionBuilder().user().turn("z", LONG).inspect(spillThreshold=1_000))
    (index,) = payloads(digest_of, EntryType.INDEX)
    session = (
        SessionBuilder()
        .user()
        .turn("a", "gone", at=2_000)
        .index(spilled("a", 2_000, contentHash=index["toolCalls"][0]["contentHash"]))
    )
    session.turn("b", LONG, at=3_000)
    assert outcomes(condensed(session.inspect())) == [CallOutcome.SUMMARISED]


def test_totals_of_any_shape_count_as_nothing() -> None:
    session = SessionBuilder().user().turn("a", LONG)
    session.custom(
        "context-prune-stats", {"totalCost": "x", "callCount": [], "totalInputTokens": 3}
    )
    *_, stats = payloads(condensed(session.inspect()), EntryType.STATS)
    assert (stats["totalCost"], stats["callCount"], stats["totalInputTokens"]) == (0, 1, 3)


def test_records_that_were_there_already_are_known() -> None:
    session = SessionBuilder().user().assistant(text(), call("a")).result("a", LONG, at=2_000)
    session.index(record("a", 2_000, LONG))
    assert condensed(session.inspect()).entries == ()
