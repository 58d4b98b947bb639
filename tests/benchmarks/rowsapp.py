"""The browser's own widgets with rows made up, run by the benchmarks in a terminal of their own.

python -m tests.benchmarks.rowsapp context|tree NUMBER, or long NAME
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType

from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.document import Block, Document
from condense_tui.view.lines import Line, Span, Tone, dim, filling, line, shrinking, strong
from condense_tui.view.preorder import Preorder
from condense_tui.view.treerows import PlainNode, TreeNode
from tests.benchmarks.texts import TEXTS

_CALLS = 49


def context_line(row: int) -> Line:
    """As a row of the context is: place, sign, role, size, reasons and an excerpt."""
    return line(
        dim(f"{row:>7} "),
        Span("▤ ", Tone.GOOD),
        strong("result    "),
        dim(" 1,234  "),
        shrinking(f"stub t{row}", Tone.ACCENT),
        filling(f"src/cart.py:{row}: total = sum(line.amount for line in lines)"),
    )


def nodes(count: int) -> tuple[TreeNode, ...]:
    """So many nodes in all: summaries with calls below."""
    return tuple(_summary(number) for number in range(max(count // (_CALLS + 1), 1)))


def _summary(number: int) -> TreeNode:
    calls = tuple(_call(f"{number}.{nth}", nth) for nth in range(_CALLS))
    words = line(strong(f"Turn {number} summary"), dim(f" · {_CALLS} tools"))
    return PlainNode(f"summary:{number}", None, 1_000, number, calls, words)


def _call(name: str, size: int) -> TreeNode:
    words = line(f"t{name} bash ", dim(f"{size} chars"))
    return PlainNode(f"call:{name}", None, size, size, spans=words)


class RowsApp(App[None]):
    """One widget with many rows."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("o", "open", "Open")]
    CSS_PATH: ClassVar[list[str | PurePath]] = ["../../condense_tui/tui/condense.tcss"]

    def __init__(self, kind: str, value: str) -> None:
        super().__init__()
        self._kind = kind
        self._value = value
        self._document: Document | None = None

    def compose(self) -> ComposeResult:
        if self._kind == "tree":
            yield FoldTree()
        else:
            yield LineList()

    def on_mount(self) -> None:
        if self._kind == "tree":
            self.query_one(FoldTree).show_nodes(Preorder(nodes(int(self._value))))
        elif self._kind == "context":
            self.query_one(LineList).show_lines(int(self._value), context_line)

        else:
            make, form = TEXTS[self._value]
            text = make()
            self._document = Document("long", (Block(text=text, form=form),), text)

    def action_open(self) -> None:
        """The long text whole, as the session screen opens it."""
        if self._document:
            self.push_screen(WholeScreen(self._document))


if __name__ == "__main__":
    RowsApp(sys.argv[1], sys.argv[2]).run()
