"""Where the extension does what a person would not expect, or fails.

The plan is left as it is; a finding only points at a place of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from condense_tui.inspection.finding import Finding, finding_at
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.provider import CUT_SHORT
from condense_tui.pruning.bodies import block_in
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.ranges import Unresolved
from condense_tui.pruning.records import SummaryRef, is_as_written, summary_refs
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.messages import Message
from condense_tui.session.occurrences import bare_id_of, parse_key

_FAILURE = re.compile(r"\b(?:fail|error)", re.IGNORECASE)
_REF = re.compile(r"`(t\d+)`")


def find_surprises(inspection: Inspection) -> Iterator[Finding]:
    """What the extension did to this context and did not say."""
    for check in (_sweeps, _purges, _stubs, _lost_summaries, _missing_bodies, _boundaries):
        yield from check(inspection)


def _purges(inspection: Inspection) -> Iterator[Finding]:
    plan = inspection.plan
    failed = _failed_calls(plan.slots) if plan.has(FateKind.PURGED) else frozenset()
    for number, slot, fate in plan.fates_of(FateKind.PURGED):
        bare_id = fate.bare_ids[0]
        if (slot.place, bare_id) not in failed:
            what = f"the arguments of {bare_id} were purged for the failure of another occurrence"
            yield finding_at("purged-other-occurrence", what, number, slot)


def _failed_calls(slots: Iterable[Slot]) -> set[tuple[int | None, str]]:
    """Place of the assistant message and bare id of each call that failed.

    A failure belongs to a call only if it stands before the next assistant message.
    """
    failed: set[tuple[int | None, str]] = set()
    caller: int | None = None
    for slot in slots:
        if slot.before and slot.before.role == "assistant":
            caller = slot.place
        elif slot.before and slot.before.role == "toolResult" and slot.before.is_error:
            failed.add((caller, slot.before.tool_call_id))
    return failed


def _stubs(inspection: Inspection) -> Iterator[Finding]:
    plan = inspection.plan
    stubbed = [*plan.fates_of(FateKind.STUBBED)]
    is_any_failed = any(slot.message.is_error and slot.after for _, slot, _ in stubbed)
    told = _refs_told_failed(inspection) if is_any_failed else frozenset()
    for number, slot, fate in stubbed:
        result = slot.message
        if result.is_error and slot.after and fate.ref not in told:
            what = f"the failed call {fate.ref} looks successful after stubbing"
            yield finding_at("error-looks-successful", what, number, slot)
        is_legacy = fate.key is not None and parse_key(fate.key).timestamp is None
        if is_legacy and inspection.once(_occurrence_counts)[result.tool_call_id] > 1:
            what = f"{result.tool_call_id} was stubbed by a legacy record, but names several calls"
            yield finding_at("ambiguous-stub", what, number, slot)


def _refs_told_failed(inspection: Inspection) -> set[str]:
    """The refs that a summary in the context names on a line that speaks of a failure."""
    sent = [slot.after for slot in inspection.plan.slots if slot.after and slot.after.is_summary]
    entries = (summary.entry for summary in sent if is_as_written(summary))
    texts = (inspection.index.summary_at(entry).text for entry in entries if entry)
    lines = (line for text in texts for line in text.split("\n"))
    return {ref for line in lines if _FAILURE.search(line) for ref in _REF.findall(line)}


def _occurrence_counts(inspection: Inspection) -> Counter[str]:
    messages = inspection.branch_messages
    return Counter(message.tool_call_id for message in messages if message.role == "toolResult")


def _sweeps(inspection: Inspection) -> Iterator[Finding]:
    """The provider layer invents no result for a reply that was cut short: it leaves it out."""
    if not inspection.plan.has(FateKind.SWEPT):
        return
    caller: dict[str, Message] = {}
    for number, slot in enumerate(inspection.plan.slots):
        if slot.before and slot.before.role == "assistant":
            caller.update((call.id, slot.before) for call in slot.before.tool_calls)
        fate = slot.fates[-1]
        if fate.kind is not FateKind.SWEPT or fate.place is None:
            continue
        called_by = caller.get(fate.bare_ids[0])
        if called_by is None or called_by.outline.stop_reason not in CUT_SHORT:
            what = f"the result of {fate.bare_ids[0]} was {fate.reason}"
            yield finding_at("result-swept", what, number, slot)


def _lost_summaries(inspection: Inspection) -> Iterator[Finding]:
    live_keys, live_ids = _live_results(inspection.plan.slots)
    for number, slot, _ in inspection.plan.fates_of(FateKind.DROPPED, FateKind.SUPPRESSED):
        if slot.before is None or not slot.before.is_summary:
            continue
        refs = _refs_of(slot.before, inspection.index)
        lost = [ref.short_ref for ref in refs if _is_live(ref, live_keys, live_ids)]
        if lost:
            what = f"a summary was removed that also covers live calls: {', '.join(lost)}"
            yield finding_at("summary-lost-live-calls", what, number, slot)


def _refs_of(summary: Message, index: PruneIndex) -> tuple[SummaryRef, ...]:
    """What its entry says, unless an edit has given it other words."""
    if summary.entry and is_as_written(summary):
        return index.summary_at(summary.entry).refs
    return summary_refs(summary.body.get("details"))


def _live_results(slots: Iterable[Slot]) -> tuple[set[str], set[str]]:
    """Occurrence keys and bare ids of the results that the model is still sent."""
    results = [slot.after for slot in slots if slot.after and slot.after.role == "toolResult"]
    keys = {result.occurrence for result in results}
    return keys, {result.tool_call_id for result in results}


def _is_live(ref: SummaryRef, live_keys: set[str], live_ids: set[str]) -> bool:
    if ref.result_timestamp is None:
        return bare_id_of(ref.tool_call_id) in live_ids
    return ref.key in live_keys


def _missing_bodies(inspection: Inspection) -> Iterator[Finding]:
    missing = {fate.block for _, _, fate in inspection.plan.fates_of(FateKind.BLOCK_PRESENT)}
    for number, slot in enumerate(inspection.plan.slots if missing else ()):
        block = block_in(slot.before) if slot.before else None
        if block in missing and block is not None:
            what = f"a user message begins with the tag of {block}, so its block was not inserted"
            yield finding_at("body-missing", what, number, slot)


def _boundaries(inspection: Inspection) -> Iterator[Finding]:
    settings = inspection.settings
    if not (settings.is_enabled and settings.chain_compression.is_enabled):
        return
    for outcome in inspection.ranges:
        if isinstance(outcome, Unresolved) and outcome.is_ambiguous:
            which = "start" if outcome.start_matches > 1 else "end"
            count = max(outcome.start_matches, outcome.final_matches)
            what = f"{outcome.chain.block_id} stays raw: {count} messages could be its {which}"
            yield Finding("same-millisecond-boundary", what, entry=outcome.chain.entry)
