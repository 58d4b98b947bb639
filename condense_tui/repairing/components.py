"""Which entries hang together, while parts are being linked: no link may close a loop."""

from __future__ import annotations

from condense_tui.repairing.tree import NOBODY, Tree


class Components:
    """Entries by number, grouped by the root that they lead to."""

    def __init__(self, tree: Tree, parents: list[int]) -> None:
        self._tree = tree
        self._above = [
            number if parent == NOBODY else parent for number, parent in enumerate(parents)
        ]

    def root(self, number: int) -> int:
        """The root of an entry; the way there is shortened for the next one who asks."""
        above = self._above
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    def link(self, root: int, parent: int) -> None:
        """Hang a root, and all below it, under an entry of another group."""
        self._above[root] = parent

    def last_before(self, root: int) -> int:
        """The last entry before this root in the file that does not hang below it."""
        candidate = root - 1
        while candidate >= 0 and not self._may_be_parent(candidate, root):
            candidate -= 1
        return candidate

    def _may_be_parent(self, candidate: int, root: int) -> bool:
        return self._tree.can_be_named(candidate) and self.root(candidate) != root
