"""`WholeScreen`: one thing whole in an overlay: Markdown where it is that, else its text."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen

from condense_tui.inspection.links import Target
from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.compact import changed
from condense_tui.tui.clipboard import copy_document
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.frame import Frame
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.view.document import Document
from condense_tui.view.printable import one_line


class WholeScreen(ModalScreen[Target | None]):
    """Closes with the key that opened it, with Esc and with q; a link that is followed closes it
    with its target."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o,escape,q", "close", "Close", key_display="^O Esc q"),
        Binding("space", "page(1)", "Page down", show=False),
        Binding("b", "page(-1)", "Page up", show=False),
    ]
    DEFAULT_CSS = """
    WholeScreen {
        align: center middle;
        & > Frame {
            width: 96%;
            height: 1fr;
            margin: 1 0;
            padding: 0 1;
        }
    }
    """

    def __init__(self, document: Document, pattern: SearchPattern | None = None) -> None:
        """`pattern` is marked wherever the document holds it."""
        super().__init__()
        self._document = document.changed(_without_about)
        self._pattern = pattern

    def compose(self) -> ComposeResult:
        """The document in a frame that says what it is and where one is in it."""
        with Frame() as frame:
            frame.border_title = Content(one_line(self._document.title))
            yield DocumentView(is_whole=True, is_pager=True)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the document, and the position whenever it changes."""
        view = self.query_one(DocumentView)
        self.watch(view, "scroll_y", self._show_position)
        self.watch(view, "virtual_size", self._show_position)
        view.highlight(self._pattern)
        view.show_document(self._document)
        view.focus()

    def on_resize(self) -> None:
        """Other rows are in sight."""
        self.call_after_refresh(self._show_position)

    def _show_position(self) -> None:
        self.query_one(Frame).show_below(self.query_one(DocumentView).position_text)

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        """Where the link leads is shown by whoever opened this."""
        event.stop()
        self._answer(event.target)

    def on_document_view_went_back(self, event: DocumentView.WentBack) -> None:
        """Back is where one was."""
        event.stop()
        self._answer(None)

    def _answer(self, target: Target | None) -> None:
        """Once: a second key may still be on its way when the first has closed this screen."""
        if self.is_active:
            self.dismiss(target)

    def on_document_view_copy_asked(self, event: DocumentView.CopyAsked) -> None:
        """Copy, and say what became of it."""
        event.stop()
        copy_document(self, event.document)

    def action_page(self, pages: int) -> None:
        """Turn pages, as pagers do."""
        self.query_one(DocumentView).action_page(pages)

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss(None)


def _without_about(document: Document) -> Document:
    return changed(document, blocks=document.blocks[document.body :], body=0)
