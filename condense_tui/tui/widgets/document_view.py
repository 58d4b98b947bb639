"""`DocumentView`: a document as wrapped rows; Enter follows a link or unfolds what is folded."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from condense_tui.inspection.links import Target
from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.compact import changed
from condense_tui.tui.commands import COPY
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.cells import cell_len
from condense_tui.view.document import Document
from condense_tui.view.layout import Folding, Row, Stretch
from condense_tui.view.layoutorder import LaidOut, LayoutOrder
from condense_tui.view.lines import Line, text_of

_MAX_KEPT_ROWS = 512
_NO_ROW = Row()


class DocumentView(LineList):
    """Lays the document out again when its width or the way to show it changes.

    What is long is laid out, and what is not whole made so, in a thread.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"document--hit", "document--link", "document--chosen"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "turn_source", "Markdown/source", tooltip="Show Markdown or its source"),
        Binding("x", "turn_entry", "Raw entry", tooltip="Show what the file holds, as JSON"),
        *COPY.bindings,
        Binding("backspace", "go_back", "Back", show=False, tooltip="Where a link led from"),
        Binding("left,h", "choose(-1)", "Previous link of the row", show=False),
        Binding("right,l", "choose(1)", "Next link of the row", show=False),
    ]
    DEFAULT_CSS = """
    DocumentView {
        scrollbar-gutter: stable;
        & > .document--hit { text-style: reverse; }
        & > .document--link { text-style: underline; }
        & > .document--chosen { text-style: underline bold; }
    }
    """

    class Followed(Message):
        """A link was followed."""

        def __init__(self, target: Target) -> None:
            super().__init__()
            self.target = target

    class WentBack(Message):
        """Show what was shown before the last link was followed."""

    class CopyAsked(Message):
        """The original text is to be copied, also of a document that is not whole yet."""

        def __init__(self, document: Document) -> None:
            super().__init__()
            self.document = document

    def __init__(
        self, *, id: str | None = None, is_whole: bool = False, is_pager: bool = False
    ) -> None:
        """`is_whole` folds nothing; a pager scrolls before it moves its cursor."""
        super().__init__(id=id)
        self._is_whole = is_whole
        self._is_pager = is_pager
        self._document: Document | None = None
        self._as_source = False
        self._as_entry = False
        self._unfolded: frozenset[int] = frozenset()
        self._laid_out: LaidOut | None = None
        self._ordered_width = 0
        self._pattern: SearchPattern | None = None
        self._goal: tuple[int, int] | None = None
        self._kept_rows: dict[int, Row] = {}
        self._link = 0

    @property
    def document(self) -> Document | None:
        """What is shown."""
        return self._document

    @property
    def pattern(self) -> SearchPattern | None:
        """What is marked."""
        return self._pattern

    @property
    def position_text(self) -> str:
        """The rows in sight and how many there are: `1–28 of 64`; empty where there are none."""
        if not self.row_count:
            return ""
        top = self.scroll_offset.y
        last = min(top + self.scrollable_content_region.height, self.row_count)
        return f"{min(top + 1, last)}–{last} of {self.row_count}"

    def show_document(self, document: Document, is_again: bool = False) -> None:
        """Show another document from its beginning; of one that is not whole what is known.

        One that was shown before, `is_again`, is shown from the same place.
        """
        self._take(document)
        self._goal = None
        if not is_again:
            self._as_entry = False
            self._unfolded = frozenset()
            self._laid_out = None
        self._lay_out()

    def _take(self, document: Document) -> None:
        before, self._document = self._document, document
        if _choices(before) != _choices(document):
            self.refresh_bindings()

    def highlight(self, pattern: SearchPattern | None) -> None:
        """Mark wherever this is found, in this document and in those to come."""
        self._pattern = pattern
        self._kept_rows.clear()
        self.refresh()

    def go_to(self, passage: int, offset: int) -> None:
        """Put the cursor on a character of a passage, unfolding what hides it."""
        self._as_entry = False
        self._goal = (passage, offset)
        self._lay_out()

    # ── laying out ──

    def _lay_out(self) -> None:
        """At once where that is quick, else in a thread; until then what was shown stays."""
        self.workers.cancel_group(self, "layout")
        self._ordered_width = width = self.scrollable_content_region.width
        if self._document is None or width <= 0:
            return
        order = LayoutOrder(self._document, width, self._folding, self._as_entry, self._goal)
        if order.is_quick:
            self._show(order.laid_out())
            return
        if self._laid_out is None:
            self._show(order.glimpse())
        self.run_worker(self._lay_out_later(order), exclusive=True, group="layout")

    async def _lay_out_later(self, order: LayoutOrder) -> None:
        """What was read is shown before all of it is laid out; another order cancels this one.

        What goes on in the other thread would make a frame late, so that waits for the frame.
        """
        await self.wait_for_refresh()
        if not (order.document.make_whole is None or order.as_entry):
            whole = await asyncio.to_thread(order.document.whole)
            order = changed(order, document=whole)
            self._show(order.glimpse())
            await self.wait_for_refresh()
        self._show(await asyncio.to_thread(order.laid_out, self._laid_out))

    def _show(self, made: LaidOut) -> None:
        """Keeps the place that the cursor is on; goes to the goal where there is one."""
        before, self._laid_out = self._laid_out, made
        is_alike = before and before.layout and before.order.as_entry == made.order.as_entry
        place = before.layout.place_of(self.cursor) if before and is_alike else None
        self._take(made.document)
        self._unfolded = frozenset(made.folding.unfolded)
        self._kept_rows.clear()
        self._link = 0
        row = made.layout.row_of(place) if place else 0
        if made.goal:
            row = self._row_with_hit(made.layout.row_of(made.goal))
        self.show_lines(len(made.layout), self._row_line, row)
        if made.goal:
            self._show_row_in_middle(row)
        if made.is_whole:
            self._goal = None

    @property
    def _folding(self) -> Folding:
        return Folding(self._as_source, self._is_whole, self._unfolded)

    def _row_with_hit(self, row: int) -> int:
        """In rendered Markdown a place is known but for some characters."""
        near = (row, row + 1, row - 1)
        return next((each for each in near if each >= 0 and self._row(each).hits), row)

    def _show_row_in_middle(self, row: int) -> None:
        top = row - self.scrollable_content_region.height // 2
        self.scroll_to(y=max(top, 0), animate=False, force=True)

    def on_resize(self) -> None:
        """Lay out for the new width."""
        if self.scrollable_content_region.width != self._ordered_width:
            self._lay_out()

    # ── painting ──

    def _row(self, number: int) -> Row:
        layout = self._laid_out.layout if self._laid_out else None
        if layout is None or number >= len(layout):
            return _NO_ROW
        if number not in self._kept_rows:
            if len(self._kept_rows) >= _MAX_KEPT_ROWS:
                self._kept_rows.clear()
            self._kept_rows[number] = layout.row(number, self._pattern)
        return self._kept_rows[number]

    def _row_line(self, number: int) -> Line:
        return self._row(number).line

    def _fitted_line(self, row: int) -> Line:
        """Wrapped already, and its links and hits are known by their place."""
        return self._row_line(row)

    def render_line(self, y: int) -> Strip:
        """One visible row, its links and hits marked."""
        strip = super().render_line(y)
        number = y + self.scroll_offset.y
        row = self._row(number)
        if not (row.links or row.hits):
            return strip
        text = text_of(row.line)
        for nth, link in enumerate(row.links):
            is_chosen = number == self.cursor and nth == self._link
            style = self._mark("document--chosen" if is_chosen else "document--link")
            strip = _marked(strip, text, link.stretch, style)
        for hit in row.hits:
            strip = _marked(strip, text, hit, self._mark("document--hit"))
        return strip

    def _mark(self, name: str) -> Style:
        """What a component class adds; colours stay those of the row."""
        style = self.get_component_rich_style(name, partial=True)
        return Style(bold=style.bold, underline=style.underline, reverse=style.reverse)

    # ── what the person does ──

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Markdown has a source, and not everything stands in the file."""
        has_source, has_entry = _choices(self._document)
        return {"turn_source": has_source, "turn_entry": has_entry}.get(action, True)

    def watch_cursor(self, before: int, after: int) -> None:
        """Each row begins with its first link."""
        self._link = 0
        super().watch_cursor(before, after)

    def action_choose(self, step: int) -> None:
        """Choose another link of the row."""
        links = self._row(self.cursor).links
        if links:
            self._link = (self._link + step) % len(links)
            self.refresh()

    def action_move(self, rows: int) -> None:
        """A pager scrolls as long as there is something to scroll."""
        if self._is_pager:
            self._scroll_by(rows)
        super().action_move(rows)

    def action_page(self, pages: int) -> None:
        """What was at the edge stays in sight."""
        if self._is_pager:
            self._scroll_by(pages * max(self.scrollable_content_region.height - 1, 1))
        super().action_page(pages)

    def _scroll_by(self, rows: int) -> None:
        top = self.scroll_offset.y + rows
        self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def action_select(self) -> None:
        """Follow the link under the cursor, or unfold."""
        row = self._row(self.cursor)
        target = row.links[self._link].target if row.links else row.target
        if row.unfolds is not None:
            self._unfolded |= {row.unfolds}
            self._lay_out()
        elif target is not None:
            self.post_message(self.Followed(target))

    def on_click(self, event: events.Click) -> None:
        """A click on a link follows it; elsewhere a second click does what Enter does."""
        event.prevent_default()
        number = event.y + self.scroll_offset.y
        if number >= self.row_count:
            return
        was_here, self.cursor = number == self.cursor, number
        row = self._row(number)
        text = text_of(row.line)
        for link in row.links:
            start, end = _cells(text, link.stretch)
            if start <= event.x < end:
                self.post_message(self.Followed(link.target))
                return
        if was_here or event.chain > 1:
            self.action_select()

    def action_turn_source(self) -> None:
        """Markdown, or its source."""
        self._as_source = not self._as_source
        self._as_entry = False
        self._lay_out()

    def action_turn_entry(self) -> None:
        """The document, or the entry that it is made of."""
        self._as_entry = not self._as_entry
        self._lay_out()

    def action_copy(self) -> None:
        """Ask for the original text to be copied."""
        if self._document:
            self.post_message(self.CopyAsked(self._document))

    def action_go_back(self) -> None:
        """Ask for what was shown before."""
        self.post_message(self.WentBack())


def _choices(document: Document | None) -> tuple[bool, bool]:
    if document is None:
        return False, False
    return document.is_markdown, document.entry is not None


def _cells(text: str, stretch: Stretch) -> tuple[int, int]:
    start = cell_len(text[: stretch[0]])
    return start, start + cell_len(text[slice(*stretch)])


def _marked(strip: Strip, text: str, stretch: Stretch, style: Style) -> Strip:
    """The strip with a style laid over some characters of its text."""
    start, end = _cells(text, stretch)
    if start >= strip.cell_length:
        return strip
    before, middle, after = _three(strip, start, min(end, strip.cell_length))
    marked = Segment.apply_style(middle, post_style=style)
    return Strip([*before, *marked, *after], strip.cell_length)


def _three(strip: Strip, start: int, end: int) -> tuple[Strip, Strip, Strip]:
    width = strip.cell_length
    return strip.crop(0, start), strip.crop(start, end), strip.crop(end, width)
