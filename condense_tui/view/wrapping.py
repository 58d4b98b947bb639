"""Where the rows of a text begin, counted in cells; fast enough for outputs of megabytes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain

from condense_tui.view.cells import get_character_cell_size, split_graphemes
from condense_tui.view.printable import pieces

# Characters whose width depends on what stands before them.
_JOINERS = ("\u200d", "\ufe0f")
_ONE_CELL = {1}
_ONE_ROW: Sequence[int] = (0,)
# A word that would leave more of a row empty than this part of it is cut.
_MAX_EMPTY_PART = 3


def row_starts(text: str, width: int, is_prose: bool = False, indent: int = 0) -> Sequence[int]:
    """Where each row of one printable line begins, as indices of characters.

    Rows after the first have `indent` cells less.  Prose breaks after a space where it can.
    """
    positions = _cell_positions(text)
    if positions[-1] <= width:
        return _ONE_ROW
    if isinstance(positions, range) and not is_prose and not indent:
        return range(0, len(text), width)
    starts = []
    start, limit = 0, width
    while positions[-1] - positions[start] > limit:
        starts.append(start)
        start = _row_end(text, positions, start, limit, is_prose)
        limit = max(width - indent, 1)
    return [*starts, start] if start < len(text) else starts


def _cell_positions(text: str) -> Sequence[int]:
    """How many cells stand before each character, and before the end."""
    if text.isascii() or _cells_in(text) == _ONE_CELL:
        return range(len(text) + 1)
    if not any(joiner in text for joiner in _JOINERS):
        cells_of = (map(_CELLS.__getitem__, piece) for piece in pieces(text))
        return array("l", accumulate(chain.from_iterable(cells_of), initial=0))
    cells = [0] * len(text)
    for start, _, size in split_graphemes(text)[0]:
        cells[start] = size
    return list(accumulate(cells, initial=0))


def _cells_in(text: str) -> set[int]:
    """How wide its characters are, each width once."""
    chars = set(chain.from_iterable(map(set, pieces(text))))
    return set(map(_CELLS.__getitem__, chars))


class _Cells(dict[str, int]):
    """Character → its cells; only the characters that were met are kept."""

    def __missing__(self, char: str) -> int:
        self[char] = get_character_cell_size(char)
        return self[char]


_CELLS = _Cells()


def _row_end(text: str, positions: Sequence[int], start: int, limit: int, is_prose: bool) -> int:
    """Where the row that starts there ends; never where it starts."""
    if isinstance(positions, range):
        end = start + limit
    else:
        end = max(bisect_right(positions, positions[start] + limit, start) - 1, start + 1)
    if not is_prose:
        return end
    after_space = text.rfind(" ", start, end + 1) + 1
    return after_space if (after_space - start) * _MAX_EMPTY_PART >= end - start else end


class Wrapping:
    """The rows of printable lines at one width; what a row holds is worked out when asked."""

    def __init__(
        self,
        lines: Sequence[str],
        width: int,
        is_prose: bool = False,
        indents: Sequence[int] = (),
    ) -> None:
        self._lines = lines
        self._width = max(width, 1)
        self._is_prose = is_prose
        self._indents = indents
        self._starts: dict[int, Sequence[int]] = {}
        self._first_rows = self._counted()

    def _counted(self) -> Sequence[int]:
        """The first row of each line, and how many rows there are."""
        lines, width = self._lines, self._width
        if max(map(len, lines), default=0) <= width and all(map(str.isascii, lines)):
            return range(len(lines) + 1)
        # Whatever the characters are, none is wider than two cells.
        short = width // 2
        counts = (
            1
            if len(text) <= short or (len(text) <= width and text.isascii())
            else self._row_count(number, text)
            for number, text in enumerate(lines)
        )
        return list(accumulate(counts, initial=0))

    def __len__(self) -> int:
        return self._first_rows[-1]

    def _row_count(self, number: int, text: str) -> int:
        indent = self._indents[number] if self._indents else 0
        starts = row_starts(text, self._width, self._is_prose, indent)
        if len(starts) > 1:
            self._starts[number] = starts
        return len(starts)

    def place(self, row: int) -> tuple[int, int, int]:
        """The line that a row is of, and its characters from where to where."""
        number = bisect_right(self._first_rows, row) - 1
        starts = self._starts.get(number, _ONE_ROW)
        nth = row - self._first_rows[number]
        is_last = nth + 1 == len(starts)
        return number, starts[nth], len(self._lines[number]) if is_last else starts[nth + 1]

    def row_at(self, number: int, column: int) -> int:
        """The row that shows a character of a line."""
        starts = self._starts.get(number, _ONE_ROW)
        return self._first_rows[number] + bisect_right(starts, max(column, 0)) - 1
