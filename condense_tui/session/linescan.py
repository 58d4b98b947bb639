"""Which lines of a file hold something: looked for in the bytes, before any line is decoded.

Most of a session is outputs.  To say that a word is in none of them takes a tenth of the time
that decoding them takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Protocol

WINDOW_BYTES = 1 << 20
"""As much is read and looked through at once; whoever asks can stop in between."""

Find = Callable[[int], int]
"""From a place in a window to where the next thing is found, at it or after it; -1 for none."""

Look = Callable[[bytes], Iterator[Find]]


class Lines(Protocol):
    """Lines of a file, by number, in the order of the file."""

    @property
    def end(self) -> int:
        """Where the last of them ends."""

    def span(self, number: int) -> tuple[int, int]:
        """Where a line begins and ends."""

    def number_at(self, place: int) -> int:
        """The last line that begins here or before; -1 where none does."""

    def read(self, start: int, length: int) -> bytes:
        """Bytes of the file, fewer where it has become shorter."""


class LineScan:
    """The lines that hold what `look` finds; `reach` is how many bytes that has at most.

    A window is looked through when a line in it is asked for, and once; lines may be added
    meanwhile, by another thread.  `holding` are those found so far.
    """

    def __init__(self, lines: Lines, look: Look, reach: int) -> None:
        self._lines = lines
        self._look = look
        self._reach = reach
        self._known_to: dict[int, int] = {}
        self.holding: set[int] = set()

    def around(self, number: int) -> Generator[None, None, range]:
        """The lines, this one among them, that are known now to be in `holding` or not.

        A step for each window that is looked through.
        """
        lines = self._lines
        start, end = lines.span(number)
        first, last = start // WINDOW_BYTES, (end - 1) // WINDOW_BYTES
        for window in range(first, last + 1):
            needed = min(end, (window + 1) * WINDOW_BYTES)
            if self._known_to.get(window, 0) < needed:
                self._look_through(window)
                yield
        known_to = min(self._known_to[last], (last + 1) * WINDOW_BYTES)
        stop = lines.number_at(known_to - 1)
        is_whole = lines.span(stop)[1] <= known_to
        return range(lines.number_at(first * WINDOW_BYTES - 1) + 1, stop + is_whole)

    def _look_through(self, window: int) -> None:
        start, known_to = window * WINDOW_BYTES, self._lines.end
        raw = self._lines.read(start, WINDOW_BYTES + self._reach - 1)
        for find in self._look(raw):
            at = find(0)
            while at >= 0:
                at = find(self._noted(start + at) - start)
        self._known_to[window] = known_to

    def _noted(self, place: int) -> int:
        """Where to go on: what else is in the same line does not matter."""
        number = self._lines.number_at(place)
        end = self._lines.span(number)[1] if number >= 0 else 0
        if place < end:
            self.holding.add(number)
        return max(end, place + 1)


VEIL_BYTES = 6
# What JSON.stringify would not have escaped, or not so; and the letters of other alphabets that
# are an i, a k or an s where case is ignored.  An escaped backslash before it makes it none.
_VEILED = re.compile(
    rb"\\(?<![^\\]\\\\)(?:/|u(?:00(?:0[89acd]|[2-7])|01(?:3[01]|7f)|212a|[0-9a-f]{0,3}[A-F]))"
)
_VEILED_LETTERS = tuple(letter.encode() for letter in "\u0130\u0131\u017f\u212a")


def veils(window: bytes) -> Iterator[Find]:
    """Where ASCII that is read, or found, is written as something else."""

    def escape(start: int) -> int:
        found = _VEILED.search(window, start)
        return found.start() if found else -1

    yield escape
    for letter in () if window.isascii() else _VEILED_LETTERS:
        if letter[:1] in window:
            yield partial(window.find, letter)
