"""`QueryScreen`: outputs by ref, bare id or occurrence key, as `context_tree_query` finds them."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import get_current_worker

from condense_tui.inspection.links import Target
from condense_tui.pruning.query import BodySource, Match
from condense_tui.session.compact import Value, changed
from condense_tui.tui.clipboard import copy_and_say
from condense_tui.tui.commands import COPY
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.query_input import QueryInput
from condense_tui.tui.width import mark_narrow
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.fitting import fitted
from condense_tui.view.lines import Line, text_of
from condense_tui.view.printable import one_line
from condense_tui.view.query import known_texts
from condense_tui.view.queryrows import (
    Candidate,
    Found,
    Row,
    RowWriter,
    completed,
    last_word,
    look_up,
    verdict,
)

_VERDICT_PERCENT, _PADDING = 60, 2
_NOTHING = Document("", (), "")
_NOT_FOUND = Found("", (), (), "")


class QueryResult(Value, frozen=True):
    """What the person chose: a place to go to, or calls to export."""

    target: Target | None = None
    to_export: tuple[Target, ...] = ()


class QueryScreen(ModalScreen[QueryResult | None]):
    """`history` is the caller's list, so that it outlives the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "toggle_tool", "As the model sees it", key_display="^T"),
        Binding("t", "toggle_tool", "As the model sees it", show=False),
        Binding("colon,slash", "ask", "Ask", key_display=":"),
        *COPY.bindings,
        Binding("e", "export", "Export"),
        Binding("E", "export_all", "Export all"),
        Binding("down", "enter_rows", "Answers", show=False),
        Binding("escape", "close", "Close", key_display="Esc"),
    ]
    DEFAULT_CSS = """
    QueryScreen {
        align: center middle;
        & > Vertical { width: 94%; height: 92%; }
        &.-narrow > Vertical { width: 100%; height: 1fr; }
        #asking { height: 1; padding: 0 1; }
        #prompt { width: 2; }
        QueryInput { width: 1fr; }
        #verdict { width: auto; padding: 0 0 0 2; }
        #rows { height: 1fr; }
        DocumentView { height: 1fr; display: none; }
        &.-chosen #rows { max-height: 50%; min-height: 4; }
        &.-chosen #shown, &.-tool #tool { display: block; }
        &.-tool #rows, &.-tool #shown { display: none; }
    }
    """

    class Answered(Message):
        """A look-up is ready."""

        def __init__(self, found: Found) -> None:
            super().__init__()
            self.found = found

    def __init__(self, picture: Picture, history: list[str]) -> None:
        super().__init__()
        self._picture = picture
        self._history = history
        self._known = known_texts(picture.inspection.index)
        self._writer = RowWriter(picture.inspection, picture.links)
        self._found = _NOT_FOUND
        self._lines: list[Line] = []

    def compose(self) -> ComposeResult:
        """The line to type in, what is found, and the chosen one whole."""
        with Vertical() as frame:
            frame.border_title = "Query: context_tree_query"
            frame.border_subtitle = _hint("")
            with Horizontal(id="asking"):
                yield Static("> ", id="prompt", markup=False)
                yield QueryInput(self._history, self._known, id="line")
                yield Static(id="verdict", markup=False)
            yield LineList(id="rows")
            yield DocumentView(id="shown")
            yield DocumentView(id="tool", is_whole=True)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin with all that is known."""
        self.query_one(QueryInput).focus()
        self._look_up("")

    def on_input_changed(self, event: QueryInput.Changed) -> None:
        """Each key asks anew."""
        self._look_up(event.value)

    def on_query_input_offered(self, event: QueryInput.Offered) -> None:
        """What Tab would do stands in words below."""
        self.query_one(Vertical).border_subtitle = Content(_hint(last_word(event.text)))

    def _look_up(self, typed: str) -> None:
        self.run_worker(lambda: self._work(typed), thread=True, exclusive=True, group="look-up")

    def _work(self, typed: str) -> None:
        """In a thread, because spilled outputs lie in files."""
        documents = self._picture.documents
        index = self._picture.inspection.index
        found = look_up(typed, index, self._known, documents.read_sidecar)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Answered(found))

    def on_query_screen_answered(self, event: Answered) -> None:
        """Show it, unless something else was typed meanwhile."""
        if event.found.typed != self.query_one(QueryInput).value:
            return
        self._found = event.found
        self._say_verdict()
        self._show_rows(event.found.first_choice)

    def _say_verdict(self) -> None:
        """In what room the question leaves it."""
        room = self.query_one("#asking").content_size.width * _VERDICT_PERCENT // 100 - _PADDING
        said = text_of(fitted(verdict(self._found), room))
        self.query_one("#verdict", Static).update(Content(said))

    def _show_rows(self, cursor: int) -> None:
        rows = self.query_one("#rows", LineList)
        self._lines = self._writer.lines(self._found, rows.size.width)
        rows.show_lines(len(self._found.rows), self._line_at, cursor)
        has_matches = bool(self._found.matches)
        self.set_class(has_matches, "-chosen")
        rows.styles.height = len(self._found.rows) + 1 if has_matches else "1fr"
        self._show_chosen()

    def _line_at(self, row: int) -> Line:
        """Candidates come last and may be many: they are written when they come into sight."""
        chosen = self._found.rows[row]
        return self._writer.candidate(chosen) if isinstance(chosen, Candidate) else self._lines[row]

    def on_resize(self) -> None:
        """A narrow terminal is filled; columns follow the width."""
        mark_narrow(self)
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        self._say_verdict()
        self._show_rows(self.query_one("#rows", LineList).cursor)

    @property
    def _current(self) -> Found:
        """What is found, but nothing as long as it answers an earlier question."""
        is_current = self._found.typed == self.query_one(QueryInput).value
        return self._found if is_current else _NOT_FOUND

    @property
    def _row(self) -> Row | None:
        rows = self._current.rows
        cursor = self.query_one("#rows", LineList).cursor
        return rows[cursor] if 0 <= cursor < len(rows) else None

    @property
    def _match(self) -> Match | None:
        row = self._row
        return row if isinstance(row, Match) else None

    def _show_chosen(self) -> None:
        """The chosen match whole, and what the tool answers."""
        self._show("#shown", self._match_document())
        if self.has_class("-tool"):
            self._show("#tool", self._tool_document())

    def _show(self, name: str, document: Document) -> None:
        view = self.query_one(name, DocumentView)
        view.border_title = Content(one_line(document.title))
        view.show_document(document)

    def _tool_document(self) -> Document:
        text = self._current.tool_text
        title = "exactly what context_tree_query answers the model"
        block = Block(text=text or "(nothing was asked)", form=Form.OUTPUT)
        return Document(title, (block,), text)

    def _match_document(self) -> Document:
        match = self._match
        if match is None:
            return _NOTHING
        document = self._picture.documents.call(self._writer.target(match), match)
        story = Block(self._writer.story(match))
        return document.changed(
            lambda it: changed(it, blocks=(story, *it.blocks), body=it.body + 1)
        )

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """The cursor moved to another match."""
        if event.line_list.id == "rows":
            self._show_chosen()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter opens a match, or asks for a candidate."""
        row = self._row
        if event.line_list.id != "rows" or not self.is_active:
            return
        if isinstance(row, Match):
            self._answer(QueryResult(self._writer.target(row)))
        elif isinstance(row, Candidate):
            field = self.query_one(QueryInput)
            field.show_text(completed(field.value, row.text))

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        """A link of the chosen match leads there."""
        self._answer(QueryResult(event.target))

    def on_document_view_copy_asked(self) -> None:
        """The documents have the same key for it."""
        self.action_copy()

    def on_document_view_went_back(self) -> None:
        """Nothing was followed here: back to the answers."""
        self.action_enter_rows()

    def on_input_submitted(self) -> None:
        """Enter keeps the question and goes to the answers."""
        self.query_one(QueryInput).remember()
        self.action_enter_rows()

    def _answer(self, result: QueryResult) -> None:
        if self.is_active:
            self.query_one(QueryInput).remember()
            self.dismiss(result)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Asking is nothing to offer where one is typing."""
        return action != "ask" or not self.query_one(QueryInput).has_focus

    def action_enter_rows(self) -> None:
        """Go to the answers."""
        self.query_one("#tool" if self.has_class("-tool") else "#rows", LineList).focus()

    def action_ask(self) -> None:
        """Go to the line to type in."""
        self.query_one(QueryInput).focus()

    def action_toggle_tool(self) -> None:
        """The answers for people, or the tool's own."""
        self.toggle_class("-tool")
        self._show_chosen()
        if not self.query_one(QueryInput).has_focus:
            self.action_enter_rows()

    def action_copy(self) -> None:
        """The original output of the chosen match, or the tool's whole answer."""
        match = self._match
        if self.has_class("-tool"):
            copy_and_say(self, self._current.tool_text)
        elif match is not None and match.source is BodySource.NONE:
            self.notify("its file is missing: there is no output", severity="warning")
        elif match is not None:
            is_preview = match.source is BodySource.PREVIEW
            note = "; its file is missing: the preview only" * is_preview
            copy_and_say(self, match.output, note)

    def action_export(self) -> None:
        """Leave with the chosen match to export."""
        if self._match is not None:
            self._answer(QueryResult(to_export=(self._writer.target(self._match),)))

    def action_export_all(self) -> None:
        """Leave with every match to export."""
        if targets := tuple(dict.fromkeys(map(self._writer.target, self._current.matches))):
            self._answer(QueryResult(to_export=targets))

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss(None)


def _hint(completion: str) -> str:
    tab = f"Tab: {completion}" if completion else "Tab completes"
    return f"{tab} · ↑ asks again · ⏎ opens"
