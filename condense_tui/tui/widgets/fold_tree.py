"""`FoldTree`: a foldable tree over nodes; only what is unfolded and in sight is drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from condense_tui.inspection.links import Target
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import Line, dim, going, line
from condense_tui.view.preorder import Preorder, SortKey
from condense_tui.view.treerows import TreeNode


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
        self._order = Preorder()
        # The places in that order of what is in sight, by row.
        self._places: list[int] = []
        self._search_texts: list[str] = []
        self._filter = ""
        self._sort: SortKey | None = None

    @property
    def node(self) -> TreeNode | None:
        """The node under the cursor."""
        return self._order.nodes[self._places[self.cursor]] if self._places else None

    @property
    def target(self) -> Target | None:
        """What the node under the cursor is about."""
        return self.node.target if self.node else None

    def show_nodes(self, nodes: Preorder) -> None:
        """Show other nodes, in file order; the first time everything but calls is unfolded."""
        if not self._roots:
            self._unfolded = {node.key for node in nodes.roots if _holds_groups(node)}
        self._roots = nodes.roots
        self._put_in_order(nodes if self._sort is None else Preorder(nodes.roots, self._sort))

    def filter_by(self, text: str) -> None:
        """Show only nodes whose line holds the text, and the way to them."""
        self._filter = text.lower()
        self._lay_out()

    def sort_by(self, key: SortKey | None) -> None:
        """Order siblings by this key, largest first; None is the order of the file."""
        self._sort = key
        self._put_in_order(Preorder(self._roots, key))

    def reveal(self, key: str) -> bool:
        """Unfold the way to a node and put the cursor on it; False when there is no such node."""
        place = self._order.place_of(key)
        if place is None:
            return False
        if self._row_of(place) is None:
            self._unfold_way_to(place)
        row = self._row_of(place)
        self.cursor = self.cursor if row is None else row
        return True

    def _unfold_way_to(self, place: int) -> None:
        above = self._order.above(place)
        seen = [row for each in above if (row := self._row_of(each)) is not None]
        self._unfolded.update(self._order.nodes[each].key for each in above)
        if seen and not self._filter:
            self._lay_out_below(seen[-1])

    def _row_of(self, place: int) -> int | None:
        row = bisect_left(self._places, place)
        return row if self._places[row : row + 1] == [place] else None

    def _put_in_order(self, order: Preorder) -> None:
        node = self.node
        self._order = order
        self._search_texts = []
        self._lay_out(node)

    def _lay_out(self, node: TreeNode | None = None) -> None:
        """All of it anew; the cursor on the node, or on where it was."""
        node = node or self.node
        self._places = self._matching() if self._filter else self._unhidden(0)
        self.nothing = line(dim(self._why_empty))
        self._show_places(self._nearest_row(node.key if node else None))

    def _lay_out_below(self, row: int) -> None:
        """What hangs below a row, as it is folded now; the cursor on its node or on the row."""
        place = self._places[row]
        at, end = self._places[self.cursor], self._order.end(place)
        last = bisect_left(self._places, end)
        is_open = self._order.nodes[place].key in self._unfolded
        self._places[row + 1 : last] = self._unhidden(place + 1, end) if is_open else ()
        self._show_places(self._row_at_or_above(at))

    def _show_places(self, row: int) -> None:
        self.show_lines(len(self._places), self._line_of, row)

    def _unhidden(self, start: int, end: int | None = None) -> list[int]:
        last = len(self._order.nodes) if end is None else end
        return self._order.in_sight(self._unfolded, start, last)

    def _matching(self) -> list[int]:
        if not self._search_texts:
            self._search_texts = [node.search_text for node in self._order.nodes]
        texts = enumerate(self._search_texts)
        return self._order.holding(place for place, text in texts if self._filter in text)

    @property
    def _why_empty(self) -> str:
        return f"nothing matches {self._filter}" if self._roots else "nothing was pruned"

    def _nearest_row(self, key: str | None) -> int:
        """The row of the node, or of the first thing above it that is in sight."""
        place = None if key is None else self._order.place_of(key)
        return 0 if place is None else self._row_at_or_above(place)

    def _row_at_or_above(self, place: int) -> int:
        way = (place, *reversed(self._order.above(place)))
        return next((row for each in way if (row := self._row_of(each)) is not None), 0)

    def _line_of(self, row: int) -> Line:
        place = self._places[row]
        node = self._order.nodes[place]
        is_open = node.key in self._unfolded or bool(self._filter)
        sign = " " if not node.children else "▾" if is_open else "▸"
        hidden = f" ({len(node.children)})" if node.children and not is_open else ""
        blanks = "  " * self._order.depth(place)
        return (dim(f"{blanks}{sign} "), *node.line, going(hidden))

    def action_turn(self) -> None:
        """Fold or unfold the node under the cursor."""
        if self.node and self.node.children:
            self._unfolded ^= {self.node.key}
            self._fold_below_cursor()

    def _fold_below_cursor(self) -> None:
        if not self._filter:
            self._lay_out_below(self.cursor)

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
        parent = self._order.parent(self._places[self.cursor]) if self._places else None
        if parent is not None:
            self.cursor = bisect_left(self._places, parent)

    def action_unfold_below(self) -> None:
        """Unfold everything below the cursor."""
        if self.node:
            self._unfolded.update(self._keys_below())
            self._fold_below_cursor()

    def action_fold_below(self) -> None:
        """Fold everything below the cursor."""
        if self.node:
            self._unfolded.difference_update(self._keys_below())
            self._fold_below_cursor()

    def _keys_below(self) -> Iterator[str]:
        place = self._places[self.cursor]
        return self._order.inner_keys(place, self._order.end(place))

    def action_unfold_all(self) -> None:
        """Unfold everything."""
        self._unfolded.update(self._order.inner_keys())
        self._lay_out()

    def action_fold_all(self) -> None:
        """Fold everything."""
        self._unfolded.clear()
        self._lay_out()


def _holds_groups(node: TreeNode) -> bool:
    return any(child.children for child in node.children)
