"""Condensed copies on disk: all of a copy with its sidecar files, or nothing.

A session is never changed in place; what was begun is taken back when it cannot be ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from condense_tui.pruning.records import EntryType, Record, entry_type, payload_of, record_from
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import (
    is_same_file,
    reason_of,
    replace_file,
    sidecar_name,
    sidecar_reader,
)

BLOBS_SUFFIX = "-blobs"


@dataclass(frozen=True, slots=True)
class SessionCopy:
    """A copy to be written; `sidecars` are named from the copy's folder on."""

    path: Path
    pieces: Iterable[bytes]
    sidecars: Mapping[str, bytes]


def free_copy_path(source: Path) -> Path:
    """A name beside the session that no file has."""
    for number in count(1):
        more = f"-{number}" if number > 1 else ""
        path = source.with_name(f"{source.stem}-condensed{more}.jsonl")
        if not os.path.lexists(path):
            return path
    raise AssertionError


def why_not_there(path: Path, source: Path, is_forced: bool) -> Refusal | None:
    """Why a copy of `source` may not be written to this path."""
    if not os.path.lexists(path):
        return None
    if not is_forced:
        return Refusal(f"{path} exists; --force overwrites")
    try:
        if path.is_dir() or is_same_file(path, source):
            what = "a folder" if path.is_dir() else "the session itself"
            return Refusal(f"{path} is {what}")
    except OSError as error:
        return Refusal(f"{path}: {reason_of(error)}")
    return None


def write_condensed(copy: SessionCopy) -> Refusal | None:
    """Write the sidecar files and then the copy; where that fails nothing of it stays."""
    made = _Made()
    try:
        made.folder(copy.path.parent)
        for name, raw in copy.sidecars.items():
            made.file(copy.path.parent / name, [raw])
        replace_file(copy.path, copy.pieces)
    except (OSError, ValueError) as error:
        made.take_back()
        return Refusal(f"{copy.path}: {reason_of(error)}")
    except BaseException:
        made.take_back()
        raise
    return None


@dataclass(frozen=True, slots=True)
class _Made:
    """The files and folders that were made on the way, in order."""

    paths: list[Path] = field(default_factory=list)

    def folder(self, path: Path) -> None:
        missing = [each for each in (path, *path.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir()
            self.paths.append(each)

    def file(self, path: Path, pieces: Iterable[bytes]) -> None:
        """A file that is there already is a sidecar that the copy shares."""
        self.folder(path.parent)
        if not os.path.lexists(path):
            replace_file(path, pieces)
            self.paths.append(path)

    def take_back(self) -> None:
        for path in reversed(self.paths):
            try:
                path.rmdir() if path.is_dir() else path.unlink()
            except OSError:
                continue


def shared_sidecars(session: Session, source: Path, target: Path) -> dict[str, bytes]:
    """The bodies that the session's own records name, for a copy in another folder."""
    if os.path.realpath(source.parent) == os.path.realpath(target.parent):
        return {}
    read = sidecar_reader(source)
    found: dict[str, bytes] = {}
    for record in _spilled(session):
        named = sidecar_name(record.spill_path or "")
        raw = read(record) if named else None
        if named and raw is not None:
            found["/".join(named)] = raw
    return found


def _spilled(session: Session) -> Iterator[Record]:
    """The spilled records of every branch."""
    for entry in session.entries:
        calls = payload_of(entry).get("toolCalls")
        if entry_type(entry) is not EntryType.INDEX or not isinstance(calls, list):
            continue
        records = (record_from(call, entry, False) for call in calls if isinstance(call, dict))
        yield from (record for record in records if record.is_spilled)
