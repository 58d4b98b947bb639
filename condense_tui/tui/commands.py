"""Every command of the browser, declared once.

Footer, palette, help and the key table of the documents are readings of this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Group(StrEnum):
    """Where the help shows a command."""

    MOVE = "Moving"
    LOOK = "Looking"
    FIND = "Finding"
    TAKE = "Taking out"
    SESSION = "Session"


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` as Textual names them; `action` is a method of the session screen."""

    keys: str
    action: str
    label: str
    explanation: str
    group: Group
    is_in_footer: bool = False
    key_text: str | None = None

    @property
    def binding(self) -> Binding:
        """The binding that Textual works with."""
        return Binding(
            self.keys,
            self.action,
            self.label,
            show=self.is_in_footer,
            key_display=self.key_text,
            tooltip=self.explanation,
            id=self.action,
        )


COMMANDS: tuple[Command, ...] = (
    Command(
        "ctrl+o",
        "open_whole",
        "Whole",
        "Open the summary, chain or output whole",
        Group.LOOK,
        True,
        "^O",
    ),
    Command(
        "v",
        "next_view",
        "View",
        "Show the pruned context, the raw one, or both side by side",
        Group.LOOK,
        True,
    ),
    Command("n", "change(1)", "Next change", "Go to the next change", Group.MOVE, True),
    Command("N", "change(-1)", "Previous change", "Go to the previous change", Group.MOVE),
    Command("c", "only_changes", "Changes", "Show only what was changed", Group.LOOK),
    Command("d", "toggle_detail", "Detail", "Show or hide the detail", Group.LOOK),
    Command("colon", "query", "Query", "Ask for outputs by ref, id or key", Group.FIND, True, ":"),
    Command(
        "f2",
        "findings",
        "Findings",
        "What is wrong, and what is worth knowing",
        Group.LOOK,
        True,
        "F2",
    ),
    Command("ctrl+l", "filter", "Filter", "Filter the tree as you type", Group.FIND, False, "^L"),
    Command("S", "sort", "Sort", "Sort the tree by file order, size or time", Group.LOOK),
    Command("y", "copy", "Copy", "Copy the selected thing's original text", Group.TAKE, True),
    Command("tab", "next_pane", "Pane", "Go to the next pane", Group.MOVE, False, "Tab"),
    Command(
        "escape", "back_out", "Back", "Close the detail, clear the filter", Group.MOVE, False, "Esc"
    ),
    Command("question_mark,f1", "help", "Help", "Show every key", Group.SESSION, True, "?"),
    Command("q", "quit", "Quit", "Leave the program", Group.SESSION, True),
)
