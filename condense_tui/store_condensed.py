"""Condensed copies on disk: all of a copy with its sidecar files, or nothing.

A session is never changed in place; what was begun is taken back when it cannot be ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path

from msgspec import field

from condense_tui.pruning.records import EntryType, Record, calls_in, entry_type, record_from
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import sidecar_name, sidecar_reader
from condense_tui.store_writing import reason_of_failure, replace_file

BLOBS_SUFFIX = "-blobs"
_OWN_FOLDER = Path(__file__).resolve().parent


class SessionCopy(Value, frozen=True):
    """A copy to be written; `sidecars` are named from the copy's folder on."""

    path: Path
    pieces: Iterable[bytes]
    sidecars: Mapping[str, bytes]


def free_copy_path(source: Path) -> Path:
    """A name beside the session that no file has; of the demo, in the current directory."""
    is_ours = source.resolve().is_relative_to(_OWN_FOLDER)
    folder = Path.cwd() if is_ours else source.parent
    for number in count(1):
        more = f"-{number}" if number > 1 else ""
        path = folder / f"{source.stem}-condensed{more}.jsonl"
        if not os.path.lexists(path):
            return path
    raise AssertionError


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
        return Refusal(f"{copy.path}: {reason_of_failure(error, copy.path)}")
    except BaseException:
        made.take_back()
        raise
    return None


class _Made(Value, frozen=True):
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
        if entry_type(entry) is EntryType.INDEX:
            calls = enumerate(calls_in(entry))
            payloads = ((number, call) for number, call in calls if isinstance(call, dict))
            records = (record_from(call, entry, number, False) for number, call in payloads)
            yield from (record for record in records if record.is_spilled)
