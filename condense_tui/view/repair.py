"""A repair as lines for people and as an object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from condense_tui.repairing.repair import Remark, RepairReport
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


def _rows(remarks: Sequence[Remark], tone: Tone) -> Iterator[Line]:
    places = ["" if remark.line is None else f"line {remark.line}" for remark in remarks]
    wide = max(map(len, places))
    wide_kind = max(len(remark.kind) for remark in remarks)
    for place, remark in zip(places, remarks, strict=True):
        name = (accent(f"{remark.entry}: "),) if remark.entry else ()
        kind = Span(f"{remark.kind:<{wide_kind}}", tone)
        yield line("  ", dim(f"{place:>{wide}}"), "  ", kind, "  ", *name, remark.what)


def repair_object(report: RepairReport) -> dict[str, Any]:
    """The report's part of the JSON object."""
    return {
        "changes": [_remark_object("fix", change) for change in report.changes],
        "left": [_remark_object("kind", remark) for remark in report.left],
    }


def _remark_object(name: str, remark: Remark) -> dict[str, Any]:
    return {
        name: remark.kind,
        "line": remark.line,
        "entry": remark.entry,
        "what": remark.what,
    }
