"""Bytes of a session file → `Session`, piece by piece.

What pi 1.6 reads is read; what it would skip is skipped and said.  Old versions are brought to
the present form, with ids made from line numbers, so that they stay the same from one reading
to the next.  (Source: the session format notes, sections 2 to 4 and 8.)
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from condense_tui.session.bodies import NO_BODY, ReadBytes, StoredBodies
from condense_tui.session.entries import (
    Entry,
    Header,
    Problem,
    ProblemKind,
    Refusal,
    Session,
    entry_of,
)
from condense_tui.session.jsontext import parse_json
from condense_tui.session.migration import Migration
from condense_tui.session.outlines import text_or_none
from condense_tui.session.recovery import recover_records
from condense_tui.session.skeletons import skeleton_of

CURRENT_VERSION = 3
EMPTY = Refusal("the file is empty")
NO_RECORD = Refusal("not a pi session: no line of it is a record")


def read_session(raw: bytes) -> Session | Refusal:
    """Read a whole session file; see the module's contract."""
    reader = SessionReader(lambda start, length: raw[start : start + length])
    reader.feed(raw)
    return reader.session()


class SessionReader:
    """Reads a session that comes in pieces; what is read once is not read again.

    `read` is asked for bytes of the same file whenever a body is looked at.
    """

    def __init__(self, read: ReadBytes) -> None:
        self._unfinished: list[bytes] = []
        self._offset = 0
        self._line = 1
        self._entries: list[Entry] = []
        self._problems: list[Problem] = []
        self._first_line: dict[str, int] = {}
        self._bodies = StoredBodies(read)
        self._header: Header | Refusal | None = None
        self._migration = Migration(CURRENT_VERSION, self._bodies)

    @property
    def bytes_read(self) -> int:
        """How many bytes were fed, the unfinished last line included."""
        return self._offset + sum(map(len, self._unfinished))

    def feed(self, piece: bytes) -> None:
        """Take in the next bytes of the file; an unfinished line waits for its end."""
        if b"\n" not in piece:
            self._unfinished.append(piece)
            return
        raw = b"".join((*self._unfinished, piece))
        start = 0
        while (end := raw.find(b"\n", start)) >= 0:
            self._take(raw[start:end], self._offset + start)
            self._line += 1
            start = end + 1
        self._offset += start
        self._unfinished = [raw[start:]]

    def session(self, is_growing: bool = False) -> Session | Refusal:
        """What was read so far.

        A last line without its end is a line all the same, unless the file `is_growing`: then
        it waits.
        """
        rest = b"" if is_growing else b"".join(self._unfinished)
        if not rest:
            return self._session()
        return self._as_with(rest)._session()

    def _as_with(self, rest: bytes) -> SessionReader:
        """Another reader that is one line ahead."""
        ahead = copy(self)
        ahead._entries, ahead._problems = [*self._entries], [*self._problems]
        ahead._first_line = dict(self._first_line)
        ahead._bodies = self._bodies.copy()
        ahead._migration = self._migration.copy(ahead._bodies)
        ahead._take(rest, self._offset, is_terminated=False)
        return ahead

    def _session(self) -> Session | Refusal:
        if self._header is None:
            return NO_RECORD if self.bytes_read else EMPTY
        if isinstance(self._header, Refusal):
            return self._header
        problems = sorted(self._problems, key=lambda problem: problem.line)
        return Session(self._header, tuple(self._entries), tuple(problems))

    # ── one line ──

    def _take(self, raw: bytes, start: int, is_terminated: bool = True) -> None:
        if not raw or raw.isspace() or isinstance(self._header, Refusal):
            return
        entry = self._skeleton(raw) if self._header else None
        if entry is None:
            self._take_decoded(raw, start, is_terminated)
        elif self._is_entry(entry):
            self._add(entry, start, len(raw))

    def _skeleton(self, raw: bytes) -> Entry | None:
        return skeleton_of(len(self._entries), self._line, raw, self._bodies)

    def _take_decoded(self, raw: bytes, start: int, is_terminated: bool) -> None:
        """A line that the strict decoder refuses, and the first one: it may be anything."""
        try:
            value = parse_json(raw)
        except ValueError as error:
            self._problems.append(_unreadable(self._line, raw, str(error), is_terminated))
            return
        if not value and not isinstance(value, (dict, list)):
            self._problems.append(_no_object(self._line, value))
        elif self._header is None:
            self._begin(value)
        else:
            self._take_record(value, start, len(raw))

    def _begin(self, record: Any) -> None:
        self._header = _header(record)
        if isinstance(self._header, Refusal):
            return
        version = self._header.version
        if version > CURRENT_VERSION:
            reason = f"version {version} is newer than {CURRENT_VERSION}; read as current"
            self._problems.append(Problem(self._line, ProblemKind.UNKNOWN_VERSION, reason))
        self._migration = Migration(version, self._bodies)
        self._migration.note_record(self._line)

    def _take_record(self, value: Any, start: int, length: int) -> None:
        body = value if isinstance(value, dict) else NO_BODY
        if body is NO_BODY:
            self._problems.append(_no_object(self._line, value))
        entry = entry_of(len(self._entries), self._line, body, self._bodies)
        if self._is_entry(entry):
            self._add(entry, start, length)

    def _is_entry(self, entry: Entry) -> bool:
        """Whether it is one; every record counts, and a second header is none."""
        self._migration.note_record(entry.line)
        if entry.type != "session":
            return True
        reason = "a second session header: the first one counts"
        self._problems.append(Problem(entry.line, ProblemKind.SECOND_HEADER, reason))
        return False

    def _add(self, entry: Entry, start: int, length: int) -> None:
        self._bodies.add(start, length)
        entry = self._migration.migrated(entry)
        self._entries.append(entry)
        if entry.id is None:
            self._note(entry, ProblemKind.NO_ID, "a record without an id")
        elif (first := self._first_line.setdefault(entry.id, entry.line)) != entry.line:
            reason = f"the id {entry.id} was used on line {first}: pi keeps the last"
            self._note(entry, ProblemKind.DUPLICATE_ID, reason)
        if entry.type == "message" and entry.message is None:
            reason = "a message entry without a message: pi fails on this file"
            self._note(entry, ProblemKind.NO_MESSAGE, reason)

    def _note(self, entry: Entry, kind: ProblemKind, reason: str) -> None:
        self._problems.append(Problem(entry.line, kind, reason))


def _unreadable(line: int, text: bytes, reason: str, is_terminated: bool) -> Problem:
    records = recover_records(text.decode("utf-8", "replace"))
    if records:
        count = len(records)
        held = f"holds {count} recoverable record{'s' if count > 1 else ''}"
        return Problem(line, ProblemKind.WELDED, f"not one JSON value: {held}", count)
    if not is_terminated:
        return Problem(line, ProblemKind.TORN_END, "the last line is cut off")
    return Problem(line, ProblemKind.UNREADABLE, f"not JSON: {reason}")


def _no_object(line: int, value: Any) -> Problem:
    name = _JSON_NAMES.get(type(value), "value")
    return Problem(line, ProblemKind.NOT_AN_OBJECT, f"a bare {name}, no record")


_JSON_NAMES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
}


def _header(record: Any) -> Header | Refusal:
    value = record if isinstance(record, dict) else NO_BODY
    if value.get("kind") == "header" and "v" in value:
        return Refusal("a harness v4 file, which pi itself does not open")
    if value.get("type") != "session" or not isinstance(value.get("id"), str):
        return Refusal("not a pi session: the first record is no session header")
    return Header(
        id=value["id"],
        version=_version(value.get("version")),
        cwd=text_or_none(value.get("cwd")),
        timestamp=text_or_none(value.get("timestamp")),
        parent_session=text_or_none(value.get("parentSession")),
        body=value,
    )


def _version(value: Any) -> int:
    """pi compares the version as a number; absent means 1, and no number means current."""
    if value is None:
        return 1
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return CURRENT_VERSION
