"""Findings: where the extension fails, or does what a person would not expect.

The plan is left as it is; a finding only points at a place of it.  Each code's severity, why it
matters and what to do are one row of `CODES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.bodies import block_in
from condense_tui.pruning.occurrences import bare_id_of, occurrence_key, parse_key
from condense_tui.pruning.ranges import Unresolved
from condense_tui.pruning.records import SummaryRef, summary_refs
from condense_tui.pruning.slots import Fate, FateKind, Slot
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message


class Severity(StrEnum):
    """How bad it is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """What is the same for every finding of a kind."""

    severity: Severity
    why: str
    advice: str


CODES: Mapping[str, Code] = {
    "render-failed": Code(
        Severity.ERROR,
        "The extension fails on this context, so pi sends everything raw.",
        "Mend or leave out the entry that is named; until then nothing is pruned.",
    ),
    "rebuild-failed": Code(
        Severity.ERROR,
        "The extension stops reading its records here: later ones and all aliases do not count.",
        "Look at the entry; outputs recorded after it are sent raw and cannot be queried.",
    ),
    "result-swept": Code(
        Severity.ERROR,
        "The provider layer will tell the model that this call failed, which is not true.",
        "Find out which extension writes between a call and its result.",
    ),
    "purged-other-occurrence": Code(
        Severity.WARNING,
        "Purging goes by bare id, so a call that did not fail lost its arguments.",
        "Query the id to see each occurrence.",
    ),
    "error-looks-successful": Code(
        Severity.WARNING,
        "The stub says that the call did not fail, and its arguments will never be purged.",
        "Query the ref to see the error.",
    ),
    "summary-lost-live-calls": Code(
        Severity.WARNING,
        "The model no longer sees the summary of calls that were not dropped.",
        "Query the refs that are named.",
    ),
    "body-missing": Code(
        Severity.WARNING,
        "The extension takes a typed tag for its own block, and the chain's text is lost.",
        "Query the block's refs, or edit the message that begins with the tag.",
    ),
    "ambiguous-stub": Code(
        Severity.WARNING,
        "The record has no time, so the stub may name the output of another call.",
        "Query the id and compare the outputs.",
    ),
    "same-millisecond-boundary": Code(
        Severity.WARNING,
        "Two messages share the boundary's time, so the extension leaves the chain raw.",
        "Nothing is lost; the chain only costs its full size.",
    ),
    "settings-partial": Code(
        Severity.WARNING,
        "The extension merges settings shallowly: a given part replaces the whole default.",
        "Write all values of the part into the settings.",
    ),
    "settings-ignored": Code(
        Severity.NOTE,
        "The extension falls back to its default without a word.",
        "Mend the value in the settings.",
    ),
    "pruner-off": Code(
        Severity.NOTE,
        "The settings switch the extension off, so nothing is pruned.",
        "Set `enabled` to true to see what it would do.",
    ),
}


_CUT_SHORT = ("aborted", "error")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `slot` is the number of its slot in the plan, `entry` where it lies."""

    code: str
    what: str
    slot: int | None = None
    entry: Entry | None = None

    @property
    def severity(self) -> Severity:
        """Its code's severity."""
        return CODES[self.code].severity


def find(inspection: Inspection) -> list[Finding]:
    """All findings, worst first, then in the order of the context."""
    found = [finding for check in _CHECKS for finding in check(inspection)]
    ranks = list(Severity)
    return sorted(found, key=lambda finding: (ranks.index(finding.severity), finding.slot or 0))


def _failures(inspection: Inspection) -> Iterator[Finding]:
    if failure := inspection.plan.failure:
        slots = enumerate(inspection.plan.slots)
        number = next((n for n, slot in slots if slot.place == failure.place is not None), None)
        entry = _entry_of(inspection.plan.slots[number]) if number is not None else None
        yield Finding("render-failed", failure.reason, number, entry)
    if failed := inspection.index.failure:
        yield Finding("rebuild-failed", failed.reason, entry=failed.entry)


def _purges(inspection: Inspection) -> Iterator[Finding]:
    slots = inspection.plan.slots
    failed = _failed_calls(slots)
    for number, slot, fate in _fates(slots, FateKind.PURGED):
        bare_id = fate.bare_ids[0]
        if (slot.place, bare_id) not in failed:
            what = f"the arguments of {bare_id} were purged for the failure of another occurrence"
            yield Finding("purged-other-occurrence", what, number, _entry_of(slot))


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
    occurrences = _occurrence_counts(inspection)
    for number, slot, fate in _fates(inspection.plan.slots, FateKind.STUBBED):
        result = slot.message
        if result.is_error:
            what = f"the failed call {fate.ref} looks successful after stubbing"
            yield Finding("error-looks-successful", what, number, result.entry)
        is_legacy = fate.key is not None and parse_key(fate.key).timestamp is None
        if is_legacy and occurrences.get(result.tool_call_id, 0) > 1:
            what = f"{result.tool_call_id} was stubbed by a legacy record, but names several calls"
            yield Finding("ambiguous-stub", what, number, result.entry)


def _occurrence_counts(inspection: Inspection) -> dict[str, int]:
    totals: dict[str, int] = {}
    for message in inspection.branch_messages:
        if message.role == "toolResult":
            totals[message.tool_call_id] = totals.get(message.tool_call_id, 0) + 1
    return totals


def _sweeps(inspection: Inspection) -> Iterator[Finding]:
    """The provider layer invents no result for a reply that was cut short: it leaves it out."""
    caller: dict[str, Message] = {}
    for number, slot in enumerate(inspection.plan.slots):
        if slot.before and slot.before.role == "assistant":
            caller.update((call.id, slot.before) for call in slot.before.tool_calls)
        for _, _, fate in _fates((slot,), FateKind.SWEPT):
            called_by = caller.get(fate.bare_ids[0])
            if fate.place is None or (called_by and called_by.body.get("stopReason") in _CUT_SHORT):
                continue
            what = f"the result of {fate.bare_ids[0]} was {fate.reason}"
            yield Finding("result-swept", what, number, _entry_of(slot))


def _lost_summaries(inspection: Inspection) -> Iterator[Finding]:
    slots = inspection.plan.slots
    live_keys, live_ids = _live_results(slots)
    for kind in (FateKind.DROPPED, FateKind.SUPPRESSED):
        for number, slot, _ in _fates(slots, kind):
            if slot.before is None or not slot.before.is_summary:
                continue
            refs = summary_refs(slot.before.body.get("details"))
            lost = [ref.short_ref for ref in refs if _is_live(ref, live_keys, live_ids)]
            if lost:
                what = f"a summary was removed that also covers live calls: {', '.join(lost)}"
                yield Finding("summary-lost-live-calls", what, number, _entry_of(slot))


def _live_results(slots: Iterable[Slot]) -> tuple[set[str], set[str]]:
    """Occurrence keys and bare ids of the results that the model is still sent."""
    results = [slot.after for slot in slots if slot.after and slot.after.role == "toolResult"]
    keys = {occurrence_key(result.tool_call_id, result.timestamp) for result in results}
    return keys, {result.tool_call_id for result in results}


def _is_live(ref: SummaryRef, live_keys: set[str], live_ids: set[str]) -> bool:
    if ref.result_timestamp is None:
        return bare_id_of(ref.tool_call_id) in live_ids
    return ref.key in live_keys


def _missing_bodies(inspection: Inspection) -> Iterator[Finding]:
    slots = inspection.plan.slots
    missing = {fate.block for _, _, fate in _fates(slots, FateKind.BLOCK_PRESENT)}
    for number, slot in enumerate(slots):
        block = block_in(slot.before) if slot.before and missing else None
        if block in missing and block is not None:
            what = f"a user message begins with the tag of {block}, so its block was not inserted"
            yield Finding("body-missing", what, number, _entry_of(slot))


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


def _settings(inspection: Inspection) -> Iterator[Finding]:
    for remark in inspection.settings.remarks:
        code = "settings-partial" if remark.is_partial else "settings-ignored"
        yield Finding(code, f"`{remark.key}` {remark.text}")
    if not inspection.settings.is_enabled:
        yield Finding("pruner-off", "`enabled` is false")


_CHECKS: tuple[Callable[[Inspection], Iterable[Finding]], ...] = (
    _failures,
    _sweeps,
    _purges,
    _stubs,
    _lost_summaries,
    _missing_bodies,
    _boundaries,
    _settings,
)


def _fates(slots: Iterable[Slot], kind: FateKind) -> Iterator[tuple[int, Slot, Fate]]:
    for number, slot in enumerate(slots):
        for fate in slot.fates:
            if fate.kind is kind:
                yield number, slot, fate


def _entry_of(slot: Slot) -> Entry | None:
    return slot.before.entry if slot.before else None
