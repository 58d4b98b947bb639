"""`Inspection` → lines: everything about a session on a page or two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from condense_tui.inspection.calltree import CallTree, ChainNode, build_call_tree
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.diagnostics import DiagnosticKind, counts
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import Batch
from condense_tui.pruning.slots import FateKind
from condense_tui.session.jsontext import json_text
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line, strong
from condense_tui.view.words import (
    DIAGNOSTIC_WORDS,
    FATE_SIGNS,
    FATE_TONES,
    FATE_WORDS,
    SEVERITY_SIGNS,
    SEVERITY_TONES,
    counted,
)

_EXAMPLES = 3
_MOST_ROWS = 12


def overview(inspection: Inspection) -> list[Line]:
    """The session, its status, what happened to it, and what is wrong with it."""
    sections = (
        list(_head(inspection)),
        _section("What happened", _fates(inspection)),
        _section("Diagnostics", _diagnostics(inspection)),
        _section("Records", _records(inspection)),
        _section("Still to do", _outlook(inspection)),
        _section("Tried already", _tried(inspection)),
        _section("Findings", _findings(inspection)),
        _section("Problems", _problems(inspection)),
    )
    return [row for section in sections if section for row in (*section, line())][:-1]


def _section(title: str, rows: Iterable[Line]) -> list[Line]:
    listed = list(rows)
    return [line(strong(title)), *(line("  ", *row) for row in listed)] if listed else []


def _head(inspection: Inspection) -> Iterator[Line]:
    branch = inspection.branch
    session = branch.session
    header = session.header
    yield line(strong(session.name or header.id), dim(f"  {header.cwd or 'no directory'}"))
    leaf = branch.leaf.label if branch.leaf else "none"
    ends = counted(len(inspection.ends), "branch", "branches")
    total = counted(len(session.entries), "entry", "entries")
    yield line(
        f"leaf {leaf} · {ends} · {len(branch.entries)} of {total} on this one · "
        f"version {header.version}"
    )
    yield line(strong(inspection.status_line))


def _fates(inspection: Inspection) -> Iterator[Line]:
    plan = inspection.plan
    raw, pruned = len(plan.raw_messages), len(plan.pruned_messages)
    sizes = f"{compact_count(plan.raw_chars)} -> {compact_count(plan.pruned_chars)} chars"
    yield line(f"{counted(raw, 'message')} -> {pruned} · {sizes}")
    tally = plan.fate_counts
    for kind in FateKind:
        if tally[kind]:
            sign = Span(FATE_SIGNS[kind], FATE_TONES[kind])
            yield line(sign, f" {tally[kind]:>5}  {FATE_WORDS[kind]}")


def _diagnostics(inspection: Inspection) -> Iterator[Line]:
    """Three different counts, never one for another."""
    now = inspection.plan.diagnostics
    found = counts(now)
    recorded = counts(inspection.ledger.recorded)
    distinct = counts(inspection.ledger.recorded_distinct)
    if not any((*found.values(), *recorded.values())):
        return
    yield line(dim("     now  recorded  distinct"))
    for kind in DiagnosticKind:
        if found[kind] or recorded[kind]:
            row = f"{kind.letter}  {found[kind]:>5}  {recorded[kind]:>8}  {distinct[kind]:>8}  "
            benign = sum(report.is_benign_overlap for report in now if report.kind is kind)
            note = f" ({benign} of them only nested, harmless)" if benign else ""
            yield line(row, f"{DIAGNOSTIC_WORDS[kind]}{note}")
    details = [line(dim(f"   {report.kind.letter}: {report.detail}")) for report in now]
    yield from _first_few(details)


def _records(inspection: Inspection) -> Iterator[Line]:
    index = inspection.index
    tree = build_call_tree(inspection)
    if not (index.records or index.chains or index.summaries):
        yield line("none: the extension wrote nothing on this branch")
        return
    spilled = sum(record.is_spilled for record in index.records.values())
    yield line(
        f"{counted(len(index.records), 'call')} archived, {spilled} of them spilled, "
        f"{counted(len(index.aliases), 'duplicate')}, "
        f"{counted(len(index.summaries), 'summary', 'summaries')}"
    )
    reused = sum(len(keys) > 1 for keys in index.keys_of_id.values())
    if reused:
        yield line(f"{counted(reused, 'id')} used for several calls: query one to see them all")
    yield from _first_few(list(_blocks(tree)))


def _first_few(rows: list[Line]) -> Iterator[Line]:
    yield from rows[:_MOST_ROWS]
    if len(rows) > _MOST_ROWS:
        yield line(dim(f"and {len(rows) - _MOST_ROWS} more: see --format json"))


def _blocks(tree: CallTree) -> Iterator[Line]:
    """In the order of what they stand for, whatever that of their summaries in the file."""
    nodes = (node for node in tree.roots if isinstance(node, ChainNode))
    for node in sorted(nodes, key=lambda node: node.chain.start_timestamp):
        state = "in place" if node.is_placed else "not applied: nothing dropped or inserted"
        calls = counted(node.call_count, "call")
        yield line(accent(node.chain.block_id), f"  {calls} · {state}")


def _outlook(inspection: Inspection) -> Iterator[Line]:
    if inspection.due:
        yield line(f"{_calls_in(inspection.due)} not yet summarised")
    if inspection.ready_chains:
        yield line(f"{counted(len(inspection.ready_chains), 'chain')} ready to be compressed")
    if inspection.keys_in_grace:
        recoveries = len(inspection.keys_in_grace)
        yield line(f"{counted(recoveries, 'recovered output')} in grace")


def _calls_in(batches: list[Batch]) -> str:
    calls = sum(len(batch.calls) for batch in batches)
    return f"{counted(calls, 'call')} in {counted(len(batches), 'batch', 'batches')}"


def _tried(inspection: Inspection) -> Iterator[Line]:
    if inspection.passed_over:
        left = _calls_in(inspection.passed_over)
        yield line(f"{left} left as they are: too small, say, or no shorter as a summary")
    frontier = inspection.ledger.frontier
    if frontier:
        yield line(dim(f"frontier: {json_text(frontier)}"))


def _findings(inspection: Inspection) -> Iterator[Line]:
    by_code: dict[str, list[Finding]] = {}
    for finding in find(inspection):
        by_code.setdefault(finding.code, []).append(finding)
    for code, found in by_code.items():
        times = f" ×{len(found)}" if len(found) > 1 else ""
        row = found[0].row
        sign = Span(SEVERITY_SIGNS[row.severity], SEVERITY_TONES[row.severity])
        yield line(sign, f" {code}{times}")
        yield line(dim(f"  {row.why} {row.advice}"))
        for finding in found[:_EXAMPLES]:
            yield line(f"  {finding.what}", dim(_place(finding)))
        if len(found) > _EXAMPLES:
            yield line(dim(f"  and {len(found) - _EXAMPLES} more: see --format json"))


def _place(finding: Finding) -> str:
    return f"  line {finding.entry.line}" if finding.entry else ""


def _problems(inspection: Inspection) -> Iterator[Line]:
    rows = [
        line(Span(f"line {problem.line}", Tone.WARNING), f"  {problem.kind}: {problem.reason}")
        for problem in inspection.problems
    ]
    yield from _first_few(rows)
