"""`Session`: header, entries, and a `Problem` per bad line.  `reading` makes them from bytes.

(Source: the session format notes, sections 2 to 4.)
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from sys import intern
from typing import Any

from condense_tui.session.bodies import Bodies, Body, KeptBody
from condense_tui.session.compact import Compact, Value, changed
from condense_tui.session.dates import time_ms
from condense_tui.session.jsontext import as_number, number_text
from condense_tui.session.outlines import (
    MessageOutline,
    name_or_none,
    outline_of,
    shared_shape,
    text_or_none,
)


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


class Problem(Value, frozen=True):
    """Something that could not be read; `line` counts from 1."""

    line: int
    kind: ProblemKind
    reason: str
    recoverable: int = 0


class Header(Value, frozen=True):
    """The session record: the first one in the file."""

    id: str
    version: int
    cwd: str | None
    timestamp: str | None
    parent_session: str | None
    body: Mapping[str, Any]


class Entry(Compact, frozen=True, eq=False):
    """One record after the header.

    `index` counts entries from 0; `id` and `parent_id` are None where JavaScript would find
    them empty; `has_null_id` is an id that is literally null, which pi takes for "no leaf".
    `message` is the outline of the message that it holds, if it holds one.  `lines_ahead` is
    how much more its line is than its index: most entries share that number.
    """

    index: int
    lines_ahead: int
    type: str
    id: str | None
    parent_id: str | None
    bodies: Bodies
    custom_type: str | None = None
    message: MessageOutline | None = None
    has_null_id: bool = False

    @property
    def line(self) -> int:
        """Its line in the file, from 1."""
        return self.index + self.lines_ahead

    @property
    def timestamp(self) -> Any:
        """When it was stored: usually an ISO text, sometimes a number, or None."""
        return self.body.get("timestamp")

    @property
    def body(self) -> Body:
        """The JSON object, decoded anew now and then: nothing is kept that hangs on it."""
        return self.bodies.at(self.index)

    @property
    def label(self) -> str:
        """A name for people: the id, else the line."""
        return self.id or f"line {self.line}"

    def with_bodies(self, bodies: Bodies) -> Entry:
        """The same entry with other words; what else is told of it stays."""
        return changed(self, bodies=bodies)


def entry_of(index: int, line: int, body: Body, bodies: Bodies | None = None) -> Entry:
    """The entry of a decoded object; it keeps the object, unless it lies elsewhere."""
    return Entry(
        index=index,
        lines_ahead=line - index,
        type=intern(text_or_none(body.get("type")) or ""),
        id=entry_id(body.get("id")),
        parent_id=entry_id(body.get("parentId")),
        bodies=bodies or KeptBody(body),
        custom_type=name_or_none(body.get("customType")),
        message=_outline_in(body),
        has_null_id="id" in body and body["id"] is None,
    )


def entry_id(value: Any) -> str | None:
    """An entry id as text; what JavaScript finds false, or cannot look up, is none."""
    if isinstance(value, str):
        return intern(value) or None
    number = as_number(value)
    return number_text(number) if number else None


def _outline_in(body: Body) -> MessageOutline | None:
    if body.get("type") == "message":
        message = body.get("message")
        return outline_of(message) if isinstance(message, dict) else None
    if body.get("type") == "custom_message":
        return custom_outline(body.get("timestamp"), text_or_none(body.get("customType")))
    return None


def custom_outline(timestamp: Any, custom_type: str | None) -> MessageOutline:
    """The outline of the message that pi makes of a `custom_message` entry."""
    return MessageOutline(shared_shape("custom", custom_type=custom_type), time_ms(timestamp))


class Session(Value, frozen=True):
    """A session file as read: nothing of it is ever written back."""

    header: Header
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    __repr__ = object.__repr__

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


class Refusal(Value, frozen=True):
    """Why these bytes are no session at all."""

    reason: str
