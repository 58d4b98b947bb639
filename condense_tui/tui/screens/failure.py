"""`FailureScreen`: why a session cannot be opened, and what to do next."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.view.printable import one_line


class NextStep(StrEnum):
    """What the person wants to do about it."""

    CHOOSE = "choose"
    TRY_AGAIN = "try-again"
    QUIT = "quit"


class FailureScreen(ModalScreen[NextStep]):
    """Answers with the next step; Esc leads to the chooser and never out of the program."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,c", "answer('choose')", "Choose a session", key_display="⏎ Esc"),
        Binding("r", "answer('try-again')", "Try again"),
        Binding("q", "answer('quit')", "Quit"),
    ]
    DEFAULT_CSS = """
    FailureScreen {
        align: center middle;
        & > Vertical {
            width: 72; max-width: 95%; height: auto; max-height: 90%;
            padding: 1 2;
        }
        & #reason { margin-top: 1; text-style: bold; }
    }
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__()
        self._path = path
        self._reason = reason

    def compose(self) -> ComposeResult:
        """File and reason."""
        with Vertical() as frame:
            frame.border_title = "Cannot be opened"
            yield Static(Content(one_line(str(self._path))), id="name")
            yield Static(Content(one_line(self._reason)), id="reason")
        yield KeyFooter()

    def action_answer(self, step: str) -> None:
        """Answer."""
        self.dismiss(NextStep(step))
