"""Diagnostics: their kinds and letters, and how repeats are left out.

(Source: the pruning rules, section 4.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from condense_tui.session.compact import Value

OVERLAP_PREFIX = "overlap:"
OVERLAP_MARK = " skipped: "


class DiagnosticKind(StrEnum):
    """Each kind; `letter` is how the status line shows it."""

    UNRESOLVED_RANGE = "unresolved-range"
    RANGE_ID_MISMATCH = "range-id-mismatch"
    ORPHAN_SWEEP = "orphan-sweep"
    BACKFILL_EMPTY = "backfill-empty"

    @property
    def letter(self) -> str:
        """The status line's letter."""
        return _LETTERS[self]


_LETTERS: Mapping[DiagnosticKind, str] = {
    DiagnosticKind.UNRESOLVED_RANGE: "u",
    DiagnosticKind.RANGE_ID_MISMATCH: "m",
    DiagnosticKind.ORPHAN_SWEEP: "o",
    DiagnosticKind.BACKFILL_EMPTY: "b",
}


class Diagnostic(Value, frozen=True):
    """One report; `dedup_key` names its cause, so that the same cause counts once."""

    kind: DiagnosticKind
    detail: str
    dedup_key: str

    @property
    def is_benign_overlap(self) -> bool:
        """A nested or doubled chain that was skipped, not one that could not be placed."""
        return self.kind is DiagnosticKind.UNRESOLVED_RANGE and OVERLAP_MARK in self.detail


def diagnostic_kind(value: object) -> DiagnosticKind | None:
    """The kind with this name; a newer extension may know others."""
    return _KINDS.get(value) if isinstance(value, str) else None


_KINDS = {kind.value: kind for kind in DiagnosticKind}


class DiagnosticSink:
    """Collects the diagnostics of one render, each kind and cause once."""

    def __init__(self) -> None:
        self._collected: dict[tuple[DiagnosticKind, str], Diagnostic] = {}

    def report(self, kind: DiagnosticKind, dedup_key: str, detail: str) -> None:
        """Note a diagnostic unless the same cause was noted before."""
        self._collected.setdefault((kind, dedup_key), Diagnostic(kind, detail, dedup_key))

    @property
    def collected(self) -> tuple[Diagnostic, ...]:
        """What was reported, in order."""
        return tuple(self._collected.values())


def counts(diagnostics: Iterable[Diagnostic]) -> dict[DiagnosticKind, int]:
    """How many of each kind, zeros included."""
    totals = dict.fromkeys(DiagnosticKind, 0)
    for diagnostic in diagnostics:
        totals[diagnostic.kind] += 1
    return totals
