"""Ids that nobody has yet, the same ones whenever the same file is mended."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import count

from condense_tui.repairing.lines import Line

_ENTRY_ID_DIGITS = 8


class FreshIds:
    """Gives out ids beside those that are taken."""

    def __init__(self, taken: Iterable[str | None]) -> None:
        self._taken = {name for name in taken if name}
        self._next_number: dict[str, int] = {}

    def entry_id(self, line: Line) -> str:
        """An entry id in pi's form, made from what the line says and where it stands."""
        for attempt in count():
            seed = b"%d %d %d " % (*line.key, attempt) + line.raw
            candidate = sha256(seed).hexdigest()[:_ENTRY_ID_DIGITS]
            if candidate not in self._taken:
                break
        self._taken.add(candidate)
        return candidate

    def numbered(self, name: str) -> str:
        """`name_2`, or the next number that is free."""
        number = self._next_number.get(name, 2)
        while (candidate := f"{name}_{number}") in self._taken:
            number += 1
        self._next_number[name] = number + 1
        self._taken.add(candidate)
        return candidate
