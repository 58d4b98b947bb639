"""`Mark`: a row by a name that it has in every reading of a file, and the way back to it."""

from __future__ import annotations

from condense_tui.inspection.links import SlotTarget
from condense_tui.session.compact import Value
from condense_tui.tui.picture import Picture
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.fold_tree import FoldTree


class NodeMark(Value, frozen=True):
    """A node of the tree, by its key."""

    key: str


class MessageMark(Value, frozen=True):
    """A message of the context, by the id of its entry."""

    entry_id: str


Mark = NodeMark | MessageMark


def begin_at(mark: Mark, screen: SessionScreen, picture: Picture) -> None:
    """Select in a session screen what was marked, and go on in the same list."""
    if isinstance(mark, NodeMark):
        tree = screen.query_one(FoldTree)
        if tree.reveal(mark.key) and tree.node and tree.node.target:
            screen.select(tree.node.target, leader=tree)
        return
    slot = picture.slot_of_id(mark.entry_id)
    if slot is not None:
        screen.select(SlotTarget(slot))
        screen.add_class("-on-context")
        screen.query_one(ContextList).focus()
