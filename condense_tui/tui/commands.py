"""Every command of the browser, declared once.

Footer, palette, help and the key table of the documents are readings of this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from textual.binding import Binding

from condense_tui.session.compact import Value


class Group(StrEnum):
    """Where the help shows a command."""

    MOVE = "Moving"
    LOOK = "Looking"
    FIND = "Finding"
    TAKE = "Taking out"
    SESSION = "Session"


class Command(Value, frozen=True):
    """`keys` as Textual names them; `action` is one of the session screen or of the app."""

    keys: str
    action: str
    label: str
    explanation: str
    group: Group
    key_text: str
    is_in_footer: bool = False

    @property
    def bindings(self) -> Iterator[Binding]:
        """A binding that Textual works with for each key: a footer shows one that can be used."""
        keys = self.keys.split(",")
        names = (self.key_text, *(key.upper() for key in keys[1:]))
        for key, name in zip(keys, names, strict=True):
            yield Binding(
                key,
                self.action,
                self.label,
                show=self.is_in_footer,
                key_display=name,
                tooltip=self.explanation,
                id=self.action,
            )


_MOVE, _LOOK, _FIND = Group.MOVE, Group.LOOK, Group.FIND
_TAKE, _SESSION = Group.TAKE, Group.SESSION

COPY = Command("y", "copy", "Copy", "Copy its original text", _TAKE, "y", True)
"""Also a key of what shows a document, wherever it does."""

# In the order of their weight: a narrow footer shows the first of them, and the way out.
COMMANDS: tuple[Command, ...] = (
    Command("question_mark,f1", "help", "Help", "Show every key", _SESSION, "?", True),
    Command("ctrl+o", "open_whole", "Whole", "Open it whole in an overlay", _LOOK, "^O", True),
    Command("v", "next_view", "View", "Pruned, raw, or both side by side", _LOOK, "v", True),
    Command("n", "change(1)", "Next change", "Go to the next change", _MOVE, "n", True),
    Command("colon", "query", "Query", "Ask for outputs by ref, id or key", _FIND, ":", True),
    Command("slash", "find", "Find", "Find text, also in what was pruned", _FIND, "/", True),
    Command("f2", "findings", "Findings", "What is wrong or worth knowing", _LOOK, "F2", True),
    Command("e", "export", "Export", "Write outputs, summaries, the context", _TAKE, "e", True),
    COPY,
    Command("s", "app.settings", "Settings", "Settings in force; try others", _LOOK, "s", True),
    Command("w", "app.condense", "Condense", "What condensing would make of it", _LOOK, "w", True),
    Command("q", "app.quit", "Quit", "Leave the program", _SESSION, "q", True),
    Command("N", "change(-1)", "Previous change", "Go to the previous change", _MOVE, "N"),
    Command("tab", "next_pane", "Next pane", "Tree, context, detail", _MOVE, "Tab"),
    Command("escape", "back_out", "Back", "Close the detail, clear the filter", _MOVE, "Esc"),
    Command("c", "only_changes", "Only changes", "Hide what nothing happened to", _LOOK, "c"),
    Command("V", "compare", "As 2.5.0", "Beside now what version 2.5.0 would send", _LOOK, "V"),
    Command("d", "toggle_detail", "Detail", "Show or hide the detail", _LOOK, "d"),
    Command("b", "app.branches", "Branches", "Choose another branch", _LOOK, "b"),
    Command("f", "app.follow", "Follow", "Follow the session as it grows", _LOOK, "f"),
    Command("ctrl+r", "app.read_on", "Reload", "Read what was added to the file", _LOOK, "^R"),
    Command("ampersand", "filter", "Filter", "Filter the tree as you type", _FIND, "&"),
    Command("o", "sort", "Order", "Order the tree by file, size or time", _FIND, "o"),
    Command("O", "outside('pager')", "Pager", "Open it in your $PAGER", _TAKE, "O"),
    Command("E", "outside('editor')", "Editor", "Open a copy in your $EDITOR", _TAKE, "E"),
    Command("ctrl+s", "app.choose", "Sessions", "Choose another session", _SESSION, "^S"),
    Command(
        "ctrl+z", "app.suspend_process", "Suspend", "Go to the shell; fg comes back", _SESSION, "^Z"
    ),
)
