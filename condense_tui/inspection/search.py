"""Search through everything that a session says, pruned or not: text by text, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from condense_tui.inspection.links import Target
from condense_tui.inspection.literals import literal_finder
from condense_tui.inspection.patterns import SearchPattern, Span
from condense_tui.inspection.searched import SearchText
from condense_tui.session.compact import Value

MAX_HITS = 10_000
_TEXT_SECONDS = 0.5
_TOTAL_SECONDS = 10.0
_EXCERPT_CHARS = 30

Clock = Callable[[], float]
Spans = Sequence[Span | None]


class Hit(Value, frozen=True):
    """Where the pattern was found: characters `start` to `end` of a passage of a target."""

    target: Target
    passage: int
    start: int
    end: int
    excerpt: str


class Found(Value, frozen=True):
    """What one text held; `is_given_up` if the pattern took too long there."""

    hits: tuple[Hit, ...]
    is_given_up: bool = False


_NOTHING = Found(())


def search(
    texts: Iterable[SearchText | None], pattern: SearchPattern, clock: Clock
) -> Iterator[Found]:
    """One `Found` for each text, for each None, and for each few megabytes of a long text, so
    that whoever asks can stop at any of them.

    Ends after `MAX_HITS` hits.  A regular expression has a time, in seconds of `clock`, for
    each text and one for all; what it does not finish is given up, and said.
    """
    left = MAX_HITS
    end = clock() + _TOTAL_SECONDS
    look = _by_line(pattern, clock) if pattern.literal is None else literal_finder(pattern)
    for text in texts:
        if text is None:
            yield _NOTHING
            continue
        shown = text.passage.text
        for spans in look(shown, text.passage.is_json):
            found = _found(text, shown, spans[:left]) if spans else _NOTHING
            left -= len(found.hits)
            if left <= 0 or (pattern.literal is None and clock() > end):
                yield Found(found.hits, is_given_up=left > 0)
                return
            yield found


def _found(searched: SearchText, text: str, spans: Sequence[Span | None]) -> Found:
    hits = (
        Hit(searched.target, searched.number, *span, _excerpt(text, *span))
        for span in spans
        if span is not None
    )
    return Found(tuple(hits), is_given_up=None in spans)


def _by_line(pattern: SearchPattern, clock: Clock) -> Callable[[str, bool], Iterable[Spans]]:
    def look(text: str, is_json: bool) -> Iterator[Spans]:
        yield list(islice(_spans_by_line(text, is_json, pattern, clock), MAX_HITS))

    return look


def _spans_by_line(
    text: str, is_json: bool, pattern: SearchPattern, clock: Clock
) -> Iterator[Span | None]:
    """None at the end if the time for this text is over."""
    end = clock() + _TEXT_SECONDS
    line_start = 0
    for line in text.split("\n"):
        position: int | None = 0
        while position is not None:
            if clock() > end:
                yield None
                return
            spans, position = pattern.piece_spans(line, position, is_json)
            yield from ((line_start + start, line_start + stop) for start, stop in spans)
        line_start += len(line) + 1


def _excerpt(text: str, start: int, end: int) -> str:
    """What stands around a hit, on one line."""
    around = text[max(start - _EXCERPT_CHARS, 0) : min(end, start + 100) + _EXCERPT_CHARS]
    return " ".join(around.split())
