"""Lines that are JSON but no object, which pi cannot use, are left out."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import BROKEN, NOTHING, TOO_DEEP, Line, Note
from condense_tui.repairing.remains import quoted


def leave_out_bare_values(draft: Draft) -> Outcome:
    """As the last record of a file one would leave pi without a branch."""
    bare = [line for line in draft.lines if _is_bare(line)]
    if not bare:
        return Outcome(draft)
    notes = [Note(line.number, f"left out, no record: {_shown(line)}") for line in bare]
    return Outcome(draft.without(_is_bare), tuple(notes))


def _is_bare(line: Line) -> bool:
    has_value = all(line.value is not none for none in (NOTHING, BROKEN, TOO_DEEP))
    return has_value and not isinstance(line.value, dict)


def _shown(line: Line) -> str:
    return quoted(line.raw.decode("utf-8", "replace"))
