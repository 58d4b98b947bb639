"""Bytes of a session and the fixes to apply → the bytes of a mended copy, and a report.

A pure function: the same session is always mended in the same way, and a mended one not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from condense_tui.inspection.codes import Severity
from condense_tui.inspection.concerns import concerns
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.records import EntryType
from condense_tui.pruning.settings import settings_from
from condense_tui.repairing.draft import Draft, Outcome, read_draft
from condense_tui.repairing.lines import Note
from condense_tui.repairing.table import FIXES, USUAL_FIXES, Fix
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Refusal, read_session

# The fix that a compaction of version 1 is counted with, when records were added or left out.
_COUNTING = "compaction-boundary"


@dataclass(frozen=True, slots=True)
class RepairNote:
    """One change, or one thing that is left: `kind` is the fix, or the code of a finding.

    `line` is the source's, counted from 1; None where no line can be named.
    """

    kind: str
    line: int | None
    what: str
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What was changed, fix by fix, and what is still wrong with the copy."""

    changes: tuple[RepairNote, ...]
    left: tuple[RepairNote, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Repair:
    """A mended copy; `spill_paths` are the recorded places of the outputs beside it."""

    raw: bytes
    report: RepairReport
    spill_paths: tuple[str, ...]


def repair(raw: bytes, fixes: Iterable[Fix] = USUAL_FIXES) -> Repair | Refusal:
    """Apply these fixes, in the order of the table; a Refusal where there is no session."""
    chosen = {fix.name for fix in fixes}
    draft = read_draft(raw)
    changes: list[RepairNote] = []
    left: list[RepairNote] = []
    for fix in FIXES:
        if fix.name in chosen:
            outcome = fix.mend(draft)
            changes += _named(fix, (*outcome.done, *_followers(draft, outcome)))
            left += _named(fix, outcome.left)
            draft = outcome.draft
    header = draft.header
    if isinstance(header, Refusal):
        # Of what was there the fixes may have left nothing to say what is wrong with it.
        found = read_session(raw)
        return found if isinstance(found, Refusal) else header
    counted = draft.counted_again
    changes += [
        RepairNote(_COUNTING, line.number, "its boundary, a count of records, follows the records")
        for was, line in zip(draft.lines, counted.lines, strict=True)
        if was is not line
    ]
    mended = counted.raw
    report = RepairReport(tuple(changes), (*left, *_errors(mended, draft)))
    return Repair(mended, report, _spill_paths(draft))


def _followers(before: Draft, outcome: Outcome) -> list[Note]:
    """Lines that a fix changed because they refer to what it changed: none goes unsaid."""
    if outcome.draft is before:
        return []
    told = {note.line for note in outcome.done}
    known = set(before.lines)
    return [
        line.note("it refers to an entry or a call that was changed, and follows")
        for line in outcome.draft.lines
        if line not in known and line.number not in told
    ]


def _named(fix: Fix, notes: Iterable[Note]) -> list[RepairNote]:
    in_order = sorted(notes, key=lambda note: note.line)
    return [RepairNote(fix.name, note.line, note.what, note.entry) for note in in_order]


def _errors(mended: bytes, draft: Draft) -> Iterator[RepairNote]:
    """What is still an error when the copy is opened as pi would open it."""
    session = read_session(mended)
    if isinstance(session, Refusal):
        yield RepairNote("refused", None, session.reason)
        return
    inspection = Inspection(default_branch(session), settings_from(None))
    for concern in concerns(inspection, tuple(find(inspection))):
        if concern.severity is Severity.ERROR:
            line = None if concern.line is None else draft.lines[concern.line - 1].number
            yield RepairNote(concern.kind, line, concern.what, concern.entry)


def _spill_paths(draft: Draft) -> tuple[str, ...]:
    """Where the records of the extension say that their outputs are, each once."""
    records = (
        call
        for _, line in draft.entries
        if line.body.get("customType") == EntryType.INDEX
        and isinstance(held := line.body.get("data"), dict)
        and isinstance(calls := held.get("toolCalls"), list)
        for call in calls
    )
    paths = (record.get("spillPath") for record in records if isinstance(record, dict))
    return tuple(dict.fromkeys(path for path in paths if path and isinstance(path, str)))
