"""`FoldTree`: a foldable tree over nodes; only what is unfolded and in sight is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType

from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import Line, dim, going, line
from condense_tui.view.treerows import TreeNode

SortKey = Callable[[TreeNode], float]


@dataclass(frozen=True, slots=True)
class _Visible:
    """A node in sight and how deep it hangs."""

    node: TreeNode
    depth: int


class FoldTree(LineList):
    """Nodes are known by their keys: folds and the cursor survive another plan."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "fold", "Fold or go to parent", show=False),
        Binding("right,l", "unfold", "Unfold or go to first child", show=False),
        Binding("space", "turn", "Fold or unfold", show=False),
        Binding("asterisk,shift+right", "unfold_below", "Unfold all below", show=False),
        Binding("shift+left", "fold_below", "Fold all below", show=False),
        Binding("plus", "unfold_all", "Unfold all", show=False),
        Binding("minus", "fold_all", "Fold all", show=False),
        Binding("backspace,p", "parent", "Go to parent", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._roots: Sequence[TreeNode] = ()
        self._unfolded: set[str] = set()
        self._parents: dict[str, str | None] = {}
        self._visible: list[_Visible] = []
        self._row_of_key: dict[str, int] = {}
        self._filter = ""
        self._sort: SortKey | None = None

    @property
    def node(self) -> TreeNode | None:
        """The node under the cursor."""
        return self._visible[self.cursor].node if self._visible else None

    def show_nodes(self, roots: Sequence[TreeNode]) -> None:
        """Show other nodes; the first time everything but calls is unfolded."""
        if not self._roots:
            self._unfolded = {node.key for node in roots if _holds_groups(node)}
        self._roots = roots
        self._parents = dict(_parents_below(roots, None))
        self._lay_out()

    def filter_by(self, text: str) -> None:
        """Show only nodes whose line holds the text, and the way to them."""
        self._filter = text.lower()
        self._lay_out()

    def sort_by(self, key: SortKey | None) -> None:
        """Order siblings by this key, largest first; None is the order of the file."""
        self._sort = key
        self._lay_out()

    def reveal(self, key: str) -> bool:
        """Unfold the way to a node and put the cursor on it; False when there is no such node."""
        if key not in self._parents:
            return False
        if key not in self._row_of_key:
            parent = self._parents[key]
            while parent is not None:
                self._unfolded.add(parent)
                parent = self._parents[parent]
            self._lay_out()
        self.cursor = self._row_of_key.get(key, self.cursor)
        return True

    def _lay_out(self) -> None:
        key = self.node.key if self.node else None
        self._visible = list(self._walk(self._roots, 0))
        self._row_of_key = {seen.node.key: row for row, seen in enumerate(self._visible)}
        self.nothing = line(dim(self._why_empty))
        self.show_lines(len(self._visible), self._line_of, self._nearest_row(key))

    @property
    def _why_empty(self) -> str:
        return f"nothing matches {self._filter}" if self._roots else "nothing was pruned"

    def _nearest_row(self, key: str | None) -> int:
        """The row of the node, or of the first thing above it that is in sight."""
        while key is not None and key not in self._row_of_key:
            key = self._parents.get(key)
        return self._row_of_key.get(key, 0) if key is not None else 0

    def _walk(self, nodes: Sequence[TreeNode], depth: int) -> Iterator[_Visible]:
        for node in self._sorted(nodes):
            if self._filter and not _holds(node, self._filter):
                continue
            yield _Visible(node, depth)
            if node.key in self._unfolded or self._filter:
                yield from self._walk(node.children, depth + 1)

    def _sorted(self, nodes: Sequence[TreeNode]) -> Iterable[TreeNode]:
        return nodes if self._sort is None else sorted(nodes, key=self._sort, reverse=True)

    def _line_of(self, row: int) -> Line:
        seen = self._visible[row]
        node = seen.node
        is_open = node.key in self._unfolded or bool(self._filter)
        sign = " " if not node.children else "▾" if is_open else "▸"
        hidden = f" ({len(node.children)})" if node.children and not is_open else ""
        return (dim(f"{'  ' * seen.depth}{sign} "), *node.line, going(hidden))

    def action_turn(self) -> None:
        """Fold or unfold the node under the cursor."""
        if self.node and self.node.children:
            self._unfolded ^= {self.node.key}
            self._lay_out()

    def action_fold(self) -> None:
        """Fold, or go to the parent of what cannot be folded."""
        if self.node and self.node.children and self.node.key in self._unfolded:
            self.action_turn()
        else:
            self.action_parent()

    def action_unfold(self) -> None:
        """Unfold, or go to the first child."""
        if not self.node or not self.node.children:
            return
        if self.node.key in self._unfolded:
            self.cursor += 1
        else:
            self.action_turn()

    def action_parent(self) -> None:
        """Go to the parent."""
        parent = self._parents.get(self.node.key) if self.node else None
        if parent is not None:
            self.cursor = self._row_of_key[parent]

    def action_unfold_below(self) -> None:
        """Unfold everything below the cursor."""
        if self.node:
            self._unfolded.update(_keys_below([self.node]))
            self._lay_out()

    def action_fold_below(self) -> None:
        """Fold everything below the cursor."""
        if self.node:
            self._unfolded.difference_update(_keys_below([self.node]))
            self._lay_out()

    def action_unfold_all(self) -> None:
        """Unfold everything."""
        self._unfolded.update(_keys_below(self._roots))
        self._lay_out()

    def action_fold_all(self) -> None:
        """Fold everything."""
        self._unfolded.clear()
        self._lay_out()


def _holds_groups(node: TreeNode) -> bool:
    return any(child.children for child in node.children)


def _holds(node: TreeNode, text: str) -> bool:
    """Whether the node or anything below it has the text; a tree is three nodes deep at most."""
    return text in node.search_text or any(_holds(child, text) for child in node.children)


def _keys_below(nodes: Iterable[TreeNode]) -> Iterator[str]:
    for node in nodes:
        if node.children:
            yield node.key
            yield from _keys_below(node.children)


def _parents_below(
    nodes: Iterable[TreeNode], parent: str | None
) -> Iterator[tuple[str, str | None]]:
    for node in nodes:
        yield node.key, parent
        yield from _parents_below(node.children, node.key)
