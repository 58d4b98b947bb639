"""`SlotSizes`: for each slot the size of its message before and after, in little space."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from condense_tui.pruning.slots import Slot


class SlotSizes:
    """Pairs of JSON lengths in UTF-16 code units, 0 where there is no message."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._before = array("q")
        self._after = array("q")
        for slot in slots:
            before, after = _sizes_of(slot)
            self._before.append(before)
            self._after.append(after)

    def __len__(self) -> int:
        return len(self._before)

    def __getitem__(self, number: int) -> tuple[int, int]:
        return self._before[number], self._after[number]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._before, self._after, strict=True)


def _sizes_of(slot: Slot) -> tuple[int, int]:
    before = slot.before.chars if slot.before else 0
    if not slot.is_changed:
        return before, before
    return before, slot.after.chars if slot.after else 0
