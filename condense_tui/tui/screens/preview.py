"""`PreviewScreen`: what condensing would make of a session, row by row; nothing is written."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Lock
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.condensing.condense import Mode, Order
from condense_tui.inspection.links import Target
from condense_tui.session.compact import changed
from condense_tui.session.entries import Refusal
from condense_tui.tui.abandoned import in_abandoned_thread
from condense_tui.tui.picture import Picture
from condense_tui.tui.preview import Preview, take_preview
from condense_tui.tui.screens.condense import CondenseScreen
from condense_tui.tui.screens.previewed import PreviewedScreen
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.width import mark_narrow
from condense_tui.view.cells import cell_len
from condense_tui.view.condensing import NOTHING_LEFT, added_lines, total_lines
from condense_tui.view.lines import Line, dim, line, text_of
from condense_tui.view.preview import (
    NOTHING_READY,
    PreviewRow,
    order_line,
    preview_rows,
    preview_words,
    row_again,
)
from condense_tui.view.printable import one_line
from condense_tui.view.words import WORKING

_MOST_TOTALS = 7
# Below the heading.
_FIRST_ROW = 1


class PreviewScreen(ModalScreen[Path | None]):
    """Answers with a copy that is to be opened.  `show_picture` takes another look at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "context", "Context", key_display="⏎ v"),
        Binding("m", "mode", "Mode"),
        Binding("c", "compact", "Compact"),
        Binding("w", "write", "Write a copy"),
        Binding("s", "app.settings", "Settings"),
        Binding("escape,q", "close", "Close", key_display="Esc"),
    ]
    DEFAULT_CSS = """
    PreviewScreen {
        align: center middle;
        & > Vertical { width: 94%; height: 92%; }
        &.-narrow > Vertical { width: 100%; height: 1fr; }
        & LineBar { height: 1; padding: 0 1; }
        & LineList { height: 1fr; margin-top: 1; }
        & #whole { height: auto; max-height: 5; padding: 0 1; display: none; }
        &.-cut #whole { display: block; }
    }
    """

    class Previewed(Message):
        """Another preview is there, or why there is none; in a line."""

        def __init__(self, words: str, order: Order) -> None:
            super().__init__()
            self.words = words
            self.order = order

    def __init__(self, picture: Picture, order: Order | None = None) -> None:
        """`order` is that of the preview before, if there was one."""
        super().__init__()
        self._picture = picture
        self._order = order or Order("")
        self._preview: Preview | None = None
        self._rows: list[PreviewRow] = []
        self._unfolded: set[str] = set()
        self._previewed: PreviewedScreen | None = None
        self._turn = Lock()
        self.words = WORKING

    def compose(self) -> ComposeResult:
        """What was asked for, what it comes to, and the rows."""
        with Vertical() as frame:
            frame.border_title = "PREVIEW of condensing"
            frame.border_subtitle = "nothing is written · tokens are characters / 4"
            yield LineBar(id="order")
            for number in range(_MOST_TOTALS):
                yield LineBar(id=f"total-{number}")
            yield LineList(id="rows")
            yield Static(id="whole", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin."""
        self._list.focus()
        self._take()

    def on_resize(self) -> None:
        """A narrow terminal is filled."""
        mark_narrow(self)
        self.call_after_refresh(self._show_whole)

    @property
    def _list(self) -> LineList:
        return self.query_one("#rows", LineList)

    # ── taking and showing ──

    def show_picture(self, picture: Picture) -> None:
        """The same with other settings."""
        self._picture = picture
        self._take()

    @work(exclusive=True)
    async def _take(self) -> None:
        """In a thread; only the last question counts."""
        self._preview = None
        self.words = WORKING
        self.query_one("#order", LineBar).show(line(WORKING))
        taking = partial(take_preview, self._picture, self._order)
        found = await in_abandoned_thread(taking, self._turn)
        if isinstance(found, Refusal):
            self._show_none(found.reason)
        else:
            self._show(found)

    def _show_none(self, reason: str) -> None:
        """There is no preview, and this is why."""
        self.words = reason
        self._rows = []
        self._show_lines([], reason)
        if self._previewed:
            self._previewed.show_none(reason)

    def _show(self, preview: Preview) -> None:
        found = preview.found
        self._preview = preview
        self.words = preview_words(found)
        before, cursor = self._rows, self._list.cursor
        self._rows = preview_rows(found, self._unfolded)
        totals = [*total_lines(found), *added_lines(preview.added)]
        # Who has not moved yet wants to see what is new above.
        again = row_again(before, cursor, self._rows) if cursor > _FIRST_ROW else cursor
        self._show_lines(totals, NOTHING_READY, again)
        if self._previewed:
            self._previewed.show_preview(preview)

    def _show_lines(self, totals: list[Line], nothing: str, cursor: int = 0) -> None:
        self.query_one("#order", LineBar).show(
            order_line(self._order, self._picture.inspection.settings)
        )
        for number in range(_MOST_TOTALS):
            bar = self.query_one(f"#total-{number}", LineBar)
            bar.display = number < len(totals)
            bar.show(totals[number] if bar.display else ())
        self._list.nothing = line(dim(nothing))
        self._show_rows(cursor or _FIRST_ROW)
        self.post_message(self.Previewed(self.words, self._order))

    def _show_rows(self, cursor: int) -> None:
        """The row of the cursor stays in its place of the screen, as far as can be."""
        rows = self._list
        above = rows.cursor - rows.scroll_offset.y
        rows.show_rows([row.line for row in self._rows], cursor)
        rows.scroll_to(y=rows.cursor - above, animate=False, force=True)
        self._show_whole()

    def _show_whole(self) -> None:
        """What is cut of the row under the cursor can be read below the list."""
        text = one_line(text_of(self._rows[self._list.cursor].line)) if self._rows else ""
        self.set_class(cell_len(text) > self._list.size.width, "-cut")
        self.query_one("#whole", Static).update(Content(" ".join(text.split())))

    # ── asking for another one ──

    def action_mode(self) -> None:
        """At once, or flush by flush."""
        is_now = self._order.mode is Mode.NOW
        self._order = changed(self._order, mode=Mode.REPLAY if is_now else Mode.NOW)
        self._take()

    def action_compact(self) -> None:
        """Compress the newest chains too, or leave them."""
        self._order = changed(self._order, ignores_window=not self._order.ignores_window)
        self._take()

    # ── going on ──

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Another row may be one that is cut."""
        event.stop()
        self._show_whole()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter unfolds, or leads to what the row is about, as it would be."""
        event.stop()
        fold = self._rows[event.row].fold
        if fold and self._preview:
            self._unfolded ^= {fold}
            self._rows = preview_rows(self._preview.found, self._unfolded)
            self._show_rows(event.row)
        else:
            self.action_context()

    def action_context(self) -> None:
        """The context as it would become."""
        preview = self._ready()
        if preview is None:
            return
        screen = PreviewedScreen(preview, self._target)
        self._previewed = screen
        self.app.push_screen(screen, self._come_back)

    def _come_back(self, _result: None) -> None:
        self._previewed = None

    @property
    def _target(self) -> Target | None:
        return self._rows[self._list.cursor].target if self._rows else None

    def action_write(self) -> None:
        """Ask where to, and by whom; where nothing is left the copy is the session by a new id."""
        if self._preview:
            self.app.push_screen(CondenseScreen(self._picture, self._preview), self._take_copy)
        else:
            self._say(self.words)

    def _ready(self) -> Preview | None:
        """The preview, where there is one with something in it; else why not is said."""
        preview = self._preview
        if preview and not preview.is_empty:
            return preview
        self._say(NOTHING_LEFT if preview else self.words)
        return None

    def _say(self, words: str) -> None:
        """In place of what was said before."""
        self.app.clear_notifications()
        self.notify(words, markup=False)

    def _take_copy(self, copy: Path | None) -> None:
        if copy is not None:
            self.dismiss(copy)

    def action_close(self) -> None:
        """Back to the session as it is."""
        self.dismiss(None)
