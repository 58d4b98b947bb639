"""Bytes of a session and the fixes to apply → the bytes of a mended copy, and a report.

A pure function: the same session is always mended in the same way, and a mended one not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

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
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.reading import read_session

# The fix that a compaction of version 1 is counted with, when records were added or left out.
_COUNTING = "compaction-boundary"
_MAX_NAMED_CHARS = 60


class RepairNote(Value, frozen=True):
    """One change, or one thing that is left: `kind` is the fix, or the code of a finding.

    `line` is the source's, counted from 1; None where no line can be named.
    """

    kind: str
    line: int | None
    what: str
    entry: str | None = None


class RepairReport(Value, frozen=True):
    """What was changed, fix by fix, and what is still wrong with the copy."""

    changes: tuple[RepairNote, ...]
    left: tuple[RepairNote, ...]


class Repair(Value, frozen=True):
    """A mended copy; `spill_paths` are the recorded places of the outputs beside it."""

    raw: bytes
    report: RepairReport
    spill_paths: tuple[str, ...]

    __repr__ = object.__repr__


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
    was = {line.key: line.value for line in before.lines}
    return [
        line.note(_what_follows(was.get(line.key), line.value))
        for line in outcome.draft.lines
        if line not in known and line.number not in told
    ]


def _what_follows(was: Any, now: Any) -> str:
    """The first reference that is another one now, and how many there are."""
    pairs = list(dict.fromkeys(_differing(was, now)))
    if not pairs:
        return "it refers to what was changed, and follows"
    old, new = (_short(text) or "nothing" for text in pairs[0])
    count = f" ({len(pairs)} references)" if len(pairs) > 1 else ""
    return f"it refers to {old}, now {new}, and follows{count}"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_NAMED_CHARS else f"{text[:_MAX_NAMED_CHARS]}…"


def _differing(was: Any, now: Any) -> Iterator[tuple[str, str]]:
    """Texts that are others, in pairs; what is no text is an empty one."""
    pairs = [(was, now)]
    while pairs:
        old, new = pairs.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            pairs += [(old.get(key), new[key]) for key in reversed(new)]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            pairs += zip(reversed(old), reversed(new), strict=True)
        elif isinstance(old, str | None) and isinstance(new, str | None) and old != new:
            yield old or "", new or ""


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
