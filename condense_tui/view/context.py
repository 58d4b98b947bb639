"""`RenderPlan` → lines: the messages in order, each with its size, its fate and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.messages import Message
from condense_tui.view.lines import Line, Span, Tone, dim, line
from condense_tui.view.messages import message_text, message_title
from condense_tui.view.words import FATE_SIGNS, FATE_TONES, place_text, role_word

Rewrite = Callable[[str], str]


class View(StrEnum):
    """What the model is sent, what pi built, or both."""

    PRUNED = "pruned"
    RAW = "raw"
    DIFF = "diff"


def context_lines(
    plan: RenderPlan, view: View, has_bodies: bool = True, rewrite: Rewrite = str
) -> Iterator[Line]:
    """Every slot that the view shows, with its body below, its text as `rewrite` gives it."""
    for slot, chars in zip(plan.slots, plan.slot_chars, strict=True):
        if is_shown(slot, view):
            yield _title(slot, chars)
            if has_bodies:
                yield from _bodies(slot, view, rewrite)
                yield line()


def context_objects(plan: RenderPlan, view: View) -> Iterator[Any]:
    """The messages that the view shows; of a diff each slot with both and its fates."""
    for slot in plan.slots:
        if view is View.DIFF:
            yield _diff_object(slot)
        elif is_shown(slot, view):
            message = slot.after if view is View.PRUNED else slot.before
            yield message.body if message else None


def _diff_object(slot: Slot) -> Any:
    return {
        "place": slot.place,
        "fates": [{"kind": fate.kind.value, "reason": fate.reason} for fate in slot.fates],
        "before": slot.before.body if slot.before else None,
        "after": slot.after.body if slot.after else None,
    }


def is_shown(slot: Slot, view: View) -> bool:
    """Whether a view shows anything of a slot."""
    if view is View.DIFF:
        return True
    return (slot.after if view is View.PRUNED else slot.before) is not None


def _title(slot: Slot, chars: tuple[int, int]) -> Line:
    message = slot.message
    kind = slot.fates[-1].kind
    reasons = "; ".join(fate.reason for fate in slot.fates if fate.kind is not FateKind.KEPT)
    title = message_title(message)
    return line(
        dim(f"{place_text(slot):>4} "),
        Span(f"{FATE_SIGNS[kind]} {role_word(message.role)}", FATE_TONES[kind]),
        Span(f" {title}" if title else "", Tone.STRONG),
        dim(f"  {_size(slot, chars)}"),
        f"  {reasons}" if reasons else "",
    )


def _size(slot: Slot, chars: tuple[int, int]) -> str:
    before, after = chars
    if slot.is_changed and slot.before and slot.after:
        return f"{compact_count(before)} -> {compact_count(after)}"
    return compact_count(before or after)


def _bodies(slot: Slot, view: View, rewrite: Rewrite) -> Iterator[Line]:
    if view is not View.DIFF or not slot.is_changed:
        message = slot.after if view is View.PRUNED else slot.before
        yield from _body(message, "     ", Tone.PLAIN, rewrite)
        return
    yield from _body(slot.before, "   - ", Tone.DIM, rewrite)
    yield from _body(slot.after, "   + ", Tone.GOOD, rewrite)


def _body(message: Message | None, margin: str, tone: Tone, rewrite: Rewrite) -> Iterator[Line]:
    if message is None:
        return
    for text in rewrite(message_text(message)).split("\n"):
        yield line(dim(margin if text else margin.rstrip()), Span(text, tone))
