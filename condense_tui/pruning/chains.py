"""Phase 3: compressed chains give way to one synthetic message each.

What is dropped is decided by position alone.  User messages and other extensions' messages
inside a range stay.  (Source: the pruning rules, section 3, phase 3.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from condense_tui.pruning.bodies import BlockTexts, block_in
from condense_tui.pruning.diagnostics import DiagnosticKind, DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.ranges import Overlap, Range, Unresolved, accepted_ranges, resolve_ranges
from condense_tui.pruning.records import ChainEntry, Summary
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import Fate, FateKind, RenderError, Slot, require_parts
from condense_tui.session.jsontext import Number, as_number
from condense_tui.session.messages import Message, message_from
from condense_tui.session.occurrences import bare_id_of, occurrence_key
from condense_tui.session.outlines import ContentForm, identifier

_DROPPED_ROLES = frozenset({"assistant", "toolResult"})


def compress_chains(
    slots: Sequence[Slot],
    index: PruneIndex,
    settings: CondenseSettings,
    sink: DiagnosticSink,
) -> Sequence[Slot]:
    """Drop the inside of every accepted range and insert its block."""
    if not settings.chain_compression.is_enabled or not index.chains:
        return slots
    ranges = _ranges(slots, index, sink)
    compression = _Compression(slots, index, BlockTexts(index), settings, sink, blocks_in(slots))
    for accepted in ranges:
        compression.compress(accepted)
    return compression.finished() if ranges else slots


def _ranges(slots: Sequence[Slot], index: PruneIndex, sink: DiagnosticSink) -> list[Range]:
    """The resolved ranges in order; the others are reported and stay raw."""
    resolved: list[Range] = []
    for outcome in resolve_ranges(index.chains, [slot.after for slot in slots]):
        if isinstance(outcome, Unresolved):
            sink.report(DiagnosticKind.UNRESOLVED_RANGE, outcome.chain.block_id, outcome.detail)
        else:
            resolved.append(outcome)
    accepted: list[Range] = []
    for candidate in accepted_ranges(resolved):
        if isinstance(candidate, Overlap):
            sink.report(DiagnosticKind.UNRESOLVED_RANGE, candidate.dedup_key, candidate.detail)
        else:
            accepted.append(candidate)
    return accepted


def blocks_in(slots: Iterable[Slot]) -> set[str]:
    """The blocks whose synthetic message is already there."""
    openers = (slot.after for slot in slots if slot.after and slot.after.outline.opens_block)
    blocks = map(block_in, openers)
    return {block for block in blocks if block is not None}


@dataclass(slots=True)
class _Compression:
    """One pass over the accepted ranges; what they drop decides which summaries go too."""

    slots: Sequence[Slot]
    index: PruneIndex
    texts: BlockTexts
    settings: CondenseSettings
    sink: DiagnosticSink
    present_blocks: set[str]
    changed: dict[int, Slot] = field(default_factory=dict)
    inserted: dict[int, Slot] = field(default_factory=dict)
    chain_of_key: dict[str, ChainEntry] = field(default_factory=dict)
    chain_of_id: dict[str, ChainEntry] = field(default_factory=dict)
    relocated: dict[str, list[Message]] = field(default_factory=dict)
    fates: dict[tuple[FateKind, Number], Fate] = field(default_factory=dict)

    def compress(self, accepted: Range) -> None:
        """Take in one accepted range; each message is looked at once."""
        chain = accepted.chain
        inside = range(accepted.start + 1, accepted.end)
        seen = self._note_calls(chain, inside)
        self._cross_check(chain, seen)
        self._insert(chain, accepted.start, len(seen))
        for position in inside:
            self._drop(position, chain)
        if self.settings.chain_compression.strips_final_thinking:
            self._strip_thinking(accepted.end, chain)

    def _note_calls(self, chain: ChainEntry, inside: range) -> set[str]:
        """Remember what the range drops; returns the bare ids of its calls and results."""
        seen: set[str] = set()
        for position in inside:
            slot = self.slots[position]
            message = slot.after
            if message and message.role == "assistant":
                if message.outline.content is not ContentForm.TEXT:
                    require_parts(message, slot.place)
                seen.update(call.id for call in message.tool_calls)
            elif message and message.role == "toolResult":
                seen.add(message.tool_call_id)
                self._note_result(chain, message)
        for bare_id in seen:
            self.chain_of_id.setdefault(bare_id, chain)
        return seen

    def _note_result(self, chain: ChainEntry, result: Message) -> None:
        """Relocation goes by the ids that the entry recorded, whatever the settings say today."""
        self.chain_of_key.setdefault(result.occurrence, chain)
        if result.tool_call_id in chain.protected_ids:
            self.relocated.setdefault(chain.block_id, []).append(result)

    def _cross_check(self, chain: ChainEntry, seen: set[str]) -> None:
        """The range always wins; a difference is only reported."""
        recorded = {bare_id_of(key) for key in chain.dropped_ids or ()}
        if recorded != seen:
            detail = f"blockId={chain.block_id} recorded={len(recorded)} actual={len(seen)}"
            self.sink.report(DiagnosticKind.RANGE_ID_MISMATCH, chain.block_id, detail)

    def _insert(self, chain: ChainEntry, start: int, calls: int) -> None:
        """The text is built even where it will not be used: the extension may fail on it."""
        text = self.texts.text(chain, self.relocated.get(chain.block_id, ()))
        if chain.block_id not in self.present_blocks:
            self.inserted[start] = inserted_slot(chain, text, calls)
            return
        slot = self.slots[start]
        fate = chain_fate(FateKind.BLOCK_PRESENT, chain)
        self.changed[start] = slot.with_fate(fate, slot.after)

    def _drop(self, position: int, chain: ChainEntry) -> None:
        slot = self.slots[position]
        message = slot.after
        if message and (message.role in _DROPPED_ROLES or message.is_summary):
            self.changed[position] = slot.with_fate(self._fate(FateKind.DROPPED, chain), None)

    def _strip_thinking(self, position: int, chain: ChainEntry) -> None:
        slot = self.slots[position]
        message = slot.after
        if message is None:
            return
        if spoken := without_thinking(message, slot.place):
            fate = chain_fate(FateKind.THINKING_STRIPPED, chain)
            self.changed[position] = slot.with_fate(fate, spoken)

    def finished(self) -> Sequence[Slot]:
        """All slots, the covered summaries suppressed and the blocks inserted."""
        slots: list[Slot] = []
        for position, slot in enumerate(self.slots):
            slots.append(self.changed.get(position) or self._unless_covered(slot))
            if position in self.inserted:
                slots.append(self.inserted[position])
        return slots

    def _unless_covered(self, slot: Slot) -> Slot:
        message = slot.after
        if message is None or message.role != "custom" or not message.is_summary:
            return slot
        chain = self._covering_chain(message, slot.place)
        if chain is None:
            return slot
        return slot.with_fate(self._fate(FateKind.SUPPRESSED, chain), None)

    def _fate(self, kind: FateKind, chain: ChainEntry) -> Fate:
        """One for all places of a chain, of which there are many."""
        key = kind, chain.start_timestamp
        return self.fates.get(key) or self.fates.setdefault(key, chain_fate(kind, chain))

    def _covering_chain(self, summary: Message, place: int | None) -> ChainEntry | None:
        """The chain that dropped one of the summary's refs, looked up as the extension does.

        Details that are not all refs are read raw, because the extension fails on some of them.
        """
        known = self._known(summary)
        if known is not None and known.has_all_refs:
            chains = (
                self._chain_of_ref(ref.tool_call_id, ref.result_timestamp) for ref in known.refs
            )
            return next(filter(None, chains), None)
        details = summary.body.get("details")
        refs = details.get("toolCallRefs") if isinstance(details, dict) else None
        if refs is None:
            return None
        if not isinstance(refs, list):
            raise RenderError("a summary whose toolCallRefs is no list", place)
        return next((chain for ref in refs if (chain := self._chain_of(ref, place))), None)

    def _chain_of(self, ref: object, place: int | None) -> ChainEntry | None:
        if not isinstance(ref, dict):
            raise RenderError("a summary whose toolCallRefs holds no objects", place)
        bare_id = identifier(ref.get("toolCallId"))
        return self._chain_of_ref(bare_id, as_number(ref.get("resultTimestamp")))

    def _known(self, summary: Message) -> Summary | None:
        """What was read of its entry, unless an edit has given it other words."""
        entry = summary.entry if summary.made is None else None
        return self.index.summary_of_entry.get(entry.index) if entry else None

    def _chain_of_ref(self, bare_id: str, timestamp: Number | None) -> ChainEntry | None:
        if timestamp is None:
            return self.chain_of_id.get(bare_id_of(bare_id))
        return self.chain_of_key.get(occurrence_key(bare_id, timestamp))


def _is_thinking(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "thinking"


_REASONS: Mapping[FateKind, str] = {
    FateKind.DROPPED: "dropped into {}",
    FateKind.SUPPRESSED: "suppressed: covered by {}",
    FateKind.THINKING_STRIPPED: "thinking stripped: the final answer of {}",
    FateKind.BLOCK_PRESENT: "{} is already in the context, so it was not inserted",
}


def chain_fate(kind: FateKind, chain: ChainEntry) -> Fate:
    """What a chain did to a slot."""
    reason = _REASONS[kind].format(chain.block_id)
    return Fate(kind, reason, block=chain.block_id, source=chain.entry)


def without_thinking(message: Message, place: int | None) -> Message | None:
    """An assistant message without its thinking parts; None where it has none."""
    require_parts(message, place)
    content = message.body.get("content") or []
    spoken = [part for part in content if not _is_thinking(part)]
    if len(spoken) == len(content):
        return None
    return message_from({**message.body, "content": spoken}, message.entry)


def inserted_slot(chain: ChainEntry, text: str, calls: int) -> Slot:
    """The place of a chain's synthetic message; `calls` is how many it stands for."""
    body = {"role": "user", "content": [{"type": "text", "text": text}]}
    if chain.has_compressed_at:
        body["timestamp"] = chain.compressed_at
    plural = "" if calls == 1 else "s"
    fate = Fate(
        FateKind.INSERTED,
        f"inserted for {chain.block_id}, {calls} call{plural}",
        block=chain.block_id,
        source=chain.entry,
    )
    return Slot(None, None, message_from(body, None), (fate,))
