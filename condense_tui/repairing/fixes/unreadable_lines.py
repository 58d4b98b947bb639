"""Lines that are not JSON and hold no whole record are left out, as pi passes over them."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import BROKEN, TOO_DEEP, Line, Note
from condense_tui.repairing.remains import lost_parents, quoted
from condense_tui.session.compact import changed
from condense_tui.session.recovery import recover_pieces


def leave_out_unreadable_lines(draft: Draft) -> Outcome:
    """A line with a whole record in it is kept, and so is one that only Python cannot read."""
    broken = {line.key: text for line in draft.lines if (text := _broken_text(line))}
    deep = tuple(
        Note(line.number, "nested too deeply to be read here: left as it is")
        for line in draft.lines
        if line.value is TOO_DEEP
    )
    if not broken:
        return Outcome(draft, left=deep)
    lost = {**draft.lost_parents, **lost_parents(broken.values())}
    notes = [Note(key[0], f"left out, not JSON: {quoted(text)}") for key, text in broken.items()]
    readable = changed(draft.without(lambda line: line.key in broken), lost_parents=lost)
    return Outcome(readable, tuple(notes), deep)


def _broken_text(line: Line) -> str | None:
    if line.value is not BROKEN:
        return None
    text = line.raw.decode("utf-8", "replace")
    return None if recover_pieces(text) else text
