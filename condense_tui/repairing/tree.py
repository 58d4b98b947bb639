"""How entries hang together; linear, and sound whatever the parents say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from condense_tui.repairing.lines import Key, Line
from condense_tui.session.messages import Message, message_from

NOBODY = -1


class Tree:
    """Entries by number, in file order; a parent is a number, `NOBODY` for a root.

    Of a doubled id the last entry counts, as in pi.  Entries on a loop belong to no root and are
    not in `order`.
    """

    def __init__(
        self, entries: Sequence[tuple[int, Line]], has_ids: bool, kept: Mapping[Key, Key]
    ) -> None:
        self._kept = kept
        self.places = [place for place, _ in entries]
        self.lines = [line for _, line in entries]
        self.has_ids = has_ids
        self.number_of: Mapping[str, int] = self._numbers() if self.has_ids else {}
        self.parents = self._parents()

    def _numbers(self) -> dict[str, int]:
        return {name: number for number, line in enumerate(self.lines) if (name := line.id)}

    def _parents(self) -> list[int]:
        if not self.has_ids:
            return [number - 1 for number in range(len(self.lines))]
        return [self.number_of.get(line.parent_id or "", NOBODY) for line in self.lines]

    @cached_property
    def messages(self) -> list[Message | None]:
        """What each entry stands for in a context, as far as pairing is concerned."""
        return [_message_on(line) for line in self.lines]

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each entry, in file order."""
        children: list[list[int]] = [[] for _ in self.lines]
        for number, parent in enumerate(self.parents):
            if parent != NOBODY:
                children[parent].append(number)
        return children

    @cached_property
    def order(self) -> list[int]:
        """Parents before children, every branch to its end before the next one begins."""
        order: list[int] = []
        pending = [number for number, parent in enumerate(self.parents) if parent == NOBODY][::-1]
        while pending:
            number = pending.pop()
            order.append(number)
            pending.extend(reversed(self.children[number]))
        return order

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """For each entry where it and all that hangs below it lie in `order`."""
        sizes = [1] * len(self.lines)
        for number in reversed(self.order):
            parent = self.parents[number]
            if parent != NOBODY:
                sizes[parent] += sizes[number]
        spans = [(0, 0)] * len(self.lines)
        for position, number in enumerate(self.order):
            spans[number] = (position, position + sizes[number])
        return spans

    def can_be_named(self, number: int) -> bool:
        """Whether a parent or a boundary that names this entry's id means this entry."""
        return not self.has_ids or self.number_of.get(self.lines[number].id or "") == number

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether `upper` is a true ancestor of `lower`."""
        start, end = self._spans[upper]
        return start < self._spans[lower][0] < end

    def boundary(self, compaction: int) -> int:
        """The entry that a compaction keeps first; `NOBODY` where that is none above it."""
        line = self.lines[compaction]
        if self.has_ids:
            kept = line.body.get("firstKeptEntryId")
            number = self.number_of.get(kept, NOBODY) if isinstance(kept, str) else NOBODY
        else:
            key = self._kept.get(line.key)
            number = self._number_of_key.get(key, NOBODY) if key else NOBODY
        return number if number != NOBODY and self.is_above(number, compaction) else NOBODY

    @cached_property
    def _number_of_key(self) -> dict[Key, int]:
        return {line.key: number for number, line in enumerate(self.lines)}


def _message_on(line: Line) -> Message | None:
    if line.message is not None:
        return message_from(line.message, None)
    return _FOREIGN if line.type == "custom_message" else None


_FOREIGN = message_from({"role": "custom"}, None)
