"""What becomes of a session file while it is shown, and when to look.

The system says that something happened in a folder, where it can; what happened is told by
looking at the file.  Nothing here depends on the order or number of what the system says.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from enum import StrEnum
from pathlib import Path

from condense_tui.session.compact import changed
from condense_tui.session.entries import Refusal, Session
from condense_tui.store_open import Extent, SessionFile, open_file

# What is written at once is looked at once, and seen within this and the time of a picture.
_STEP_MS, _GATHERED_MS = 10, 40
# Whatever the system may have kept to itself.
_LOOK_ANYWAY_MS = 1000
_POLL_SECONDS = 0.2
_FORCE_POLLING = "WATCHFILES_FORCE_POLLING"
# File systems on which others write without this machine's system knowing.
_SILENT = frozenset(
    (
        *("afs", "ceph", "cifs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4"),
        *("smb2", "smb3", "smbfs"),
        *("9p", "drvfs", "prl_fs", "vboxsf", "virtiofs", "vmhgfs"),
    )
)
_MOUNTS = Path("/proc/self/mountinfo")


class Look(StrEnum):
    """What a look at a file says of it, beside what was read of it before."""

    UNCHANGED = "unchanged"
    GREW = "grew"
    TOUCHED = "touched"
    CUT_OFF = "cut off"
    REWRITTEN = "rewritten"
    REPLACED = "replaced"
    GONE = "gone"
    STILL_REFUSED = "still refused"


def look_of(read: Extent, there: os.stat_result | None, ends: bytes) -> Look:
    """`there` is the status of what is now at the path, `ends` those of the file that was read.

    What was touched is as long as before, and may be the same or not.
    """
    if there is None:
        return Look.GONE
    if not os.path.samestat(read.status, there):
        return Look.REPLACED
    if there.st_size < read.length:
        return Look.CUT_OFF
    if ends != read.ends:
        return Look.REWRITTEN
    if there.st_size > read.length:
        return Look.GREW
    is_same_time = there.st_mtime_ns == read.status.st_mtime_ns
    return Look.UNCHANGED if is_same_time else Look.TOUCHED


class FileWatch:
    """A path, and the file that was read there; looks cost the same whatever its length."""

    def __init__(self, path: Path, file: SessionFile) -> None:
        self._path = path
        self.file = file
        self._refused: os.stat_result | None = None

    def look(self) -> Look:
        """What became of the file since it was read; what was refused is so until it changes."""
        there, read = _status(self._path), self.file.extent
        if there and self._refused and _is_alike(there, self._refused):
            return Look.STILL_REFUSED
        look = look_of(read, there, self.file.ends_of(read.length))
        if look is not Look.TOUCHED or there is None:
            return look
        if self.file.checksum_of(read.length) != read.checksum:
            return Look.REWRITTEN
        self.file.extent = changed(read, status=there)
        return Look.UNCHANGED

    def read_on(self) -> Session | Refusal:
        """The session with what was added; an unfinished last line waits."""
        return self.file.read_on(is_growing=True)

    def open_anew(self) -> Session | Refusal:
        """The session that is now at the path; where there is none the old file is kept."""
        self._refused = _status(self._path)
        file = open_file(self._path)
        if isinstance(file, Refusal):
            return file
        session = file.read_on(is_growing=True)
        if not isinstance(session, Refusal):
            self.file, self._refused = file, None
        return session


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _is_alike(one: os.stat_result, other: os.stat_result) -> bool:
    is_same = os.path.samestat(one, other)
    return is_same and (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


async def moments(path: Path) -> AsyncGenerator[None, None]:
    """Moments to look at a file: at once, then when something may have happened to it."""
    yield
    if has_notices(path):
        # A folder that is gone, or a system that has no more notices to give.
        with suppress(OSError, RuntimeError):
            async with aclosing(_notices(path)) as notices:
                async for _ in notices:
                    yield
    while True:
        await asyncio.sleep(_POLL_SECONDS)
        yield


async def _notices(path: Path) -> AsyncGenerator[None, None]:
    """What the system says of this file, and once a second whatever it says."""
    # Imported late: most sessions are looked at as they are.
    from watchfiles import awatch

    resolved = path.resolve()
    changes = awatch(
        resolved.parent,
        watch_filter=lambda _change, changed: os.path.basename(changed) == resolved.name,
        debounce=_GATHERED_MS,
        step=_STEP_MS,
        rust_timeout=_LOOK_ANYWAY_MS,
        yield_on_timeout=True,
        recursive=False,
    )
    async with aclosing(changes):
        async for _ in changes:
            yield


def has_notices(path: Path) -> bool:
    """Whether the system says what happens to files there; network folders are silent."""
    if os.environ.get(_FORCE_POLLING):
        return False
    try:
        mounts = _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return True
    kind = kind_of_file_system(mounts, str(path.resolve()))
    return not (kind in _SILENT or kind.startswith("fuse"))


def kind_of_file_system(mounts: str, path: str) -> str:
    """Of the mount that holds this absolute path, from Linux's table of mounts; else nothing.

    (Source: proc_pid_mountinfo(5): the fifth field is the mount point, and the type comes after
    a dash.)
    """
    found, kind = "", ""
    for row in mounts.split("\n"):
        front, _, back = row.partition(" - ")
        fields = front.split(" ")
        if not back or len(fields) < 5:
            continue
        point = fields[4].replace("\\040", " ").rstrip("/")
        if len(point) >= len(found) and (path == point or path.startswith(f"{point}/")):
            found, kind = point, back.split(" ")[0]
    return kind
