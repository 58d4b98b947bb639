"""Occurrence keys: the only place that builds or parses one.

A provider's tool-call id names a call only within one response.  `id@T`, T being the tool
result's own timestamp, names one occurrence of it; without a timestamp the key is the bare id.
(Source: the pruning rules, "Words".)
"""

from __future__ import annotations

import re
from sys import intern

from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number, as_number, number_text

_ASCII_DIGITS = re.compile("[0-9]+")


class Occurrence(Value, frozen=True):
    """A parsed key."""

    bare_id: str
    timestamp: Number | None


def occurrence_key(bare_id: str, timestamp: Number | None) -> str:
    """The key of the call `bare_id` whose result has this timestamp.

    Interned, because the same key stands in many tables.
    """
    return bare_id if timestamp is None else intern(f"{bare_id}@{number_text(timestamp)}")


def parse_key(key: str) -> Occurrence:
    """The parts of a key; an id may itself hold an `@`, so the last one divides."""
    at = key.rfind("@")
    if at <= 0 or not _ASCII_DIGITS.fullmatch(key, at + 1):
        return Occurrence(key, None)
    digits = key[at + 1 :]
    number = as_number(int(digits)) if len(digits) < 20 else float(digits)
    return Occurrence(key[:at], number)


def bare_id_of(key: str) -> str:
    """The bare id that a key is of."""
    return parse_key(key).bare_id
