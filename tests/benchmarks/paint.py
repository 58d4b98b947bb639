"""How soon a session is seen: process start to the first frame with rows, and the first key.

    python -m tests.benchmarks.paint [--runs RUNS] [--toolong TL]

Everything is compiled first, as an installed program is.  The programs take turns, so that a busy
machine is as busy for all of them: the browser on a session of 1 MB and of 400 MB, the least that a
Textual application can be, and `tl` (toolong), where it is on the path or named.  That one is a
reader of logs, and is also measured on what it is made for: short lines.
"""

from __future__ import annotations

import argparse
import compileall
import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import condense_tui
from tests.benchmarks.report import Figure, median, print_figures
from tests.benchmarks.sessionfiles import write_session
from tests.benchmarks.terminal import DOWN, python, timed

# More than the least, and more of a large file than of a small one.
_MORE_MS, _LARGE_MORE_MS, _KEY_MS = 80, 50, 20
_SMALL, _LARGE = 1, 400
_ROWS = ("Turn 1 summary", "assistant")
_TRIVIAL = """
from textual.app import App
from textual.widgets import Static

class Trivial(App):
    def compose(self):
        yield Static("nothing but this")

Trivial().run()
"""


_LINES = 17_000
_TOOLONG = "toolong"
# What shows nothing by then is not waited for in the next turn either.
_PATIENCE_SECONDS = 20


class Program(NamedTuple):
    """What is started, the words of its first useful frame, and a key that it answers then."""

    command: Sequence[str]
    words: Sequence[str]
    key: str = ""


class Times(NamedTuple):
    """Medians in milliseconds: of the first frame, and of a key after it."""

    frame: float
    key: float = 0.0


def times_of(programs: Mapping[str, Program], home: Path, runs: int) -> dict[str, Times]:
    """Of each program; the first turn reads them and their files into the memory of the system."""
    times: dict[str, list[Times]] = {name: [] for name in programs}
    for _ in range(runs + 1):
        for name, program in programs.items():
            if not (times[name] and math.isinf(times[name][-1].frame)):
                times[name].append(_times_once(program, home))
    return {name: _medians(found[1:] or found) for name, found in times.items()}


def _times_once(program: Program, home: Path) -> Times:
    with timed(program.command, home) as started:
        frame = started.until_shown(*program.words, patience_seconds=_PATIENCE_SECONDS)
        is_asked = program.key and math.isfinite(frame)
        return Times(frame, started.key(program.key).frame_ms if is_asked else 0.0)


def _medians(times: Sequence[Times]) -> Times:
    frames, keys = zip(*times, strict=True)
    return Times(median(frames), median(keys))


def programs_in(folder: Path, toolong: str | None) -> dict[str, Program]:
    """All that take turns, with the files that they show."""
    trivial = folder / "trivial.py"
    trivial.write_text(_TRIVIAL, encoding="utf-8")
    programs = {"least": Program(python(str(trivial)), ["nothing"])}
    for megabytes in (_SMALL, _LARGE):
        path = str(write_session(folder, megabytes))
        command = python("-m", "condense_tui", path)
        programs[f"{megabytes} MB"] = Program(command, _ROWS, DOWN)
        if toolong and megabytes == _SMALL:
            programs[_TOOLONG] = Program([toolong, path], ["assistant"])
    if toolong:
        log = folder / "short.log"
        log.write_text("10:00:00 INFO one line of a log, and a short one\n" * _LINES, "utf-8")
        programs[f"{_TOOLONG}, short lines"] = Program([toolong, str(log)], ["short one"])
    return programs


def figures(times: Mapping[str, Times]) -> list[Figure]:
    """What was measured, beside what it is measured against."""
    least = times["least"].frame
    small, large = times[f"{_SMALL} MB"], times[f"{_LARGE} MB"]
    found = [
        Figure("the least Textual application", least),
        Figure(f"first rows, {_SMALL} MB", small.frame, least + _MORE_MS, "the least", least),
        Figure(f"a key after them, {_SMALL} MB", small.key, _KEY_MS),
        Figure(
            f"first rows, {_LARGE} MB",
            large.frame,
            small.frame + _LARGE_MORE_MS,
            f"{_SMALL} MB",
            small.frame,
        ),
        Figure(f"a key after them, {_LARGE} MB", large.key, _KEY_MS),
    ]
    for name in (name for name in times if name.startswith(_TOOLONG)):
        peer = times[name].frame
        found.append(Figure(f"first rows, {_SMALL} MB", small.frame, peer, name, peer))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--toolong", default=shutil.which("tl"), metavar="TL")
    asked = parser.parse_args()
    compileall.compile_dir(Path(condense_tui.__file__).parent, quiet=1)
    with TemporaryDirectory() as folder:
        programs = programs_in(Path(folder), asked.toolong)
        found = figures(times_of(programs, Path(folder), asked.runs))
    if not asked.toolong:
        print("toolong is not installed: name its tl with --toolong to measure it as well")
    return print_figures("First paint on a pseudo-terminal", found)


if __name__ == "__main__":
    sys.exit(main())
