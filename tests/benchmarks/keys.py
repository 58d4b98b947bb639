"""From a key to the end of its frame, in lists of any length: `python -m tests.benchmarks.keys`.

Measured outside the program, on a pseudo-terminal; beside each figure, in the same run, that of
the same key in a list of a hundred rows.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.report import Figure, p95, print_figures
from tests.benchmarks.terminal import DOWN, END, HOME, PAGE_DOWN, Timed, python, timed

_TARGET_MS = 20
_FEW = 100
_PRESSES = 40
# What is pressed between two that count, so that there is always somewhere to go.
_KEYS = {"cursor": (DOWN, ""), "page": (PAGE_DOWN, ""), "end": (END, HOME), "home": (HOME, END)}
_SIZES = {"context": 1_000_000, "tree": 100_000}


def pressed(program: Timed, key: str, back: str, presses: int = _PRESSES) -> float:
    """The 95th percentile of some presses, in milliseconds."""
    taken = []
    for _ in range(presses):
        taken.append(program.key(key).still_ms)
        if back:
            program.press(back)
    return p95(taken)


def measured(kind: str, count: int, home: Path) -> dict[str, float]:
    """Of each key, in a list of so many rows."""
    presses = min(_PRESSES, count // 40) if count < _PRESSES * 40 else _PRESSES
    with timed(python("-m", "tests.benchmarks.rowsapp", kind, str(count)), home) as program:
        program.until_quiet(1)
        if kind == "tree":
            program.press("+")
        found = {}
        for name, (key, back) in _KEYS.items():
            program.press(HOME if name != "home" else END)
            found[name] = pressed(program, key, back, presses if name == "page" else _PRESSES)
    return found


def figures(home: Path) -> list[Figure]:
    """Everything."""
    found = []
    for kind, count in _SIZES.items():
        few, many = measured(kind, _FEW, home), measured(kind, count, home)
        found += [
            Figure(f"{name}, {kind} of {count:,}, p95", many[name], _TARGET_MS, "a hundred", ms)
            for name, ms in few.items()
        ]
    return found


def main() -> int:
    with TemporaryDirectory() as home:
        return print_figures("A key to the end of its frame", figures(Path(home)))


if __name__ == "__main__":
    sys.exit(main())
