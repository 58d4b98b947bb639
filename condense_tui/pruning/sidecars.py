"""Sidecar bodies that several things ask for, read once."""

from __future__ import annotations

from threading import Lock

from condense_tui.pruning.query import ReadSidecar
from condense_tui.pruning.records import Record

_MAX_BYTES = 64 * 1024 * 1024


class RememberedSidecars:
    """A `ReadSidecar`, for any number of threads, that asks another one for each file once.

    What was asked for last is kept, up to so many bytes, and the very last one whatever its
    size.  One file is read after the other.  That there is none is remembered too.
    """

    def __init__(self, read: ReadSidecar, max_bytes: float = _MAX_BYTES) -> None:
        self._read = read
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._bodies: dict[str | None, bytes | None] = {}
        self._bytes = 0

    def __call__(self, record: Record) -> bytes | None:
        """The body of a spilled record, or None."""
        path = record.spill_path
        with self._lock:
            if path in self._bodies:
                self._bodies[path] = self._bodies.pop(path)
            else:
                self._keep(path, self._read(record))
            return self._bodies[path]

    def _keep(self, path: str | None, body: bytes | None) -> None:
        self._bodies[path] = body
        self._bytes += len(body or b"")
        while self._bytes > self._max_bytes and len(self._bodies) > 1:
            self._bytes -= len(self._bodies.pop(next(iter(self._bodies))) or b"")
