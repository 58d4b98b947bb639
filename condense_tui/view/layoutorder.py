"""What is to be laid out, and how; what can be had of it at once, and the whole of it."""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.session.compact import Value, changed
from condense_tui.session.jsontext import json_text
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.layout import FOLDED_CHARS, Folding, Layout, Place
from condense_tui.view.lines import dim, line

# As much as is laid out between one key and the next.
_QUICK_CHARS = 50_000
_BLOCK_CHARS = 50
_SOON = Document("", (Block(line(dim("laying it out …"))),), "")


class LaidOut(Value, frozen=True):
    """What became of an order; `goal` is where in the layout that of the order is.

    `folding` is that of the order with the block unfolded that hides the goal.
    """

    order: LayoutOrder
    document: Document
    layout: Layout
    folding: Folding
    goal: Place | None = None
    is_whole: bool = True


class LayoutOrder(Value, frozen=True):
    """A document, or the entry that it is made of, at a width in cells.

    `goal` is a character of a passage that is to be seen, whatever is folded.
    """

    document: Document
    width: int
    folding: Folding
    as_entry: bool = False
    goal: tuple[int, int] | None = None

    @property
    def is_quick(self) -> bool:
        """Whether the whole can be laid out between one key and the next."""
        is_known = self.document.make_whole is None and not self.as_entry
        return is_known and sum(self._chars(self.folding)) <= _QUICK_CHARS

    def glimpse(self) -> LaidOut:
        """What can be laid out at once: what is known of the document, its long texts folded."""
        folding = Folding(self.folding.as_source)
        is_quick = sum(changed(self, goal=None)._chars(folding)) <= _QUICK_CHARS
        layout = Layout(self.document if is_quick else _SOON, self.width, folding)
        return LaidOut(self, self.document, layout, self.folding, is_whole=False)

    def _chars(self, folding: Folding) -> Iterator[int]:
        for number, block in enumerate(self.document.blocks):
            text = block.text or ""
            is_goal = self.goal is not None and block.passage == self.goal[0]
            is_unfolded = folding.is_whole or is_goal or number in folding.unfolded
            yield _BLOCK_CHARS + (len(text) if is_unfolded else min(len(text), FOLDED_CHARS))

    def laid_out(self, known: LaidOut | None = None) -> LaidOut:
        """The whole; takes as long as the document is large, and may read a file.

        `known` saves the time where it differs only in its goal.
        """
        if self.as_entry:
            whole = Folding(is_whole=True)
            return LaidOut(self, self.document, self._layout(_entry(self.document), whole), whole)
        document, folding = self.document.whole(), self.folding
        layout = known.layout if known and self._is_like(known) else self._layout(document, folding)
        hider = layout.hides(*self.goal) if self.goal else None
        if hider is not None:
            folding = changed(folding, unfolded=frozenset({*folding.unfolded, hider}))
            layout = self._layout(document, folding)
        goal = layout.place_in(*self.goal) if self.goal else None
        return LaidOut(self, document, layout, folding, goal)

    def _layout(self, document: Document, folding: Folding) -> Layout:
        return Layout(document, self.width, folding)

    def _is_like(self, known: LaidOut) -> bool:
        is_same = known.is_whole and known.document is self.document
        order = known.order
        shape = (order.width, order.as_entry, known.folding)
        return is_same and shape == (self.width, self.as_entry, self.folding)


def _entry(document: Document) -> Document:
    entry = document.entry
    if entry is None:
        return document
    heading = Block(line(dim(f"line {entry.line} of the file · entry {entry.label}")))
    text = Block(text=json_text(dict(entry.body), indent=2), form=Form.JSON)
    return Document(document.title, (heading, text), "", target_named=document.target_named)
