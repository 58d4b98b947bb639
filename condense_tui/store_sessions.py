"""Finding sessions: where pi keeps them, which there are, and what their ends say.

Disk access like `store`'s, for lists of sessions: any number of files of any size, so no file
is read whole for its row.  (Source: the session format notes, section 1.)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.heads import Head, SessionHead, read_head
from condense_tui.session.tails import read_tail
from condense_tui.store import agent_folder, at_home, reading

START_BYTES = 1024 * 1024
END_BYTES = 256 * 1024
TAIL_BYTES = 1024 * 1024
_HEADER_BYTES = 64 * 1024
_SUFFIX = ".jsonl"
_OWN_AGENT_FOLDER = "~/.pi/agent"
_PATH_BEGINNINGS = ("/", "~", "./", "../")

Ends = tuple[bytes, bytes, int]
"""First bytes, last bytes and size of a file; the pieces do not overlap."""


class SessionPlaces(Value, frozen=True):
    """Where sessions are looked for: in folders with all below them, and in one directory.

    `with_inner` also looks in the folders of the directory, but no deeper.
    """

    directory: Path
    folders: tuple[Path, ...]
    with_inner: bool = False

    def looked_in(self) -> Iterator[tuple[Path, bool]]:
        """Every place, and whether it is there."""
        for place in (*self.folders, self.directory):
            yield place, place.is_dir()


def session_places(directory: Path | None = None) -> SessionPlaces:
    """pi's folders as the environment names them, and this or the current directory."""
    named = os.environ.get("PI_CODING_AGENT_SESSION_DIR")
    folders = [at_home(named)] if named else []
    folders += [agent_folder() / "sessions", at_home(_OWN_AGENT_FOLDER) / "sessions"]
    here = Path(os.path.realpath(directory or Path.cwd()))
    return SessionPlaces(here, tuple(dict.fromkeys(map(Path.absolute, folders))))


def places_in(folder: Path) -> SessionPlaces:
    """A folder that somebody has named: one of sessions, or one with a folder a project."""
    return SessionPlaces(folder, (), with_inner=True)


def session_paths(places: SessionPlaces) -> Iterator[Path]:
    """Every session file of these places, the last modified first; none of them twice."""
    found: dict[tuple[int, int], tuple[float, Path]] = {}
    for path in _candidates(places):
        status = _status(path)
        if status is not None:
            found.setdefault((status.st_dev, status.st_ino), (status.st_mtime, path))
    for _, path in sorted(found.values(), key=lambda dated: (-dated[0], dated[1])):
        yield path


def _candidates(places: SessionPlaces) -> Iterator[Path]:
    for folder in places.folders:
        for at, _, names in os.walk(folder):
            yield from (Path(at, name) for name in names if name.endswith(_SUFFIX))
    yield from places.directory.glob(f"*{_SUFFIX}")
    if places.with_inner:
        yield from places.directory.glob(f"*/*{_SUFFIX}")


def _status(path: Path) -> os.stat_result | None:
    """Of the file, or of the link where it leads nowhere; None where it just went away."""
    for follows in (True, False):
        try:
            return os.stat(path, follow_symlinks=follows)
        except OSError:
            continue
    return None


def read_session_head(
    path: Path, start_bytes: int = START_BYTES, end_bytes: int = END_BYTES
) -> SessionHead:
    """What a list shows of this file, from at most so many bytes of its start and end."""
    return _head(path, _ends_of(path, start_bytes, end_bytes))


def read_session_ends(path: Path) -> tuple[SessionHead, Session | Refusal]:
    """What a list shows of this file, and its last entries, from the same bounded reading."""
    ends = _ends_of(path, START_BYTES, TAIL_BYTES)
    return _head(path, ends), ends if isinstance(ends, Refusal) else read_tail(*ends)


def _head(path: Path, ends: Ends | Refusal) -> SessionHead:
    status = _status(path)
    content = ends if isinstance(ends, Refusal) else read_head(*ends)
    modified, size = (status.st_mtime, status.st_size) if status else (0.0, 0)
    return SessionHead(path, modified, size, content)


def _ends_of(path: Path, start_bytes: int, end_bytes: int) -> Ends | Refusal:
    return reading(path, lambda file, size: _ends(file, size, start_bytes, end_bytes))


def _ends(file: BinaryIO, size: int, start_bytes: int, end_bytes: int) -> Ends:
    start = file.read(start_bytes)
    end_at = max(size - end_bytes, len(start))
    file.seek(end_at)
    end = file.read(max(size - end_at, 0))
    return start, end, max(size, len(start))


def latest_session(places: SessionPlaces) -> Path | None:
    """The session of this directory that was modified last, if there is one that can be read."""
    heads = (read_session_head(path, _HEADER_BYTES, 0) for path in session_paths(places))
    found = (head.path for head in heads if _is_readable_in(head, places.directory))
    return next(map(Path, found), None)


def _is_readable_in(head: SessionHead, directory: Path) -> bool:
    return isinstance(head.content, Head) and head.is_of(directory)


def looks_like_path(text: str) -> bool:
    """Whether what was typed begins like a path, and so is none of the words to look for."""
    return text.startswith(_PATH_BEGINNINGS)


def typed_path(text: str, directory: Path) -> Path:
    """The path that was typed: `~` is the home folder, a relative one begins here."""
    return directory / at_home(text)
