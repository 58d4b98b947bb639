"""`Finding`: one thing that is wrong with a session, or that a person would not expect."""

from __future__ import annotations

from condense_tui.inspection.codes import FINDING_CODES, Code, Severity
from condense_tui.pruning.slots import Slot
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry


class Finding(Value, frozen=True):
    """One finding; `slot` is the number of its slot in the plan, `entry` where it lies."""

    code: str
    what: str
    slot: int | None = None
    entry: Entry | None = None

    @property
    def row(self) -> Code:
        """Its row of the table: severity, why it matters, what to do."""
        return FINDING_CODES[self.code]

    @property
    def severity(self) -> Severity:
        """Its code's severity."""
        return self.row.severity


def finding_at(code: str, what: str, number: int, slot: Slot) -> Finding:
    """A finding about a slot, which lies where its message was read from."""
    return Finding(code, what, number, slot.before.entry if slot.before else None)
