"""Opening long texts whole, and paging in them: `python -m tests.benchmarks.longtexts [NAME…]`.

On a pseudo-terminal: from the key to the frame with the first rows, and with all rows counted,
which is when the way to the end is open; then a page, and the end.  Beside it, in the same run,
a text of 400 lines, which is what an overlay and a frame cost.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.report import Figure, median, p95, print_figures
from tests.benchmarks.terminal import END, HOME, PAGE_DOWN, Timed, python, timed
from tests.benchmarks.texts import SHORT, TEXTS

_RUNS = 3
_PAGES = 20
_SHORT_PAGES = 10
_PAGE_MS = 20
_OPEN_MS = {"10 MB of output": 200.0, "50 MB in one line": 500.0}
# What is shown before all is laid out has some hundred rows.
_ALL_ROWS = r"of \d{4,}"


def opened(name: str, home: Path) -> tuple[float, float, float, float]:
    """Milliseconds to the first rows, to all rows, for a page, and to the end."""
    opening, pages, ends = [], [], []
    for _ in range(_RUNS):
        with ready(name, home) as program:
            opening.append(program.frames("o", "first", _ALL_ROWS))
            program.until_quiet()
            pages += [program.key(PAGE_DOWN).still_ms for _ in range(_PAGES)]
            program.press(HOME)
            ends.append(program.key(END, "last").still_ms)
    first, everything = map(median, zip(*opening, strict=True))
    return first, everything, p95(pages), median(ends)


def opened_short(home: Path) -> tuple[float, float]:
    """Milliseconds to the rows of a short text, and for a page of it."""
    opening, pages = [], []
    for _ in range(_RUNS):
        with ready(SHORT, home) as program:
            opening += program.frames("o", "first")
            program.until_quiet()
            pages += [program.key(PAGE_DOWN).still_ms for _ in range(_SHORT_PAGES)]
    return median(opening), p95(pages)


@contextmanager
def ready(name: str, home: Path) -> Iterator[Timed]:
    """The program with this text, before it is opened."""
    with timed(python("-m", "tests.benchmarks.rowsapp", "long", name), home) as program:
        program.until_shown()
        program.until_quiet(1)
        yield program


def figures(names: list[str], home: Path) -> list[Figure]:
    """Everything."""
    found = []
    short, short_page = opened_short(home)
    for name in names:
        first, everything, page, end = opened(name, home)
        target = _OPEN_MS.get(name, math.nan)
        found += [
            Figure(f"{name}: first rows", first, target, SHORT, short),
            Figure(f"{name}: all rows", everything, target, SHORT, short),
            Figure(f"{name}: a page, p95", page, _PAGE_MS, SHORT, short_page),
            Figure(f"{name}: the end", end),
        ]
    return found


def main() -> int:
    names = sys.argv[1:] or [name for name in TEXTS if name != SHORT]
    with TemporaryDirectory() as home:
        return print_figures("Long texts in the overlay", figures(names, Path(home)))


if __name__ == "__main__":
    sys.exit(main())
