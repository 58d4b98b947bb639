"""The tree that the extension's own browser shows: summaries and the calls they cover.

(Source: the pruning rules, section 10.)
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.records import EntryType, Record, Summary, entry_type, summary_from
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import (
    Number,
    collapse_white_space,
    json_text,
    number_text,
    object_keys,
    utf16_head,
    utf16_length,
)

_DETAIL_UNITS = 200

Node = dict[str, Any]


def summary_tree(entries: Iterable[Entry], index: PruneIndex) -> list[Node]:
    """One node per summary of the branch, with one child per record that its refs find."""
    summaries = [summary_from(entry) for entry in entries if entry_type(entry) is EntryType.SUMMARY]
    return [_summary_node(number, summary, index) for number, summary in enumerate(summaries)]


def _summary_node(number: int, summary: Summary, index: PruneIndex) -> Node:
    records = [record for ref in summary.refs if (record := index.record(ref.key))]
    chars = utf16_length(summary.text) if summary.has_plain_text else 0
    return {
        "id": f"summary-{number}",
        "label": _summary_label(summary, chars, records),
        "children": [_call_node(record) for record in records],
        "expanded": False,
        "depth": 0,
        "isLeaf": not records,
        **({"detail": summary.text} if chars else {}),
        "charCount": chars,
    }


def _summary_label(summary: Summary, chars: int, records: list[Record]) -> str:
    turn = "?" if summary.turn_index is None else number_text(summary.turn_index)
    tools = f"{len(records)} tool{'' if len(records) == 1 else 's'}"
    original = compact_count(sum(output_size(record) for record in records))
    label = (
        f"[pruner] Turn {turn} summary "
        f"({tools} · {compact_count(chars)} chars · original {original})"
    )
    date = _date_text(summary.timestamp) if summary.timestamp else None
    return f"{label} · {date}" if date else label


def _date_text(ms: Number) -> str | None:
    """A date as an American locale prints it, in UTC so that it is the same everywhere."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    except (OverflowError, ValueError):
        return None
    hour = moment.hour % 12 or 12
    day = f"{moment.month}/{moment.day}/{moment.year}"
    return f"{day}, {hour}:{moment:%M:%S} {'AM' if moment.hour < 12 else 'PM'}"


def output_size(record: Record) -> Number:
    """Characters of the archived output, or the bytes of a spilled one."""
    return record.result_chars or record.spill_bytes or 0


def size_unit(record: Record) -> str:
    """What `output_size` counts."""
    return "bytes" if record.spill_bytes and not record.result_chars else "chars"


def _call_node(record: Record) -> Node:
    size = output_size(record)
    error = " [error]" if record.is_error else ""
    text = record.result_text or record.preview or ""
    return {
        "id": record.tool_call_id,
        "label": f"{call_text(record)} · {compact_count(size)} {size_unit(record)}{error}",
        "children": [],
        "expanded": False,
        "depth": 1,
        "isLeaf": True,
        "detail": collapse_white_space(utf16_head(text, _DETAIL_UNITS)),
        "charCount": size,
    }


def call_text(record: Record) -> str:
    """`name(key=json, …)`."""
    arguments = record.arguments if isinstance(record.arguments, dict) else {}
    shown = ", ".join(f"{key}={json_text(arguments[key])}" for key in object_keys(arguments))
    return f"{record.tool_name}({shown})"
