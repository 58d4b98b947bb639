"""`HeadBar`: which session this is, where it was, which branch, and whether it is followed."""

from __future__ import annotations

from condense_tui.inspection.inspection import Inspection
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.view.headline import headline


class HeadBar(LineBar):
    """In what state the following is, is what the app's `live` says; nothing where it is off."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inspection: Inspection | None = None
        self._live = ""

    def on_mount(self) -> None:
        """Hear of the following whenever it begins, ends or is held up."""
        self.watch(self.app, "live", self._say)

    def show_inspection(self, inspection: Inspection) -> None:
        """Show what is looked at."""
        self._inspection = inspection
        self.show(headline(inspection, self._live))

    def _say(self, live: str) -> None:
        self._live = live
        if self._inspection:
            self.show_inspection(self._inspection)
