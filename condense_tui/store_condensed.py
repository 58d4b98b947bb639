"""Condensed copies on disk: all of a copy with its sidecar files, or nothing.

A session is never changed in place; what was begun is taken back when it cannot be ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path

from msgspec import field

from condense_tui.pruning.records import EntryType, Record, calls_in, entry_type, record_from
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import sidecar_name, sidecar_reader
from condense_tui.store_writing import already_there, reason_of_failure, replace_file

BLOBS_SUFFIX = "-blobs"
_OWN_FOLDER = Path(__file__).resolve().parent


class SessionCopy(Value, frozen=True):
    """A copy to be written; `sidecars` are named from the copy's folder on.

    Those that are `shared` may be of other copies too.  Not forced it replaces nothing, whatever
    has come to be there meanwhile.
    """

    path: Path
    pieces: Iterable[bytes]
    sidecars: Mapping[str, bytes]
    shared: Mapping[str, bytes] = field(default_factory=dict)
    is_forced: bool = False


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
    made, shared = _Made(), _Made()
    try:
        shared.files(copy.path.parent, copy.shared)
        made.files(copy.path.parent, copy.sidecars)
        replace_file(copy.path, copy.pieces, is_forced=copy.is_forced)
    except FileExistsError:
        # The other copy, if it is one, may count on what is shared.
        made.take_back()
        return already_there(copy.path)
    except (OSError, ValueError) as error:
        made.take_back()
        shared.take_back()
        return Refusal(f"{copy.path}: {reason_of_failure(error, copy.path)}")
    except BaseException:
        made.take_back()
        shared.take_back()
        raise
    return None


class _Made(Value, frozen=True):
    """The files and folders that were made on the way, in order."""

    paths: list[Path] = field(default_factory=list)

    def files(self, folder: Path, files: Mapping[str, bytes]) -> None:
        """A file that is there already is a sidecar that the copy shares."""
        for name, raw in files.items():
            path = folder / name
            self._folder(path.parent)
            if not os.path.lexists(path):
                replace_file(path, [raw])
                self.paths.append(path)

    def _folder(self, path: Path) -> None:
        """In one that is there."""
        with suppress(FileExistsError):
            path.mkdir()
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
