"""`ChooserScreen`: the sessions there are, shown as they are read; type to filter, or a path."""

from __future__ import annotations

import time
from bisect import insort
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from condense_tui.session.heads import SessionHead
from condense_tui.store import is_folder
from condense_tui.store_sessions import (
    SessionPlaces,
    looks_like_path,
    places_in,
    read_session_head,
    session_paths,
    typed_path,
)
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.lines import Line, dim, line, text_of
from condense_tui.view.printable import one_line, printable
from condense_tui.view.sessionrows import (
    OrderKey,
    SessionRows,
    heading,
    is_match,
    nothing_found,
    order_key,
)
from condense_tui.view.words import counted

_BATCH_SECONDS = 0.05
# Parsing holds the interpreter; between two files whoever types has it for themselves.
_BREATH_SECONDS = 0.002


class ChooserScreen(Screen[Path | None]):
    """Answers with the path of a session, or None where the person goes back without one.

    `has_way_back` says whether there is anything to go back to; where there is not, Esc only
    clears what was typed.
    """

    TITLE = "Sessions"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", priority=True, key_display="⏎"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+home", "top", "Top", show=False),
        Binding("ctrl+end", "bottom", "Bottom", show=False),
        Binding("escape", "back_out", "Clear, back", key_display="Esc"),
        Binding("ctrl+q", "app.quit", "Quit", priority=True, key_display="^Q"),
    ]
    DEFAULT_CSS = """
    ChooserScreen {
        #typed { border: none; height: 1; padding: 0 1; }
        #found { height: 1fr; }
        #heading { height: 1; }
        LineList { scrollbar-gutter: stable; }
        #note { height: auto; padding: 1 2; display: none; }
        #path { height: auto; max-height: 2; padding: 0 2; }
        &.-noted #note { display: block; }
        &.-noted #heading, &.-noted LineList { display: none; }
    }
    """

    class HeadsRead(Message):
        """Some more sessions of these places."""

        def __init__(self, places: SessionPlaces, heads: tuple[SessionHead, ...]) -> None:
            super().__init__()
            self.places = places
            self.heads = heads

    class AllRead(Message):
        """There are no more; `looked_in` is every place, and whether it is there."""

        def __init__(self, places: SessionPlaces, looked_in: tuple[tuple[Path, bool], ...]) -> None:
            super().__init__()
            self.places = places
            self.looked_in = looked_in

    def __init__(self, places: SessionPlaces, has_way_back: bool = True) -> None:
        super().__init__()
        self._usual_places = self._places = places
        self._has_way_back = has_way_back
        self._rows = SessionRows(places.directory, str(Path.home()), time.time())
        self._heads: list[tuple[OrderKey, SessionHead]] = []
        self._shown: list[SessionHead] = []
        self._looked_in: tuple[tuple[Path, bool], ...] | None = None

    def compose(self) -> ComposeResult:
        """Field, list, path of the row under the cursor, footer."""
        yield PrintableInput(
            placeholder="type to filter, or the path of a session or folder", id="typed"
        )
        with Vertical(id="found") as frame:
            frame.border_title = "Sessions"
            yield Static(id="heading", markup=False)
            yield LineList()
            yield Static(id="note", markup=False)
        yield Static(id="path", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin to look; the keys go to the field, which leaves those that move to the list."""
        self.query_one(LineList).can_focus = False
        self.query_one(Input).focus()
        self._look_in(self._places)

    def on_resize(self) -> None:
        """The columns fit the width, once the list has its own."""
        self.call_after_refresh(self._show_heading)

    def _show_heading(self) -> None:
        names = text_of(heading(self._width))
        self.query_one("#heading", Static).update(Content(names))

    def _look_in(self, places: SessionPlaces) -> None:
        """Begin a list of the sessions of these places; of others nothing more is taken."""
        self._places, self._heads, self._looked_in = places, [], None
        is_usual = places is self._usual_places
        name = "Sessions" if is_usual else f"Sessions in {places.directory}"
        self.query_one("#found").border_title = Content(one_line(name))
        self._lay_out()
        self.run_worker(lambda: self._look(places), thread=True, exclusive=True)

    def _look(self, places: SessionPlaces) -> None:
        """In a thread: read heads and post what came together in a moment."""
        worker = get_current_worker()
        batch: list[SessionHead] = []
        posted = 0.0
        for path in session_paths(places):
            if worker.is_cancelled:
                return
            batch.append(read_session_head(path))
            time.sleep(_BREATH_SECONDS)
            if time.monotonic() - posted > _BATCH_SECONDS:
                self.post_message(self.HeadsRead(places, tuple(batch)))
                batch, posted = [], time.monotonic()
        self.post_message(self.HeadsRead(places, tuple(batch)))
        self.post_message(self.AllRead(places, tuple(places.looked_in())))

    def on_chooser_screen_heads_read(self, event: HeadsRead) -> None:
        """Put them where they belong; whoever has moved the cursor stays on their row."""
        if event.places is not self._places:
            return
        for head in event.heads:
            insort(self._heads, (order_key(head, self._usual_places.directory), head))
        self._lay_out(keeps_row=True)

    def on_chooser_screen_all_read(self, event: AllRead) -> None:
        """Now an empty list is empty for good."""
        if event.places is not self._places:
            return
        self._looked_in = event.looked_in
        self._lay_out(keeps_row=True)

    def on_input_changed(self) -> None:
        """Each key narrows the list."""
        self._lay_out()

    def on_line_list_highlighted(self) -> None:
        """Say where the file of this row is."""
        self._show_path()

    def on_line_list_selected(self) -> None:
        """A second click on a row opens it."""
        self._answer(self._shown_path)

    def action_open(self) -> None:
        """The path that was typed, else the row under the cursor; a folder is looked in."""
        path = self._path
        if path is None:
            return
        if is_folder(path):
            self.query_one(Input).value = ""
            self._look_in(places_in(path))
        else:
            self._answer(path)

    def action_back_out(self) -> None:
        """Esc clears what was typed, then leaves a folder, then goes back."""
        if self._typed:
            self.query_one(Input).value = ""
        elif self._places is not self._usual_places:
            self._look_in(self._usual_places)
        elif self._has_way_back:
            self._answer(None)

    def _answer(self, path: Path | None) -> None:
        """Once: a second click may still be on its way when the first has closed this screen."""
        if self.is_active:
            self.dismiss(path)

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self.query_one(LineList).action_move(rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self.query_one(LineList).action_page(pages)

    def action_top(self) -> None:
        """Go to the first row."""
        self.query_one(LineList).action_top()

    def action_bottom(self) -> None:
        """Go to the last row."""
        self.query_one(LineList).action_bottom()

    @property
    def _typed(self) -> str:
        return self.query_one(Input).value.strip()

    @property
    def _path(self) -> Path | None:
        """What Enter opens: words that no session has may still be a path."""
        if self._typed and (looks_like_path(self._typed) or not self._shown):
            return typed_path(self._typed, self._usual_places.directory)
        return self._shown_path

    @property
    def _shown_path(self) -> Path | None:
        """That of the row under the cursor."""
        return Path(self._shown[self.query_one(LineList).cursor].path) if self._shown else None

    def _lay_out(self, keeps_row: bool = False) -> None:
        rows = self.query_one(LineList)
        kept = self._shown[rows.cursor] if keeps_row and rows.cursor else None
        words = () if looks_like_path(self._typed) else self._typed.lower().split()
        self._shown = [head for _, head in self._heads if is_match(head, words)]
        row = next((row for row, head in enumerate(self._shown) if head is kept), 0)
        rows.nothing = line(dim("No session has these words." if self._heads else "looking …"))
        rows.show_lines(len(self._shown), self._row, row)
        self._say_how_many()
        self._show_path()

    def _row(self, row: int) -> Line:
        return self._rows.row(self._shown[row], self._width)

    @property
    def _width(self) -> int:
        return self.query_one(LineList).scrollable_content_region.width

    def _say_how_many(self) -> None:
        state = "" if self._looked_in is not None else " · still looking"
        found = self.query_one("#found")
        found.border_subtitle = counted(len(self._shown), "session") + state
        note = nothing_found(self._looked_in) if self._looked_in and not self._heads else ""
        self.query_one("#note", Static).update(Content(printable(note)))
        self.set_class(bool(note), "-noted")

    def _show_path(self) -> None:
        path = self._path
        text = "" if path is None else f"⏎\u00a0{printable(self._rows.shortened(str(path)))}"
        self.query_one("#path", Static).update(Content(text))
