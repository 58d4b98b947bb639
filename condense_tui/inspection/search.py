"""Search through everything that a session says, pruned or not: text by text, in order.

Looked at are both sides of every slot, then the outputs of records that the context does not
hold as they are (of branches cut off, compacted away, spilled to a sidecar), then summaries and
blocks without a place in the context.  A text that stands in two places is one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    Links,
    SlotTarget,
    SummaryTarget,
    Target,
)
from condense_tui.inspection.literals import literal_finder
from condense_tui.inspection.passages import Passage, PassageKind, call_passages, slot_passages
from condense_tui.inspection.patterns import SearchPattern, Span
from condense_tui.pruning.query import ReadSidecar, match_of
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


class SearchText(Value, frozen=True):
    """One text that is searched: a passage of a target, by its number."""

    target: Target
    number: int
    passage: Passage


def search(texts: Iterable[SearchText], pattern: SearchPattern, clock: Clock) -> Iterator[Found]:
    """One `Found` for each text, and for each few megabytes of a long one, so that whoever asks
    can stop at any of them.

    Ends after `MAX_HITS` hits.  A regular expression has a time, in seconds of `clock`, for
    each text and one for all; what it does not finish is given up, and said.
    """
    left = MAX_HITS
    end = clock() + _TOTAL_SECONDS
    look = _by_line(pattern, clock) if pattern.literal is None else literal_finder(pattern)
    for text in texts:
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


def searched_texts(
    inspection: Inspection, links: Links, read_sidecar: ReadSidecar
) -> Iterator[SearchText]:
    """Every text of one look at a session, in the order in which hits are counted."""
    slots = inspection.plan.slots
    for number, slot in enumerate(slots):
        yield from _numbered(SlotTarget(number), slot_passages(slot))
    for record in inspection.index.records.values():
        output = match_of(record, record.key, read_sidecar).output
        place = links.slot_of_result.get(record.key)
        before = None if place is None else slots[place].before
        if before is None or before.text != output:
            passages = call_passages(record, output)
            yield from _numbered(CallTarget(record.key), passages)
    for entry_index, node in links.summary_of_entry.items():
        if entry_index not in links.slot_of_entry:
            passage = Passage(PassageKind.TEXT, node.summary.text)
            yield SearchText(SummaryTarget(entry_index), 0, passage)
    for start, chain_node in links.node_of_start.items():
        chain = chain_node.chain
        if chain.block_id not in links.slot_of_block and chain.range_summary:
            passage = Passage(PassageKind.TEXT, chain.range_summary)
            yield SearchText(ChainTarget(start), 0, passage)


def _numbered(target: Target, passages: list[Passage]) -> Iterator[SearchText]:
    return (SearchText(target, number, passage) for number, passage in enumerate(passages))
