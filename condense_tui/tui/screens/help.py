"""`HelpScreen`: every key, from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from condense_tui.tui.commands import COMMANDS, Group
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import Line, accent, line, strong

_KEY_WIDTH = 14


class HelpScreen(ModalScreen[None]):
    """Closes with the keys that opened it, with Esc and with q."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1,escape,q", "close", "Close")]
    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > Vertical { width: 76; max-width: 95%; height: 85%; border: round $border; }
    }
    """

    def compose(self) -> ComposeResult:
        """One list."""
        with Vertical() as frame:
            frame.border_title = "Keys"
            yield LineList()

    def on_mount(self) -> None:
        """Fill and focus it."""
        rows = self.query_one(LineList)
        rows.show_rows(list(help_lines()))
        rows.focus()

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()


def help_lines() -> Iterator[Line]:
    """The commands by group."""
    for group in Group:
        yield line(strong(group.value))
        for command in COMMANDS:
            if command.group is group:
                keys = command.key_text or command.keys.replace(",", " ")
                yield line("  ", accent(f"{keys:<{_KEY_WIDTH}}"), command.explanation)
        yield line()
