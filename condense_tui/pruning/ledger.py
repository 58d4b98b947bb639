"""What the extension notes about itself: frontier, stats, diagnostics, flushes.

None of it decides what is pruned.  (Source: the pruning rules, section 2.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from condense_tui.pruning.diagnostics import Diagnostic, diagnostic_kind
from condense_tui.pruning.records import EntryType, entry_type, payload_of
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry

_STATS_FIELDS: Mapping[str, Any] = {
    "totalInputTokens": 0,
    "totalOutputTokens": 0,
    "totalCost": 0,
    "callCount": 0,
    "chainsCompressed": 0,
    "rangesSummarized": 0,
}
_FRONTIER_FIELDS: Mapping[str, Any] = {
    "lastAttemptedToolCallId": None,
    "lastAttemptedToolName": "unknown",
    "lastAttemptedTurnIndex": 0,
    "lastAttemptedTimestamp": 0,
    "attemptedBatchCount": 0,
    "attemptedToolCallCount": 0,
    "rawCharCount": 0,
    "summaryCharCount": 0,
    "outcome": "summarized",
}


class Ledger(Value, frozen=True):
    """`frontier` is the last attempted boundary, `stats` the last snapshot.

    Both hold the extension's own fields only, defaults where the file has none.
    """

    frontier: Mapping[str, Any] | None
    stats: Mapping[str, Any]
    recorded: tuple[Diagnostic, ...]
    flushes: tuple[Mapping[str, Any], ...]

    @property
    def recorded_distinct(self) -> tuple[Diagnostic, ...]:
        """The recorded diagnostics, each kind and detail once."""
        return tuple(dict.fromkeys(self.recorded))


def read_ledger(entries: Iterable[Entry]) -> Ledger:
    """The ledger of a branch's entries, root first."""
    frontier: Mapping[str, Any] | None = None
    stats = _STATS_FIELDS
    recorded: list[Diagnostic] = []
    flushes: list[Mapping[str, Any]] = []
    for entry in entries:
        match entry_type(entry):
            case EntryType.FRONTIER:
                if payload_of(entry).get("lastAttemptedToolCallId"):
                    frontier = _known_fields(payload_of(entry), _FRONTIER_FIELDS)
            case EntryType.STATS if entry.body.get("data"):
                stats = _known_fields(payload_of(entry), _STATS_FIELDS)
            case EntryType.DIAGNOSTIC:
                recorded += _diagnostics(payload_of(entry))
            case EntryType.FLUSH_METRICS:
                flushes.append(payload_of(entry))
    return Ledger(frontier, stats, tuple(recorded), tuple(flushes))


def _known_fields(payload: Mapping[str, Any], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        name: default if payload.get(name) is None else payload[name]
        for name, default in fields.items()
    }


def _diagnostics(payload: Mapping[str, Any]) -> list[Diagnostic]:
    kind, detail = diagnostic_kind(payload.get("kind")), payload.get("detail")
    if kind is None or not isinstance(detail, str):
        return []
    return [Diagnostic(kind, detail, detail)]
