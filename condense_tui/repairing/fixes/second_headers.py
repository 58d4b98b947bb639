"""Later headers, of files that were joined, are left out: pi goes by the first one."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line, Note


def leave_out_second_headers(draft: Draft) -> Outcome:
    """Only what pi itself passes over."""
    headers = [line for line in draft.lines if _is_header(line)]
    later = {line.key for line in headers[1:]}
    if not later:
        return Outcome(draft)
    notes = [_note(line) for line in headers[1:]]
    return Outcome(draft.without(lambda line: line.key in later), tuple(notes))


def _is_header(line: Line) -> bool:
    return line.body.get("type") == "session"


def _note(line: Line) -> Note:
    return Note(line.number, f"left out: a second header, of the session {line.label}")
