"""`RenderPlan` → the rows of the context list: which slots a view shows, and a line for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.messages import Message
from condense_tui.view.context import View, is_shown
from condense_tui.view.fitting import filled, fitted
from condense_tui.view.lines import Line, Span, Tone, dim, filling, line, shrinking, strong
from condense_tui.view.messages import message_text, message_title
from condense_tui.view.words import FATE_SIGNS, FATE_TONES, place_text, role_word, shortened

_ROLE_WIDTH = 10
_EXCERPT_CHARS = 200
_GUTTER = " │ "
_GAP = "  "
_NUMBER_WIDTH = 5


_BEFORE, _AFTER = attrgetter("before"), attrgetter("after")


def shown_slots(plan: RenderPlan, view: View, only_changes: bool = False) -> list[int]:
    """The numbers of the slots that a view shows, in order."""
    if only_changes:
        changes = ((number, slot) for number, slot in enumerate(plan.slots) if is_change(slot))
        return [number for number, slot in changes if is_shown(slot, view)]
    if view is View.DIFF:
        return list(range(len(plan.slots)))
    messages = map(_AFTER if view is View.PRUNED else _BEFORE, plan.slots)
    return [number for number, message in enumerate(messages) if message is not None]


def is_change(slot: Slot) -> bool:
    """Whether something happened to the slot, or was kept from happening."""
    return slot.fates[-1].kind not in (FateKind.KEPT, FateKind.SYSTEM)


def next_change(plan: RenderPlan, numbers: Sequence[int], row: int, step: int) -> int | None:
    """The next row in that direction whose slot is a change."""
    rows = range(row + step, len(numbers) if step > 0 else -1, step)
    return next((other for other in rows if is_change(plan.slots[numbers[other]])), None)


def context_row(plan: RenderPlan, number: int, view: View) -> Line:
    """One slot on one line: place, sign, role, size, and what happened or what it says."""
    slot = plan.slots[number]
    chars = plan.slot_chars[number]
    kind = slot.fates[-1].kind
    size = compact_count(chars[1] if view is View.PRUNED else chars[0] or chars[1])
    sign = Span(FATE_SIGNS[kind], FATE_TONES[kind])
    return (*_columns(place_text(slot), sign, slot.message, size), *_story(slot, chars, view))


def message_row(message: Message) -> Line:
    """A message of which its place, and what happens to it, are not known yet."""
    size = compact_count(message.chars)
    return (*_columns("", dim(" "), message, size), *_said(message))


def _columns(place: str, sign: Span, message: Message, size: str) -> Line:
    return line(
        dim(f"{place:>{_NUMBER_WIDTH}} "),
        Span(f"{sign.text} ", sign.tone),
        strong(f"{shortened(role_word(message.role), _ROLE_WIDTH):<{_ROLE_WIDTH}}"),
        dim(f" {size:>6}  "),
    )


def _story(slot: Slot, chars: tuple[int, int], view: View) -> list[Span]:
    """The reasons first, then what the message says; the excerpt gives way first."""
    spans: list[Span] = []
    if is_change(slot):
        tone = FATE_TONES[slot.fates[-1].kind]
        was = f", was {compact_count(chars[0])}" if _shrank(slot, view) else ""
        reasons = "; ".join(fate.reason for fate in slot.fates)
        spans += [shrinking(reasons, tone), Span(was, tone)]
    message = slot.after if view is View.PRUNED else slot.before
    message = message or slot.message
    has_excerpt = not (is_change(slot) and message.role == "toolResult")
    return [*spans, *_said(message, has_excerpt, _GAP * bool(spans))]


def _said(message: Message, has_excerpt: bool = True, gap: str = "") -> Iterator[Span]:
    title = message_title(message)
    if title:
        yield filling(gap + title, Tone.PLAIN)
        gap = _GAP
    if has_excerpt:
        yield filling(gap + excerpt(message))


def _shrank(slot: Slot, view: View) -> bool:
    return view is View.PRUNED and slot.is_changed and slot.before is not None


def excerpt(message: Message) -> str:
    """The beginning of what a message says, on one line."""
    return " ".join(message_text(message)[:_EXCERPT_CHARS].split())


def both_row(plan: RenderPlan, number: int, width: int) -> Line:
    """One slot in two columns: what pi built, and what the model is sent."""
    slot = plan.slots[number]
    kind = slot.fates[-1].kind
    column = max((width - len(_GUTTER)) // 2, 10)
    sign = Span(FATE_SIGNS[kind], FATE_TONES[kind])
    left = _cell(slot.before, place_text(slot), sign)
    right: Line
    if slot.after is None:
        right = (Span(f"      ┆ {slot.fates[-1].reason}", Tone.DIM),)
    elif slot.before is slot.after:
        right = _cell(slot.after, place_text(slot), sign)
    else:
        right = _cell(slot.after, place_text(slot), sign, FATE_TONES[kind])
    room = width - column - len(_GUTTER)
    return (*filled(left, column), dim(_GUTTER), *fitted(right, room))


def _cell(message: Message | None, place: str, sign: Span, tone: Tone = Tone.PLAIN) -> Line:
    if message is None:
        return ()
    role = shortened(role_word(message.role), _ROLE_WIDTH)
    what = f"{message_title(message)} {excerpt(message)}".strip()
    return line(
        dim(f"{place:>{_NUMBER_WIDTH}} "),
        sign,
        f" {role:<{_ROLE_WIDTH}} ",
        Span(what, tone),
    )
