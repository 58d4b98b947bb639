"""`Preorder`: the nodes of a tree in the order of their rows, and what of them is in sight.

Nodes are known by their place in that order.  Folding and unfolding cost as many steps as there
are inner nodes below, however many leaves these have: a run of what is in sight is a range.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter

from condense_tui.view.treerows import TreeNode

SortKey = Callable[[TreeNode], float]

_KEY, _CHILDREN = attrgetter("key"), attrgetter("children")


class Preorder:
    """Made once for some roots and an order of siblings; linear in the nodes."""

    def __init__(self, roots: Sequence[TreeNode] = (), sort: SortKey | None = None) -> None:
        """Largest first where there is a key to sort by."""
        self.roots = roots
        self.nodes: list[TreeNode] = []
        self._sort = sort
        # Of each inner node its place, where what hangs below it ends, its depth, and the
        # number of its parent among the inner nodes.
        self._inner: list[int] = []
        self._ends: list[int] = []
        self._depths: list[int] = []
        self._above: list[int] = []
        self._add(roots, -1, 0)
        self._place_of = dict(zip(map(_KEY, self.nodes), range(len(self.nodes)), strict=True))

    def _add(self, siblings: Sequence[TreeNode], above: int, depth: int) -> None:
        """A tree is three nodes deep at most."""
        ordered = siblings if self._sort is None else sorted(siblings, key=self._sort, reverse=True)
        if not any(map(_CHILDREN, ordered)):
            self.nodes += ordered
            return
        for node in ordered:
            place = len(self.nodes)
            self.nodes.append(node)
            if node.children:
                number = len(self._inner)
                self._inner.append(place)
                self._ends.append(0)
                self._depths.append(depth)
                self._above.append(above)
                self._add(node.children, number, depth + 1)
                self._ends[number] = len(self.nodes)

    def place_of(self, key: str) -> int | None:
        """Where the node with this key is."""
        return self._place_of.get(key)

    def parent(self, place: int) -> int | None:
        """Where the parent is; None for a root."""
        number = self._number_above(place)
        return None if number < 0 else self._inner[number]

    def depth(self, place: int) -> int:
        """How many nodes are above."""
        number = self._number_above(place)
        return 0 if number < 0 else self._depths[number] + 1

    def _number_above(self, place: int) -> int:
        number = bisect_left(self._inner, place) - 1
        while number >= 0 and self._ends[number] <= place:
            number = self._above[number]
        return number

    def above(self, place: int) -> list[int]:
        """All nodes above, the root first."""
        found: list[int] = []
        parent = self.parent(place)
        while parent is not None:
            found.append(parent)
            parent = self.parent(parent)
        return found[::-1]

    def end(self, place: int) -> int:
        """The first place that is not below any more."""
        number = bisect_left(self._inner, place)
        is_inner = number < len(self._inner) and self._inner[number] == place
        return self._ends[number] if is_inner else place + 1

    def inner_keys(self, start: int = 0, end: int | None = None) -> Iterator[str]:
        """The keys of what has children, of some places or of all."""
        first = bisect_left(self._inner, start)
        last = len(self._inner) if end is None else bisect_left(self._inner, end)
        return (self.nodes[place].key for place in self._inner[first:last])

    def in_sight(self, unfolded: Collection[str], start: int, end: int) -> list[int]:
        """What is in sight of some places, the first of which is."""
        seen: list[int] = []
        number, last = bisect_left(self._inner, start), bisect_left(self._inner, end)
        while number < last:
            place = self._inner[number]
            if self.nodes[place].key in unfolded:
                number += 1
                continue
            seen += range(start, place + 1)
            start = self._ends[number]
            number = bisect_left(self._inner, start)
        seen += range(start, end)
        return seen

    def holding(self, places: Iterable[int]) -> list[int]:
        """These places and all above them, in order."""
        found: set[int] = set()
        for place in places:
            at: int | None = place
            while at is not None and at not in found:
                found.add(at)
                at = self.parent(at)
        return sorted(found)
