"""Opening a session: every line is read once, and bodies later, when they are looked at.

The file stays open for that, and is read by position and never mapped into memory: a map of a
file that another program cuts off ends the process.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from threading import Lock
from typing import BinaryIO
from zlib import crc32

from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.reading import SessionReader
from condense_tui.store import GIVEN_UP, PIECE_BYTES, Progress, go_on, reading

_END_BYTES = 1024
_AHEAD_BYTES = 128 * 1024


def open_session(path: Path, progress: Progress | None = None) -> Session | Refusal:
    """The session in this file; `progress` follows the reading and may end it."""
    opened = open_file(path)
    return opened if isinstance(opened, Refusal) else opened.read_on(progress)


def open_file(path: Path) -> SessionFile | Refusal:
    """This file, to be read as a session, or why it cannot be."""
    return reading(path, lambda file, _size: SessionFile(file))


class Extent(Value, frozen=True):
    """So many bytes of a file were read, what they were, and how the file was just before.

    `ends` are its first bytes and the last of those that were read.
    """

    status: os.stat_result
    length: int
    checksum: int
    ends: bytes


class SessionFile:
    """A session file that is open, and how far it was read; closed when nobody has it any more.

    Several threads may have it read on: one after the other does.
    """

    def __init__(self, file: BinaryIO) -> None:
        """`file` is where it was opened, and may be closed."""
        self._bytes = _FileBytes(file)
        self._reader = SessionReader(self._bytes.read)
        self._lock = Lock()
        self._checksum = 0
        self.extent = Extent(self._bytes.status, 0, 0, b"")

    def read_on(
        self, progress: Progress | None = None, is_growing: bool = False
    ) -> Session | Refusal:
        """The session with everything that was added to the file since it was read last."""
        report, before = progress or go_on, self._bytes.status
        with self._lock:
            try:
                while piece := self._bytes.read(self._reader.bytes_read, PIECE_BYTES):
                    self._reader.feed(piece)
                    self._checksum = crc32(piece, self._checksum)
                    at = self._reader.bytes_read
                    if not report(at, max(before.st_size, at)):
                        return GIVEN_UP
                length = self._reader.bytes_read
                self.extent = Extent(before, length, self._checksum, self.ends_of(length))
                return self._reader.session(is_growing)
            except MemoryError:
                return Refusal("too large for this machine's memory")

    def ends_of(self, length: int) -> bytes:
        """The first bytes of the file as it is now, and the last of so many."""
        end = max(length - _END_BYTES, 0)
        return self._bytes.now(0, min(_END_BYTES, length)) + self._bytes.now(end, length - end)

    def checksum_of(self, length: int) -> int:
        """Of the first so many bytes of the file as it is now; reads them all."""
        checksum = 0
        for start in range(0, length, PIECE_BYTES):
            piece = self._bytes.now(start, min(PIECE_BYTES, length - start))
            checksum = crc32(piece, checksum)
        return checksum


class _FileBytes:
    """The bytes of an open file, by position."""

    def __init__(self, file: BinaryIO) -> None:
        self._descriptor = os.dup(file.fileno())
        self._ahead: tuple[int, bytes] = (0, b"")
        weakref.finalize(self, os.close, self._descriptor)

    @property
    def status(self) -> os.stat_result:
        """How the file is now."""
        return os.fstat(self._descriptor)

    def read(self, start: int, length: int) -> bytes:
        """These bytes, as far as they are there.

        What follows them is read with them, for it is mostly asked for next.
        """
        if length >= _AHEAD_BYTES:
            return self.now(start, length)
        at, block = self._ahead
        if not at <= start <= start + length <= at + len(block):
            at, block = self._ahead = start, self.now(start, _AHEAD_BYTES)
        return block[start - at : start - at + length]

    def now(self, start: int, length: int) -> bytes:
        """These bytes as they are now, whatever was read ahead."""
        return os.pread(self._descriptor, length, start)
