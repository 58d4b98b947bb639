"""Columns: one-line texts, cut and filled to a number of cells."""

from __future__ import annotations

from condense_tui.view.cells import cell_len, set_cell_size
from condense_tui.view.fitting import shortened_to
from condense_tui.view.printable import one_line

_MAX_CHARS = 2000


def cell(text: str, width: int) -> str:
    """The printable text in exactly `width` cells; a sign tells where it was cut."""
    return set_cell_size(shortened_to(one_line(text[:_MAX_CHARS]), width), width)


def key_cell(key: str, width: int) -> str:
    """The same for an occurrence key, whose end tells it from others: cut in the middle."""
    shown = one_line(key[-_MAX_CHARS:])
    if cell_len(shown) <= width:
        return set_cell_size(shown, width)
    tail = shown[-(width * 2 // 3) :]
    return set_cell_size(f"{set_cell_size(shown, width - cell_len(tail) - 1)}…{tail}", width)
