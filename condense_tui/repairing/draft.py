"""Bytes ⇄ `Draft`: the lines of a copy, each the source's own bytes until a fix changes it.

A draft is never changed in place: a fix makes another one, and says line by line what it did.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec import field

from condense_tui.repairing.lines import BROKEN, NOTHING, TOO_DEEP, Key, Line, Note
from condense_tui.repairing.pairing import Pairing, pair_results
from condense_tui.repairing.tree import Tree
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Header, Refusal
from condense_tui.session.jsontext import TooDeepError, as_number, parse_json
from condense_tui.session.reading import read_session


class Draft(Value, frozen=True, eq=False, dict=True):
    """The lines of the copy in order.

    What fixes tell each other: `lost_parents` has the parent of a record that is lost, where it
    can still be read; `followers` the entry that was the first to hang below a missing one;
    `kept` the line that a compaction of version 1, which counts records, keeps first.
    """

    lines: tuple[Line, ...]
    ends_line: bool = True
    lost_parents: Mapping[str, str | None] = field(default_factory=dict)
    followers: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[Key, Key] = field(default_factory=dict)

    @cached_property
    def header(self) -> Header | Refusal:
        """The header, or why these lines are no session."""
        first = next((line for line in self.lines if line.is_record), None)
        session = read_session(first.raw if first else b"\n" if self.lines else b"")
        return session if isinstance(session, Refusal) else session.header

    @property
    def version(self) -> int:
        """The version that the header says; current where there is no header."""
        header = self.header
        return header.version if isinstance(header, Header) else 3

    @property
    def has_ids(self) -> bool:
        """Whether entries name their parents; before version 2 their order is the path."""
        return self.version >= 2

    @cached_property
    def entries(self) -> list[tuple[int, Line]]:
        """Every entry with its place among the lines."""
        return [(place, line) for place, line in enumerate(self.lines) if line.is_entry]

    @cached_property
    def tree(self) -> Tree:
        """How the entries hang together."""
        return Tree(self.entries, self.has_ids, self.kept)

    @cached_property
    def pairing(self) -> Pairing:
        """Which result answers which call."""
        return pair_results(self.tree)

    def with_lines(self, mended: Mapping[int, Line]) -> Draft:
        """The draft with these lines in the place of others."""
        if not mended:
            return self
        lines = list(self.lines)
        for place, line in mended.items():
            lines[place] = line
        return changed(self, lines=tuple(lines))

    def without(self, is_left_out: Callable[[Line], bool]) -> Draft:
        """The draft without some lines."""
        return changed(self, lines=tuple(line for line in self.lines if not is_left_out(line)))

    @property
    def raw(self) -> bytes:
        """The bytes of the copy."""
        raw = b"\n".join(line.raw for line in self.lines)
        return raw + b"\n" if self.ends_line and self.lines else raw

    @property
    def counted_again(self) -> Draft:
        """Compactions of version 1 keep the same line, whatever was added or left out."""
        return changed(self, lines=_counted_again(self)) if self.kept else self


class Outcome(Value, frozen=True):
    """What a fix leaves: the draft, what it did, and what it saw and could not mend."""

    draft: Draft
    done: tuple[Note, ...] = ()
    left: tuple[Note, ...] = ()


Mend = Callable[[Draft], Outcome]


def read_draft(raw: bytes) -> Draft:
    """The lines of a file, split on line feeds only."""
    pieces = raw.split(b"\n")
    ends_line = not pieces[-1]
    if ends_line:
        pieces.pop()
    lines = tuple(Line(number, text, _value(text)) for number, text in enumerate(pieces, 1))
    draft = Draft(lines, ends_line)
    return with_kept_lines(draft, draft.lines)


def _value(text: bytes) -> Any:
    if not text or text.isspace():
        return NOTHING
    try:
        return parse_json(text)
    except TooDeepError:
        return TOO_DEEP
    except ValueError:
        return BROKEN


def with_kept_lines(draft: Draft, compactions: Iterable[Line]) -> Draft:
    """Note what these compactions keep by the records as they are counted now."""
    if draft.has_ids:
        return draft
    counted = [line.key for line in draft.lines if line.is_record]
    kept = {
        line.key: counted[index]
        for line in compactions
        if (index := _kept_index(line)) is not None and 0 <= index < len(counted)
    }
    return changed(draft, kept={**draft.kept, **kept})


def _kept_index(line: Line) -> int | None:
    index = as_number(line.body.get("firstKeptEntryIndex"))
    return index if line.type == "compaction" and isinstance(index, int) else None


def _counted_again(draft: Draft) -> tuple[Line, ...]:
    place_of = {line.key: place for place, line in enumerate(filter(_is_record, draft.lines))}
    keys = sorted(place_of)
    return tuple(
        line.with_fields(firstKeptEntryIndex=place)
        if line.key in draft.kept
        and (place := _place_of(draft.kept[line.key], place_of, keys)) != _kept_index(line)
        else line
        for line in draft.lines
    )


def _is_record(line: Line) -> bool:
    return line.is_record


def _place_of(key: Key, place_of: Mapping[Key, int], keys: list[Key]) -> int:
    """The place of this line, or of the one that followed where it was left out."""
    if key in place_of:
        return place_of[key]
    following = bisect(keys, key)
    return place_of[keys[following]] if following < len(keys) else len(keys)
