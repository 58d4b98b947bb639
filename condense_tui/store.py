"""Reading from disk: sessions, settings and sidecar files; nothing is written here.

Reads regular files only and leaves their access time alone where the system allows.  What cannot
be read is a `Refusal` with one reason for people.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import (
    SETTINGS_KEY,
    CondenseSettings,
    SettingsRemark,
    settings_from,
)
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import parse_json

Progress = Callable[[int, int], bool]
"""Told how many bytes of how many were read; answers whether to go on."""

GIVEN_UP = Refusal("reading was given up")
PIECE_BYTES = 1024 * 1024
_BLOBS_SUFFIX = "-blobs"
_NO_ACCESS_TIME = getattr(os, "O_NOATIME", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_T = TypeVar("_T")


def is_there(path: Path) -> bool:
    """Whether there is anything of this name, and be it a link that leads nowhere."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Whether this is a directory, or a link to one."""
    return os.path.isdir(path)


def names_folder(typed: str) -> bool:
    """Whether a path can only be a folder's, as it was typed."""
    return typed.endswith(tuple(sign for sign in (os.sep, os.altsep) if sign))


def read_bytes(path: Path, progress: Progress | None = None) -> bytes | Refusal:
    """The whole content of a regular file; `progress` is told after every piece of it."""
    return reading(path, lambda file, size: _all_of(file, size, progress or go_on))


def reading(path: Path, read: Callable[[BinaryIO, int], _T]) -> _T | Refusal:
    """What `read` makes of an open regular file and its size, or why it cannot be read."""
    try:
        with open(path, "rb", opener=_open_quietly) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Refusal("not a regular file")
            return read(file, status.st_size)
    except (OSError, ValueError) as error:
        return Refusal(reason_of(error))
    except MemoryError:
        return Refusal("too large for this machine's memory")


def reason_of(error: OSError | ValueError) -> str:
    """Why a file cannot be had, in a few words."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def _all_of(file: BinaryIO, size: int, progress: Progress) -> bytes | Refusal:
    """Piece by piece into one buffer, which is handed out without a copy."""
    whole = io.BytesIO()
    while piece := file.read(PIECE_BYTES):
        whole.write(piece)
        if not progress(whole.tell(), max(size, whole.tell())):
            return GIVEN_UP
    return whole.getvalue()


def go_on(_read: int, _size: int) -> bool:
    """A `Progress` that nobody follows."""
    return True


def _open_quietly(path: str, flags: int) -> int:
    """Without touching the access time where the file is ours; never waiting for a pipe."""
    try:
        return os.open(path, flags | _NO_WAIT | _NO_ACCESS_TIME)
    except PermissionError:
        return os.open(path, flags | _NO_WAIT)


class LoadedSettings(Value, frozen=True):
    """A `contextPrune` value as found, and where; None where there is none.

    `trouble` says why the agent's own file was passed over, if it is there at all.
    """

    value: Any
    source: Path | None
    trouble: str | None = None

    @property
    def settings(self) -> CondenseSettings:
        """The settings in force, with a remark where a file was passed over."""
        remarks = () if self.trouble is None else (SettingsRemark("settings", self.trouble),)
        return settings_from(self.value, remarks)


def load_settings(config: Path | None) -> LoadedSettings | Refusal:
    """The settings of `--config`, else of the agent, else none.

    A named file must be readable JSON.  The agent's own file may be missing or broken: the
    extension then goes on with its defaults, and so do we.
    """
    if config is not None:
        loaded = _settings_in(config)
        return Refusal(f"{config}: {loaded.reason}") if isinstance(loaded, Refusal) else loaded
    own = agent_folder() / "settings.json"
    loaded = _settings_in(own)
    if isinstance(loaded, LoadedSettings):
        return loaded
    return LoadedSettings(None, None, f"{own}: {loaded.reason}" if own.exists() else None)


def _settings_in(path: Path) -> LoadedSettings | Refusal:
    """A settings file holds the value under its key; a file of its own may be the value."""
    raw = read_bytes(path)
    if isinstance(raw, Refusal):
        return raw
    try:
        value = parse_json(raw)
    except ValueError as error:
        return Refusal(f"not JSON: {error}")
    if isinstance(value, dict) and (SETTINGS_KEY in value or path.name == "settings.json"):
        value = value.get(SETTINGS_KEY)
    return LoadedSettings(value, path)


def agent_folder() -> Path:
    """`$PI_CODING_AGENT_DIR`, else `~/.pi/agent`."""
    return at_home(os.environ.get("PI_CODING_AGENT_DIR") or "~/.pi/agent")


def at_home(path: str) -> Path:
    """A path in which `~` is the home folder; as it is where nobody knows which that is."""
    try:
        return Path(os.path.expanduser(path))
    except ValueError:
        return Path(path)


def sidecar_reader(session: Path, follow_paths: bool = False) -> Callable[[Record], bytes | None]:
    """A reader of spilled bodies for the records of this session file.

    A body is looked for in the `…-blobs` folder beside the session that has the recorded
    folder's name.  Any other recorded path is opened only with `follow_paths`: it is data.
    """
    folder = session.parent

    def read(record: Record) -> bytes | None:
        for path in _candidates(record.spill_path or "", folder, follow_paths):
            raw = read_bytes(path)
            if isinstance(raw, bytes):
                return raw
        return None

    return read


def sidecar_finder(session: Path, follow_paths: bool = False) -> Callable[[Record], bool]:
    """Tells whether `sidecar_reader` would find a body, and reads none."""
    folder = session.parent

    def is_there(record: Record) -> bool:
        candidates = _candidates(record.spill_path or "", folder, follow_paths)
        return any(reading(path, lambda *_: True) is True for path in candidates)

    return is_there


def _candidates(recorded: str, folder: Path, follow_paths: bool) -> list[Path]:
    candidates = []
    beside = sidecar_beside(recorded, folder)
    if beside is not None:
        candidates.append(beside)
    if follow_paths and recorded:
        candidates.append(folder / recorded)
    return candidates


def sidecar_name(recorded: str) -> tuple[str, str] | None:
    """The folder of blobs that a recorded path names, and the file in it; None for other paths."""
    *_, blobs, name = ["", "", *recorded.replace("\\", "/").split("/")]
    if not blobs.endswith(_BLOBS_SUFFIX) or name in ("", ".", ".."):
        return None
    return blobs, name


def sidecar_beside(recorded: str, folder: Path) -> Path | None:
    """The recorded file in the folder of the same name beside the session, links resolved."""
    named = sidecar_name(recorded)
    if named is None:
        return None
    blobs, name = named
    try:
        own = Path(os.path.realpath(folder)) / blobs
        path = Path(os.path.realpath(own / name))
    except ValueError:
        return None
    return path if path.parent == own else None
