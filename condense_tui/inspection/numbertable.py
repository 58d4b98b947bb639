"""`NumberTable`: whole numbers by whole numbers, in the space of an array."""

from __future__ import annotations

from array import array

_NONE = -1


class NumberTable:
    """A dict from small numbers to numbers, none of them negative, that takes 8 bytes an item."""

    def __init__(self) -> None:
        self._items = array("q")

    def setdefault(self, key: int, number: int) -> int:
        """Note a number under a key that has none yet; the number that it has then."""
        missing = key + 1 - len(self._items)
        if missing > 0:
            self._items.extend([_NONE] * missing)
        if self._items[key] == _NONE:
            self._items[key] = number
        return self._items[key]

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
