"""`Line`: one line of a copy, the source's own bytes until a fix changes its value."""

from __future__ import annotations

from typing import Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.bodies import Body
from condense_tui.session.compact import Value, changed
from condense_tui.session.jsontext import json_text
from condense_tui.session.outlines import identifier

NOTHING: Any = object()
"""The value of a blank line."""
BROKEN: Any = object()
"""The value of a line that is not JSON."""
TOO_DEEP: Any = object()
"""The value of a line that pi may be able to read, but Python cannot: it is left as it is."""
_NO_VALUES = (NOTHING, BROKEN, TOO_DEEP)

Key = tuple[int, int]


class Line(Value, frozen=True, eq=False):
    """One line: its bytes without the line feed, and the JSON value they hold.

    `number` is the line of the source that it comes from, counted from 1; `piece` counts what
    came out of that line.  The two are its key, which stays when its value is changed.
    """

    number: int
    raw: bytes
    value: Any = NOTHING
    piece: int = 0

    @property
    def key(self) -> Key:
        """What tells it from every other line, whatever is done to it."""
        return self.number, self.piece

    @property
    def body(self) -> Body:
        """The object on the line; empty where there is none."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def is_record(self) -> bool:
        """Whether pi counts it: what JavaScript finds false is passed over."""
        if any(self.value is none for none in _NO_VALUES):
            return False
        return bool(self.value) or isinstance(self.value, (dict, list))

    @property
    def is_entry(self) -> bool:
        """Whether it is an object and no header."""
        return isinstance(self.value, dict) and self.value.get("type") != "session"

    @property
    def type(self) -> str:
        """The type of the entry, or nothing."""
        return identifier(self.body.get("type"))

    @property
    def id(self) -> str | None:
        """The entry's id, as far as it can be looked up."""
        return entry_id(self.body.get("id"))

    @property
    def parent_id(self) -> str | None:
        """The id of the entry's parent; None for a root."""
        return entry_id(self.body.get("parentId"))

    @property
    def message(self) -> Body | None:
        """The message of a `message` entry."""
        message = self.body.get("message")
        return message if self.type == "message" and isinstance(message, dict) else None

    @property
    def label(self) -> str:
        """A name for people."""
        return self.id or f"line {self.number}"

    def with_value(self, value: Any) -> Line:
        """The same line with another value, written as JavaScript would write it."""
        return changed(self, raw=utf8_bytes(json_text(value)), value=value)

    def with_fields(self, **fields: Any) -> Line:
        """The same line with some fields of its object set."""
        return self.with_value({**self.body, **fields})

    def note(self, what: str) -> Note:
        """A remark about this line."""
        return Note(self.number, what, self.id)


def entry_id(value: Any) -> str | None:
    """An id as text; what JavaScript finds false, or cannot look up, is none."""
    return identifier(value) or None if value else None


class Note(Value, frozen=True):
    """One sentence about a line of the source."""

    line: int
    what: str
    entry: str | None = None
