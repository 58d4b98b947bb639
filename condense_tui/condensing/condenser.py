"""`Condenser`: flushes along a branch, each going on from what the one before wrote.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from math import ceil

from condense_tui.condensing.capture import Desk, spill_single_results
from condense_tui.condensing.compress import Compressor, IsPlaced
from condense_tui.condensing.flush import FlushOutcome, captured_batches, summarise_pending
from condense_tui.condensing.payloads import flush_payload
from condense_tui.condensing.summariser import Summariser
from condense_tui.pruning.metrics import Gauge, Metrics
from condense_tui.pruning.records import EntryType
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.messages import message_of


class FlushPoint(Value, frozen=True):
    """Where a flush happens: the messages before the place `upto` are there.

    With `has_final` the message at that place has just ended and counts for chains.  A flush
    that comes to nothing leaves its metrics only where `is_told_empty`.
    """

    upto: int
    has_final: bool = False
    trigger: str = "manual"
    ignores_window: bool = False
    is_told_empty: bool = False


class Condenser:
    """Spills, flushes and compresses at one point of the branch after another, never back."""

    def __init__(self, desk: Desk, summariser: Summariser, is_placed: IsPlaced) -> None:
        self.desk = desk
        self._summariser = summariser
        self._compressor = Compressor(desk, summariser, is_placed)
        self._gauge = Gauge()
        self._gauged = 0
        self._spilled_turns = 0
        self._flushed_turns = 0

    def spill(self, upto: int) -> None:
        """Spill the oversized results of the turns that began before this place."""
        end = self._turns_before(upto)
        start = max(self._spilled_turns, self._first_open_turn())
        spill_single_results(self.desk, self.desk.course.turns[start:end])
        self._spilled_turns = end

    def flush(self, point: FlushPoint) -> None:
        """One whole flush; its metrics are those of the moment before."""
        notes, end = self.desk.notes, self._turns_before(point.upto)
        self.spill(point.upto)
        metrics = self._measured(point.upto)
        turns = self.desk.course.turns[max(self._flushed_turns, self._first_open_turn()) : end]
        batches = captured_batches(self.desk, turns)
        already = len(notes.written)
        flushed = summarise_pending(self.desk, self._summariser, batches)
        if flushed.processed == flushed.captured:
            self._flushed_turns = end
        self.compress(point)
        self._gauge_summaries(notes.written[already:])
        if flushed.outcome is FlushOutcome.EMPTY and not point.is_told_empty:
            return
        self.desk.report.flushes += 1
        self.desk.report.batches += flushed.captured
        counts = (flushed.captured, flushed.processed)
        outcome = flushed.outcome.value
        payload = flush_payload(point.trigger, notes.now_ms(), counts, outcome, metrics)
        notes.add(EntryType.FLUSH_METRICS, payload)

    def compress(self, point: FlushPoint) -> None:
        """Only the compression of what is eligible at this point."""
        self._compressor.compress(point.upto, point.has_final, point.ignores_window)

    def _measured(self, upto: int) -> Metrics:
        end = self.desk.course.gauged_ends[upto]
        for message in self.desk.course.gauged[self._gauged : end]:
            self._gauge.add(message)
        self._gauged = end
        moment = self.desk.notes.frontier, self.desk.notes.index, self.desk.settings
        self._gauge.forget_settled(*moment)
        return self._gauge.read(*moment)

    def _gauge_summaries(self, written: Iterable[Entry]) -> None:
        """A summary that a flush wrote weighs in the next one's metrics."""
        for entry in written:
            message = message_of(entry)
            if message:
                self._gauge.add(message)

    def _turns_before(self, place: int) -> int:
        return bisect_left(self.desk.course.turn_places, place)

    def _first_open_turn(self) -> int:
        """Turns before the frontier's are settled."""
        return ceil(max(0, min(self.desk.notes.settled_turn, len(self.desk.course.turns))))
