"""`FormField` and `FormChoice`: a line to type in and a list to choose from, one below the other.

The arrows go from one to the next as Tab does, and the footer says so.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput


class FormField(PrintableInput):
    """A line to type in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Go on", key_display="⏎"),
        Binding("down", "app.focus_next", "Other field", key_display="↓↑"),
        Binding("up", "app.focus_previous", "Field before", show=False),
    ]


class FormChoice(LineList):
    """Beyond its ends is the next field, or the one before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Go on", key_display="⏎"),
        Binding("down,j", "move(1)", "Choose", key_display="↓↑"),
    ]

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows, or the focus."""
        wanted = self.cursor + rows
        if wanted < 0:
            self.screen.focus_previous()
        elif wanted >= self.row_count:
            self.screen.focus_next()
        else:
            self.cursor = wanted
