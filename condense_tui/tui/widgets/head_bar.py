"""`HeadBar`: which session this is, where it was, which branch, and whether it is followed."""

from __future__ import annotations

from textual.reactive import var

from condense_tui.inspection.inspection import Inspection
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.view.headline import headline


class HeadBar(LineBar):
    """`live` says in what state the following is; empty where nothing is followed."""

    live: var[str] = var("")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inspection: Inspection | None = None

    def show_inspection(self, inspection: Inspection) -> None:
        """Show what is looked at."""
        self._inspection = inspection
        self.show(headline(inspection, self.live))

    def watch_live(self) -> None:
        """Say it beside what is looked at."""
        if self._inspection:
            self.show_inspection(self._inspection)
