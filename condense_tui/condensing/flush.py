"""A flush: pending batches → summaries, records, frontier and totals.

(Source: the pruning rules, section 6; the order of entries is the extension's own.)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from condense_tui.condensing.batches import batch_text, merged, raw_chars
from condense_tui.condensing.capture import (
    Desk,
    pending_beyond_frontier,
    without_duplicates,
)
from condense_tui.condensing.labels import is_usable, refs_footer, with_refs
from condense_tui.condensing.outcomes import CallOutcome
from condense_tui.condensing.payloads import (
    Payload,
    frontier_payload,
    record_payload,
    stats_payload,
    summary_details,
)
from condense_tui.condensing.summariser import Answer, Summariser, Usage
from condense_tui.pruning.pending import Batch
from condense_tui.pruning.records import EntryType
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import utf16_length


class FlushOutcome(StrEnum):
    """How a flush ended, in the extension's words."""

    SUMMARISED = "summarized"
    OVERSIZED = "skipped-oversized"
    DEDUPED = "skipped-deduped"
    TRIVIAL = "skipped-trivial"
    EMPTY = "empty"
    FAILED = "failed"


class Flushed(Value, frozen=True):
    """How many batches were captured and how many of them settled, and how that ended."""

    captured: int
    processed: int
    outcome: FlushOutcome


def summarise_pending(desk: Desk, summariser: Summariser, batches: Sequence[Batch]) -> Flushed:
    """Settle captured batches, up to the first that the summariser fails at."""
    if not batches:
        return Flushed(0, 0, FlushOutcome.EMPTY)
    kept = without_duplicates(desk, batches)
    asked = [batch for batch in kept if batch.calls and not _is_too_small(desk, batch)]
    desk.report.questions.add(map(batch_text, asked))
    answers = dict(zip(map(id, asked), summariser.summaries(asked), strict=True))
    settled: list[tuple[CallOutcome, int]] = []
    for batch in kept:
        answer = answers.get(id(batch))
        if id(batch) in answers and not _is_answer(answer):
            _tell_all(desk, batch, CallOutcome.FAILED)
            break
        settled.append(_settle(desk, batch, answer))
    outcome = _outcome([what for what, _ in settled])
    if settled:
        attempted = batches[: len(settled)]
        last = (kept[len(settled) - 1].calls or attempted[-1].calls)[-1]
        chars = (sum(map(raw_chars, attempted)), sum(chars for _, chars in settled))
        _advance(desk, frontier_payload(attempted, last, chars, outcome.value))
    usage = sum((answer.usage for answer in answers.values() if answer), Usage())
    if settled or usage.calls or usage.fallbacks:
        desk.report.usage += usage
        desk.notes.add(EntryType.STATS, stats_payload(desk.notes.stats, usage, 0, 0))
    return Flushed(len(batches), len(settled), outcome)


def _is_too_small(desk: Desk, batch: Batch) -> bool:
    return raw_chars(batch) < desk.limits.min_batch_chars


def _advance(desk: Desk, frontier: Payload) -> None:
    desk.report.raw_chars += frontier["rawCharCount"]
    desk.report.summary_chars += frontier["summaryCharCount"]
    desk.notes.add(EntryType.FRONTIER, frontier)


def _is_answer(answer: Answer | None) -> bool:
    return answer is not None and is_usable(answer.text, answer.stop_reason)


def _settle(desk: Desk, batch: Batch, answer: Answer | None) -> tuple[CallOutcome, int]:
    """Write a batch's summary and records, or leave it raw; how it went, and the text's size."""
    if not batch.calls:
        return CallOutcome.DUPLICATE, 0
    if answer is None:
        _tell_all(desk, batch, CallOutcome.TOO_SMALL)
        return CallOutcome.TOO_SMALL, 0
    refs = desk.notes.next_refs(len(batch.calls))
    tools = [captured.call.name for captured in batch.calls]
    content = with_refs(answer.text, refs, tools) + refs_footer(refs)
    chars = utf16_length(content)
    if chars >= raw_chars(batch):
        _tell_all(desk, batch, CallOutcome.NOT_SHORTER)
        return CallOutcome.NOT_SHORTER, 0
    desk.notes.add_summary(content, summary_details(batch, refs))
    records = [record_payload(call, batch.turn_index, batch.timestamp) for call in batch.calls]
    desk.notes.add(EntryType.INDEX, {"toolCalls": records})
    for captured, ref in zip(batch.calls, refs, strict=True):
        desk.tell(batch, captured, CallOutcome.SUMMARISED, ref)
    return CallOutcome.SUMMARISED, chars


def _tell_all(desk: Desk, batch: Batch, what: CallOutcome) -> None:
    for captured in batch.calls:
        desk.tell(batch, captured, what)


_OUTCOMES = {
    CallOutcome.SUMMARISED: FlushOutcome.SUMMARISED,
    CallOutcome.NOT_SHORTER: FlushOutcome.OVERSIZED,
    CallOutcome.DUPLICATE: FlushOutcome.DEDUPED,
    CallOutcome.TOO_SMALL: FlushOutcome.TRIVIAL,
}


def _outcome(settled: Sequence[CallOutcome]) -> FlushOutcome:
    """The first of the table that any batch came to."""
    found = (ended for what, ended in _OUTCOMES.items() if what in settled)
    return next(found, FlushOutcome.FAILED)


def captured_batches(desk: Desk, turns: Sequence[Batch]) -> list[Batch]:
    """What a flush of these turns takes up, merged as the settings say."""
    return merged(pending_beyond_frontier(desk, turns), desk.limits.batching_mode)
