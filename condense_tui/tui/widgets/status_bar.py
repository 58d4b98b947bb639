"""`StatusBar`: the extension's status line in one row, each part with a tooltip and a click.

One line of one widget: one for every part, and for every sign between two of them, would be a
third of all the widgets that there are when a session is first shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from typing import ClassVar, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from condense_tui.view.cells import cell_len
from condense_tui.view.fitting import CUT
from condense_tui.view.statusparts import SEPARATOR, Part, StatusPart

_ALWAYS = (Part.PRUNE, Part.DIAG)
_GAP = 2
_MORE = f" {CUT}"


class _Piece(NamedTuple):
    """A text of the row and where it begins, in cells; between two parts there is none."""

    start: int
    text: str
    status: StatusPart | None = None


class StatusBar(Widget):
    """What does not fit is left out, from the end, and a sign says so; `prune` and `diag` stay."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"status--muted", "status--hovered"}
    DEFAULT_CSS = "StatusBar { height: 1; text-wrap: nowrap; }"
    _hovered: reactive[Part | None] = reactive(None)

    class PartChosen(Message):
        """A part was clicked."""

        def __init__(self, part: Part) -> None:
            super().__init__()
            self.part = part

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._parts: Sequence[StatusPart] = ()
        self._recorded: StatusPart | None = None

    def show_parts(self, parts: Sequence[StatusPart], recorded: StatusPart | None = None) -> None:
        """Show these parts, and to the right what the file records."""
        self._parts, self._recorded = parts, recorded
        self.refresh()

    def _pieces(self) -> Iterator[_Piece]:
        """What there is room for, from left to right."""
        width = self.content_size.width
        fitting = fitting_parts(self._parts, self._recorded, width)
        at = 0
        for status in fitting:
            if status is self._recorded:
                continue
            if at:
                yield _Piece(at, SEPARATOR)
                at += len(SEPARATOR)
            yield _Piece(at, status.text, status)
            at += cell_len(status.text)
        if len(fitting) < len(self._parts) + (self._recorded is not None):
            yield _Piece(at, _MORE)
        if self._recorded in fitting:
            text = self._recorded.text
            yield _Piece(width - cell_len(text), text, self._recorded)

    def render(self) -> Content:
        """The row."""
        row = Content("")
        for piece in self._pieces():
            row += Content(" " * (piece.start - row.cell_length)) + self._painted(piece)
        return row

    def _painted(self, piece: _Piece) -> Content:
        text, status = Content(piece.text), piece.status
        if piece.text == _MORE or (status and status is self._recorded):
            text = text.stylize(self.get_visual_style("status--muted", partial=True))
        if status and status.part is self._hovered:
            text = text.stylize(self.get_visual_style("status--hovered", partial=True))
        return text

    def _status_at(self, event: events.MouseEvent) -> StatusPart | None:
        place = event.get_content_offset(self)
        if place is None:
            return None
        pieces = (
            piece for piece in self._pieces() if 0 <= place.x - piece.start < cell_len(piece.text)
        )
        return next((piece.status for piece in pieces), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What a click would choose is shown, and what it says in words."""
        status = self._status_at(event)
        self._hovered = status.part if status else None
        self.tooltip = Content(status.tooltip) if status else None

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._hovered = None

    def on_click(self, event: events.Click) -> None:
        """A part is chosen; the row never takes the focus."""
        if status := self._status_at(event):
            self.post_message(self.PartChosen(status.part))


def fitting_parts(
    parts: Sequence[StatusPart], recorded: StatusPart | None, width: int
) -> list[StatusPart]:
    """Those of the parts that a row of this width has room for, a sign for the others included."""
    listed = [*parts, *([recorded] if recorded else [])]
    needed = [
        cell_len(status.text) + (_GAP if status is recorded else len(SEPARATOR) if number else 0)
        for number, status in enumerate(listed)
    ]
    if sum(needed) <= width:
        return listed
    room = width - len(_MORE)
    ends = accumulate(needed)
    is_in = [
        status.part in _ALWAYS or end <= room for status, end in zip(listed, ends, strict=True)
    ]
    return list(compress(listed, is_in))
