"""`Concern`s → rows, a document for one of them, and the table of the three counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from condense_tui.inspection.concerns import Concern, Source
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    ChainTarget,
    FindingTarget,
    ProblemTarget,
    SlotTarget,
    Target,
)
from condense_tui.pruning.diagnostics import Diagnostic, DiagnosticKind
from condense_tui.view.columns import cell
from condense_tui.view.document import Block, Document
from condense_tui.view.lines import Line, Span, accent, dim, line
from condense_tui.view.words import DIAGNOSTIC_WORDS, SEVERITY_SIGNS, SEVERITY_TONES

_SOURCE_WORDS: Mapping[Source, str] = {
    Source.PROBLEM: "a problem of the file",
    Source.FINDING: "a finding of this program",
    Source.DIAGNOSTIC: "a diagnostic of the extension, found now",
    Source.RECORDED: "a diagnostic that the file records",
}
_TARGET_WORDS: Mapping[type, str] = {
    SlotTarget: "the place in the context",
    ChainTarget: "the chain",
    ProblemTarget: "the problem",
    FindingTarget: "the finding",
}
_SEVERITY, _KIND, _PLACE = 7, 26, 10
_WIDE = 90
_COUNT = 9
_NAME = 34


def concern_line(concern: Concern, width: int) -> Line:
    """Sign, word, kind where there is room, place, and what it is."""
    severity = concern.severity
    tone = SEVERITY_TONES[severity]
    return line(
        Span(f" {SEVERITY_SIGNS[severity]} {cell(severity.value, _SEVERITY)}  ", tone),
        *((cell(concern.kind, _KIND),) if width >= _WIDE else ()),
        accent(f"{cell(concern.place, _PLACE)} "),
        concern.what,
    )


def concern_document(concern: Concern) -> Document:
    """What it is, why it matters, what to do, and the way to its cause."""
    severity = concern.severity
    blocks = (
        Block(text=concern.what),
        Block(text=f"Why: {concern.code.why}"),
        Block(text=f"What to do: {concern.code.advice}"),
        *_link(concern.target),
        Block(),
        Block(line(dim(_SOURCE_WORDS[concern.source]))),
    )
    title = f"{SEVERITY_SIGNS[severity]} {severity.value} · {concern.kind} · {concern.place}"
    return Document(title.rstrip(" ·"), blocks, concern.what)


NOTHING_FOUND = Document(
    "",
    (Block(text="Nothing: every line could be read, and pruning does what one would expect."),),
    "",
)


def _link(target: Target | None) -> Iterator[Block]:
    if target is not None:
        yield Block(line(accent("→ "), _TARGET_WORDS[type(target)]), target=target)


def count_table(inspection: Inspection) -> list[str]:
    """Found now, recorded, recorded distinct: three different counts, never one for another.

    The first row is the heading.  Under the unresolved ranges stand, of them, the skips that
    are harmless.
    """
    ledger = inspection.ledger
    columns = (inspection.plan.diagnostics, ledger.recorded, ledger.recorded_distinct)
    rows = [_table_row("diagnostics", ("found now", "recorded", "distinct"))]
    for kind in DiagnosticKind:
        words = f"{kind.letter}  {DIAGNOSTIC_WORDS[kind]}"
        rows.append(_table_row(words, (_count(column, kind) for column in columns)))
        if kind is DiagnosticKind.UNRESOLVED_RANGE:
            harmless = (sum(report.is_benign_overlap for report in column) for column in columns)
            rows.append(_table_row("   of them harmless overlaps", harmless))
    return rows


def _count(reports: Iterable[Diagnostic], kind: DiagnosticKind) -> int:
    return sum(report.kind is kind for report in reports)


def _table_row(words: str, figures: Iterable[object]) -> str:
    return f"{words:<{_NAME}}" + "".join(f"{figure!s:>{_COUNT}}  " for figure in figures).rstrip()
