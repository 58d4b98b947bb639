"""Programs in pseudo-terminals, for whoever reads what they write."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

COLUMNS, ROWS = 120, 40


class Started(NamedTuple):
    """A program, and the other end of its pseudo-terminal, which whoever has it closes."""

    process: subprocess.Popen[bytes]
    master: int


@contextmanager
def started(command: Sequence[str], home: Path, variables: Mapping[str, str]) -> Iterator[Started]:
    """A program of its own session, ended at the end; `home` is the user's, with nothing in it."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        **variables,
    }
    process = subprocess.Popen(
        list(command),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        cwd=home,
        start_new_session=True,
        preexec_fn=_own_terminal,
    )
    os.close(slave)
    try:
        yield Started(process, master)
    finally:
        process.kill()
        process.wait()


def _own_terminal() -> None:
    """As the process's controlling terminal, through which a hang-up reaches it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
