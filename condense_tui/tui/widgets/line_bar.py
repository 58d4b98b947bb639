"""`LineBar`: one line that is always one line: a narrow one leaves out what matters least."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from condense_tui.view.fitting import fitted
from condense_tui.view.lines import Line, text_of


class LineBar(Static):
    """`show` takes the whole line; its spans say how they give way."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._line: Line = ()

    def show(self, spans: Line) -> None:
        """Show another line."""
        self._line = spans
        self._fit()

    def on_resize(self) -> None:
        """Another width has room for other parts."""
        self._fit()

    def _fit(self) -> None:
        self.update(Content(text_of(fitted(self._line, self.content_size.width))))
