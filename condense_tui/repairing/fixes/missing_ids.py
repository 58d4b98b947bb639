"""Entries without an id, below which nothing can hang, get one."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.freshids import FreshIds
from condense_tui.repairing.lines import Line


def give_missing_ids(draft: Draft) -> Outcome:
    """One that names no parent either follows the entry before it in the file."""
    entries = draft.entries
    if not draft.has_ids or all(line.id for _, line in entries):
        return Outcome(draft)
    fresh = FreshIds(line.id for _, line in entries)
    changed: dict[int, Line] = {}
    notes = []
    before: str | None = None
    for place, line in entries:
        if line.id is None:
            fields: dict[str, str | None] = {"id": fresh.entry_id(line)}
            if "parentId" not in line.body:
                fields["parentId"] = before
            changed[place] = named = line.with_fields(**fields)
            notes.append(named.note("the entry had no id"))
            before = named.id
        else:
            before = line.id
    return Outcome(draft.with_lines(changed), tuple(notes))
