"""Problems, diagnostics and findings as one kind of thing: how bad, what, why, where, what to do.

This is the list that `check` prints and the Findings screen shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from condense_tui.inspection.codes import (
    DIAGNOSTIC_CODES,
    OVERLAP_KIND,
    PROBLEM_CODES,
    Code,
    Severity,
)
from condense_tui.inspection.finding import Finding
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
from condense_tui.session.compact import Value, changed

_BLOCK_ID = re.compile(r"blockId=(\S+)")


class Source(StrEnum):
    """Who says it."""

    PROBLEM = "problem"
    FINDING = "finding"
    DIAGNOSTIC = "diagnostic"
    RECORDED = "recorded"


class Concern(Value, frozen=True):
    """One row of the list; `target` is its cause, None where no place of the session is.

    `kind` is the stable code and `code` its row; `line` counts from 1, `entry` is an entry's id,
    `slot` a number among the slots of the plan, and `place` the most telling of these for people.
    """

    source: Source
    kind: str
    code: Code
    what: str
    place: str = ""
    target: Target | None = None
    line: int | None = None
    entry: str | None = None
    slot: int | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.code.severity

    def is_of(self, kind: str) -> bool:
        """Whether it is of this kind, or of this source."""
        return kind in (self.kind, self.source.value)


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
    return tuple(sorted(found, key=lambda concern: concern.severity.rank))


def added_kinds(before: Iterable[Concern], after: Iterable[Concern]) -> dict[str, int]:
    """How many of each kind came to those that were there before, worst kind first.

    One that became worse is another one, one that became milder is not.
    """
    added = Counter((concern.severity.rank, concern.kind) for concern in after)
    added.subtract((concern.severity.rank, concern.kind) for concern in before)
    milder: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for (_, kind), count in sorted(added.items(), key=lambda told: told[0][0]):
        balance = count - milder[kind]
        milder[kind] = max(-balance, 0)
        kinds[kind] += max(balance, 0)
    return {kind: count for kind, count in kinds.items() if count}


def _problems(inspection: Inspection) -> Iterator[Concern]:
    for number, problem in enumerate(inspection.problems):
        yield Concern(
            source=Source.PROBLEM,
            kind=problem.kind.value,
            code=PROBLEM_CODES[problem.kind],
            what=problem.reason,
            place=f"line {problem.line}",
            target=ProblemTarget(number),
            line=problem.line,
        )


def _findings(inspection: Inspection, findings: tuple[Finding, ...]) -> Iterator[Concern]:
    chains = {chain.entry: chain for chain in inspection.index.chains}
    for number, finding in enumerate(findings):
        entry = finding.entry
        concern = Concern(
            source=Source.FINDING,
            kind=finding.code,
            code=finding.row,
            what=finding.what,
            line=entry.line if entry else None,
            entry=entry.id if entry else None,
        )
        chain = chains.get(entry) if entry else None
        if finding.slot is not None:
            yield _at_slot(concern, finding.slot, inspection)
        elif chain is not None:
            yield _at_chain(concern, chain)
        else:
            place = f"line {entry.line}" if entry else ""
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
    code = DIAGNOSTIC_CODES[kind]
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
    concern = changed(concern, slot=number)
    return _placed(concern, "" if place is None else f"#{place}", SlotTarget(number))


def _at_chain(concern: Concern, chain: ChainEntry) -> Concern:
    return _placed(concern, chain.block_id, ChainTarget(chain.start_timestamp))


def _placed(concern: Concern, place: str, target: Target) -> Concern:
    return changed(concern, place=place, target=target)
