"""Blocks: their numbers, and the body of one that no summary covers.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from condense_tui.pruning.numbers import rounded
from condense_tui.session.dates import iso_text
from condense_tui.session.jsontext import (
    Number,
    as_number,
    json_text,
    number_text,
    utf16_head,
    utf16_length,
)

_BLOCK = re.compile("b([0-9]+)")
# A block id is untrusted text: a number of any length must not cost or fail.
_MAX_DIGITS = 15
_FIRST_LINE = (
    "Deterministic chain compression (no per-batch summary existed for this span; "
    "raw outputs recoverable via context_tree_query)."
)
_MAX_ARGUMENT_CHARS = 200

RecordPayload = Mapping[str, Any]


class BlockNumbers:
    """Issues `bN`: one more than the highest there is."""

    def __init__(self, existing: Iterable[str]) -> None:
        numbers = (found for block in existing if (found := _BLOCK.fullmatch(block)))
        self._highest = max((int(found[1][:_MAX_DIGITS]) for found in numbers), default=0)

    def issue(self) -> str:
        """The next block id."""
        self._highest += 1
        return f"b{self._highest}"


def deterministic_body(records: Sequence[RecordPayload], refs: Sequence[str]) -> str:
    """Seven lines about the records of a chain, which must not be empty."""
    ordered = sorted(records, key=_moment)
    start, end = _moment(ordered[0]), _moment(ordered[-1])
    named = refs or [record["toolCallId"] for record in records]
    return "\n".join(
        (
            _FIRST_LINE,
            f"Calls: {len(records)}",
            f"Tools: {_tools(records)}",
            f"Span: {_iso(start)} -> {_iso(end)} ({rounded((end - start) / 1000)}s)",
            f"First: {_call(ordered[0])}",
            f"Last: {_call(ordered[-1])}",
            f"Refs: {', '.join(named)}",
        )
    )


def _moment(record: RecordPayload) -> Number:
    """When the result came, else when its batch did."""
    own = as_number(record.get("resultTimestamp"))
    return (as_number(record.get("timestamp")) or 0) if own is None else own


def _iso(moment: Number) -> str:
    return iso_text(moment) or number_text(moment)


def _tools(records: Sequence[RecordPayload]) -> str:
    counts = Counter(record["toolName"] for record in records)
    ordered = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return ", ".join(f"{name} x{count}" for name, count in ordered)


def _call(record: RecordPayload) -> str:
    arguments = json_text(record.get("args"))
    if utf16_length(arguments) > _MAX_ARGUMENT_CHARS:
        arguments = f"{utf16_head(arguments, _MAX_ARGUMENT_CHARS)}..."
    return f"{record['toolName']} {arguments}"
