"""`show_in_place`: another reading of a session, shown without moving anyone's eyes or hands.

Selection and folds stay by what they are, lists by what is in sight; who was at the end of the
context stays at its end.
"""

from __future__ import annotations

from condense_tui.inspection.links import (
    FindingTarget,
    ProblemTarget,
    SlotTarget,
    SummaryTarget,
    Target,
)
from condense_tui.pruning.slots import FateKind
from condense_tui.session.compact import Value
from condense_tui.tui.picture import Picture
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList


class Spot(Value, frozen=True):
    """How far below the top of a list its cursor is, in rows, and whether that shows its end."""

    depth: int
    is_on_last: bool
    is_at_bottom: bool
    is_in_sight: bool


def spot_of(rows: LineList) -> Spot:
    """Where a list is; one that is all in sight is not at its bottom."""
    top, bottom = rows.scroll_offset.y, rows.max_scroll_y
    return Spot(
        rows.cursor - top,
        rows.cursor == rows.row_count - 1,
        0 < bottom <= top,
        0 <= rows.cursor - top < rows.scrollable_content_region.height,
    )


def show_in_place(screen: SessionScreen, before: Picture, now: Picture) -> None:
    """Show a picture of the same session in a screen that shows another one."""
    tree, context = screen.query_one(FoldTree), screen.query_one(ContextList)
    tree_spot, context_spot, slot = spot_of(tree), spot_of(context), context.slot
    with screen.prevent(LineList.Highlighted):
        end = _gone_to_end(context, now) if _is_reading_on(screen, context_spot) else None

        def keep(target: Target) -> Target | None:
            is_on_last = end is not None and target == SlotTarget(slot or 0)
            return SlotTarget(end or 0) if is_on_last else target_again(target, before, now)

        screen.show_picture(now, keep)
        there = slot_again(slot, before, now) if slot is not None and end is None else end
        if there is not None:
            context.go_to(there)
    _restore(tree, tree_spot)
    if end is None:
        _restore(context, context_spot)


def _gone_to_end(context: ContextList, now: Picture) -> int | None:
    """The slot of the last row that the view now has, which the cursor is on."""
    context.show_plan(now.inspection.plan)
    context.cursor = context.row_count - 1
    return context.slot


def _is_reading_on(screen: SessionScreen, spot: Spot) -> bool:
    """Whether whoever is on the last message of the context wants the one after it, too.

    One who reads a message, or came to it from the tree, stays with it.
    """
    is_in_context = screen.query_one(ContextList).has_focus
    return spot.is_on_last and is_in_context and not screen.has_class("-detail")


def _restore(rows: LineList, spot: Spot) -> None:
    """What was in sight stays there, and at the bottom the end comes in sight, as long as what
    is selected there does not leave it.
    """
    top = rows.max_scroll_y if spot.is_at_bottom else rows.cursor - spot.depth
    if spot.is_in_sight and not spot.is_on_last:
        top = min(top, rows.cursor)
    rows.scroll_to(y=max(top, 0), animate=False, force=True)


# Names that last


def target_again(target: Target, before: Picture, now: Picture) -> Target | None:
    """The same thing in another picture of the session, if it is there."""
    match target:
        case SlotTarget(number):
            slot = slot_again(number, before, now)
            return None if slot is None else SlotTarget(slot)
        case FindingTarget(number):
            is_there = _has_again(number, before.findings, now.findings)
            return target if is_there else None
        case ProblemTarget(number):
            problems = before.inspection.problems, now.inspection.problems
            return target if _has_again(number, *problems) else None
        case SummaryTarget() if before.file is not now.file:
            key = before.node_key(target)
            found = map(SummaryTarget, now.links.summary_of_entry)
            return next((same for same in found if now.node_key(same) == key), None)
        case _:
            return target if now.node_key(target) else None


def _has_again(number: int, before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return number < len(now) and before[number] == now[number]


def slot_again(number: int, before: Picture, now: Picture) -> int | None:
    """Where the message of a slot is in another picture: by its entry, or its block."""
    slots = before.inspection.plan.slots
    if number >= len(slots):
        return None
    slot = slots[number]
    entry, fate = slot.message.entry, slot.fates[-1]
    if fate.kind is FateKind.INSERTED and fate.block:
        return now.links.slot_of_block.get(fate.block)
    if entry is None:
        return number if slot.place == 0 or number == 0 else None
    if before.file is now.file:
        return now.links.slot_of_entry.get(entry.index)
    return now.slot_of_id(entry.id) if entry.id else None
