"""Writing a mended copy: whole or not at all, and never over the session itself.

Under a temporary name beside the copy, to the disk, and only then under its own name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.store import read_bytes, sidecar_beside
from condense_tui.store_writing import reason_of_failure, replace_file, unwritable, write_files

_OWNER_MAY_WRITE = stat.S_IRUSR | stat.S_IWUSR


class Sidecars(Value, frozen=True):
    """What became of the spilled outputs: how many were copied, and which could not be."""

    copied: int
    troubles: tuple[str, ...]


def write_copy(copy: Path, raw: bytes, session: Path, is_forced: bool) -> Refusal | None:
    """Write a copy of a session that whoever may read the session may read.

    An interruption leaves nothing behind, and neither does a full disk.
    """
    refused = unwritable(copy, session, is_forced)
    if refused:
        return refused
    try:
        mode = stat.S_IMODE(session.stat().st_mode) & 0o666 | _OWNER_MAY_WRITE
        replace_file(copy, [raw], mode, is_forced)
    except (OSError, ValueError) as error:
        return Refusal(f"{copy}: {reason_of_failure(error, copy)}: nothing was written")
    return None


def copy_sidecars(
    session: Path, copy: Path, spill_paths: Iterable[str], is_forced: bool
) -> Sidecars:
    """Put the spilled outputs that lie beside the session beside its copy, by the same names.

    Where both lie in one folder there is nothing to do.
    """
    copied, troubles = 0, []
    if os.path.realpath(session.parent) == os.path.realpath(copy.parent):
        return Sidecars(0, ())
    for recorded in spill_paths:
        source = sidecar_beside(recorded, session.parent)
        raw = read_bytes(source) if source else None
        if source is None or not isinstance(raw, bytes):
            continue
        folder = copy.parent / source.parent.name
        if read_bytes(folder / source.name) == raw:
            continue
        failed = write_files(folder, {source.name: raw}, is_forced, spared=source)
        if failed:
            troubles.append(failed.reason)
        else:
            copied += 1
    return Sidecars(copied, tuple(troubles))
