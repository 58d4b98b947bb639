"""`NumberTable`: whole numbers by whole numbers, in the space of an array."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_NONE = -1


class NumberTable:
    """A dict from small numbers to numbers, none of them negative, that takes 8 bytes an item."""

    def __init__(self, pairs: Iterable[tuple[int, int]] = (), size: int = 0) -> None:
        """Of several pairs with one key, each below `size`, the last counts."""
        self._items = items = array("q", [_NONE]) * size
        for key, number in pairs:
            items[key] = number

    def further(self, pairs: Iterable[tuple[int, int]], size: int) -> NumberTable:
        """These pairs, too, where their keys have no number yet, each below `size`."""
        other = NumberTable()
        missing = size - len(self._items)
        other._items = self._items + array("q", [_NONE]) * max(missing, 0)
        for key, number in pairs:
            if other._items[key] == _NONE:
                other._items[key] = number
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
