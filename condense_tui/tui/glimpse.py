"""`Glimpse`: what the ends of a session file say, shown until the whole of it is read.

It is nothing to work with: raw messages and bare nodes, without places, fates and counters.
What a person selects in it is a `Mark`, by which the session screen finds it again.
"""

from __future__ import annotations

from pathlib import Path

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.heads import SessionHead
from condense_tui.session.messages import Message
from condense_tui.session.tails import branch_in_tail
from condense_tui.store_sessions import read_session_ends
from condense_tui.tui.marks import Mark, MessageMark
from condense_tui.view.tailtree import tail_nodes
from condense_tui.view.treerows import TreeNode


class Glimpse(Value, frozen=True):
    """`entries` counts the last entries that were read; without messages there is only a head."""

    head: SessionHead
    entries: int = 0
    nodes: tuple[TreeNode, ...] = ()
    messages: tuple[Message, ...] = ()

    __repr__ = object.__repr__

    def mark_of(self, row: int) -> Mark | None:
        """What stands in this row of the messages."""
        entry = self.messages[row].entry
        return MessageMark(entry.id) if entry and entry.id else None


def read_glimpse(path: Path, leaf: str | None, settings: CondenseSettings) -> Glimpse:
    """Look at the ends of a file; bounded, whatever its size."""
    head, tail = read_session_ends(path)
    branch = None if isinstance(tail, Refusal) else branch_in_tail(tail, leaf)
    if branch is None:
        return Glimpse(head)
    inspection = Inspection(branch, settings)
    nodes, messages = tail_nodes(inspection), inspection.context.messages
    return Glimpse(head, len(branch.session.entries), nodes, messages)
