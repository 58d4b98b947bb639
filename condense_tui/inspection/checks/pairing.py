"""Will this send?  The rules of pi's provider layer, on the context that goes out.

The context before pruning is judged as well: pi sends it when the extension is off or fails.
What is found there and gone after pruning is told as a note of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from condense_tui.inspection.codes import RAW_PREFIX
from condense_tui.inspection.finding import Finding, finding_at
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.provider import CUT_SHORT, Cause, Orphan, Request, Sent, plan_request
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import SYSTEM, FateKind, Slot
from condense_tui.session.compact import changed
from condense_tui.session.messages import Message, ToolCall

_CODES: Mapping[Cause, str] = {
    Cause.CUT_SHORT_REPLY: "result-of-cut-short-reply",
    Cause.BARRIER: "result-after-barrier",
    Cause.ANSWERED: "second-result",
    Cause.EARLIER_REPLY: "orphan-result",
    Cause.NO_CALL: "orphan-result",
}

_UNSENDABLE = "request-failed"
_FAR_REACHING = frozenset({_UNSENDABLE, *_CODES.values()})
"""Codes of findings that hang on what stands before the reply that they follow."""

Placed = Sequence[tuple[int, Slot, Message]]


def find_pairing(inspection: Inspection) -> Iterator[Finding]:
    """Everything about calls and results in the context that is sent, then in the raw one."""
    return _found_in(inspection.plan, 0)


def further_pairing(
    known: Sequence[Finding], before: RenderPlan, plan: RenderPlan
) -> tuple[Finding, ...] | None:
    """The same for a plan that begins as another one, of which the findings are known.

    What a reply and its results are judged by stands between it and the next one; where that
    is not so, there is an orphan, and nothing can be said.
    """
    start = _last_reply(before)
    is_judged = all(finding.code.removeprefix(RAW_PREFIX) != _UNSENDABLE for finding in known)
    if start is None or not is_judged or before.is_pruned != plan.is_pruned:
        return None
    found = list(_found_in(plan, start))
    if any(finding.code.removeprefix(RAW_PREFIX) in _FAR_REACHING for finding in found):
        return None
    return (*(one for one in known if one.slot is not None and one.slot < start), *found)


def _last_reply(plan: RenderPlan) -> int | None:
    """The slot of the last reply that is sent, and not as one that was cut short."""
    for number in range(len(plan.slots) - 1, -1, -1):
        reply = plan.slots[number].after
        if reply and reply.role == "assistant" and reply.outline.stop_reason not in CUT_SHORT:
            return number
    return None


def _found_in(plan: RenderPlan, start: int) -> Iterator[Finding]:
    """What there is from this slot on."""
    sent = _placed(plan.slots, start, is_raw=False)
    found = list(_pairing(sent, _swept_calls(plan, start)))
    yield from found
    if plan.is_pruned:
        known = {(finding.code, finding.slot) for finding in found}
        for finding in _pairing(_placed(plan.slots, start, is_raw=True), frozenset()):
            if (finding.code, finding.slot) not in known:
                yield changed(finding, code=RAW_PREFIX + finding.code)


def _placed(slots: Sequence[Slot], start: int, is_raw: bool) -> Placed:
    """The messages of a context with their slots, system messages left out."""
    return [
        (number, slot, message)
        for number, slot in enumerate(slots[start:], start)
        if slot.fates is not SYSTEM and (message := slot.before if is_raw else slot.after)
    ]


def _swept_calls(plan: RenderPlan, start: int) -> frozenset[tuple[int, str]]:
    """Slot of the reply and id of each call whose result was swept: that is told by itself."""
    if not plan.has(FateKind.SWEPT):
        return frozenset()
    swept: set[tuple[int, str]] = set()
    caller = -1
    for number, slot in enumerate(plan.slots[start:], start):
        if slot.before and slot.before.role == "assistant":
            caller = number
        if slot.fates[-1].kind is FateKind.SWEPT:
            swept.update((caller, bare_id) for bare_id in slot.fates[-1].bare_ids)
    return frozenset(swept)


def _pairing(placed: Placed, told: frozenset[tuple[int, str]]) -> Iterator[Finding]:
    request = plan_request(message for _, _, message in placed)
    if request is None:
        yield from _unsendable(placed)
        return
    for orphan in request.orphans:
        if not orphan.sent.invented:
            yield _orphan(orphan, placed)
    yield from _unanswered(request, placed, told)
    yield from _left_out(request, placed)
    yield from _doubled(request, placed)


def _unsendable(placed: Placed) -> Iterator[Finding]:
    for number, slot, message in placed:
        if message.role == "assistant" and not message.has_part_list:
            yield finding_at(_UNSENDABLE, "a reply without a list of parts", number, slot)
            return


def _orphan(orphan: Orphan, placed: Placed) -> Finding:
    number, slot, _ = placed[orphan.sent.place]
    what = f"the result of {orphan.sent.call_id} has no open call: {orphan.cause}"
    return finding_at(_CODES[orphan.cause], what, number, slot)


def _unanswered(
    request: Request, placed: Placed, told: frozenset[tuple[int, str]]
) -> Iterator[Finding]:
    """Where the real result comes later, or the id is doubled, that is told instead."""
    late = {
        (orphan.caller, orphan.sent.call_id)
        for orphan in request.orphans
        if orphan.sent.invented or orphan.cause is Cause.BARRIER
    }
    for _, sent in request.invented:
        number, slot, _ = placed[sent.place]
        if (sent.place, sent.call_id) not in late and (number, sent.call_id) not in told:
            what = f"{_named(sent)} has no result: pi invents one"
            yield finding_at("unanswered-call", what, number, slot)


def _named(sent: Sent) -> str:
    call: ToolCall | None = sent.invented
    return f"{call.name} {sent.call_id}" if call else sent.call_id


def _left_out(request: Request, placed: Placed) -> Iterator[Finding]:
    for place in request.left_out:
        number, slot, message = placed[place]
        what = f"a reply that ended with {message.outline.stop_reason} is not sent"
        yield finding_at("reply-left-out", what, number, slot)


def _doubled(request: Request, placed: Placed) -> Iterator[Finding]:
    for sent in request.sent:
        if sent.role != "assistant":
            continue
        number, slot, message = placed[sent.place]
        ids = [call.id for call in message.tool_calls]
        if len(ids) < 2 or len(ids) == len(set(ids)):
            continue
        doubled = ", ".join(call_id for call_id, count in Counter(ids).items() if count > 1)
        what = f"one reply has several calls with the id {doubled}"
        yield finding_at("doubled-call-id", what, number, slot)
