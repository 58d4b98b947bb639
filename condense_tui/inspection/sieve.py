"""A literal → the entries that may say it, told from the bytes of their lines.

What is proved of a line: no text of its entry holds the longest piece of the literal that JSON
writes as it is.  A line in which something may be written otherwise proves nothing, and neither
does a piece that a text may have from us.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from functools import partial

from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.bodies import StoredBodies
from condense_tui.session.entries import Entry
from condense_tui.session.linescan import Find, LineScan

# A comma stands where the type of an image ends and our words about its size begin.
_PLAIN_PIECE = re.compile(r"[ !#-+\--\[\]-~]+")
# What passages say that does not stand in the line: numbers and constants as JavaScript writes
# them, white space of indented JSON, sizes of images, fields of messages that pi makes.
_MADE_WORDS = ("true", "false", "null", "infinity", "e", "k", "m", "bytes", "of", "no", "type")
_MADE_FIELDS = ("role", "custom", "timestamp")
_BETWEEN_MADE_WORDS = re.compile(r"[0-9 {}\[\]:.+-]+")


class Sieve:
    """For one search; without a `piece` everything passes."""

    def __init__(self, pattern: SearchPattern | None = None) -> None:
        self._ignores_case = bool(pattern and pattern.expression.flags & re.IGNORECASE)
        self._piece = _longest_piece((pattern and pattern.literal) or "")
        if self._ignores_case:
            self._piece = self._piece.lower()
        self._scan: LineScan | None = None
        self._bodies: StoredBodies | None = None

    def passes(self, entry: Entry) -> Generator[None, None, bool]:
        """Whether the entry may say it, at the end; a step for each few bytes looked through."""
        bodies = entry.bodies
        if not self._piece or not isinstance(bodies, StoredBodies):
            return True
        if self._scan is None:
            self._scan, self._bodies = LineScan(bodies, self._look, len(self._piece)), bodies
        if bodies is not self._bodies:
            return True
        is_held = yield from self._scan.holds(entry.index)
        return is_held or (yield from bodies.veiled.holds(entry.index))

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
