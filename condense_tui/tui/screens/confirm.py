"""`ConfirmScreen`: a question with two answers, of which the harmless one comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import line
from condense_tui.view.printable import one_line

_MOST_ROWS = 8


class ConfirmScreen(ModalScreen[bool]):
    """Answers True only when the person chose `yes`; Esc is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "answer(False)", "No"),
        Binding("y", "answer(True)", "Yes"),
    ]
    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        & > Vertical {
            width: 70; max-width: 95%; height: auto;
            padding: 0 1;
        }
        & #question { text-style: bold; margin-bottom: 1; }
        & #about { margin-bottom: 1; }
        & #answers { height: 2; }
    }
    """

    def __init__(self, question: str, about: Sequence[str], yes: str, no: str) -> None:
        super().__init__()
        self._question = question
        left = len(about) - _MOST_ROWS
        more = [f"and {left} more"] if left > 0 else []
        self._about = [one_line(row) for row in [*about[:_MOST_ROWS], *more]]
        self._answers = (line(f" {no} "), line(f" {yes} "))

    def compose(self) -> ComposeResult:
        """Question, what it is about, answers."""
        with Vertical():
            yield Static(Content(one_line(self._question)), id="question")
            yield Static(Content("\n".join(self._about)), id="about")
            yield LineList(id="answers")

    def on_mount(self) -> None:
        """Begin on the harmless answer."""
        answers = self.query_one("#answers", LineList)
        self.query_one("#about").display = bool(self._about)
        answers.show_rows(self._answers)
        answers.focus()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on an answer gives it."""
        event.stop()
        if self.is_active:
            self.dismiss(event.row == 1)

    def action_answer(self, is_yes: bool) -> None:
        """Answer without choosing a row."""
        self.dismiss(is_yes)
