"""`HelpScreen`: every key, from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from condense_tui.tui.commands import COMMANDS, Command, Group
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import Line, accent, line, strong

_KEY_WIDTH = 14


class _KeyList(LineList):
    """To read, not to choose from: a page is a page of the text, wherever the cursor is."""

    def action_page(self, pages: int) -> None:
        """Scroll by a page; the cursor stays in its row of the screen."""
        step = pages * max(self.scrollable_content_region.height - 1, 1)
        self.scroll_to(y=self.scroll_offset.y + step, animate=False, force=True)
        self.cursor += step


class HelpScreen(ModalScreen[None]):
    """Closes with the keys that opened it, with Esc and with q."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,escape,q", "close", "Close", key_display="? Esc q"),
    ]
    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        & > Vertical { width: 76; max-width: 95%; height: 85%; }
    }
    """

    def __init__(self, commands: Sequence[Command] = COMMANDS) -> None:
        """Of those that the screen below has."""
        super().__init__()
        self._commands = commands

    def compose(self) -> ComposeResult:
        """One list."""
        with Vertical() as frame:
            frame.border_title = "Keys"
            frame.border_subtitle = "^P finds a command by its name"
            yield _KeyList()
        yield KeyFooter()

    def on_mount(self) -> None:
        """Fill and focus it."""
        rows = self.query_one(LineList)
        rows.show_rows(list(help_lines(self._commands)))
        rows.focus()

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()


def help_lines(commands: Sequence[Command] = COMMANDS) -> Iterator[Line]:
    """The commands by group, then the keys of each kind of pane."""
    for group in Group:
        rows = [(c.key_text, c.explanation) for c in commands if c.group is group]
        yield from _section(group.value, rows)
    for title, widget in PANES:
        own = widget.__dict__.get("BINDINGS", ())
        bindings = [binding for binding in own if isinstance(binding, Binding)]
        yield from _section(title, [(key_words(b), b.tooltip or b.description) for b in bindings])


def _section(title: str, rows: list[tuple[str, str]]) -> Iterator[Line]:
    yield line(strong(title))
    for keys, explanation in rows:
        yield line("  ", accent(f"{keys:<{_KEY_WIDTH}}"), explanation)
    yield line()


def key_words(binding: Binding) -> str:
    """The keys of a binding as people know them."""
    return " ".join(_KEY_SIGNS.get(key, key) for key in binding.key.split(","))


PANES: tuple[tuple[str, type[LineList]], ...] = (
    ("In any list", LineList),
    ("In the tree", FoldTree),
    ("In the detail", DocumentView),
)
_KEY_SIGNS: Mapping[str, str] = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "shift+left": "⇧←",
    "shift+right": "⇧→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "enter": "⏎",
    "space": "Space",
    "asterisk": "*",
    "plus": "+",
    "minus": "-",
    "backspace": "⌫",
    "ctrl+b": "^B",
    "ctrl+f": "^F",
}
