"""Bytes of a session file → `Session`: header, entries, and a `Problem` per bad line.

What pi 1.6 reads is read; what it would skip is skipped and said.  Old versions are brought to
the present form in memory, with ids made from line numbers, so that they stay the same from
one reading to the next.  (Source: the session format notes, sections 2 to 4 and 8.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from condense_tui.session.jsontext import as_number, number_text, parse_json
from condense_tui.session.recovery import recover_records

CURRENT_VERSION = 3
_NO_BODY: Mapping[str, Any] = {}


class ProblemKind(StrEnum):
    """What can be wrong with a line, or with the way entries hang together."""

    UNREADABLE = "unreadable-line"
    WELDED = "welded-line"
    TORN_END = "torn-end"
    NOT_AN_OBJECT = "not-an-object"
    SECOND_HEADER = "second-header"
    NO_ID = "no-id"
    DUPLICATE_ID = "duplicate-id"
    NO_MESSAGE = "no-message"
    CYCLE = "cycle"
    MISSING_PARENT = "missing-parent"
    UNKNOWN_VERSION = "unknown-version"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read; `line` counts from 1."""

    line: int
    kind: ProblemKind
    reason: str
    recoverable: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """The session record: the first one in the file."""

    id: str
    version: int
    cwd: str | None
    timestamp: str | None
    parent_session: str | None
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One record after the header.

    `index` counts entries from 0; `id` and `parent_id` are None where JavaScript would find
    them empty; `has_null_id` is an id that is literally null, which pi takes for "no leaf".
    """

    index: int
    line: int
    type: str
    id: str | None
    parent_id: str | None
    body: Mapping[str, Any]
    has_null_id: bool = False

    @property
    def timestamp(self) -> Any:
        """When the entry was stored: usually an ISO text, sometimes a number, or None."""
        return self.body.get("timestamp")

    @property
    def label(self) -> str:
        """A name for people: the id, else the line."""
        return self.id or f"line {self.line}"


@dataclass(frozen=True, slots=True, repr=False)
class Session:
    """A session file as read: nothing of it is ever written back."""

    header: Header
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    @property
    def title(self) -> str:
        """The name, else the id."""
        return self.name or self.header.id

    @property
    def name(self) -> str | None:
        """The newest name in file order, on whatever branch; an empty one clears it."""
        for entry in reversed(self.entries):
            if entry.type == "session_info":
                name = entry.body.get("name")
                return name.strip() or None if isinstance(name, str) else None
        return None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why these bytes are no session at all."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    value: Any


def read_session(raw: bytes) -> Session | Refusal:
    """Read a whole session file; see the module's contract."""
    if not raw:
        return Refusal("the file is empty")
    problems: list[Problem] = []
    records = list(_records(raw, problems))
    if not records:
        return Refusal("not a pi session: no line of it is a record")
    header = _header(records[0])
    if isinstance(header, Refusal):
        return header
    if header.version > CURRENT_VERSION:
        reason = f"version {header.version} is newer than {CURRENT_VERSION}; read as current"
        problems.append(Problem(records[0].line, ProblemKind.UNKNOWN_VERSION, reason))
    entries = tuple(_migrated(header.version, list(_entries(records[1:], problems)), records))
    problems += _id_problems(entries)
    return Session(header, entries, tuple(sorted(problems, key=lambda problem: problem.line)))


def _records(raw: bytes, problems: list[Problem]) -> Iterator[_Record]:
    """Every line that is JSON, but for the values that JavaScript finds false."""
    for line, is_terminated, text in _lines(raw):
        if not text or text.isspace():
            continue
        try:
            value = parse_json(text)
        except ValueError as error:
            problems.append(_unreadable(line, text, str(error), is_terminated))
            continue
        if value or isinstance(value, (dict, list)):
            yield _Record(line, value)
        else:
            problems.append(_no_object(line, value))


def _lines(raw: bytes) -> Iterator[tuple[int, bool, bytes]]:
    """Line number, whether a line feed ends it, and its bytes; split on line feeds only."""
    line, start = 1, 0
    while (end := raw.find(b"\n", start)) >= 0:
        yield line, True, raw[start:end]
        line, start = line + 1, end + 1
    if start < len(raw):
        yield line, False, raw[start:]


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


def _header(record: _Record) -> Header | Refusal:
    value = record.value if isinstance(record.value, dict) else _NO_BODY
    if value.get("kind") == "header" and "v" in value:
        return Refusal("a harness v4 file, which pi itself does not open")
    if value.get("type") != "session" or not isinstance(value.get("id"), str):
        return Refusal("not a pi session: the first record is no session header")
    return Header(
        id=value["id"],
        version=_version(value.get("version")),
        cwd=_text(value.get("cwd")),
        timestamp=_text(value.get("timestamp")),
        parent_session=_text(value.get("parentSession")),
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


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _identifier(value: Any) -> str | None:
    """An entry id as text; what JavaScript finds false, or cannot look up, is none."""
    if isinstance(value, str):
        return value or None
    number = as_number(value)
    return number_text(number) if number else None


def _entries(records: list[_Record], problems: list[Problem]) -> Iterator[Entry]:
    index = 0
    for record in records:
        body = record.value if isinstance(record.value, dict) else _NO_BODY
        if body.get("type") == "session":
            reason = "a second session header: the first one counts"
            problems.append(Problem(record.line, ProblemKind.SECOND_HEADER, reason))
            continue
        if body is _NO_BODY:
            problems.append(_no_object(record.line, record.value))
        yield _entry(index, record.line, body)
        index += 1


def _entry(index: int, line: int, body: Mapping[str, Any]) -> Entry:
    return Entry(
        index=index,
        line=line,
        type=_text(body.get("type")) or "",
        id=_identifier(body.get("id")),
        parent_id=_identifier(body.get("parentId")),
        body=body,
        has_null_id="id" in body and body["id"] is None,
    )


def _id_problems(entries: tuple[Entry, ...]) -> list[Problem]:
    problems = []
    first_line: dict[str, int] = {}
    for entry in entries:
        if entry.id is None:
            problems.append(Problem(entry.line, ProblemKind.NO_ID, "a record without an id"))
        elif entry.id in first_line:
            reason = f"the id {entry.id} was used on line {first_line[entry.id]}: pi keeps the last"
            problems.append(Problem(entry.line, ProblemKind.DUPLICATE_ID, reason))
        else:
            first_line[entry.id] = entry.line
        if entry.type == "message" and not isinstance(entry.body.get("message"), dict):
            reason = "a message entry without a message: pi fails on this file"
            problems.append(Problem(entry.line, ProblemKind.NO_MESSAGE, reason))
    return problems


def _migrated(version: int, entries: list[Entry], records: list[_Record]) -> list[Entry]:
    """The entries in the form of the current version (pi rewrites the file; we never do)."""
    if version < 2:
        entries = _chained(entries, records)
    if version < 3:
        entries = [_without_hook_role(entry) for entry in entries]
    return entries


def _chained(entries: list[Entry], records: list[_Record]) -> list[Entry]:
    """Version 1 has no ids: each entry's parent is the one before it."""
    id_by_line = {entry.line: f"line-{entry.line}" for entry in entries}
    chained: list[Entry] = []
    parent: str | None = None
    for entry in entries:
        body = _with_kept_entry_id(entry, records, id_by_line)
        entry = replace(entry, id=id_by_line[entry.line], parent_id=parent, body=body)
        chained.append(entry)
        parent = entry.id
    return chained


def _with_kept_entry_id(
    entry: Entry, records: list[_Record], id_by_line: dict[int, str]
) -> Mapping[str, Any]:
    """Version 1 gives a compaction's boundary as an index into the records, header included."""
    index = as_number(entry.body.get("firstKeptEntryIndex"))
    if entry.type != "compaction" or index is None:
        return entry.body
    body = {key: item for key, item in entry.body.items() if key != "firstKeptEntryIndex"}
    if isinstance(index, int) and 0 <= index < len(records):
        kept = records[index]
        if kept.line <= entry.line and kept.line in id_by_line:
            body["firstKeptEntryId"] = id_by_line[kept.line]
    return body


def _without_hook_role(entry: Entry) -> Entry:
    message = entry.body.get("message")
    if entry.type != "message" or not isinstance(message, dict):
        return entry
    if message.get("role") != "hookMessage":
        return entry
    return replace(entry, body={**entry.body, "message": {**message, "role": "custom"}})
