"""`Finder`: the hits of one pattern, and the one that is looked at; found bit by bit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from condense_tui.inspection.patterns import SearchPattern
from condense_tui.inspection.search import MAX_HITS, Found, Hit, search
from condense_tui.inspection.searched import sifted_texts
from condense_tui.inspection.sieve import Sieve
from condense_tui.tui.picture import Picture
from condense_tui.view.words import counted

_SECONDS_BETWEEN = 0.05


class Finder:
    """Holds what was found of a pattern so far, and where one is in it; None finds nothing.

    `at` goes on where another finder was, without going there.
    """

    def __init__(self, pattern: SearchPattern | None = None, at: int | None = None) -> None:
        self.pattern = pattern
        self.hit: Hit | None = None
        self._hits: list[Hit] = []
        self.is_resumed = at is not None
        self.at = -1 if at is None else at
        self._given_up = 0
        self._is_running = pattern is not None

    def add(self, found: Iterable[Found]) -> None:
        """Take in what was found since."""
        for each in found:
            self._hits += each.hits
            self._given_up += each.is_given_up
        if self.hit is None and 0 <= self.at < len(self._hits):
            self.hit = self._hits[self.at]

    def end(self) -> None:
        """Everything was looked at."""
        self._is_running = False

    def step(self, step: int) -> Hit | None:
        """Go to the next or previous hit, round the end; None if there is no hit."""
        if not self._hits:
            return None
        first = 0 if step > 0 else len(self._hits) - 1
        self.at = first if self.hit is None else (self.at + step) % len(self._hits)
        self.hit = self._hits[self.at]
        return self.hit

    @property
    def count_text(self) -> str:
        """`3 of 41`, with signs for a search that runs, was cut short or gave up on a text."""
        if self.pattern is None:
            return ""
        count = f"{len(self._hits):,}{'+' if len(self._hits) >= MAX_HITS else ''}"
        if self.hit is not None:
            count = f"{self.at + 1:,} of {count}"
        elif self._hits:
            count += " hit" if len(self._hits) == 1 else " hits"
        else:
            count = "" if self._is_running else "nothing found"
        given_up = f", gave up on {counted(self._given_up, 'text')}" if self._given_up else ""
        return f"{count}{'…' if self._is_running else ''}{given_up}"


def look_for(
    picture: Picture,
    pattern: SearchPattern,
    deliver: Callable[[tuple[Found, ...], bool], None],
    is_cancelled: Callable[[], bool],
) -> None:
    """In a thread: deliver what is found, not too often, and whether it is over.

    Returns early when cancelled.
    """
    read_sidecar, sieve = picture.documents.read_sidecar, Sieve(pattern)
    texts = sifted_texts(picture.inspection, picture.links, read_sidecar, sieve)
    batch: list[Found] = []
    delivered = time.monotonic()
    for found in search(texts, pattern, time.monotonic):
        if is_cancelled():
            return
        if found.hits or found.is_given_up:
            batch.append(found)
        if batch and time.monotonic() - delivered > _SECONDS_BETWEEN:
            deliver(tuple(batch), False)
            batch, delivered = [], time.monotonic()
    deliver(tuple(batch), True)
