"""`Condenser`: flushes along a branch, each going on from what the one before wrote.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from condense_tui.condensing.capture import Desk, spill_single_results
from condense_tui.condensing.compress import Compressor, IsPlaced
from condense_tui.condensing.flush import captured_batches, summarise_pending
from condense_tui.condensing.gauge import Gauge
from condense_tui.condensing.payloads import flush_payload
from condense_tui.condensing.summariser import Summariser
from condense_tui.pruning.records import EntryType
from condense_tui.session.jsontext import as_number


@dataclass(frozen=True, slots=True)
class FlushPoint:
    """Where a flush happens: the messages before the place `upto` are there.

    With `has_final` the message at that place has just ended and counts for chains.
    """

    upto: int
    has_final: bool = False
    trigger: str = "manual"
    ignores_window: bool = False


class Condenser:
    """Spills, flushes and compresses at one point of the branch after another, never back."""

    def __init__(self, desk: Desk, summariser: Summariser, is_placed: IsPlaced) -> None:
        self.desk = desk
        self._summariser = summariser
        self._compressor = Compressor(desk, summariser, is_placed)
        self._gauge = Gauge(desk.course, desk.settings)
        self._spilled_turns = 0

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
        metrics = self._gauge.measure(point.upto, notes)
        turns = self.desk.course.turns[self._first_open_turn() : end]
        batches = captured_batches(self.desk, turns)
        already = len(notes.written)
        flushed = summarise_pending(self.desk, self._summariser, batches)
        self.compress(point)
        self._gauge.add_summaries(notes.written[already:])
        self.desk.report.flushes += 1
        self.desk.report.batches += flushed.captured
        counts = (flushed.captured, flushed.processed)
        outcome = flushed.outcome.value
        payload = flush_payload(point.trigger, notes.now_ms(), counts, outcome, metrics)
        notes.add(EntryType.FLUSH_METRICS, payload)

    def compress(self, point: FlushPoint) -> None:
        """Only the compression of what is eligible at this point."""
        self._compressor.compress(point.upto, point.has_final, point.ignores_window)

    def _turns_before(self, place: int) -> int:
        return bisect_left(self.desk.course.turn_places, place)

    def _first_open_turn(self) -> int:
        """Turns before the frontier's are settled."""
        frontier = self.desk.notes.frontier
        turn = as_number(frontier["lastAttemptedTurnIndex"]) if frontier else None
        return turn if isinstance(turn, int) and turn > 0 else 0
