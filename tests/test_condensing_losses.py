"""What condensing loses: at once nothing, and in a replay what the extension loses; it is told."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.condensing.condense import Condensed, Mode
from condense_tui.condensing.losses import Losses
from condense_tui.condensing.outcomes import CallOutcome, ChainOutcome
from condense_tui.inspection.concerns import added_kinds, concerns
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.records import EntryType
from condense_tui.view.condensing import losses_words
from tests.build import SessionBuilder, call, record, text
from tests.condensing import condensed, payloads

LONG = "a line of output\n" * 100
OTHER = "another line of it\n" * 100
NO_WINDOW = {"chainCompression": {"enabled": True, "rollingWindow": 0}}
IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}
BEYOND_TEXT: list[Any] = ["x" * 4_000, [text(LONG), IMAGE], [IMAGE], [text(LONG), "x"], {"a": 1}]


def with_output(content: Any, at: float = 1_150) -> SessionBuilder:
    """One request: a call whose result has this content, and one of the usual form."""
    session = SessionBuilder().user(at=1_100).assistant(call("odd"), call("usual"))
    session.message("toolResult", content, at, toolCallId="odd", toolName="bash", isError=False)
    return session.result("usual", LONG, at=1_160).answer(at=1_200)


def outcomes(found: Condensed) -> dict[str, CallOutcome]:
    return {told.captured.call.id: told.outcome for told in found.report.calls}


def sent(inspection: Inspection, call_id: str) -> Any:
    """The content of a result as the model is sent it; None where it is not."""
    messages = inspection.plan.pruned_messages
    found = (m.body["content"] for m in messages if m.tool_call_id == call_id)
    return next(found, None)


# What a record does not hold


@pytest.mark.parametrize("content", BEYOND_TEXT)
def test_what_a_record_would_not_hold_is_left_alone(content: Any) -> None:
    found = condensed(with_output(content).inspect())
    assert outcomes(found) == {
        "odd": CallOutcome.BEYOND_TEXT,
        "usual": CallOutcome.SUMMARISED,
    }
    assert sent(found.after, "odd") == content


@pytest.mark.parametrize("content", BEYOND_TEXT)
def test_a_chain_that_would_drop_it_is_left_alone(content: Any) -> None:
    found = condensed(with_output(content).inspect(**NO_WINDOW))
    assert [chain.outcome for chain in found.report.chains] == [ChainOutcome.BEYOND_TEXT]
    assert sent(found.after, "odd") == content
    assert found.losses == Losses()


def test_a_chain_is_left_alone_where_that_is_protected() -> None:
    """Of a protected output a block holds the text only."""
    session = SessionBuilder().user(at=1_100).turn("a", LONG).assistant(call("odd", "read"))
    session.message("toolResult", "kept", toolCallId="odd", toolName="read", isError=False)
    found = condensed(session.answer().inspect(**NO_WINDOW, protectedTools=["read"]))
    assert [chain.outcome for chain in found.report.chains] == [ChainOutcome.BEYOND_TEXT]


def test_what_the_model_sees_a_stub_of_holds_no_chain_back() -> None:
    session = with_output("x" * 4_000).archive("t1", "odd", 1_150, "")
    found = condensed(session.inspect(**NO_WINDOW))
    assert found.report.chains[0].block_id == "b1"


@pytest.mark.parametrize("content", ["", [], None, [text("one"), text("two")]])
def test_what_is_all_text_is_condensed(content: Any) -> None:
    found = condensed(with_output(content).inspect(**NO_WINDOW))
    assert outcomes(found)["odd"] is CallOutcome.SUMMARISED
    assert found.report.chains[0].block_id == "b1"
    assert found.losses == Losses()


def test_a_result_that_shares_its_key_with_such_a_one_is_left_alone() -> None:
    """Its record would hide the other, although both have no text."""
    session = with_output("x" * 4_000)
    session.user().turn("odd", "", at=1_150).answer()
    found = condensed(session.inspect())
    assert [told.outcome for told in found.report.calls if told.captured.call.id == "odd"] == [
        CallOutcome.UNSAFE
    ] * 2


# What a replay loses


@pytest.mark.parametrize("content", BEYOND_TEXT)
def test_a_replay_counts_what_its_records_do_not_hold(content: Any) -> None:
    found = condensed(with_output(content).inspect(), mode=Mode.REPLAY)
    assert outcomes(found)["odd"] is CallOutcome.SUMMARISED
    assert found.losses == Losses(altered=1)


def test_a_replay_counts_the_outputs_that_no_query_will_find() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).turn("b", "short")
    session.result("stray", "swept before").answer(at=1_200)
    replay = condensed(session.inspect(**NO_WINDOW), mode=Mode.REPLAY)
    assert replay.losses == Losses(unfound=1)
    assert condensed(session.inspect(**NO_WINDOW)).losses == Losses()


def test_an_output_that_stands_in_the_block_is_not_lost() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG)
    session.turn("b", "short", tool="read", at=1_150).index(record("b", 1_150, toolName="read"))
    settings = {**NO_WINDOW, "protectedTools": ["read"]}
    found = condensed(session.answer(at=1_200).inspect(**settings), mode=Mode.REPLAY)
    assert sent(found.after, "b") is None
    assert found.losses == Losses()


def twice_under_a_bare_id() -> SessionBuilder:
    """The hash of the first record leads to its key, and there stands the second one."""
    session = SessionBuilder().user().turn("a", LONG, at=2_000)
    session.index(record("b", None, LONG), record("b", None, OTHER))
    return session.answer()


def test_a_replay_says_that_a_duplicate_has_another_text() -> None:
    found = condensed(twice_under_a_bare_id().inspect(), mode=Mode.REPLAY)
    assert outcomes(found) == {"a": CallOutcome.MISTAKEN}
    assert payloads(found, EntryType.ALIAS) == [
        {"newToolCallId": "a", "originalToolCallId": "b", "newResultTimestamp": 2_000}
    ]
    assert found.losses == Losses(altered=1)


def test_a_flush_of_now_takes_no_other_text_for_a_duplicate() -> None:
    found = condensed(twice_under_a_bare_id().inspect())
    assert outcomes(found) == {"a": CallOutcome.SUMMARISED}
    assert found.losses == Losses()


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        (Losses(), ""),
        (Losses(1, 0), "1 output of the context will be found by no query"),
        (Losses(52, 2), "52 outputs of the context will be found by no query, 2 changed"),
        (Losses(0, 1), "1 output of the context will be found changed"),
    ],
)
def test_losses_in_words(losses: Losses, words: str) -> None:
    assert losses_words(losses) == words


# What check would say of the copy


def added(found: Condensed) -> dict[str, int]:
    looks = (found.before, found.after)
    return added_kinds(*(concerns(look, tuple(find(look))) for look in looks))


def test_diagnostics_count_among_what_the_copy_has_more() -> None:
    """The extension makes a block of a chain that a compaction cut: it drops nothing."""
    session = SessionBuilder().user(at=1_100).turn("a", LONG).answer(at=1_200)
    session.entry("compaction", summary="s", firstKeptEntryId="e4", tokensBefore=1)
    found = condensed(session.inspect(**NO_WINDOW), mode=Mode.REPLAY)
    assert added(found) == {"unresolved-range": 1}


def test_a_diagnostic_that_is_written_counts() -> None:
    session = SessionBuilder().user(at=1_100).assistant(call("a")).answer(at=1_200)
    assert added(condensed(session.inspect(**NO_WINDOW))) == {"backfill-empty": 1}


def test_a_recorded_diagnostic_that_comes_true_again_counts() -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).answer(at=1_200)
    session.entry("compaction", summary="s", firstKeptEntryId="e4", tokensBefore=1)
    detail = "blockId=b1 start=1100 final=1200"
    session.custom("context-prune-diagnostic", {"kind": "unresolved-range", "detail": detail})
    found = condensed(session.inspect(**NO_WINDOW), mode=Mode.REPLAY)
    assert added(found) == {"unresolved-range": 1}


def test_a_diagnostic_that_is_no_longer_true_is_not_one_more() -> None:
    """It was found, and then is only recorded: the chain drops the result that was swept."""
    session = SessionBuilder().user(at=1_100).assistant(call("a")).custom_message()
    session.result("a", LONG).answer(at=1_200)
    session.custom(
        "context-prune-diagnostic",
        {"kind": "orphan-sweep", "detail": "swept 1 orphan toolResult(s): a"},
    )
    inspection = session.inspect(**NO_WINDOW)
    assert len(inspection.plan.diagnostics) == 1
    found = condensed(inspection)
    assert found.after.plan.diagnostics == ()
    assert added(found) == {}
