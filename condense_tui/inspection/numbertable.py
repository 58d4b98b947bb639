"""`NumberTable`: whole numbers by whole numbers, in the space of an array."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_NONE = -1


class NumberTable:
    """A dict from small numbers to numbers, none of them negative, that takes 8 bytes an item."""

    def __init__(self) -> None:
        self._items = array("q")

    def further(self, pairs: Iterable[tuple[int, int]], size: int) -> NumberTable:
        """A table with these pairs, too: keys below `size` that have no number yet."""
        other = NumberTable()
        other._items = items = self._items + array("q", [_NONE]) * (size - len(self._items))
        for key, number in pairs:
            if items[key] == _NONE:
                items[key] = number
        return other

    def get(self, key: int) -> int | None:
        """The number under this key, if there is one."""
        number = self._items[key] if 0 <= key < len(self._items) else _NONE
        return None if number == _NONE else number

    def __contains__(self, key: int) -> bool:
        return self.get(key) is not None

    def __getitem__(self, key: int) -> int:
        number = self.get(key)
        if number is None:
            raise KeyError(key)
        return number
