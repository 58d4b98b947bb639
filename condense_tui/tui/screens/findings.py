"""`FindingsScreen`: problems, diagnostics and findings in one list, worst first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.inspection.concerns import concerns
from condense_tui.inspection.links import Target
from condense_tui.tui.clipboard import copy_document
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.width import mark_narrow
from condense_tui.view.findingrows import (
    NOTHING_FOUND,
    concern_document,
    concern_line,
    count_table,
)
from condense_tui.view.lines import Line
from condense_tui.view.printable import one_line
from condense_tui.view.words import tally


class FindingsScreen(ModalScreen[Target | None]):
    """`kind` is a code, a diagnostic's or problem's kind, or a source: its first row is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "List/text", key_display="Tab"),
        Binding("f2,escape,q", "close", "Close", key_display="F2 Esc q"),
    ]
    DEFAULT_CSS = """
    FindingsScreen {
        align: center middle;
        & > Vertical { width: 94%; height: 92%; }
        &.-narrow > Vertical { width: 100%; height: 1fr; }
        #counts { height: auto; padding: 0 1; }
        #concerns { max-height: 50%; min-height: 4; }
        #concern { height: 1fr; }
    }
    """

    def __init__(self, picture: Picture, kind: str | None = None) -> None:
        super().__init__()
        self._inspection = picture.inspection
        self._concerns = concerns(picture.inspection, picture.findings)
        self._kind = kind

    def compose(self) -> ComposeResult:
        """The three counts, the list, and the chosen one's words."""
        with Vertical() as frame:
            frame.border_title = (
                f"Findings: {tally(concern.severity for concern in self._concerns)}"
            )
            frame.border_subtitle = "⏎ goes to the cause"
            yield Static(Content("\n".join(count_table(self._inspection))), id="counts")
            yield LineList(id="concerns")
            yield DocumentView(id="concern")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Choose the first one, or the first one of the kind that was asked for."""
        rows = self.query_one("#concerns", LineList)
        rows.show_lines(len(self._concerns), self._line_at, self._first_of_kind())
        rows.styles.height = len(self._concerns) + 1
        rows.focus()
        self._show_chosen()

    def on_resize(self) -> None:
        """A narrow terminal is filled."""
        mark_narrow(self)

    def _first_of_kind(self) -> int:
        rows = enumerate(self._concerns)
        kind = self._kind
        return next((row for row, concern in rows if kind and concern.is_of(kind)), 0)

    def _line_at(self, row: int) -> Line:
        return concern_line(self._concerns[row], self.query_one("#concerns").size.width)

    def _show_chosen(self) -> None:
        row = self.query_one("#concerns", LineList).cursor
        document = concern_document(self._concerns[row]) if self._concerns else NOTHING_FOUND
        shown = self.query_one(DocumentView)
        shown.border_title = Content(one_line(document.title))
        shown.show_document(document)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Another one is chosen."""
        if event.line_list.id == "concerns":
            self._show_chosen()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter leads to the cause."""
        if event.line_list.id != "concerns" or not self.is_active:
            return
        target = self._concerns[event.row].target
        if target is None:
            self.notify("the context no longer holds its cause", markup=False)
        else:
            self.dismiss(target)

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        """So does the link below."""
        if self.is_active:
            self.dismiss(event.target)

    def on_document_view_copy_asked(self, event: DocumentView.CopyAsked) -> None:
        """Copy what it is."""
        copy_document(self, event.document)

    def on_document_view_went_back(self) -> None:
        """Back to the list."""
        self.query_one("#concerns", LineList).focus()

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss(None)
