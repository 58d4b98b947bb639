"""An entry that must not be sent becomes a `custom` one that holds it: nothing is lost by it.

pi never sends a `custom` entry.  Ids, parents, labels and boundaries stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line

SET_ASIDE_TYPE = "condense-tui-repair"
_OUTER = ("id", "parentId", "timestamp")


def set_aside(draft: Draft, chosen: Mapping[int, Line], reason: Callable[[int], str]) -> Outcome:
    """Set aside the entries at these places; `reason` says why, by place."""
    changed = {place: _aside(line, reason(place)) for place, line in chosen.items()}
    notes = (line.note(f"set aside: {reason(place)}") for place, line in chosen.items())
    return Outcome(draft.with_lines(changed), tuple(notes))


def _aside(line: Line, reason: str) -> Line:
    outer = {name: line.body[name] for name in _OUTER if name in line.body}
    held = {"reason": reason, "entry": line.value}
    return line.with_value({"type": "custom", "customType": SET_ASIDE_TYPE, "data": held, **outer})
