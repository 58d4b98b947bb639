"""A typed text → what it finds, as rows of the query panel, and what may be typed at all.

(Source of what is found and how it is labelled: the pruning rules, section 5.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import CallTarget, Links
from condense_tui.inspection.summarytree import call_text, output_size, size_unit
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.query import (
    Answer,
    BodySource,
    Match,
    ReadSidecar,
    query,
    tool_answer,
)
from condense_tui.pruning.sidecars import RememberedSidecars
from condense_tui.pruning.slots import FateKind
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import number_text
from condense_tui.view.cells import cell_len
from condense_tui.view.columns import cell, key_cell
from condense_tui.view.lines import Giving, Line, Span, Tone, accent, dim, line, text_of
from condense_tui.view.printable import one_line
from condense_tui.view.query import SEPARATORS
from condense_tui.view.words import FATE_WORDS, counted

_REF, _TURN, _STATUS, _SIZE = 5, 8, 6, 12
_MIN_LABEL, _MIN_CALL, _GAP = 8, 12, 3
_WIDE = 90
_NOT_FOUND = "not found in the index: it may not have been summarised yet"


class Heading(Value, frozen=True):
    """What was asked for, above what it names; `count` is how many occurrences that are."""

    asked: str
    count: int


class Candidate(Value, frozen=True):
    """A known text that begins with what is typed."""

    text: str


Row = Heading | Candidate | Match


class Found(Value, frozen=True):
    """What a typed text finds; `tool_text` is what the model's tool would answer."""

    typed: str
    answers: tuple[Answer, ...]
    rows: tuple[Row, ...]
    tool_text: str

    @property
    def matches(self) -> list[Match]:
        """Every occurrence, in the order of the rows."""
        return [row for row in self.rows if isinstance(row, Match)]

    @property
    def first_choice(self) -> int:
        """The first row that is no heading."""
        rows = enumerate(self.rows)
        return next((number for number, row in rows if not isinstance(row, Heading)), 0)


def completed(typed: str, text: str) -> str:
    """The typed text with its last word replaced."""
    return typed[: len(typed) - len(last_word(typed))] + text


def last_word(typed: str) -> str:
    """What is being typed just now."""
    return SEPARATORS.split(typed)[-1]


def asked_texts(typed: str, index: PruneIndex) -> tuple[str, ...]:
    """The typed words; an id may hold blanks or commas, so the whole comes first."""
    whole = typed.strip()
    if whole and index.records_for(whole):
        return (whole,)
    return tuple(word for word in SEPARATORS.split(whole) if word)


def look_up(
    typed: str, index: PruneIndex, known: Sequence[str], read_sidecar: ReadSidecar
) -> Found:
    """Every occurrence that the words name; where there is none, what one may have meant."""
    asked = asked_texts(typed, index)
    # The answers and the tool's answer hold the same bodies.
    read_sidecar = RememberedSidecars(read_sidecar, math.inf)
    answers = tuple(query(index, asked, read_sidecar))
    rows: list[Row] = list(_answer_rows(answers))
    if not any(isinstance(row, Match) for row in rows):
        word = last_word(typed)
        rows += [Candidate(text) for text in known if text.startswith(word)]
    return Found(typed, answers, tuple(rows), tool_answer(index, asked, read_sidecar))


def _answer_rows(answers: Sequence[Answer]) -> Iterator[Row]:
    for answer in answers:
        count = len(answer.matches)
        if count == 0 or (count > 1 and len(answers) > 1):
            yield Heading(answer.asked, count)
        yield from answer.matches


def verdict(found: Found) -> Line:
    """How much was found, in words; of a narrow line first goes what hardly needs saying."""
    candidates = sum(isinstance(row, Candidate) for row in found.rows)
    if not found.answers:
        return line(dim(f"{counted(candidates, 'name')} to ask for"))
    count = len(found.matches)
    if not count:
        word = one_line(last_word(found.typed))
        begin = f"{candidates} known begin with {word}" if word else f"{candidates} known"
        return line(
            Span("not found", Tone.WARNING),
            Span(f" · {begin}" if candidates else "", Tone.WARNING, Giving.SHRINKS),
        )
    missing = sum(not answer.matches for answer in found.answers)
    names = f" for {counted(len(found.answers), 'name')}" if len(found.answers) > 1 else ""
    return line(
        dim(counted(count, "occurrence")),
        Span(names, Tone.DIM, Giving.GOES),
        Span(f", {missing} not found" if missing else "", Tone.DIM, Giving.LINGERS),
        Span(", oldest first" if count > 1 else "", Tone.DIM, Giving.GOES),
    )


_PLACE_WORDS: Mapping[FateKind, str] = {
    **FATE_WORDS,
    FateKind.KEPT: "sent whole",
    FateKind.DROPPED: "dropped",
    FateKind.SWEPT: "swept",
}
_SOURCE_SPANS: Mapping[BodySource, Span] = {
    BodySource.SIDECAR: dim("spilled"),
    BodySource.PREVIEW: Span("spilled, preview only", Tone.WARNING),
    BodySource.NONE: Span("spilled, file missing", Tone.BAD),
}


class RowWriter(Value, frozen=True):
    """Writes the rows of one look at a session."""

    inspection: Inspection
    links: Links

    def lines(self, found: Found, width: int) -> list[Line]:
        """Every row but candidates laid out in columns; `width` in cells."""
        matches = found.matches
        labels = (cell_len(one_line(match.label)) for match in matches)
        stories = (cell_len(text_of(self.story(match))) for match in matches)
        label_width = max(min(max(labels, default=0), width // 3), _MIN_LABEL)
        left = width - label_width - _REF - _TURN - _STATUS - _GAP
        if width >= _WIDE:
            left = max(left - _SIZE - _GAP - max(stories, default=0), _MIN_CALL)
        return [
            self._match(row, label_width, left, width >= _WIDE)
            if isinstance(row, Match)
            else _heading(row)
            for row in found.rows
            if not isinstance(row, Candidate)
        ]

    def candidate(self, candidate: Candidate) -> Line:
        """A known text and what it names."""
        records = self.inspection.index.records_for(candidate.text)
        text = accent(f"  {cell(candidate.text, max(cell_len(candidate.text), 12))}  ")
        if not records:
            return line(text, Span("no record", Tone.WARNING))
        if len(records) == 1:
            return line(text, call_text(records[0]))
        names = ", ".join(dict.fromkeys(record.tool_name for record in records))
        return line(text, Span(counted(len(records), "occurrence"), Tone.WARNING), f" · {names}")

    def target(self, match: Match) -> CallTarget:
        """The occurrence that a match is: an alias asked for by its own key stays that alias."""
        key = match.label if match.label in self.links.node_of_key else match.key
        return CallTarget(key, self.inspection.index.is_shadowed(match.record))

    def _match(self, match: Match, label_width: int, call_width: int, is_wide: bool) -> Line:
        record = match.record
        ref = self.inspection.index.ref_of_key.get(self.target(match).key)
        turn = "?" if record.turn_index is None else number_text(record.turn_index)
        status = Span("error", Tone.BAD) if record.is_error else Span("ok", Tone.GOOD)
        size = f"{compact_count(output_size(record))} {size_unit(record)}"
        return line(
            accent(f" {key_cell(match.label, label_width)}  "),
            accent(cell(ref or "–", _REF)),
            dim(cell(f"turn {turn}", _TURN)),
            Span(cell(status.text, _STATUS), status.tone),
            *((dim(cell(size, _SIZE)),) if is_wide else ()),
            cell(call_text(record), call_width),
            *((dim(" · "), *self.story(match)) if is_wide else ()),
        )

    def story(self, match: Match) -> Line:
        """Where an occurrence is summarised, what became of it, who asked for it again."""
        pieces = self._story_pieces(match, self.target(match).key)
        return tuple(span for piece in pieces for span in (dim(" · "), piece))[1:]

    def _story_pieces(self, match: Match, key: str) -> Iterator[Span]:
        if match.is_legacy:
            yield Span("legacy (no resultTimestamp)", Tone.WARNING)
        if original := self._original(match, key):
            yield dim(f"= {original}")
        if summary := self.links.summary_of_key.get(key):
            turn = summary.summary.turn_index
            yield Span(f"Turn {'?' if turn is None else number_text(turn)} summary")
        yield self._place(key)
        if recoveries := len(self.links.recoveries_of_key.get(key, ())):
            yield Span(f"recovered {recoveries}×", Tone.GOOD)
        if match.source in _SOURCE_SPANS:
            yield _SOURCE_SPANS[match.source]

    def _place(self, key: str) -> Span:
        number = self.links.slot_of_result.get(key)
        if number is None:
            return dim("not in the context")
        slot = self.inspection.plan.slots[number]
        fate = slot.fates[-1]
        block = f" into {fate.block}" if fate.kind is FateKind.DROPPED else ""
        return Span(f"{_PLACE_WORDS[fate.kind]}{block} #{slot.place}")

    def _original(self, match: Match, key: str) -> str | None:
        """The call whose output an alias has; None for a call with a record of its own."""
        index = self.inspection.index
        alias = index.aliases.get(key)
        if alias is None or index.records.get(key) is match.record:
            return None
        return index.ref_of_key.get(alias.original_key, alias.original_key)


def _heading(row: Heading) -> Line:
    if not row.count:
        return line(accent(f" {row.asked}  "), Span(_NOT_FOUND, Tone.WARNING))
    return line(accent(f" {row.asked}  "), dim(f"{row.count} occurrences, oldest first"))


def first_known(typed: str, known: Iterable[str]) -> str | None:
    """The typed text with its last word completed to the first known text, if there is one."""
    word = last_word(typed)
    if not word:
        return None
    texts = (text for text in known if text.startswith(word) and text != word)
    first = next(texts, None)
    return None if first is None else completed(typed, first)
