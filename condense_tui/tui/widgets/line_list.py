"""`LineList`: a list of any number of one-line rows, of which only the visible ones exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from condense_tui.tui.paint import TONE_CLASSES, laid_on, painted, tone_styles
from condense_tui.view.fitting import fitted
from condense_tui.view.lines import Line, Tone

LineAt = Callable[[int], Line]
_NO_LINE: Line = ()


class LineList(ScrollView, can_focus=True):
    """Rows are asked for by number when they come into sight; the cursor is a row number.

    A row that is too wide is fitted.  `nothing` is what an empty list says.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES, "list--cursor", "list--cursor-blurred"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("pagedown,ctrl+f", "page(1)", "Page down", show=False),
        Binding("home,g", "top", "Top", show=False),
        Binding("end,G", "bottom", "Bottom", show=False),
        Binding("enter", "select", "Open", show=False),
    ]

    # The two rows are drawn anew, not all.
    cursor: reactive[int] = reactive(0, repaint=False)

    class Highlighted(Message):
        """The cursor moved to another row."""

        def __init__(self, line_list: LineList, row: int) -> None:
            super().__init__()
            self.line_list = line_list
            self.row = row

        @property
        def control(self) -> LineList:
            """The list whose cursor moved."""
            return self.line_list

    class Selected(Message):
        """A row was chosen with Enter or a second click."""

        def __init__(self, line_list: LineList, row: int) -> None:
            super().__init__()
            self.line_list = line_list
            self.row = row

        @property
        def control(self) -> LineList:
            """The list whose row was chosen."""
            return self.line_list

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._count = 0
        self._line_at: LineAt = lambda _row: _NO_LINE
        self._styles: dict[Tone, Style] | None = None
        self._plain: Style | None = None
        self._plain_styles: dict[Tone, Style] = {}
        self.nothing = _NO_LINE

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self._count

    def show_lines(self, count: int, line_at: LineAt, cursor: int = 0) -> None:
        """Show other rows; `line_at` is asked for one row at a time."""
        self._count, self._line_at = count, line_at
        self.virtual_size = Size(self.container_size.width, count)
        self.set_reactive(LineList.cursor, self.validate_cursor(cursor))
        self._scroll_to_cursor()
        self.refresh()

    def show_rows(self, rows: Sequence[Line], cursor: int = 0) -> None:
        """Show rows that are all there."""
        self.show_lines(len(rows), rows.__getitem__, cursor)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some visible lines; what is the same for all of them is worked out once."""
        self._plain = None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One visible line, as wide as the widget."""
        row = y + self.scroll_offset.y
        base, styles = self._row_styles(row)
        if row < self._count:
            shown = self._fitted_line(row)
        else:
            is_told = y == 0 and not self._count
            shown = fitted(self.nothing, self._room) if is_told else _NO_LINE
        return painted(shown, styles).adjust_cell_length(self.size.width, base)

    @property
    def _room(self) -> int:
        """How wide a row may be, in cells."""
        return self.scrollable_content_region.width

    def _fitted_line(self, row: int) -> Line:
        return fitted(self._line_at(row), self._room)

    def _row_styles(self, row: int) -> tuple[Style, dict[Tone, Style]]:
        """The style of a row and those of its tones."""
        if self._styles is None:
            self._styles = tone_styles(self)
        if row == self.cursor and row < self._count:
            base = self._cursor_style
            return base, laid_on(base, self._styles)
        if self._plain is None:
            self._plain = Style(bgcolor=self.rich_style.bgcolor)
            self._plain_styles = laid_on(self._plain, self._styles)
        return self._plain, self._plain_styles

    @property
    def _cursor_style(self) -> Style:
        name = "list--cursor" if self.has_focus else "list--cursor-blurred"
        style = self.get_component_rich_style(name)
        return Style(bgcolor=style.bgcolor, bold=style.bold, reverse=style.reverse)

    def notify_style_update(self) -> None:
        """The theme changed."""
        self._styles = self._plain = None
        super().notify_style_update()

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, self._count - 1))

    def watch_cursor(self, before: int, after: int) -> None:
        """Redraw the two rows and say where the cursor is."""
        self._refresh_row(before)
        self._refresh_row(after)
        self._scroll_to_cursor()
        self.post_message(self.Highlighted(self, after))

    def _refresh_row(self, row: int) -> None:
        self.refresh(Region(0, row - self.scroll_offset.y, self.size.width, 1))

    def _scroll_to_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif height and self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, force=True)

    def on_resize(self) -> None:
        """Rows are as wide as the widget; the cursor stays in sight."""
        self.virtual_size = Size(self.container_size.width, self._count)
        self._scroll_to_cursor()

    def on_focus(self) -> None:
        """The cursor row looks different with focus."""
        self._refresh_row(self.cursor)

    def on_blur(self) -> None:
        """The cursor row looks different without focus."""
        self._refresh_row(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one on the same row opens it."""
        row = event.y + self.scroll_offset.y
        if row >= self._count:
            return
        if row == self.cursor or event.chain > 1:
            self.post_message(self.Selected(self, row))
        self.cursor = row

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self.cursor += rows

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self.cursor += pages * max(self.scrollable_content_region.height - 1, 1)

    def action_top(self) -> None:
        """Go to the first row."""
        self.cursor = 0

    def action_bottom(self) -> None:
        """Go to the last row."""
        self.cursor = self._count - 1

    def action_select(self) -> None:
        """Choose the row under the cursor."""
        if self._count:
            self.post_message(self.Selected(self, self.cursor))
