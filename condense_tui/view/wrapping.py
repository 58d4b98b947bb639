"""Wrapping by cells, fast enough for outputs of megabytes."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import chop_cells

from condense_tui.view.printable import printable


def wrapped(text: str, width: int) -> Iterator[str]:
    """The printable lines of a text, each at most `width` cells wide."""
    width = max(width, 1)
    for text_line in printable(text).split("\n"):
        if len(text_line) <= width and text_line.isascii():
            yield text_line
        elif text_line.isascii():
            yield from (text_line[i : i + width] for i in range(0, len(text_line), width))
        else:
            yield from chop_cells(text_line, width) or [""]
