"""`StatusBar`: the extension's status line in one row, each part with a tooltip and a click."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from condense_tui.view.cells import cell_len
from condense_tui.view.fitting import CUT
from condense_tui.view.statusparts import SEPARATOR, Part, StatusPart

_ALWAYS = (Part.PRUNE, Part.DIAG)
_ORDER = tuple(part for part in Part if part is not Part.RECORDED)
_GAP = 2
_MORE = f" {CUT}"


class StatusBar(Horizontal):
    """What does not fit is left out, from the end, and a sign says so; `prune` and `diag` stay."""

    DEFAULT_CSS = """
    StatusBar {
        height: 1;
        & > Static { width: auto; height: 1; text-wrap: nowrap; }
        & > #status-space { width: 1fr; }
    }
    """

    class PartChosen(Message):
        """A part was clicked."""

        def __init__(self, part: Part) -> None:
            super().__init__()
            self.part = part

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._parts: Sequence[StatusPart] = ()
        self._recorded: StatusPart | None = None

    def compose(self) -> ComposeResult:
        """Every part that there can be, before it the sign that divides it from the last one."""
        for part in _ORDER:
            yield Static(SEPARATOR, id=_before(part), markup=False)
            yield _Part(part)
        yield Static(_MORE, id="status-more", markup=False)
        yield Static(id="status-space")
        yield _Part(Part.RECORDED)

    def show_parts(self, parts: Sequence[StatusPart], recorded: StatusPart | None = None) -> None:
        """Show these parts, and to the right what the file records."""
        self._parts, self._recorded = parts, recorded
        for status in (*parts, *((recorded,) if recorded else ())):
            self.query_one(f"#{_name(status.part)}", _Part).show(status)
        self._fit()

    def on_resize(self) -> None:
        """Another width has room for other parts."""
        self._fit()

    def _fit(self) -> None:
        fitting = fitting_parts(self._parts, self._recorded, self.content_size.width)
        shown = {status.part for status in fitting}
        for part in Part:
            self.query_one(f"#{_name(part)}").display = part in shown
        for part in _ORDER:
            is_divided = part in shown and part is not fitting[0].part
            self.query_one(f"#{_before(part)}").display = is_divided
        possible = len(self._parts) + (self._recorded is not None)
        self.query_one("#status-more").display = len(fitting) < possible


def _name(part: Part) -> str:
    return f"status-{part.value}"


def _before(part: Part) -> str:
    return f"status-before-{part.value}"


class _Part(Static):
    """One part; it never takes the focus."""

    def __init__(self, part: Part) -> None:
        super().__init__(id=_name(part), classes="part", markup=False)
        self._part = part

    def show(self, status: StatusPart) -> None:
        self.update(Content(status.text))
        self.tooltip = Content(status.tooltip)

    def on_click(self) -> None:
        self.post_message(StatusBar.PartChosen(self._part))


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
