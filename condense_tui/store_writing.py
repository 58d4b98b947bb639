"""Writing to disk: whole files or nothing, and only over what may be replaced.

Under a temporary name in the same folder, to the disk, and only then under the file's own name.
What must not be written is a `Refusal` with one reason for people.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.settings import SETTINGS_KEY
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import json_text, parse_json
from condense_tui.store import is_folder, is_there, read_bytes, reason_of


def write_files(
    folder: Path, files: Mapping[str, bytes], is_forced: bool, spared: Path | None = None
) -> Refusal | None:
    """Write these files into a folder, made if need be; nothing if one exists and not forced.

    Each is written under a temporary name and renamed, so a link of that name is replaced and
    never followed.  The file `spared`, a session, is not replaced in any case.
    """
    try:
        if is_there(folder) and not is_folder(folder):
            return Refusal(f"{folder}: not a directory")
        folder.mkdir(parents=True, exist_ok=True)
        for name in existing_files(folder, files):
            if refusal := why_not_there(folder / name, spared, is_forced):
                return refusal
        for name, raw in files.items():
            replace_file(folder / name, [raw])
    except (OSError, ValueError) as error:
        return Refusal(f"{folder}: {reason_of_failure(error, folder)}")
    return None


def reason_of_failure(error: OSError | ValueError, path: Path) -> str:
    """Why a file cannot be written; of some folders the system only says that it is not there."""
    if not isinstance(error, FileNotFoundError):
        return reason_of(error)
    there = next(one for one in (path, *path.absolute().parents) if one.exists())
    return f"no file can be made in {there}"


def why_not_there(path: Path, source: Path | None, is_forced: bool) -> Refusal | None:
    """Why no file may come to be under this name, before any work is done for it.

    Only a regular file may be replaced, or a link to one or to nothing: the link itself, never
    what it leads to.  The session `source` may not in any case.
    """
    try:
        if not is_there(path):
            return None
        if source is not None and is_there(source) and _is_same_file(path, source):
            return Refusal(f"{path} is the session itself")
        if what := _what_else(path):
            return Refusal(f"{path}: {what}")
    except (OSError, ValueError) as error:
        return Refusal(f"{path}: {reason_of(error)}")
    return None if is_forced else already_there(path)


def already_there(path: Path) -> Refusal:
    """That what was not asked to be replaced stays."""
    return Refusal(f"{path} exists; --force overwrites")


def unwritable(copy: Path, session: Path, is_forced: bool) -> Refusal | None:
    """Why this copy of a session must not be written, before any work is done for it."""
    if not is_there(copy) and not is_folder(copy.parent):
        return Refusal(f"{copy}: no such folder: {copy.parent}")
    return why_not_there(copy, session, is_forced)


def _is_same_file(path: Path, other: Path) -> bool:
    """A link is another file than what it leads to."""
    if os.path.samestat(os.lstat(path), os.lstat(other)):
        return True
    return not path.is_symlink() and os.path.samefile(path, other)


def _what_else(path: Path) -> str | None:
    """What this is, where it is no file that can be replaced."""
    if is_folder(path):
        return "is a directory"
    if path.is_symlink():
        # `/dev/stdout` and its like lead to whatever is open, which may well be a file.
        is_open_file = os.readlink(path).startswith(("/proc/", "/dev/"))
        is_file = not is_open_file and (path.is_file() or not path.exists())
    else:
        is_file = path.is_file()
    return None if is_file else "not a regular file"


def existing_files(folder: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Those of these names that the folder already has, in any form."""
    return tuple(name for name in names if os.path.lexists(folder / name))


def folder_refusal(folder: Path) -> Refusal | None:
    """Why nothing can be written into a folder, there or yet to be made; nothing is tried."""
    try:
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if not there.is_dir():
            return Refusal(f"{there} is not a folder")
        is_open = os.access(there, os.W_OK | os.X_OK)
        return None if is_open else Refusal(f"{there}: permission denied")
    except (OSError, ValueError) as error:
        return Refusal(f"{folder}: {reason_of(error)}")


def replace_file(
    path: Path, pieces: Iterable[bytes], mode: int | None = None, is_forced: bool = True
) -> None:
    """Write a whole file or nothing: under a temporary name, to the disk, then renamed.

    Raises OSError, also for what is there and is no file; whatever ends it early, the temporary
    file is gone.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=".condense-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask() if mode is None else mode)
        if is_there(path) and (what := _what_else(path)):
            raise OSError(errno.EINVAL, what)
        _rename(temporary, path, is_forced)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _rename(temporary: str, path: Path, is_forced: bool) -> None:
    """Without force not even over a file that has come into being meanwhile."""
    if is_forced:
        os.replace(temporary, path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: the name is taken before the file gets it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(temporary, path)
        except BaseException:
            os.unlink(path)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def settings_holder(path: Path) -> dict[str, Any] | Refusal | None:
    """The JSON object that settings may be written into; None where there is no such file."""
    if not os.path.lexists(path):
        return None
    raw = read_bytes(path)
    if isinstance(raw, Refusal):
        return raw
    try:
        holder = parse_json(raw)
    except ValueError:
        return Refusal("not a JSON file")
    if not isinstance(holder, dict):
        return Refusal("holds no JSON object")
    return Refusal("a session, not settings") if holder.get("type") == "session" else holder


def write_settings(path: Path, settings: Mapping[str, Any]) -> Refusal | None:
    """Put a `contextPrune` value into a JSON file, new or with its other keys kept.

    A file that holds anything else is left as it is.  A link is followed: the file was named
    by a person, and settings often are links.
    """
    holder = settings_holder(path)
    if isinstance(holder, Refusal):
        return Refusal(f"{path}: {holder.reason}")
    text = json_text({**(holder or {}), SETTINGS_KEY: settings}, indent=2) + "\n"
    try:
        target = Path(os.path.realpath(path))
        mode = stat.S_IMODE(target.stat().st_mode) if holder is not None else None
        replace_file(target, [utf8_bytes(text)], mode)
    except (OSError, ValueError) as error:
        return Refusal(f"{path}: {reason_of(error)}")
    return None
