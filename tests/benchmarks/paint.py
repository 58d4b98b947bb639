"""How soon a session is seen: process start to the first frame with rows, and the first key.

    python -m tests.benchmarks.paint [RUNS]

Everything is compiled first, as an installed program is.  Beside it, in the same run: the least
that a Textual application can be, and `tl` (toolong) on the same file, where that is installed.
"""

from __future__ import annotations

import compileall
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import condense_tui
from tests.benchmarks.report import Figure, median, print_figures
from tests.benchmarks.sessionfiles import write_session
from tests.benchmarks.terminal import DOWN, python, timed

# More than the least, and more of a large file than of a small one.
_MORE_MS, _LARGE_MORE_MS, _KEY_MS = 80, 50, 20
_LARGE = 400
_ROWS = ("Turn 1 summary", "assistant")
_TRIVIAL = """
from textual.app import App
from textual.widgets import Static

class Trivial(App):
    def compose(self):
        yield Static("nothing but this")

Trivial().run()
"""


def first_frames(
    command: Sequence[str], words: Sequence[str], home: Path, runs: int, key: str = ""
) -> tuple[float, float]:
    """The medians of the milliseconds to the frame with these words, and of a key after it."""
    frames, keys = [], []
    for _ in range(runs + 1):
        with timed(command, home) as program:
            frames.append(program.until_shown(*words))
            if key:
                keys.append(program.key(key).frame_ms)
    # The first reads programs and file into the memory of the system.
    return median(frames[1:]), median(keys[1:]) if keys else 0.0


def figures(folder: Path, runs: int) -> list[Figure]:
    """Everything, measured in one run."""
    trivial = folder / "trivial.py"
    trivial.write_text(_TRIVIAL, encoding="utf-8")
    least, _ = first_frames(python(str(trivial)), ["nothing"], folder, runs)
    found = [Figure("the least Textual application", least)]
    small = 0.0
    for megabytes in (1, _LARGE):
        path = write_session(folder, megabytes)
        command = python("-m", "condense_tui", str(path))
        ms, key = first_frames(command, _ROWS, folder, runs, DOWN)
        may = small + _LARGE_MORE_MS if small else least + _MORE_MS
        small = small or ms
        found.append(Figure(f"first rows, {megabytes} MB", ms, may, "the least", least))
        found.append(Figure(f"a key after them, {megabytes} MB", key, _KEY_MS))
        if toolong := shutil.which("tl"):
            theirs, _ = first_frames([toolong, str(path)], ["assistant"], folder, runs)
            found.append(Figure(f"first rows, {megabytes} MB", ms, theirs, "toolong", theirs))
    return found


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    compileall.compile_dir(Path(condense_tui.__file__).parent, quiet=1)
    with TemporaryDirectory() as folder:
        found = figures(Path(folder), runs)
    if not shutil.which("tl"):
        print("toolong is not installed: its part is skipped")
    return print_figures("First paint on a pseudo-terminal", found)


if __name__ == "__main__":
    sys.exit(main())
