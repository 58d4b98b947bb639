"""A literal → the entries that may say it, told from the bytes of their lines.

What is proved of a line: no text of its entry holds the longest piece of the literal that JSON
writes as it is.  A line in which something may be written otherwise proves nothing, and neither
does a piece that a text may have from us.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from functools import partial

from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.bodies import Bodies, StoredBodies
from condense_tui.session.entries import Entry
from condense_tui.session.linescan import Find, LineScan

# A comma stands where the type of an image ends and our words about its size begin.
_PLAIN_PIECE = re.compile(r"[ !#-+\--\[\]-~]+")
# What passages say that does not stand in the line: numbers and constants as JavaScript writes
# them, white space of indented JSON, sizes of images, fields of messages that pi makes.
_MADE_WORDS = ("true", "false", "null", "infinity", "e", "k", "m", "bytes", "of", "no", "type")
_MADE_FIELDS = ("role", "custom", "timestamp")
_BETWEEN_MADE_WORDS = re.compile(r"[0-9 {}\[\]:.+-]+")

_ALL = range(2**62)


class Sieve:
    """For one search; without a piece everything passes, and so does what lies in another file
    than the first entry that is asked about.

    `known` are entries, by index, about which no steps are needed.
    """

    def __init__(self, pattern: SearchPattern | None = None) -> None:
        self._ignores_case = bool(pattern and pattern.expression.flags & re.IGNORECASE)
        self._piece = _longest_piece((pattern and pattern.literal) or "")
        if self._ignores_case:
            self._piece = self._piece.lower()
        self._bodies: Bodies | None = None
        self._scans: tuple[LineScan, ...] = ()
        self._held: Set[int] = frozenset()
        self._veiled: Set[int] = frozenset()
        self.known = range(0)

    def steps(self, entry: Entry) -> Iterable[None]:
        """To be gone through before an entry is asked about; each looks through a few bytes."""
        bodies = entry.bodies
        if not self._piece:
            return ()
        if self._bodies is None and isinstance(bodies, StoredBodies):
            scan = LineScan(bodies, self._look, len(self._piece))
            self._bodies, self._scans = bodies, (scan, bodies.veiled)
            self._held, self._veiled = scan.holding, bodies.veiled.holding
        return self._look_around(entry.index) if bodies is self._bodies else ()

    def _look_around(self, number: int) -> Iterator[None]:
        known = _ALL
        for scan in self._scans:
            around = yield from scan.around(number)
            known = range(max(known.start, around.start), min(known.stop, around.stop))
        self.known = known

    def passes(self, entry: Entry) -> bool:
        """Whether the entry may say it."""
        number = entry.index
        if entry.bodies is not self._bodies or number not in self.known:
            return True
        return number in self._held or number in self._veiled

    def passes_text(self, text: str) -> bool:
        """Whether this text may say it."""
        if not self._piece or not text.isascii():
            return True
        return self._piece in (text.lower() if self._ignores_case else text)

    def _look(self, window: bytes) -> Iterator[Find]:
        looked_at = window.lower() if self._ignores_case else window
        yield partial(looked_at.find, self._piece.encode())


def _longest_piece(literal: str) -> str:
    pieces = (piece for piece in _PLAIN_PIECE.findall(literal) if not _may_be_made(piece))
    return max(pieces, key=len, default="")


def _may_be_made(piece: str) -> bool:
    words = _BETWEEN_MADE_WORDS.split(piece.lower())
    return all(any(word in made for made in (*_MADE_WORDS, *_MADE_FIELDS)) for word in words)
