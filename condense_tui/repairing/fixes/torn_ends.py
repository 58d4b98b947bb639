"""A file that stops within a line: half a record is left out, and the last line is ended."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import BROKEN, Note
from condense_tui.repairing.remains import lost_parents, quoted
from condense_tui.session.compact import changed
from condense_tui.session.recovery import recover_pieces


def end_last_line(draft: Draft) -> Outcome:
    """Without a line feed at the end the next record would be welded to the last one."""
    if draft.ends_line or not draft.lines:
        return Outcome(draft)
    *before, last = draft.lines
    text = last.raw.decode("utf-8", "replace")
    ended = changed(draft, ends_line=True)
    if last.value is not BROKEN or recover_pieces(text):
        return Outcome(ended, (Note(last.number, "the last line is ended with a line feed"),))
    lost = {**draft.lost_parents, **lost_parents([text])}
    whole = changed(ended, lines=tuple(before), lost_parents=lost)
    return Outcome(whole, (Note(last.number, f"left out, cut off: {quoted(text)}"),))
