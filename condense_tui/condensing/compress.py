"""Chains → blocks: which are compressed, what stands for them, and what is archived for it.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from condense_tui.condensing.blocks import deterministic_body
from condense_tui.condensing.capture import Desk
from condense_tui.condensing.labels import is_usable
from condense_tui.condensing.outcomes import ChainOutcome, ChainReport
from condense_tui.condensing.payloads import (
    BACKFILLED_TURN,
    Payload,
    chain_payload,
    record_payload,
    ref_payload,
    stats_payload,
)
from condense_tui.condensing.summariser import Summariser, Usage
from condense_tui.pruning.detection import Chain, eligible_chains, protected_ids
from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.pruning.pending import CapturedCall
from condense_tui.pruning.records import EntryType
from condense_tui.session.bodies import NO_BODY
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import as_number, number_text
from condense_tui.session.messages import Message, ToolCall
from condense_tui.session.outlines import CallOutline

IsPlaced = Callable[[Chain], bool]

_LEAST_TO_FUSE = 2


class _Block(Value, frozen=True):
    """What stands for a chain: fields of its body, or why it is left alone."""

    outcome: ChainOutcome
    body: Payload
    is_left_alone: bool = False


def _left(outcome: ChainOutcome) -> _Block:
    return _Block(outcome, {}, is_left_alone=True)


class Compressor:
    """Compresses a course's chains as they become eligible, each once.

    `is_placed` says whether a chain is a range of the context; only a lossless run asks.
    """

    def __init__(self, desk: Desk, summariser: Summariser, is_placed: IsPlaced) -> None:
        self._desk = desk
        self._summariser = summariser
        self._is_placed = is_placed
        self._waiting: list[Chain] = []
        self._seen = 0
        self._usage = Usage()

    def compress(self, upto: int, has_final: bool, ignores_window: bool = False) -> None:
        """Compress what is eligible where only the messages before the place `upto` are there.

        With `has_final` the message at that place counts as a chain's final one.
        """
        chaining = self._desk.settings.chain_compression
        if not chaining.is_enabled:
            return
        self._take_up(upto + has_final)
        window = 0 if ignores_window else chaining.rolling_window
        graced = self._desk.course.keys_in_grace(upto, self._desk.settings.recovery_grace_turns)
        notes = self._desk.notes
        ready = eligible_chains(self._waiting, window, notes.compressed_starts, graced)
        self._usage = Usage()
        blocks = [self._compress(chain) for chain in ready]
        done = {chain.end_place for chain in ready}
        self._waiting = [chain for chain in self._waiting if chain.end_place not in done]
        compressed = [block for block in blocks if not block.is_left_alone]
        if compressed or self._usage.calls:
            fused = sum(block.outcome is ChainOutcome.FUSED for block in compressed)
            stats = stats_payload(notes.stats, self._usage, len(compressed), fused)
            notes.add(EntryType.STATS, stats)
        self._desk.report.usage += self._usage

    def _take_up(self, end: int) -> None:
        chains = self._desk.course.chains
        while self._seen < len(chains) and chains[self._seen].end_place < end:
            self._waiting.append(chains[self._seen])
            self._seen += 1

    def _compress(self, chain: Chain) -> _Block:
        desk = self._desk
        archive = _Archive(desk, chain)
        block = self._judged(chain, archive) or self._block(chain, archive)
        block_id = ""
        if not block.is_left_alone:
            block_id = desk.notes.block_numbers.issue()
            refs = _refs(desk, chain)
            kept = [*archive.protected_ids]
            body = {**block.body, "protectedToolCallIds": kept} if kept else block.body
            payload = chain_payload(chain, block_id, refs, desk.notes.now_ms(), body)
            desk.notes.add(EntryType.CHAIN, payload)
        desk.report.chains.append(
            ChainReport(
                chain.start_place,
                chain.end_place,
                len(chain.middle_ids),
                block.outcome,
                block_id,
                archive.backfilled,
            )
        )
        return block

    def _judged(self, chain: Chain, archive: _Archive) -> _Block | None:
        """Why a chain is left alone at first sight."""
        if archive.protected_ids >= set(chain.middle_ids):
            return _left(ChainOutcome.PROTECTED)
        times = (as_number(chain.start_timestamp), as_number(chain.final_timestamp))
        if None in times or (self._desk.is_lossless and not self._is_placed(chain)):
            return _left(ChainOutcome.UNPLACED)
        return None

    def _block(self, chain: Chain, archive: _Archive) -> _Block:
        if self._desk.is_lossless and archive.is_unsafe:
            return _left(ChainOutcome.UNSAFE)
        if self._desk.is_lossless and archive.is_beyond_text:
            return _left(ChainOutcome.BEYOND_TEXT)
        texts = self._desk.notes.index.summary_texts(chain.middle_keys)
        if not texts:
            return self._deterministic(chain, archive)
        if self._desk.is_lossless:
            archive.backfill(archive.lost)
        return self._fused(texts) or _Block(ChainOutcome.COVERED, {})

    def _fused(self, texts: Sequence[str]) -> _Block | None:
        if not self._desk.limits.fuses_summaries or len(texts) < _LEAST_TO_FUSE:
            return None
        self._desk.report.fusions.add(["\n\n".join(texts)])
        answer = self._summariser.fused(texts)
        if answer is None:
            return None
        self._usage += answer.usage
        if not is_usable(answer.text, answer.stop_reason):
            return None
        return _Block(ChainOutcome.FUSED, {"rangeSummaryText": answer.text})

    def _deterministic(self, chain: Chain, archive: _Archive) -> _Block:
        if not archive.calls:
            self._report_empty(chain)
            return _left(ChainOutcome.EMPTY)
        archive.backfill(archive.unrecorded)
        records = [_payload(captured) for captured in archive.calls]
        body = deterministic_body(records, _refs(self._desk, chain))
        fields = {"rangeSummaryText": body, "bodySource": "deterministic"}
        return _Block(ChainOutcome.DETERMINISTIC, fields)

    def _report_empty(self, chain: Chain) -> None:
        start, final = (as_number(at) or 0 for at in (chain.start_timestamp, chain.final_timestamp))
        detail = f"start={number_text(start)} final={number_text(final)}"
        if detail not in self._desk.notes.reported:
            self._desk.notes.reported.add(detail)
            kind = DiagnosticKind.BACKFILL_EMPTY.value
            self._desk.notes.add(EntryType.DIAGNOSTIC, {"kind": kind, "detail": detail})


def _refs(desk: Desk, chain: Chain) -> list[str]:
    ref_of_key = desk.notes.index.ref_of_key
    return [ref_of_key[key] for key in chain.middle_keys if key in ref_of_key]


def _payload(captured: CapturedCall) -> Payload:
    return record_payload(captured, BACKFILLED_TURN, captured.result_timestamp)


class _Archive:
    """The results that a chain's range drops, and which of them are not archived yet."""

    def __init__(self, desk: Desk, chain: Chain) -> None:
        self._desk = desk
        self._range = (chain.start_place + 1, chain.end_place)
        kept = protected_ids(chain, desk.course.messages, desk.settings)
        self.protected_ids = dict.fromkeys(kept).keys()
        self.calls = list(self._captured())
        self.backfilled = 0

    def _captured(self) -> Iterator[CapturedCall]:
        """The calls with a result, of a doubled key the first."""
        course = self._desk.course
        first, last = (bisect_left(course.turn_places, place) for place in self._range)
        seen: set[str] = set()
        for turn in course.turns[first:last]:
            for captured in turn.calls:
                is_new = captured.key not in seen and captured.call.id not in self.protected_ids
                if captured.result and is_new:
                    seen.add(captured.key)
                    yield captured

    def _dropped(self) -> Iterator[CapturedCall]:
        """Every result of the range, also those that belong to no call."""
        of_result = {id(captured.result): captured for captured in self.calls}
        for message in self._desk.course.messages[slice(*self._range)]:
            if message.role == "toolResult" and message.tool_call_id not in self.protected_ids:
                yield of_result.get(id(message)) or _without_call(message)

    @property
    def unrecorded(self) -> list[CapturedCall]:
        """What is to be archived where no summary covers the chain; an alias is no record."""
        if self._desk.is_lossless:
            return self.lost
        records = self._desk.notes.index.records
        return [captured for captured in self.calls if captured.key not in records]

    @property
    def lost(self) -> list[CapturedCall]:
        """What no record or alias would give back."""
        lost = {found.key: found for found in self._dropped() if not self._is_archived(found)}
        return list(lost.values())

    @property
    def is_unsafe(self) -> bool:
        """Whether archiving one result of the range would hide another."""
        return any(found.key in self._desk.course.unsafe_keys for found in self._dropped())

    @property
    def is_beyond_text(self) -> bool:
        """Whether the model is sent a result of the range whole, of which only text would stay."""
        course, whole = self._desk.course, self._desk.whole_entries
        dropped = filter(course.is_beyond_text, course.messages[slice(*self._range)])
        return any(result.entry and result.entry.index in whole for result in dropped)

    def _is_archived(self, captured: CapturedCall) -> bool:
        record = self._desk.notes.index.record(captured.key)
        is_own = self._desk.notes.index.is_summarized(captured.key)
        if record is None or not is_own:
            return False
        return record.is_spilled or record.result_text == captured.result_text

    def backfill(self, calls: Sequence[CapturedCall]) -> None:
        """Archive these calls with refs of their own."""
        if not calls:
            return
        self.backfilled = len(calls)
        desk = self._desk
        refs = desk.notes.next_refs(len(calls))
        records = [
            desk.spilled(_payload(captured), captured)
            if desk.is_oversized(captured)
            else _payload(captured)
            for captured in calls
        ]
        named = [ref_payload(ref, found) for ref, found in zip(refs, calls, strict=True)]
        payload = {"toolCalls": records, "backfilled": True, "refs": named}
        desk.notes.add(EntryType.INDEX, payload)


def _without_call(result: Message) -> CapturedCall:
    call = ToolCall(CallOutline(result.tool_call_id, result.tool_name, 0, False, None), NO_BODY)
    return CapturedCall(call, result)
