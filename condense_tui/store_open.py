"""Opening a session: every line is read once, and bodies later, when they are looked at.

The file stays open for that, and is read by position and never mapped into memory: a map of a
file that another program cuts off ends the process.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import BinaryIO

from condense_tui.session.entries import Refusal, Session
from condense_tui.session.reading import SessionReader
from condense_tui.store import GIVEN_UP, PIECE_BYTES, Progress, go_on, reading

_AHEAD_BYTES = 128 * 1024


def open_session(path: Path, progress: Progress | None = None) -> Session | Refusal:
    """The session in this file; `progress` follows the reading and may end it."""
    opened = open_file(path)
    return opened if isinstance(opened, Refusal) else opened.read_on(progress)


def open_file(path: Path) -> SessionFile | Refusal:
    """This file, to be read as a session, or why it cannot be."""
    return reading(path, lambda file, _size: SessionFile(file))


class SessionFile:
    """A session file that is open, and how far it was read; closed when nobody has it any more."""

    def __init__(self, file: BinaryIO) -> None:
        """`file` is where it was opened, and may be closed."""
        self._bytes = _FileBytes(file)
        self._reader = SessionReader(self._bytes.read)

    def read_on(
        self, progress: Progress | None = None, is_growing: bool = False
    ) -> Session | Refusal:
        """The session with everything that was added to the file since it was read last."""
        report, size = progress or go_on, self._bytes.size
        try:
            while piece := self._bytes.read(self._reader.bytes_read, PIECE_BYTES):
                self._reader.feed(piece)
                at = self._reader.bytes_read
                if not report(at, max(size, at)):
                    return GIVEN_UP
            return self._reader.session(is_growing)
        except MemoryError:
            return Refusal("too large for this machine's memory")


class _FileBytes:
    """The bytes of an open file, by position."""

    def __init__(self, file: BinaryIO) -> None:
        self._descriptor = os.dup(file.fileno())
        self._ahead: tuple[int, bytes] = (0, b"")
        weakref.finalize(self, os.close, self._descriptor)

    @property
    def size(self) -> int:
        """How long the file is now."""
        return os.fstat(self._descriptor).st_size

    def read(self, start: int, length: int) -> bytes:
        """These bytes, as far as they are there.

        What follows them is read with them, for it is mostly asked for next.
        """
        if length >= _AHEAD_BYTES:
            return os.pread(self._descriptor, length, start)
        at, block = self._ahead
        if not at <= start <= start + length <= at + len(block):
            at, block = self._ahead = start, os.pread(self._descriptor, _AHEAD_BYTES, start)
        return block[start - at : start - at + length]
