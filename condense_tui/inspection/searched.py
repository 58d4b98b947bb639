"""The texts of a session that are searched, in the order in which hits are counted.

Looked at are both sides of every slot, then the outputs of records that the context does not
hold as they are (of branches cut off, compacted away, spilled to a sidecar), then summaries and
blocks without a place in the context.  A text that stands in two places is one text.
"""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    Links,
    SlotTarget,
    SummaryTarget,
    Target,
)
from condense_tui.inspection.passages import (
    Passage,
    PassageKind,
    call_passages,
    message_passages,
    slot_passages,
)
from condense_tui.inspection.sieve import Sieve
from condense_tui.pruning.query import ReadSidecar, match_of
from condense_tui.pruning.records import Record
from condense_tui.pruning.slots import Slot
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message


class SearchText(Value, frozen=True):
    """One text that is searched: a passage of a target, by its number."""

    target: Target
    number: int
    passage: Passage


def searched_texts(
    inspection: Inspection, links: Links, read_sidecar: ReadSidecar
) -> Iterator[SearchText]:
    """Every text of one look at a session."""
    everything = sifted_texts(inspection, links, read_sidecar, Sieve())
    return (text for text in everything if text is not None)


Sifted = Iterator[SearchText | None]


def sifted_texts(
    inspection: Inspection, links: Links, read_sidecar: ReadSidecar, sieve: Sieve
) -> Sifted:
    """Those that may hold what the sieve is for, and None now and then where there was nothing."""
    slots = inspection.plan.slots
    for number, slot in enumerate(slots):
        entry = _stored_in(slot.before)
        if entry and entry.index not in sieve.known:
            yield from sieve.steps(entry)
        if entry is None or sieve.passes(entry) or _change_passes(slot, sieve):
            yield from _numbered(SlotTarget(number), slot_passages(slot))
    for record in inspection.index.records.values():
        yield None
        if record.entry.index not in sieve.known:
            yield from sieve.steps(record.entry)
        if not _record_passes(record, sieve):
            continue
        output = match_of(record, record.key, read_sidecar).output
        place = links.slot_of_result.get(record.key)
        before = None if place is None else slots[place].before
        if before is None or before.text != output:
            yield from _numbered(CallTarget(record.key), call_passages(record, output))
    yield from _without_place(links)


def _without_place(links: Links) -> Sifted:
    for entry_index, node in links.summary_of_entry.items():
        if entry_index not in links.slot_of_entry:
            passage = Passage(PassageKind.TEXT, node.summary.text)
            yield SearchText(SummaryTarget(entry_index), 0, passage)
    for start, chain_node in links.node_of_start.items():
        chain = chain_node.chain
        if chain.block_id not in links.slot_of_block and chain.range_summary:
            passage = Passage(PassageKind.TEXT, chain.range_summary)
            yield SearchText(ChainTarget(start), 0, passage)


def _stored_in(message: Message | None) -> Entry | None:
    """The entry that says just what the message says."""
    return message.entry if message and message.made is None else None


def _change_passes(slot: Slot, sieve: Sieve) -> bool:
    """Whether what the model is sent instead may hold it."""
    after = slot.after
    if after is None or after is slot.before:
        return False
    return any(sieve.passes_text(passage.text) for passage in message_passages(after))


def _record_passes(record: Record, sieve: Sieve) -> bool:
    """What was spilled lies in another file, and a payload of its own in none."""
    return record.is_spilled or record.payload is not None or sieve.passes(record.entry)


def _numbered(target: Target, passages: list[Passage]) -> Sifted:
    return (SearchText(target, number, passage) for number, passage in enumerate(passages))
