"""The same session as version 2.5.0 of the extension renders it.

That version knows a call by its bare id alone.  Where a provider repeats ids it stubs and drops
live turns, and leaves results without their call: there is no sweep, and nothing is reported.
(Source: the pruning rules, section 11.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from condense_tui.pruning.bodies import BlockTexts
from condense_tui.pruning.chains import blocks_in, chain_fate, inserted_slot, without_thinking
from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.indexbuilder import build_index
from condense_tui.pruning.purge import purge_failed_arguments
from condense_tui.pruning.records import ChainEntry, EntryType, entry_type
from condense_tui.pruning.render import RenderPlan, plan_render
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import FateKind, Phase, Slot
from condense_tui.pruning.stub import stub_by
from condense_tui.session.bodies import ChangedBodies
from condense_tui.session.context import Context
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message
from condense_tui.session.outlines import identifier

LEGACY_VERSION = "2.5.0"
# Fields that came later, with occurrence keys and with backfilled records.  Without them every
# key is a bare id.
_LATER_FIELDS = frozenset(
    {
        "resultTimestamp",
        "newResultTimestamp",
        "originalResultTimestamp",
        "droppedOccurrenceKeys",
        "backfilled",
    }
)


def plan_legacy_render(
    context: Context, entries: Iterable[Entry], settings: CondenseSettings
) -> RenderPlan:
    """What version 2.5.0 would do with this context and the records of its branch."""
    return plan_render(context, legacy_index(entries), settings, LEGACY_PHASES)


def legacy_index(entries: Iterable[Entry]) -> PruneIndex:
    """The index as that version builds it: a later record of an id replaces an earlier one."""
    return build_index(_as_it_was_read(entry) for entry in entries if _is_read(entry))


def _is_read(entry: Entry) -> bool:
    """That version passes over an index entry without data; the present one stops there."""
    return entry_type(entry) is not EntryType.INDEX or entry.body.get("data") is not None


def _as_it_was_read(entry: Entry) -> Entry:
    if entry_type(entry) is None:
        return entry
    return entry.with_bodies(ChangedBodies(entry.bodies, _without_later_fields))


def _without_later_fields(value: Any, depth: int = 3) -> Any:
    """In the entry, its payload and the elements of that; what lies deeper is a call's own."""
    if not depth:
        return value
    if isinstance(value, list):
        # Records are elements of a list, never of a list in a list, however deep that goes.
        return [
            _without_later_fields(part, depth) if isinstance(part, dict) else part for part in value
        ]
    if not isinstance(value, dict):
        return value
    return {
        name: _without_later_fields(part, depth - 1)
        for name, part in value.items()
        if name not in _LATER_FIELDS
    }


def _stub_by_bare_id(
    slots: Sequence[Slot],
    index: PruneIndex,
    settings: CondenseSettings,
    _sink: DiagnosticSink,
) -> Sequence[Slot]:
    return stub_by(_bare_id_of, slots, index, settings)


def _bare_id_of(result: Message) -> str:
    return result.tool_call_id


def _drop_by_bare_id(
    slots: Sequence[Slot],
    index: PruneIndex,
    settings: CondenseSettings,
    _sink: DiagnosticSink,
) -> Sequence[Slot]:
    """Every chain drops its ids wherever they stand, and is inserted wherever its start is."""
    if not settings.chain_compression.is_enabled or not index.chains:
        return slots
    return _IdDrop(slots, index, settings).dropped()


class _IdDrop:
    """One pass over the slots with what all chains of the index drop."""

    def __init__(
        self, slots: Sequence[Slot], index: PruneIndex, settings: CondenseSettings
    ) -> None:
        self._slots = slots
        self._strips_thinking = settings.chain_compression.strips_final_thinking
        self._chain_of_id: dict[str, ChainEntry] = {}
        self._chain_of_final: dict[Number, ChainEntry] = {}
        self._chain_of_start: dict[Number, ChainEntry] = {}
        self._chain_of_protected: dict[str, ChainEntry] = {}
        for chain in index.chains:
            for bare_id in chain.dropped_ids or ():
                self._chain_of_id.setdefault(bare_id, chain)
            if chain.final_timestamp is not None:
                self._chain_of_final.setdefault(chain.final_timestamp, chain)
            self._chain_of_start[chain.start_timestamp] = chain
            self._chain_of_protected.update(dict.fromkeys(chain.protected_ids, chain))
        self._texts = BlockTexts(index)
        self._present = blocks_in(slots)
        self._relocated = self._protected_results()

    def _protected_results(self) -> dict[str, list[Message]]:
        """By block; a result goes to the last chain that protects its id."""
        results: dict[str, list[Message]] = {}
        for message in (slot.after for slot in self._slots):
            if message and (chain := self._protecting(message)):
                results.setdefault(chain.block_id, []).append(message)
        return results

    def _protecting(self, message: Message) -> ChainEntry | None:
        is_result = message.role == "toolResult"
        return self._chain_of_protected.get(message.tool_call_id) if is_result else None

    def dropped(self) -> Sequence[Slot]:
        return [placed for slot in self._slots for placed in self._placed(slot)]

    def _placed(self, slot: Slot) -> Iterator[Slot]:
        message = slot.after
        if message is None:
            yield slot
        elif chain := self._dropping(message):
            kind = FateKind.SUPPRESSED if message.is_summary else FateKind.DROPPED
            yield slot.with_fate(chain_fate(kind, chain), None)
        else:
            yield self._stripped(slot, message)
            yield from self._inserted_after(message)

    def _dropping(self, message: Message) -> ChainEntry | None:
        """The first chain that drops one of the ids of this message."""
        ids = _ids_in(message)
        return next((self._chain_of_id[each] for each in ids if each in self._chain_of_id), None)

    def _stripped(self, slot: Slot, message: Message) -> Slot:
        if message.role != "assistant" or message.timestamp is None or not self._strips_thinking:
            return slot
        chain = self._chain_of_final.get(message.timestamp)
        spoken = without_thinking(message, slot.place) if chain else None
        if chain is None or spoken is None:
            return slot
        return slot.with_fate(chain_fate(FateKind.THINKING_STRIPPED, chain), spoken)

    def _inserted_after(self, message: Message) -> Iterator[Slot]:
        if message.role != "user" or message.timestamp is None:
            return
        chain = self._chain_of_start.get(message.timestamp)
        if chain and chain.block_id not in self._present:
            text = self._texts.text(chain, self._relocated.get(chain.block_id, ()))
            yield inserted_slot(chain, text, len(chain.dropped_ids or ()))


def _ids_in(message: Message) -> Iterator[str]:
    if message.role == "assistant":
        yield from (call.id for call in message.tool_calls)
    elif message.role == "toolResult":
        yield message.tool_call_id
    elif message.is_summary:
        yield from _covered_ids(message.body.get("details"))


def _covered_ids(details: object) -> Iterator[str]:
    refs = details.get("toolCallRefs") if isinstance(details, Mapping) else None
    for ref in refs if isinstance(refs, list) else ():
        if isinstance(ref, Mapping):
            yield identifier(ref.get("toolCallId"))


LEGACY_PHASES: tuple[Phase, ...] = (
    _stub_by_bare_id,
    purge_failed_arguments,
    _drop_by_bare_id,
)
