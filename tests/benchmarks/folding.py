"""Folding and unfolding trees of many nodes: `python -m tests.benchmarks.folding`.

A key to the end of its frame on a pseudo-terminal, 19 of 20 within the figure; beside it, in the
same run, a tree of a hundred nodes.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.report import Figure, p95, print_figures
from tests.benchmarks.terminal import HOME, Press, Timed, python, timed

_FEW = 100
_PRESSES = 20
_TARGETS = {("fold or unfold", 100_000): 20.0, ("unfold all", 1_000_000): 100.0}


def toggled(program: Timed) -> list[Press]:
    """The first node folded and unfolded again, all others open."""
    program.press("+")
    program.press(HOME)
    return [program.key(" ") for _ in range(_PRESSES)]


def unfolded(program: Timed) -> list[Press]:
    """Everything unfolded."""
    taken = []
    for _ in range(_PRESSES // 2):
        program.press("-")
        taken.append(program.key("+"))
    return taken


def figures(home: Path) -> list[Figure]:
    """Everything."""
    found: list[Figure] = []
    few: dict[str, float] = {}
    for count in (_FEW, 100_000, 1_000_000):
        command = python("-m", "tests.benchmarks.rowsapp", "tree", str(count))
        with timed(command, home) as program:
            program.until_shown("summary")
            program.until_quiet(1)
            taken = {"fold or unfold": toggled(program), "unfold all": unfolded(program)}
        for what, presses in taken.items():
            ms = p95([press.frame_ms for press in presses])
            few.setdefault(what, ms)
            target = _TARGETS.get((what, count), math.nan)
            found.append(Figure(f"{what} at {count:,}", ms, target, "a hundred", few[what]))
            still = p95([press.still_ms for press in presses])
            found.append(Figure("  with its scrollbar, in a frame of its own", still))
    return found


def main() -> int:
    with TemporaryDirectory() as home:
        return print_figures("A tree folded", figures(Path(home)))


if __name__ == "__main__":
    sys.exit(main())
