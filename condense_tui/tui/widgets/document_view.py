"""`DocumentView`: a document as wrapped rows; Enter follows a link or unfolds what is folded."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from condense_tui.inspection.links import Target
from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.jsontext import json_text
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.cells import cell_len
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.layout import Folding, Layout, Row, Stretch
from condense_tui.view.lines import Line, dim, line, text_of

_MAX_KEPT_ROWS = 512
_NO_ROW = Row()


class DocumentView(LineList):
    """Lays the document out again when its width or the way to show it changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"document--hit", "document--link", "document--chosen"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "turn_source", "Markdown/source", tooltip="Show Markdown or its source"),
        Binding("x", "turn_entry", "Raw entry", tooltip="Show what the file holds, as JSON"),
        Binding("y", "copy", "Copy", tooltip="Copy the original text"),
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
        """The original text is to be copied."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

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
        self._unfolded: set[int] = set()
        self._layout: Layout | None = None
        self._layout_width = 0
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

    def show_document(self, document: Document) -> None:
        """Show another document from its beginning."""
        before, self._document = self._document, document
        if _choices(before) != _choices(document):
            self.refresh_bindings()
        self._as_entry = False
        self._unfolded = set()
        self._goal = None
        self._layout = None
        self._lay_out()

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
        """Keeps the place that the cursor is on; goes to the goal where there is one."""
        width = self.scrollable_content_region.width
        if self._document is None or width <= 0:
            return
        place = self._layout.place_of(self.cursor) if self._layout and self.row_count else None
        self._layout = self._make_layout(self._document, width)
        self._layout_width = width
        self._kept_rows.clear()
        self._link = 0
        row = self._layout.row_of(place) if place else 0
        goal, self._goal = self._goal, None
        goal_place = self._layout.place_in(*goal) if goal else None
        if goal_place:
            row = self._row_with_hit(self._layout.row_of(goal_place))
        self.show_lines(len(self._layout), self._row_line, row)
        if goal_place:
            self._show_row_in_middle(row)

    def _make_layout(self, document: Document, width: int) -> Layout:
        if self._as_entry:
            return Layout(_entry_document(document), width, Folding(is_whole=True))
        layout = Layout(document, width, self._folding)
        hider = layout.hides(*self._goal) if self._goal else None
        if hider is None:
            return layout
        self._unfolded.add(hider)
        return Layout(document, width, self._folding)

    @property
    def _folding(self) -> Folding:
        return Folding(self._as_source, self._is_whole, frozenset(self._unfolded))

    def _row_with_hit(self, row: int) -> int:
        """In rendered Markdown a place is known but for some characters."""
        near = (row, row + 1, row - 1)
        return next((each for each in near if each >= 0 and self._row(each).hits), row)

    def _show_row_in_middle(self, row: int) -> None:
        top = row - self.scrollable_content_region.height // 2
        self.scroll_to(y=max(top, 0), animate=False, force=True)

    def on_resize(self) -> None:
        """Lay out for the new width."""
        if self._layout is None or self.scrollable_content_region.width != self._layout_width:
            self._lay_out()

    # ── painting ──

    def _row(self, number: int) -> Row:
        if self._layout is None or number >= len(self._layout):
            return _NO_ROW
        if number not in self._kept_rows:
            if len(self._kept_rows) >= _MAX_KEPT_ROWS:
                self._kept_rows.clear()
            self._kept_rows[number] = self._layout.row(number, self._pattern)
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
            self._unfolded.add(row.unfolds)
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
        self._layout = None
        self._lay_out()

    def action_copy(self) -> None:
        """Ask for the original text to be copied."""
        if self._document:
            self.post_message(self.CopyAsked(self._document.original))

    def action_go_back(self) -> None:
        """Ask for what was shown before."""
        self.post_message(self.WentBack())


def _choices(document: Document | None) -> tuple[bool, bool]:
    if document is None:
        return False, False
    return document.is_markdown, document.entry is not None


def _entry_document(document: Document) -> Document:
    entry = document.entry
    if entry is None:
        return document
    heading = Block(line(dim(f"line {entry.line} of the file · entry {entry.label}")))
    text = Block(text=json_text(dict(entry.body), indent=2), form=Form.JSON)
    return Document(document.title, (heading, text), "", target_named=document.target_named)


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
