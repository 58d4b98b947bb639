"""Writing files: whole or not at all, and never over what is no file."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from condense_tui.preferences import Preferences, write_preferences
from condense_tui.session.entries import Refusal
from condense_tui.store_condensed import SessionCopy, write_condensed
from condense_tui.store_copies import write_copy
from condense_tui.store_writing import (
    folder_refusal,
    why_not_there,
    write_files,
    write_settings,
)
from tests.build import SessionBuilder
from tests.sessions import written

SESSION = SessionBuilder().user().raw


def reason_of(found: Refusal | None) -> str:
    assert isinstance(found, Refusal)
    return found.reason


# What is there and is no file


def made_socket(path: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.close()


def made_link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to(path.with_name("pipe"))


def made_link_to_an_open_file(path: Path) -> None:
    """As `/dev/stdout` is one; nothing is opened to find that out."""
    path.symlink_to("/proc/self/fd/1")


KINDS: dict[str, Callable[[Path], None]] = {
    "fifo": os.mkfifo,
    "socket": made_socket,
    "folder": Path.mkdir,
    "link to a fifo": made_link_to_fifo,
    "link to an open file": made_link_to_an_open_file,
}
WRITERS: dict[str, Callable[[Path, Path], Refusal | None]] = {
    "export": lambda path, _: write_files(path.parent, {path.name: b"new"}, is_forced=True),
    "repair": lambda path, session: write_copy(path, b"new", session, is_forced=True),
    "condense": lambda path, _: write_condensed(SessionCopy(path, [b"new"], {})),
    "settings": lambda path, _: write_settings(path, {}),
    "preferences": lambda path, _: write_preferences(path, Preferences()),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_stays_what_it_is(kind: str, writer: str, tmp_path: Path) -> None:
    session, path = written(tmp_path, SESSION), tmp_path / "out" / "copy"
    path.parent.mkdir()
    KINDS[kind](path)
    before = (path.lstat().st_ino, stat.S_IFMT(path.lstat().st_mode)), os.listdir(path.parent)
    assert reason_of(WRITERS[writer](path, session))
    after = (path.lstat().st_ino, stat.S_IFMT(path.lstat().st_mode)), os.listdir(path.parent)
    assert after == before


@pytest.mark.parametrize("is_forced", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_no_force_is_offered_for_what_is_no_file(
    kind: str, is_forced: bool, tmp_path: Path
) -> None:
    path = tmp_path / "copy"
    KINDS[kind](path)
    what = "is a directory" if kind == "folder" else "not a regular file"
    assert reason_of(why_not_there(path, None, is_forced)) == f"{path}: {what}"


def test_the_session_is_not_replaced_by_whatever_name(tmp_path: Path) -> None:
    session, link, twin = written(tmp_path, SESSION), tmp_path / "link", tmp_path / "twin"
    link.symlink_to(session)
    os.link(session, twin)
    for path, source in ((session, session), (twin, session), (link, link)):
        assert reason_of(why_not_there(path, source, True)) == f"{path} is the session itself"
    assert why_not_there(link, session, is_forced=True) is None


@pytest.mark.parametrize("writer", ["export", "repair", "condense"])
def test_a_folder_that_takes_no_files_is_told_from_one_that_is_missing(
    writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `/proc`, where the system says that there is no such file."""

    def missing(**_options: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    session, path = written(tmp_path, SESSION), tmp_path / "copy"
    monkeypatch.setattr("tempfile.mkstemp", missing)
    assert f"no file can be made in {tmp_path}" in reason_of(WRITERS[writer](path, session))


# Files in a folder


def test_files_are_written_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert write_files(folder, {"x": b"1", "y": b""}, is_forced=False) is None
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"x": b"1", "y": b""}


def test_nothing_is_written_when_one_file_exists(tmp_path: Path) -> None:
    (tmp_path / "y").write_bytes(b"old")
    files = {"x": b"1", "y": b"2"}
    assert "--force" in reason_of(write_files(tmp_path, files, is_forced=False))
    assert os.listdir(tmp_path) == ["y"]
    assert (tmp_path / "y").read_bytes() == b"old"
    assert write_files(tmp_path, files, is_forced=True) is None
    assert (tmp_path / "y").read_bytes() == b"2"


@pytest.mark.parametrize("is_dangling", [False, True])
def test_a_link_is_replaced_and_never_followed(tmp_path: Path, is_dangling: bool) -> None:
    target = tmp_path / "target"
    if not is_dangling:
        target.write_bytes(b"precious")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "x").symlink_to(target)
    assert reason_of(write_files(folder, {"x": b"1"}, is_forced=False))
    assert write_files(folder, {"x": b"1"}, is_forced=True) is None
    assert not (folder / "x").is_symlink()
    assert (folder / "x").read_bytes() == b"1"
    assert target.exists() is not is_dangling
    assert is_dangling or target.read_bytes() == b"precious"


@pytest.mark.parametrize("is_forced", [False, True])
def test_a_folder_of_that_name_stays(tmp_path: Path, is_forced: bool) -> None:
    (tmp_path / "x").mkdir()
    assert reason_of(write_files(tmp_path, {"x": b"1"}, is_forced))
    assert os.listdir(tmp_path) == ["x"]


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"old")
    assert reason_of(write_files(tmp_path / "out", {"x": b"1"}, is_forced=True))
    assert (tmp_path / "out").read_bytes() == b"old"


def test_files_get_the_usual_rights(tmp_path: Path) -> None:
    write_files(tmp_path, {"x": b"1"}, is_forced=False)
    (tmp_path / "y").write_bytes(b"")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "y").stat().st_mode


# Where something may be written


def test_a_folder_to_be_made_is_looked_for_where_it_would_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert folder_refusal(tmp_path) is None
    assert folder_refusal(tmp_path / "new" / "folder") is None
    for path in (tmp_path / "file", tmp_path / "file" / "folder"):
        refused = folder_refusal(path)
        assert refused is not None
        assert refused.reason == f"{tmp_path / 'file'} is not a folder"


def test_a_folder_that_one_may_not_write_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    refused = folder_refusal(tmp_path / "new")
    assert refused is not None
    assert refused.reason == f"{tmp_path}: permission denied"
