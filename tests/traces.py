"""What a file system tells of files: that nothing was written to them, and nothing noted."""

from __future__ import annotations

import os
from pathlib import Path

Traces = dict[str, tuple[object, ...]]


def traces(folder: Path) -> Traces:
    """Everything that a file system knows about each file, but for when folders were listed."""
    found: Traces = {}
    for path in sorted(folder.rglob("*")):
        stat = path.stat()
        about = (stat.st_ino, stat.st_mode, stat.st_nlink, stat.st_size, stat.st_mtime_ns)
        access = stat.st_atime_ns if path.is_file() else None
        found[str(path)] = (*about, stat.st_ctime_ns, access)
    return found


def age(folder: Path) -> None:
    """So that even a file system that rarely notes a reading would note the next one."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(1_000_000_000_000_000_000, 1_500_000_000_000_000_000))
