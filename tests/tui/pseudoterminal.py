"""A program in a pseudo-terminal, read by `pyte` as a person would read it."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pyte

from tests.ptys import COLUMNS, ROWS, started

_PATIENCE_SECONDS = 90


class Terminal:
    """A program in a pseudo-terminal; everything that it writes is kept and shown."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.written = b""
        self._master = master
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self._screen.display)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def hang_up(self) -> None:
        """As when the window is closed: whoever has the terminal is sent SIGHUP."""
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        if self._master >= 0:
            self.hang_up()

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, self.text
            self._read()

    def wait_for_text(self, text: str) -> None:
        self.wait_for(lambda: text in self.text)

    def wait_for_end(self) -> int:
        """The exit code, once everything that was written has been read."""
        self.wait_for(lambda: self.process.poll() is not None)
        while self._read():
            pass
        return self.process.wait()

    def _read(self) -> bool:
        """Whether there was anything."""
        if self._master < 0:
            time.sleep(0.05)
            return False
        ready, _, _ = select.select([self._master], [], [], 0.1)
        if not ready:
            return False
        try:
            raw = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other end has gone
            return False
        self.written += raw
        self._stream.feed(_plain(raw))
        return bool(raw)


def _plain(raw: bytes) -> bytes:
    """Without what pyte does not know: private modes with `>`, `=` or `?` and a `$`."""
    return re.sub(rb"\x1b\[[<>=?][0-9;]*(?:[umc]|\$p)", b"", raw)


@contextmanager
def terminal(
    arguments: Sequence[str], home: Path, variables: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Terminal]:
    """The program of this checkout."""
    command = [sys.executable, "-m", "condense_tui", *arguments]
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with started(command, home, {**paths, **variables}) as (process, master):
        shown = Terminal(process, master)
        try:
            yield shown
        finally:
            process.kill()
            shown.close()
