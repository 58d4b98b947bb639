"""What a look at a file says, and when one looks."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from condense_tui import store_watch
from condense_tui.session.entries import Refusal, Session
from condense_tui.store_open import Extent, open_file
from condense_tui.store_watch import (
    FileWatch,
    Look,
    has_notices,
    kind_of_file_system,
    look_of,
    moments,
)
from tests.build import SessionBuilder

SESSION = SessionBuilder().user("one").user("two")
MORE = SessionBuilder().user("one").user("two").user("three").raw[len(SESSION.raw) :]


def status(size: int = 10, modified: int = 1, inode: int = 7) -> Any:
    return SimpleNamespace(st_size=size, st_mtime_ns=modified, st_ino=inode, st_dev=1)


@pytest.mark.parametrize(
    ("there", "ends", "look"),
    [
        (status(), b"ends", Look.UNCHANGED),
        (status(size=11, modified=2), b"ends", Look.GREW),
        (status(modified=2), b"ends", Look.TOUCHED),
        (status(size=9, modified=2), b"ends", Look.CUT_OFF),
        (status(size=11, modified=2), b"other", Look.REWRITTEN),
        (status(inode=8), b"ends", Look.REPLACED),
        (None, b"ends", Look.GONE),
    ],
)
def test_what_a_look_says(there: Any, ends: bytes, look: Look) -> None:
    assert look_of(Extent(status(), 10, 0, b"ends"), there, ends) is look


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(SESSION.raw)
    return path


def watched(path: Path) -> FileWatch:
    file = open_file(path)
    assert not isinstance(file, Refusal)
    watch = FileWatch(path, file)
    assert isinstance(watch.read_on(), Session)
    return watch


def append(path: Path, raw: bytes = MORE) -> None:
    with path.open("ab") as file:
        file.write(raw)


def rewrite(path: Path, raw: bytes, at: int = 0) -> None:
    """In place: the file stays the same one."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(raw)
    later(path)


def later(path: Path) -> None:
    """Another time than the one that was seen, however coarse the clock of the file system."""
    there = path.stat()
    os.utime(path, ns=(there.st_atime_ns, there.st_mtime_ns + 1_000_000_000))


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(SESSION.raw)
    other.replace(path)


@pytest.mark.parametrize(
    ("change", "look"),
    [
        (lambda path: None, Look.UNCHANGED),
        (append, Look.GREW),
        (later, Look.UNCHANGED),
        (lambda path: os.truncate(path, 40), Look.CUT_OFF),
        (lambda path: os.truncate(path, 0), Look.CUT_OFF),
        (lambda path: path.write_bytes(b"x" * 10_000), Look.REWRITTEN),
        (lambda path: rewrite(path, b"{", at=len(SESSION.raw) // 2), Look.REWRITTEN),
        (replace, Look.REPLACED),
        (os.unlink, Look.GONE),
    ],
)
def test_what_becomes_of_a_file(path: Path, change: Callable[[Path], Any], look: Look) -> None:
    watch = watched(path)
    change(path)
    assert watch.look() is look


def test_what_was_only_touched_is_not_compared_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watched(path)
    later(path)
    assert watch.look() is Look.UNCHANGED
    monkeypatch.setattr(watch.file, "checksum_of", lambda _length: 1 / 0)
    assert watch.look() is Look.UNCHANGED


def test_a_rewrite_of_the_same_length_far_from_both_ends_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(SessionBuilder().user("a" * 3_000_000).raw)
    watch = watched(path)
    rewrite(path, b"b", at=1_500_000)
    assert watch.look() is Look.REWRITTEN


def test_what_is_no_session_is_looked_at_once(path: Path) -> None:
    watch = watched(path)
    replace(path)
    os.truncate(path, 3)
    assert watch.look() is Look.REPLACED
    assert isinstance(watch.open_anew(), Refusal)
    assert watch.look() is Look.STILL_REFUSED
    path.write_bytes(SESSION.raw + MORE)
    assert watch.look() is Look.REPLACED
    session = watch.open_anew()
    assert isinstance(session, Session)
    assert len(session.entries) == 3
    assert watch.look() is Look.UNCHANGED


def test_a_file_is_back(path: Path) -> None:
    watch = watched(path)
    aside = path.rename(path.with_suffix(".aside"))
    assert watch.look() is Look.GONE
    aside.rename(path)
    assert watch.look() is Look.UNCHANGED


# Cost


def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look reads the ends, and reading on what was added, however long the file is."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(SessionBuilder().user("a" * 3_000_000).raw)
    watch, read = watched(path), []
    pread = os.pread
    monkeypatch.setattr(os, "pread", lambda *asked: read.append(pread(*asked)) or read[-1])
    for count in range(1, 4):
        append(path, b'{"type":"custom","id":"x%d","parentId":"e1"}\n' % count)
        assert watch.look() is Look.GREW
        session = watch.read_on()
        assert isinstance(session, Session)
        assert len(session.entries) == 1 + count
    assert sum(map(len, read)) < 20_000


# Moments


async def test_the_system_says_when(path: Path) -> None:
    async with aclosing(moments(path)) as stirred:
        await anext(stirred)
        for _ in range(3):
            waiting = asyncio.ensure_future(anext(stirred))
            append(path)
            await asyncio.wait_for(waiting, 10)


@pytest.mark.parametrize("trouble", ["asked for", "no notices left"])
async def test_where_the_system_is_silent_one_looks_now_and_then(
    path: Path, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path) -> Any:
        raise OSError("no space left on device")

    if trouble == "asked for":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    else:
        monkeypatch.setattr(store_watch, "_notices", refuse)
    monkeypatch.setattr(store_watch, "_POLL_SECONDS", 0.001)
    async with aclosing(moments(path)) as stirred:
        for _ in range(3):
            await asyncio.wait_for(anext(stirred), 10)


async def test_a_folder_that_is_gone_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_watch, "_POLL_SECONDS", 0.001)
    async with aclosing(moments(tmp_path / "no folder" / "session.jsonl")) as stirred:
        for _ in range(3):
            await asyncio.wait_for(anext(stirred), 10)


MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home rw shared:2 - nfs4 server:/home rw
41 40 0:36 / /home/me/my\040disk rw shared:3 - btrfs /dev/sdb rw
42 22 0:37 / /mnt/there rw shared:4 master:1 - fuse.sshfs me@there: rw
short
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc/x", "ext4"),
        ("/home", "nfs4"),
        ("/home/me/x", "nfs4"),
        ("/homes/x", "ext4"),
        ("/home/me/my disk/x", "btrfs"),
        ("/mnt/there/x", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_path(
    path: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kind_of_file_system(MOUNTS, path) == kind
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    monkeypatch.setattr(store_watch, "_MOUNTS", table)
    assert has_notices(Path(path)) is (kind in ("ext4", "btrfs"))


def test_without_a_table_of_mounts_the_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_watch, "_MOUNTS", Path("/no such table"))
    assert has_notices(Path("/x"))
