"""`message` entries without a message, on which pi fails, are set aside."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.setaside import set_aside


def set_aside_missing_messages(draft: Draft) -> Outcome:
    """The entry keeps its place, so that nothing that hangs below it is cut off."""
    broken = {
        place: line
        for place, line in draft.entries
        if line.type == "message" and line.message is None
    }
    return set_aside(draft, broken, lambda _: "a message entry without a message")
