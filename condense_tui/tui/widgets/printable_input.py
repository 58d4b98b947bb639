"""`PrintableInput`: a line to type in that shows no control character, pasted ones included."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from condense_tui.view.printable import one_line


class PrintableInput(Input):
    """People paste what they copied from a session."""

    def _on_paste(self, event: events.Paste) -> None:
        """The first line counts, and no control character reaches the terminal."""
        event.stop()
        event.prevent_default()
        first = event.text.strip("\r\n").replace("\r", "\n").split("\n")[0]
        self.replace(one_line(first), *self.selection)
