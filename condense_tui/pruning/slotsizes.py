"""`SlotSizes`: for each slot the size of its message before and after, in little space."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy

from condense_tui.pruning.slots import SYSTEM, Slot


class SlotSizes:
    """Pairs of JSON lengths in UTF-16 code units, 0 where there is no message.

    `raw_chars` and `pruned_chars` are those of the whole lists, system messages left out.
    """

    def __init__(self, slots: Iterable[Slot] = ()) -> None:
        self._before = array("q")
        self._after = array("q")
        self._raw = _List()
        self._pruned = _List()
        self._add(slots)

    def further(self, slots: Iterable[Slot]) -> SlotSizes:
        """The sizes of these slots after those that are known."""
        other = copy(self)
        other._before, other._after = self._before[:], self._after[:]
        other._raw, other._pruned = copy(self._raw), copy(self._pruned)
        other._add(slots)
        return other

    def _add(self, slots: Iterable[Slot]) -> None:
        for slot in slots:
            before = slot.before.chars if slot.before else 0
            after = before
            if slot.is_changed:
                after = slot.after.chars if slot.after else 0
            self._before.append(before)
            self._after.append(after)
            if slot.fates is not SYSTEM:
                self._raw.add(before)
                self._pruned.add(after)

    @property
    def raw_chars(self) -> int:
        """`JSON.stringify(list).length` of the messages before."""
        return self._raw.chars

    @property
    def pruned_chars(self) -> int:
        """The same of the messages after."""
        return self._pruned.chars

    def __len__(self) -> int:
        return len(self._before)

    def __getitem__(self, number: int) -> tuple[int, int]:
        return self._before[number], self._after[number]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._before, self._after, strict=True)


class _List:
    """The length of a JSON list, whose items are added one by one; what is not there has none."""

    def __init__(self) -> None:
        self._items = 0
        self._count = 0

    def add(self, chars: int) -> None:
        if chars:
            self._items += chars
            self._count += 1

    @property
    def chars(self) -> int:
        """Brackets and commas added."""
        return self._items + max(self._count - 1, 0) + 2
