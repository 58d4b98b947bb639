"""Bodies of entries: the JSON objects of a session file, decoded when they are looked at.

A session is mostly outputs that nobody looks at, so what is kept of a line is where it lies.
What was decoded last is kept a while, since one look at a body is often followed by another.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from condense_tui.session.jsontext import parse_json
from condense_tui.session.linescan import VEIL_BYTES, LineScan, veils

Body = Mapping[str, Any]
ReadBytes = Callable[[int, int], bytes]
"""From a place in the file so many bytes; fewer where the file has become shorter."""

NO_BODY: Body = {}
UNKNOWN_SIZE = -1
_MOST_KEPT = 64
# Of longer lines only the last is kept: a few of them could be all the memory there is.
_LONG_LINE_BYTES = 32 * 1024


class Bodies(Protocol):
    """Where entries have their bodies, by the index of the entry."""

    def at(self, index: int) -> Body:
        """The body of this entry."""

    def size_at(self, index: int) -> int:
        """What was remembered as the size of its message, or `UNKNOWN_SIZE`."""

    def remember_size(self, index: int, chars: int) -> None:
        """Remember the size of its message, in characters of JSON."""


class KeptBody:
    """One body that lies in no file, or that is not what the file says."""

    __slots__ = ("_body", "_chars")

    def __init__(self, body: Body) -> None:
        self._body = body
        self._chars = UNKNOWN_SIZE

    def at(self, _index: int) -> Body:
        """The body."""
        return self._body

    def size_at(self, _index: int) -> int:
        """What was remembered."""
        return self._chars

    def remember_size(self, _index: int, chars: int) -> None:
        """Remember it."""
        self._chars = chars


class StoredBodies:
    """Bodies that lie in a file, of which `read` is asked for bytes; each is a line.

    What is no longer a JSON object, because the file was changed since, is an empty body.
    `veiled` are the lines whose bytes do not show all that they say.
    """

    def __init__(self, read: ReadBytes) -> None:
        self.read = read
        self.veiled = LineScan(self, veils, VEIL_BYTES)
        self._starts = array("q")
        self._lengths = array("q")
        self._chars = array("q")
        self._kept: dict[int, Body] = {}
        self._last_long: tuple[int, Body] = (-1, NO_BODY)

    def copy(self) -> StoredBodies:
        """The same bodies, to which others may be added."""
        other = StoredBodies(self.read)
        other._starts, other._lengths = self._starts[:], self._lengths[:]
        other._chars = self._chars[:]
        return other

    def add(self, start: int, length: int) -> None:
        """Where the line of the next entry lies; what has a start has the rest, at any moment."""
        self._chars.append(UNKNOWN_SIZE)
        self._lengths.append(length)
        self._starts.append(start)

    @property
    def end(self) -> int:
        """Where the last line ends."""
        known = len(self._starts)
        return self.span(known - 1)[1] if known else 0

    def span(self, index: int) -> tuple[int, int]:
        """Where the line of this entry begins and ends."""
        start = self._starts[index]
        return start, start + self._lengths[index]

    def number_at(self, place: int) -> int:
        """The last entry whose line begins here or before; -1 where none does."""
        return bisect_right(self._starts, place) - 1

    def at(self, index: int) -> Body:
        """The body of this entry."""
        if self._lengths[index] > _LONG_LINE_BYTES:
            kept, body = self._last_long
            if kept != index:
                body = self._decoded(index)
                self._last_long = index, body
            return body
        found = self._kept.get(index)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[index] = self._decoded(index)
        return found

    def _decoded(self, index: int) -> Body:
        try:
            body = parse_json(self.read(self._starts[index], self._lengths[index]))
        except ValueError:
            return NO_BODY
        return body if isinstance(body, dict) else NO_BODY

    def size_at(self, index: int) -> int:
        """What was remembered."""
        return self._chars[index]

    def remember_size(self, index: int, chars: int) -> None:
        """Remember it."""
        self._chars[index] = chars


class ChangedBodies:
    """Other bodies, each changed on the way; nothing of the change is kept."""

    def __init__(self, bodies: Bodies, change: Callable[[Body], Body]) -> None:
        self._bodies = bodies
        self._change = change

    def at(self, index: int) -> Body:
        """The body of this entry, changed."""
        return self._change(self._bodies.at(index))

    def size_at(self, index: int) -> int:
        """What was remembered."""
        return self._bodies.size_at(index)

    def remember_size(self, index: int, chars: int) -> None:
        """Remember it."""
        self._bodies.remember_size(index, chars)
