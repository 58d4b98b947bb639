"""What version 2.5.0 of the extension would do to this session that the present one does not."""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.inspection.finding import Finding, finding_at
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.provider import plan_request
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.messages import Message


def find_legacy(inspection: Inspection) -> Iterator[Finding]:
    """Live messages that it deletes or stubs, and results that it orphans."""
    legacy = inspection.legacy_plan
    if legacy.failure:
        yield Finding("legacy-render-failed", legacy.failure.reason)
        return
    by_place = {slot.place: slot for slot in legacy.slots if slot.place is not None}
    orphaned = _orphaned_places(inspection)
    for number, slot in enumerate(inspection.plan.slots):
        if slot.place is None or slot.after is None:
            continue
        then = by_place[slot.place]
        if then.after is None:
            what = f"{_named(slot.after)} is {then.fates[-1].reason}"
            yield finding_at("legacy-message-deleted", what, number, slot)
        elif slot.place in orphaned:
            what = f"{_named(slot.after)} loses its call"
            yield finding_at("legacy-result-orphaned", what, number, slot)
        elif _is_stubbed(then) and not _is_stubbed(slot):
            what = f"{_named(slot.after)} is {then.fates[-1].reason}"
            yield finding_at("legacy-result-stubbed", what, number, slot)


def _orphaned_places(inspection: Inspection) -> set[int]:
    """Places of results without an open call then, and with one now."""
    return _orphans(inspection.legacy_plan.slots) - _orphans(inspection.plan.slots)


def _orphans(slots: tuple[Slot, ...]) -> set[int]:
    sent = [
        (slot.place, slot.after) for slot in slots if slot.after and slot.after.role != "system"
    ]
    request = plan_request(message for _, message in sent)
    orphans = request.orphans if request else ()
    places = (sent[orphan.sent.place][0] for orphan in orphans if not orphan.sent.invented)
    return {place for place in places if place is not None}


def _is_stubbed(slot: Slot) -> bool:
    return any(fate.kind is FateKind.STUBBED for fate in slot.fates)


def _named(message: Message) -> str:
    if message.role == "toolResult":
        return f"the result of {message.tool_call_id}"
    if message.is_summary:
        return "a summary"
    ids = ", ".join(call.id for call in message.tool_calls)
    return f"the reply with {ids}" if ids else f"a message of the role {message.role}"
