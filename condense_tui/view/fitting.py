"""Lines that are too wide → lines that fit: what matters least gives way, and a sign says so.

Each span says how it gives way.  Room is granted in this order: to what stays, and to what
shrinks the least that it needs; to what lingers; to what shrinks, all of it; to what goes; to
what fills.  Among equals the first comes first.  Where even what stays is too wide, the end of
the line is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from condense_tui.view.cells import cell_len, set_cell_size
from condense_tui.view.lines import Giving, Line, Span, Tone
from condense_tui.view.printable import one_line

CUT = "…"
_SEPARATOR = " · "
# No row costs more than a wide screen shows of it.
_MAX_CHARS = 2000
# In cells: a short name and a bracket of a call.
_LEAST: Mapping[Giving, int] = {
    Giving.LINGERS: 0,
    Giving.SHRINKS: 6,
    Giving.GOES: 0,
    Giving.FILLS: 0,
}
_WHOLE_OR_NOT = frozenset({Giving.LINGERS, Giving.GOES})


def fitted(spans: Line, width: int) -> Line:
    """The printable line in at most `width` cells; what is cut ends in a sign."""
    pieces = [Span(one_line(span.text[:_MAX_CHARS]), span.tone, span.giving) for span in spans]
    cells = [cell_len(piece.text) for piece in pieces]
    if sum(cells) <= width:
        return tuple(pieces)
    granted = _granted(pieces, cells, width)
    shown = (
        piece if room == needed else Span(shortened_to(piece.text, room), piece.tone)
        for piece, needed, room in zip(pieces, cells, granted, strict=True)
        if room
    )
    return tuple(_cut(shown, width) if sum(granted) > width else shown)


def _granted(pieces: Sequence[Span], cells: Sequence[int], width: int) -> list[int]:
    """How many cells each piece gets."""
    granted = [
        min(needed, _LEAST.get(piece.giving, needed))
        for piece, needed in zip(pieces, cells, strict=True)
    ]
    left = max(width - sum(granted), 0)
    for giving in _LEAST:
        for number in (at for at, piece in enumerate(pieces) if piece.giving is giving):
            more = cells[number] - granted[number]
            if more > left:
                more = 0 if giving in _WHOLE_OR_NOT else left
            granted[number] += more
            left -= more
    return granted


def _cut(spans: Iterable[Span], width: int) -> Iterator[Span]:
    """The beginning of a line that is wider than this, with the sign at its end."""
    left = width
    for span in spans:
        cells = cell_len(span.text)
        if cells >= left:
            # Of what follows there is at least a cell, or this span is itself too wide.
            yield Span(set_cell_size(span.text, max(left - 1, 0)), span.tone)
            break
        yield span
        left -= cells
    if width > 0:
        yield Span(CUT, Tone.DIM)


def shortened_to(text: str, width: int) -> str:
    """The printable text in at most so many cells, with a sign where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1) + CUT if width > 0 else ""


def filled(spans: Line, width: int) -> Line:
    """The fitted line with blanks up to exactly `width` cells."""
    shown = fitted(spans, width)
    blank = width - sum(cell_len(span.text) for span in shown)
    return (*shown, Span(" " * blank)) if blank > 0 else shown


def flowed(pieces: Iterable[str], width: int, rows: int) -> list[str]:
    """Pieces with dots between them in at most so many rows, none of them broken.

    A piece wider than a row is cut; where some have no room the last row ends in a sign.
    """
    texts = [shortened_to(piece, width) for piece in pieces]
    flow: list[str] = []
    for number, text in enumerate(texts):
        is_last = number == len(texts) - 1
        reserve = 0 if is_last or len(flow) < rows else len(_SEPARATOR + CUT)
        joined = f"{flow[-1]}{_SEPARATOR}{text}" if flow else text
        if cell_len(joined) <= width - reserve:
            flow[-1:] = [joined]
        elif len(flow) < rows:
            flow.append(text)
        else:
            return [*flow[:-1], shortened_to(f"{flow[-1]}{_SEPARATOR}{CUT}", width)]
    return flow
