"""`DocumentView`: a document as wrapped lines; Enter on a link follows it."""

from __future__ import annotations

from collections.abc import Iterator

from textual.message import Message

from condense_tui.inspection.links import Target
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.detail import Document
from condense_tui.view.lines import Line, line
from condense_tui.view.wrapping import wrapped


class DocumentView(LineList):
    """Wraps again when its width changes."""

    class Followed(Message):
        """A link was followed."""

        def __init__(self, target: Target) -> None:
            super().__init__()
            self.target = target

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._document: Document | None = None
        self._targets: list[Target | None] = []
        self._wrapped_width = 0

    @property
    def document(self) -> Document | None:
        """What is shown."""
        return self._document

    def show_document(self, document: Document) -> None:
        """Show another document from its beginning."""
        self._document = document
        self._wrap()

    def _wrap(self) -> None:
        if self._document is None:
            return
        self._wrapped_width = self.scrollable_content_region.width
        rows = list(_rows(self._document, self._wrapped_width))
        self._targets = [target for _, target in rows]
        self.show_rows([row for row, _ in rows])

    def on_resize(self) -> None:
        """Wrap to the new width."""
        super().on_resize()
        if self.scrollable_content_region.width != self._wrapped_width:
            self._wrap()

    def action_select(self) -> None:
        """Follow the link under the cursor."""
        target = self._targets[self.cursor] if self._targets else None
        if target is not None:
            self.post_message(self.Followed(target))


def _rows(document: Document, width: int) -> Iterator[tuple[Line, Target | None]]:
    for block in document.blocks:
        if block.text is None:
            yield block.line, block.target
        else:
            yield from ((line(text), block.target) for text in wrapped(block.text, width))
