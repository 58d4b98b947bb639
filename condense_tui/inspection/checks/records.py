"""What the extension recorded and leads nowhere, and ids that name several calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.records import EntryType, Record
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message

HasSidecar = Callable[[Record], bool]


def find_lost_refs(inspection: Inspection) -> Iterator[Finding]:
    """Refs of summaries that lead nowhere."""
    lost = inspection.once(_lost_refs)
    if not lost:
        return
    slot_of_entry = {
        slot.before.entry.index: number
        for number, slot in enumerate(inspection.plan.slots)
        if slot.before and slot.before.entry
    }
    for entry, refs in lost:
        what = f"a summary names {', '.join(refs)}, of which there is no record"
        yield Finding("ref-without-record", what, slot_of_entry.get(entry.index), entry)


def _lost_refs(inspection: Inspection) -> list[tuple[Entry, list[str]]]:
    found: list[tuple[Entry, list[str]]] = []
    for entry in inspection.noted_as(EntryType.SUMMARY):
        refs = dict.fromkeys(ref.short_ref for ref in inspection.index.summary_at(entry).refs)
        lost = [ref for ref in refs if not inspection.index.records_for(ref)]
        if lost:
            found.append((entry, lost))
    return found


def find_lost_records(inspection: Inspection) -> Iterator[Finding]:
    """Aliases and records that lead nowhere."""
    yield from _aliases(inspection)
    yield from _records(inspection)


def _aliases(inspection: Inspection) -> Iterator[Finding]:
    for alias in inspection.index.aliases.values():
        if alias.original_key not in inspection.index.records:
            what = f"{alias.key} is said to repeat {alias.original_key}, which has no record"
            yield Finding("alias-without-original", what, entry=alias.entry)


def _records(inspection: Inspection) -> Iterator[Finding]:
    results = [message for message in inspection.branch_messages if message.role == "toolResult"]
    keys = {result.occurrence for result in results}
    bare_ids = {result.tool_call_id for result in results}
    for record in inspection.index.records.values():
        is_known = (
            record.tool_call_id in bare_ids
            if record.result_timestamp is None
            else record.key in keys
        )
        if not is_known:
            what = f"{record.key} was archived, but no result on this branch belongs to it"
            yield Finding("record-without-result", what, entry=record.entry)


def find_lost_sidecars(inspection: Inspection, has_sidecar: HasSidecar) -> Iterator[Finding]:
    """Spilled outputs whose file is not there."""
    for record in inspection.index.records.values():
        if record.is_spilled and not has_sidecar(record):
            left = "nothing" if record.preview is None else "the preview"
            what = f"the file of {record.key} is not beside the session: {left} is left"
            yield Finding("sidecar-missing", what, entry=record.entry)


def find_reused_ids(inspection: Inspection) -> Iterator[Finding]:
    """Ids that several results of the branch have, and records that cannot tell them apart."""
    for bare_id, results in _results_by_id(inspection).items():
        if len(results) < 2:
            continue
        lines = ", ".join(f"line {result.entry.line}" for result in results if result.entry)
        what = f"{bare_id} names {len(results)} results: {lines}"
        yield Finding("reused-id", what, entry=results[0].entry)
        legacy = inspection.index.records.get(bare_id)
        if legacy and legacy.result_timestamp is None:
            what = f"a record of {bare_id} has no time, and {len(results)} results have the id"
            yield Finding("legacy-record-of-reused-id", what, entry=legacy.entry)


def _results_by_id(inspection: Inspection) -> Mapping[str, list[Message]]:
    by_id: dict[str, list[Message]] = {}
    for message in inspection.branch_messages:
        if message.role == "toolResult":
            by_id.setdefault(message.tool_call_id, []).append(message)
    return by_id
