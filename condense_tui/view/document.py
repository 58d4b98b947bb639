"""`Document`: what one thing looks like whole, before it is laid out for a width."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from condense_tui.inspection.links import Target
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Entry
from condense_tui.view.lines import Line


class Form(StrEnum):
    """How a text is to be read."""

    PROSE = "prose"
    MARKDOWN = "markdown"
    OUTPUT = "output"
    JSON = "json"


class Block(Value, frozen=True):
    """A stretch of a document: a line, or a text in its form; Enter follows `target`.

    `passage` is the number that a hit of a search knows the text by.
    """

    line: Line = ()
    text: str | None = None
    target: Target | None = None
    form: Form = Form.PROSE
    passage: int | None = None


def _no_target(_name: str) -> Target | None:
    return None


class Document(Value, frozen=True):
    """`original` is the thing's own text, for copy and export.

    The blocks from `body` on are the thing itself; those before it are about it.  `entry` is
    what the file holds.  `target_named` knows what a ref, key or block in the text leads to.

    A document with a `make_whole` holds what is known at once, and no original: what it makes
    is the whole one, and as that takes time or reads a file, it is called in a thread.
    """

    title: str
    blocks: tuple[Block, ...]
    original: str
    body: int = 0
    entry: Entry | None = None
    target_named: Callable[[str], Target | None] = _no_target
    make_whole: Callable[[], Document] | None = None

    def whole(self) -> Document:
        """The document with everything in it."""
        return self if self.make_whole is None else self.make_whole()

    def changed(self, change: Callable[[Document], Document]) -> Document:
        """The document with a change made to it, now and when it is whole."""
        make_whole = self.make_whole
        if make_whole is None:
            return change(self)
        return changed(change(self), make_whole=lambda: change(make_whole()))

    @property
    def is_markdown(self) -> bool:
        """Whether there is a source to show instead."""
        return any(block.form is Form.MARKDOWN for block in self.blocks)
