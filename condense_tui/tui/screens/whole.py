"""`WholeScreen`: one thing whole in an overlay: Markdown where it is that, else its text."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Markdown

from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.view.detail import Block, Document
from condense_tui.view.printable import one_line, printable

_MAX_MARKDOWN_CHARS = 8_000


class WholeScreen(ModalScreen[None]):
    """Closes with the key that opened it, with Esc and with q."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o,escape,q", "close", "Close", key_display="^O Esc q"),
        Binding("m", "toggle_source", "Markdown/source"),
    ]
    DEFAULT_CSS = """
    WholeScreen {
        align: center middle;
        & > Vertical { width: 92%; height: 92%; border: round $border; background: $surface; }
        & Markdown { padding: 0 2; }
        & #source { padding: 0 1; }
        & .hidden { display: none; }
    }
    """

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        text = document.original
        self._has_markdown = document.is_markdown and len(text) <= _MAX_MARKDOWN_CHARS

    def compose(self) -> ComposeResult:
        """The Markdown and the source, one of them hidden."""
        with Vertical() as frame:
            frame.border_title = Content(one_line(self._document.title))
            if self._has_markdown:
                with VerticalScroll(id="rendered"):
                    yield Markdown(printable(self._document.original), open_links=False)
            yield DocumentView(id="source")
        yield Footer()

    def on_mount(self) -> None:
        """Begin with the Markdown where there is one."""
        source = self.query_one(DocumentView)
        source.show_document(
            Document(self._document.title, (Block(text=self._document.original),), "")
        )
        source.set_class(self._has_markdown, "hidden")
        (self.query_one("#rendered") if self._has_markdown else source).focus()

    def action_toggle_source(self) -> None:
        """Markdown or source."""
        if not self._has_markdown:
            return
        source, rendered = self.query_one(DocumentView), self.query_one("#rendered")
        source.toggle_class("hidden")
        rendered.toggle_class("hidden")
        (rendered if source.has_class("hidden") else source).focus()

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()
