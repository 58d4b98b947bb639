"""`TreePane`: the tree with its filter line and its order."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.preorder import Preorder
from condense_tui.view.treerows import TreeNode

_ORDERS: tuple[tuple[str, Callable[[TreeNode], float] | None], ...] = (
    ("", None),
    ("by size", lambda node: node.size),
    ("by time, newest first", lambda node: node.moment),
)


class TreePane(Vertical):
    """The filter line shows while it is in use."""

    BORDER_TITLE = "Pruned tool calls"
    DEFAULT_CSS = """
    TreePane {
        & Input { display: none; height: 1; border: none; padding: 0 1; }
        &.-filtering Input { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._order = 0

    def compose(self) -> ComposeResult:
        """The tree; few need the filter line."""
        yield FoldTree(id="tree")

    def show_nodes(self, nodes: Preorder) -> None:
        """Show another tree."""
        self.query_one(FoldTree).show_nodes(nodes)

    def open_filter(self) -> None:
        """Begin to filter."""
        self.add_class("-filtering")
        if not self.query(Input):
            words = "tool, ref, id, text, error …"
            self.mount(PrintableInput(placeholder=words, id="filter", compact=True), before=0)
        self.query_one(Input).focus()

    def close_filter(self) -> bool:
        """Show everything again; False when nothing was filtered."""
        if not self.has_class("-filtering"):
            return False
        self.query_one(Input).value = ""
        self.remove_class("-filtering")
        self.query_one(FoldTree).focus()
        return True

    def next_order(self) -> None:
        """File order, size, time."""
        self._order = (self._order + 1) % len(_ORDERS)
        name, key = _ORDERS[self._order]
        self.query_one(FoldTree).sort_by(key)
        self.border_subtitle = name

    def on_input_changed(self, event: Input.Changed) -> None:
        """Each key narrows the tree."""
        event.stop()
        self.query_one(FoldTree).filter_by(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter goes to what is left."""
        event.stop()
        self.query_one(FoldTree).focus()
