"""`QueryInput`: a line for refs, ids and keys, with a history and completion of its last word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from condense_tui.view.printable import one_line
from condense_tui.view.queryrows import first_known


class QueryInput(Input):
    """`history` is the caller's list, oldest first: what is remembered is added to it.

    Up and Down go through the history, Tab and Right take the completion.  A key that finds
    nothing to do here is left to the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", "Earlier", show=False),
        Binding("down", "recall(1)", "Later", show=False),
        Binding("tab", "complete", "Complete", show=False),
    ]

    class Offered(Message):
        """Tab would complete the line to this text; empty where it would not."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, history: list[str], known: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(
            placeholder="refs, ids or occurrence keys: t7, bash_3",
            suggester=_LastWordSuggester(known),
            select_on_focus=False,
            compact=True,
            id=id,
        )
        self._history = history
        self._place = len(history)
        self._draft = ""

    def watch__suggestion(self, suggestion: str) -> None:
        """Say what is offered, for whoever cannot tell it from what was typed."""
        self.post_message(self.Offered(suggestion))

    def show_text(self, text: str) -> None:
        """Put a text into the line, the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)

    def remember(self) -> None:
        """Keep what is typed in the history; the same text twice in a row is kept once."""
        text = self.value.strip()
        if text and self._history[-1:] != [text]:
            self._history.append(text)
        self._place = len(self._history)

    def action_recall(self, step: int) -> None:
        """Earlier and later texts; beyond the latest one what was typed last."""
        place = self._place + step
        if not 0 <= place <= len(self._history):
            raise SkipAction
        if self._place == len(self._history):
            self._draft = self.value
        self._place = place
        self.show_text([*self._history, self._draft][place])

    def action_complete(self) -> None:
        """Take the completion."""
        if not (self.cursor_at_end and self._suggestion):
            raise SkipAction
        self.action_cursor_right()

    def _on_paste(self, event: events.Paste) -> None:
        """Every pasted line counts, and no control character reaches the terminal."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(map(one_line, event.text.split())), *self.selection)


class _LastWordSuggester(Suggester):
    def __init__(self, known: Sequence[str]) -> None:
        super().__init__(case_sensitive=True)
        self._known = known

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        return first_known(value, self._known)
