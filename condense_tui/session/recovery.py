"""Complete records inside a line that is not one JSON value.

A torn write welds two records onto one line; pi loses both.  What is still whole can be read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from condense_tui.session.compact import Value

_OBJECT_START = re.compile(r'\{\s*"')
# A hostile line may hold any number of openings; each attempt may read to the line's end.
_MAX_FAILED_ATTEMPTS = 64


class Piece(Value, frozen=True):
    """A complete record and where in the text it stands."""

    record: dict[str, Any]
    start: int
    end: int


def recover_records(text: str) -> list[dict[str, Any]]:
    """The complete session records in `text`, in order; parts of a broken record are none."""
    return [piece.record for piece in recover_pieces(text)]


def recover_pieces(text: str) -> list[Piece]:
    """The same with their places; they do not overlap."""
    decoder = json.JSONDecoder()
    pieces: list[Piece] = []
    position = failures = 0
    while failures < _MAX_FAILED_ATTEMPTS:
        start = _OBJECT_START.search(text, position)
        if start is None:
            break
        try:
            value, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            failures += 1
            position = start.start() + 1
            continue
        if _is_record(value):
            pieces.append(Piece(value, start.start(), position))
    return pieces


def _is_record(value: Any) -> bool:
    """Every record of every version has a type and a time; no part of a message has both."""
    return isinstance(value, dict) and isinstance(value.get("type"), str) and "timestamp" in value
