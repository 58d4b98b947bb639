"""Problems, diagnostics and findings as one kind of thing: how bad, what, why, where, what to do.

A row of `_PROBLEMS` or `_DIAGNOSTICS` says of a kind what `CODES` says of a finding's code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from condense_tui.inspection.findings import CODES, Code, Finding, Severity
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    ChainTarget,
    FindingTarget,
    ProblemTarget,
    SlotTarget,
    Target,
)
from condense_tui.pruning.diagnostics import Diagnostic, DiagnosticKind
from condense_tui.pruning.records import ChainEntry
from condense_tui.pruning.slots import FateKind
from condense_tui.session.entries import ProblemKind

OVERLAP_KIND = "overlap"
_BLOCK_ID = re.compile(r"blockId=(\S+)")


class Source(StrEnum):
    """Who says it."""

    PROBLEM = "problem"
    FINDING = "finding"
    DIAGNOSTIC = "diagnostic"
    RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class Concern:
    """One row of the list; `target` is its cause, None where no place of the session is."""

    source: Source
    kind: str
    code: Code
    what: str
    place: str = ""
    target: Target | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.code.severity

    def is_of(self, kind: str) -> bool:
        """Whether it is of this kind, or of this source."""
        return kind in (self.kind, self.source.value)


_LOST_LINE = "Every record on the line is missing from what pi and this program show."
_PROBLEMS: Mapping[ProblemKind, Code] = {
    ProblemKind.UNREADABLE: Code(
        Severity.WARNING, f"pi skips the line. {_LOST_LINE}", "Look at the line in the file."
    ),
    ProblemKind.WELDED: Code(
        Severity.WARNING,
        f"Two writers wrote at once, and pi skips the line. {_LOST_LINE}",
        "Break the line between its records in a copy of the file.",
    ),
    ProblemKind.TORN_END: Code(
        Severity.WARNING,
        "The writing stopped in the middle of a record, which is lost.",
        "Nothing, if the session is just being written: open it again.",
    ),
    ProblemKind.NOT_AN_OBJECT: Code(
        Severity.WARNING, "pi cannot use a record that is no object.", "Look at the line."
    ),
    ProblemKind.SECOND_HEADER: Code(
        Severity.NOTE, "pi goes by the first header.", "Find out which program joined two files."
    ),
    ProblemKind.NO_ID: Code(
        Severity.WARNING,
        "Nothing can hang below a record without an id.",
        "Find out which program wrote it.",
    ),
    ProblemKind.DUPLICATE_ID: Code(
        Severity.WARNING,
        "pi keeps the last record with an id, so the earlier one is on no branch.",
        "Find out which program wrote it.",
    ),
    ProblemKind.NO_MESSAGE: Code(
        Severity.ERROR,
        "pi fails when it builds the context of this branch.",
        "Leave the line out in a copy of the file.",
    ),
    ProblemKind.CYCLE: Code(
        Severity.ERROR,
        "The parents go round in a circle, so the branch has no beginning.",
        "Choose another branch, or mend the parent in a copy of the file.",
    ),
    ProblemKind.MISSING_PARENT: Code(
        Severity.ERROR,
        "The branch begins in the middle: what came before is not sent to the model.",
        "Look for the missing entry in an older copy of the file.",
    ),
    ProblemKind.UNKNOWN_VERSION: Code(
        Severity.NOTE,
        "The file is of a version that this program does not know.",
        "Take what is shown with care.",
    ),
}
_DIAGNOSTICS: Mapping[str, Code] = {
    DiagnosticKind.UNRESOLVED_RANGE: Code(
        Severity.WARNING,
        "A boundary of the chain is not in the context, or not exactly once: the chain stays raw.",
        "Nothing is lost; the chain only costs its full size.",
    ),
    OVERLAP_KIND: Code(
        Severity.NOTE,
        "Harmless: the chain lies in one that is compressed already, so it is skipped.",
        "Nothing.",
    ),
    DiagnosticKind.RANGE_ID_MISMATCH: Code(
        Severity.WARNING,
        "The calls in the range are not those that were recorded; the range decides.",
        "Look at the chain: a call may be gone without being in its summary.",
    ),
    DiagnosticKind.ORPHAN_SWEEP: Code(
        Severity.WARNING,
        "Results without an open call were taken out, because providers refuse such a request.",
        "Look at the swept results: something was written between a call and its result.",
    ),
    DiagnosticKind.BACKFILL_EMPTY: Code(
        Severity.NOTE,
        "A chain that no summary covers held nothing that could be archived.",
        "Nothing: the chain stays as it is.",
    ),
}

_WORDS: Mapping[str, str] = {
    DiagnosticKind.UNRESOLVED_RANGE: "the chain stays raw",
    OVERLAP_KIND: "the chain is in another one",
    DiagnosticKind.RANGE_ID_MISMATCH: "not the calls that were recorded",
    DiagnosticKind.ORPHAN_SWEEP: "results taken out",
    DiagnosticKind.BACKFILL_EMPTY: "nothing to archive",
}


def concerns(inspection: Inspection, findings: tuple[Finding, ...]) -> tuple[Concern, ...]:
    """All of them, worst first; of equal ones problems, findings, diagnostics, recorded ones."""
    found = [
        *_problems(inspection),
        *_findings(inspection, findings),
        *_diagnostics(inspection),
    ]
    ranks = list(Severity)
    return tuple(sorted(found, key=lambda concern: ranks.index(concern.severity)))


def _problems(inspection: Inspection) -> Iterator[Concern]:
    for number, problem in enumerate(inspection.problems):
        yield Concern(
            source=Source.PROBLEM,
            kind=problem.kind.value,
            code=_PROBLEMS[problem.kind],
            what=problem.reason,
            place=f"line {problem.line}",
            target=ProblemTarget(number),
        )


def _findings(inspection: Inspection, findings: tuple[Finding, ...]) -> Iterator[Concern]:
    chains = {chain.entry: chain for chain in inspection.index.chains}
    for number, finding in enumerate(findings):
        concern = Concern(Source.FINDING, finding.code, CODES[finding.code], finding.what)
        chain = chains.get(finding.entry) if finding.entry else None
        if finding.slot is not None:
            yield _at_slot(concern, finding.slot, inspection)
        elif chain is not None:
            yield _at_chain(concern, chain)
        else:
            place = f"line {finding.entry.line}" if finding.entry else ""
            yield _placed(concern, place, FindingTarget(number))


def _diagnostics(inspection: Inspection) -> Iterator[Concern]:
    """Those of our render, then the recorded ones that our render does not find."""
    now = inspection.plan.diagnostics
    found = {(report.kind, report.detail) for report in now}
    for report in now:
        yield _diagnostic(Source.DIAGNOSTIC, report, inspection)
    for report in inspection.ledger.recorded_distinct:
        if (report.kind, report.detail) not in found:
            yield _diagnostic(Source.RECORDED, report, inspection)


def _diagnostic(source: Source, report: Diagnostic, inspection: Inspection) -> Concern:
    kind = OVERLAP_KIND if report.is_benign_overlap else report.kind.value
    code = _DIAGNOSTICS[kind]
    what = f"{_WORDS[kind]}: {report.detail}"
    if source is Source.RECORDED:
        code = Code(Severity.NOTE, code.why, "It was so when it was recorded; it is not so now.")
        what = f"recorded, not found now: {what}"
    concern = Concern(source, kind, code, what)
    named = _BLOCK_ID.search(report.detail)
    if named and (chain := inspection.index.chain_of_block.get(named[1])):
        return _at_chain(concern, chain)
    if report.kind is DiagnosticKind.ORPHAN_SWEEP and source is Source.DIAGNOSTIC:
        slots = enumerate(inspection.plan.slots)
        swept = (n for n, slot in slots if any(f.kind is FateKind.SWEPT for f in slot.fates))
        return _at_slot(concern, next(swept), inspection)
    return concern


def _at_slot(concern: Concern, number: int, inspection: Inspection) -> Concern:
    place = inspection.plan.slots[number].place
    return _placed(concern, "" if place is None else f"#{place}", SlotTarget(number))


def _at_chain(concern: Concern, chain: ChainEntry) -> Concern:
    return _placed(concern, chain.block_id, ChainTarget(chain.start_timestamp))


def _placed(concern: Concern, place: str, target: Target) -> Concern:
    return replace(concern, place=place, target=target)
