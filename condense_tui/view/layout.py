"""A document and a width → rows, each made when it comes into sight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import accumulate

from condense_tui.inspection.links import Target
from condense_tui.inspection.patterns import SearchPattern
from condense_tui.session.compact import Value
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line
from condense_tui.view.typesetting import Typeset, typeset, typeset_line
from condense_tui.view.words import plural
from condense_tui.view.wrapping import Wrapping

FOLDED_CHARS = 40_000
"""As much is shown of a long text until it is unfolded."""

_FOLDED_LINES = 200
_MAX_NAME_CHARS = 200
# How far around a row a hit may begin or end and still be seen.
_HIT_REACH = 300
# Code in prose and strings in JSON may name something.
_NAME_TONES = frozenset({Tone.ACCENT, Tone.GOOD})
_QUOTES = '`"'
_LINE_CACHE = 64

Stretch = tuple[int, int]


class Link(Value, frozen=True):
    """Characters of a row that lead somewhere."""

    stretch: Stretch
    target: Target


class Row(Value, frozen=True):
    """A row of a document; Enter follows `target` or a link, or unfolds a block."""

    line: Line = ()
    target: Target | None = None
    links: tuple[Link, ...] = ()
    hits: tuple[Stretch, ...] = ()
    unfolds: int | None = None


class Place(Value, frozen=True):
    """A character of a document, whatever the width: of a line of a block."""

    block: int
    line: int = 0
    column: int = 0


class Folding(Value, frozen=True):
    """What of a document is shown: Markdown as source, long texts from end to end."""

    as_source: bool = False
    is_whole: bool = False
    unfolded: Collection[int] = ()


class _Piece(Value, frozen=True):
    """What a row shows of a span, from which character of its line on.

    `name` is what the whole span may name, if it is of a tone that names things.
    """

    shown: Span
    start: int
    name: str


class _Section:
    """A block, or the sign of what is folded of it, typeset and wrapped."""

    def __init__(self, number: int, block: Block, lines: Typeset, width: int) -> None:
        self.number = number
        self.block = block
        self.typeset = lines
        self.wrapping = Wrapping(lines.lines, width, lines.is_prose, lines.indents)
        self.unfolds: int | None = None
        # A line of a megabyte is not toned anew for each of its rows.
        self._toned = lru_cache(_LINE_CACHE)(self._tone)

    def _tone(self, line_number: int) -> tuple[Line, list[int]]:
        spans = self.typeset.line_at(line_number)
        return spans, list(accumulate((len(span.text) for span in spans), initial=0))

    @property
    def line(self) -> Line:
        """Of a section of one line, that line."""
        return self.typeset.line_at(0)

    def indent(self, line_number: int) -> int:
        """How far the rows that go on are indented."""
        return self.typeset.indents[line_number] if self.typeset.indents else 0

    def pieces(self, line_number: int, start: int, end: int) -> Iterator[_Piece]:
        """The spans between two characters of a line."""
        spans, offsets = self._toned(line_number)
        for number in range(bisect_right(offsets, start) - 1, len(spans)):
            offset, span = offsets[number], spans[number]
            if offset >= end:
                return
            first = max(start - offset, 0)
            shown = Span(span.text[first : end - offset], span.tone)
            is_name = span.tone in _NAME_TONES and len(span.text) <= _MAX_NAME_CHARS
            yield _Piece(shown, offset + first, span.text.strip(_QUOTES) if is_name else "")

    def hits(
        self, line_number: int, start: int, end: int, pattern: SearchPattern | None
    ) -> Iterator[Stretch]:
        """Where the pattern is found in a row, as characters of its line."""
        if pattern is None or self.block.text is None:
            return
        first = max(start - _HIT_REACH, 0)
        around = self.typeset.lines[line_number][first : end + _HIT_REACH]
        for found in pattern.spans(around, self.block.form is Form.JSON):
            if found[0] + first < end and found[1] + first > start:
                yield found[0] + first, found[1] + first

    def row_at(self, place: Place) -> int:
        """The row of a place; what is not there is at the end."""
        line_number = min(place.line, len(self.typeset.lines) - 1)
        return self.wrapping.row_at(line_number, place.column)


class Layout:
    """The rows of a document at one width; linear in its text, once, and cheap for a row."""

    def __init__(self, document: Document, width: int, folding: Folding) -> None:
        self._document = document
        self._folding = folding
        self._sections = list(self._make_sections(width))
        counts = (len(section.wrapping) for section in self._sections)
        self._first_rows = list(accumulate(counts, initial=0))

    def __len__(self) -> int:
        return self._first_rows[-1]

    def _make_sections(self, width: int) -> Iterator[_Section]:
        for number, block in enumerate(self._document.blocks):
            if block.text is None:
                yield _Section(number, block, typeset_line(block.line), width)
                continue
            text, rest = block.text, ""
            if not (self._folding.is_whole or number in self._folding.unfolded):
                text, rest = folded(text)
            lines = typeset(text, block.form, self._folding.as_source)
            yield _Section(number, block, lines, width)
            if rest:
                sign = line(accent("… "), dim(f"{rest} (Enter shows them)"))
                section = _Section(number, block, typeset_line(sign), width)
                section.unfolds = number
                yield section

    def row(self, number: int, pattern: SearchPattern | None = None) -> Row:
        """One row, and where the pattern is found in it."""
        section, row = self._section_at(number)
        if section.unfolds is not None:
            return Row(section.line, unfolds=section.unfolds)
        line_number, start, end = section.wrapping.place(row)
        indent = section.indent(line_number) if start else 0
        pieces = list(section.pieces(line_number, start, end))
        lead = (Span(" " * indent),) if indent else ()
        shift = indent - start
        return Row(
            line=(*lead, *(piece.shown for piece in pieces)),
            target=section.block.target,
            links=tuple(self._links(pieces, shift)),
            hits=tuple(
                (max(first, start) + shift, min(last, end) + shift)
                for first, last in section.hits(line_number, start, end, pattern)
            ),
        )

    def _section_at(self, row: int) -> tuple[_Section, int]:
        at = bisect_right(self._first_rows, row) - 1
        return self._sections[at], row - self._first_rows[at]

    def _links(self, pieces: list[_Piece], shift: int) -> Iterator[Link]:
        for piece in pieces:
            if piece.name and (target := self._document.target_named(piece.name)):
                end = piece.start + len(piece.shown.text)
                yield Link((piece.start + shift, end + shift), target)

    def place_of(self, row: int) -> Place:
        """What a row shows first; the sign of what is folded stands for the first of that."""
        section, row = self._section_at(row)
        if section.unfolds is not None:
            text = section.block.text or ""
            shown, _ = folded(text)
            lines = shown.split("\n")
            if text.startswith("\n", len(shown)):
                return Place(section.number, len(lines))
            return Place(section.number, len(lines) - 1, len(lines[-1]))
        line_number, start, _ = section.wrapping.place(row)
        return Place(section.number, line_number, start)

    def row_of(self, place: Place) -> int:
        """The row that shows a place, or the last one before it."""
        for first_row, section in zip(self._first_rows, self._sections, strict=False):
            if section.number == place.block:
                return first_row + section.row_at(place)
        return 0

    def place_in(self, passage: int, offset: int) -> Place | None:
        """Where a character of a passage is shown."""
        for section in self._sections:
            text = section.block.text
            if section.block.passage == passage and text is not None:
                beginning = text[text.rfind("\n", 0, offset) + 1 : offset]
                line_number = text.count("\n", 0, offset)
                return Place(section.number, line_number, section.typeset.column(beginning))
        return None

    def hides(self, passage: int, offset: int) -> int | None:
        """The block that has to be unfolded to see a character of a passage."""
        for section in self._sections:
            if section.block.passage == passage and section.unfolds is not None:
                shown, _ = folded(section.block.text or "")
                return section.unfolds if offset >= len(shown) else None
        return None


def folded(text: str) -> tuple[str, str]:
    """The head of a long text, and how much more there is, in words; empty for a short one."""
    head = text[: FOLDED_CHARS + 1]
    *lines, rest = head.split("\n", _FOLDED_LINES)
    end = len(head) - len(rest)
    if len(lines) == _FOLDED_LINES and end < len(text):
        left = text.count("\n", end) + 1
        return text[: end - 1], f"{left:,} more {plural(left, 'line')}"
    if len(text) <= FOLDED_CHARS:
        return text, ""
    left = len(text) - FOLDED_CHARS
    return text[:FOLDED_CHARS], f"{left:,} more {plural(left, 'character')}"
