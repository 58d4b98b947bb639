"""Several records on one line, or one behind a broken one: each gets a line of its own."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome, with_kept_lines
from condense_tui.repairing.lines import BROKEN, Line, Note
from condense_tui.repairing.remains import lost_parents, quoted
from condense_tui.session.compact import changed
from condense_tui.session.entries import Header
from condense_tui.session.recovery import Piece, recover_pieces


def split_welded_lines(draft: Draft) -> Outcome:
    """Recover the complete records of lines that are not JSON, byte for byte."""
    lines: list[Line] = []
    recovered: list[Line] = []
    notes: list[Note] = []
    lost: dict[str, str | None] = {}
    for line in draft.lines:
        text = line.raw.decode("utf-8", "replace") if line.value is BROKEN else ""
        pieces = recover_pieces(text) if text else []
        if not pieces:
            lines.append(line)
            continue
        broken = _between(text, pieces)
        lost |= lost_parents(broken)
        own = [_line(line.number, number, text, piece) for number, piece in enumerate(pieces)]
        notes += _notes(line, own, broken)
        recovered += own
        lines += own
    if not recovered:
        return Outcome(draft)
    ordered = tuple(_behind_header(lines, recovered))
    split = changed(draft, lines=ordered, lost_parents={**draft.lost_parents, **lost})
    has_new_header = not isinstance(draft.header, Header)
    counted = with_kept_lines(split, lines if has_new_header else recovered)
    return Outcome(counted, tuple(notes))


def _behind_header(lines: list[Line], recovered: list[Line]) -> list[Line]:
    """What was recovered before the header comes after it: a session begins with its header."""
    header = next((at for at, line in enumerate(lines) if line.body.get("type") == "session"), 0)
    new = set(recovered)
    early = [line for line in lines[:header] if line in new]
    before = [line for line in lines[:header] if line not in new]
    return [*before, *lines[header : header + 1], *early, *lines[header + 1 :]]


def _line(number: int, piece: int, text: str, found: Piece) -> Line:
    raw = text[found.start : found.end].encode("utf-8", "surrogatepass")
    return Line(number, raw, found.record, piece)


def _between(text: str, pieces: list[Piece]) -> list[str]:
    """What is left of the line around the pieces."""
    starts = [0, *(piece.end for piece in pieces)]
    ends = [*(piece.start for piece in pieces), len(text)]
    gaps = (text[start:end] for start, end in zip(starts, ends, strict=True))
    return [gap for gap in gaps if gap.strip()]


def _notes(line: Line, own: list[Line], broken: list[str]) -> list[Note]:
    count = len(own)
    names = ", ".join(record.id for record in own if record.id)
    what = f"{count} record{'s' if count > 1 else ''} recovered{': ' if names else ''}{names}"
    lost = [Note(line.number, f"left out, no whole record: {quoted(text)}") for text in broken]
    return [Note(line.number, what), *lost]
