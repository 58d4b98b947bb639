"""A program in a pseudo-terminal, timed from outside: from a byte that goes in to the last of the
bytes that it makes come out.

The terminal says that it knows synchronized updates, as most do, so that every frame has an end.
It reads and does nothing else: to understand what it reads would take longer than to draw it.
"""

from __future__ import annotations

import math
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.ptys import started

UP, DOWN, LEFT, RIGHT = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"
_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_SECONDS = 180.0
# A program that has nothing more to draw is quiet for longer than this.
_QUIET_SECONDS = 0.06
_ASKS_FOR_SYNC, _HAS_SYNC = b"\x1b[?2026$p", b"\x1b[?2026;1$y"
_FRAME_END = b"\x1b[?2026l"


class Press(NamedTuple):
    """Milliseconds from a key to the first frame that answers it, and to the last.

    A scrollbar whose list has become longer is drawn in a frame of its own.
    """

    frame_ms: float
    still_ms: float


class Timed:
    """A program in a terminal of 120 × 40; times are milliseconds."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, started: float) -> None:
        self.process = process
        self._master = master
        self._started = started
        self._last = started

    def until_shown(self, *words: str, patience_seconds: float = _PATIENCE_SECONDS) -> float:
        """From the start of the process to the end of the frame in which the last of them is.

        Infinite where that takes longer than one is ready to wait.
        """
        wanted = [word.encode() for word in words]
        seen, deadline = b"", time.perf_counter() + patience_seconds
        while not (all(word in seen for word in wanted) and seen.rstrip().endswith(_FRAME_END)):
            left = deadline - time.perf_counter()
            if left <= 0:
                return math.inf
            seen += self._read(left)
        return (self._last - self._started) * 1000

    def until_quiet(self, seconds: float = 0.5) -> None:
        """Until there has been nothing to draw for so long."""
        while self._read(seconds):
            pass

    def press(self, key: str) -> None:
        """A key that may change nothing, and is not timed."""
        os.write(self._master, key.encode())
        self.until_quiet(0.1)

    def key(self, key: str, words: str = "", quiet_seconds: float = _QUIET_SECONDS) -> Press:
        """A key, to a frame with these words and to the last one before it is quiet."""
        pressed = time.perf_counter()
        os.write(self._master, key.encode())
        seen = self._read(_PATIENCE_SECONDS)
        while not (words.encode() in seen and _FRAME_END in seen):
            seen += self._read(_PATIENCE_SECONDS)
        framed = self._last
        while self._read(quiet_seconds):
            pass
        return Press((framed - pressed) * 1000, (self._last - pressed) * 1000)

    def frames(self, key: str, *expressions: str) -> list[float]:
        """A key, to the ends of the frames in which these are found, one after the other."""
        pressed = time.perf_counter()
        os.write(self._master, key.encode())
        seen, times = b"", []
        for expression in expressions:
            framed = rb"(?s:(?:%b).*%b)" % (expression.encode(), re.escape(_FRAME_END))
            while not re.search(framed, seen):
                seen += self._read(_PATIENCE_SECONDS)
            times.append((self._last - pressed) * 1000)
        return times

    def _read(self, seconds: float) -> bytes:
        """What comes within that time; notes when."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            if seconds == _PATIENCE_SECONDS:
                raise SystemExit("the program draws nothing")
            return b""
        try:
            raw = os.read(self._master, 1 << 20)
        except OSError:  # Linux says so when the other end has gone
            raise SystemExit("the program ended") from None
        self._last = time.perf_counter()
        if _ASKS_FOR_SYNC in raw:
            os.write(self._master, _HAS_SYNC)
        return raw


@contextmanager
def timed(command: Sequence[str], home: Path) -> Iterator[Timed]:
    """A program of this checkout; `home` is the user's, with nobody's settings in it."""
    begun = time.perf_counter()
    variables = {"COLORTERM": "truecolor", "PYTHONPATH": str(_ROOT)}
    with started(command, home, variables) as (process, master):
        try:
            yield Timed(process, master, begun)
        finally:
            process.kill()
            os.close(master)


def python(*arguments: str) -> list[str]:
    """The command line of a Python program."""
    return [sys.executable, *arguments]
