"""A repair as lines for people and as an object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from condense_tui.repairing.repair import RepairNote, RepairReport
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line
from condense_tui.view.words import counted


def repair_lines(report: RepairReport) -> Iterator[Line]:
    """Every change, then everything that is left, a line each."""
    if not report.changes:
        yield line("nothing to mend" if not report.left else "nothing was changed")
    else:
        yield line(counted(len(report.changes), "change"))
        yield from _rows(report.changes, Tone.GOOD)
    if report.left:
        yield line("not mended")
        yield from _rows(report.left, Tone.WARNING)


def _rows(notes: Sequence[RepairNote], tone: Tone) -> Iterator[Line]:
    places = ["" if note.line is None else f"line {note.line}" for note in notes]
    wide = max(map(len, places))
    wide_kind = max(len(note.kind) for note in notes)
    for place, note in zip(places, notes, strict=True):
        name = (accent(f"{note.entry}: "),) if note.entry else ()
        kind = Span(f"{note.kind:<{wide_kind}}", tone)
        yield line("  ", dim(f"{place:>{wide}}"), "  ", kind, "  ", *name, note.what)


def repair_object(report: RepairReport) -> dict[str, Any]:
    """The report's part of the JSON object."""
    return {
        "changes": [_note_object("fix", change) for change in report.changes],
        "left": [_note_object("kind", note) for note in report.left],
    }


def _note_object(name: str, note: RepairNote) -> dict[str, Any]:
    return {
        name: note.kind,
        "line": note.line,
        "entry": note.entry,
        "what": note.what,
    }
