"""The only disk access: what is opened, what is refused, and that nothing is disturbed."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from condense_tui.pruning.records import Record
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import read_bytes, sidecar_reader
from condense_tui.store_open import open_session
from tests.build import SessionBuilder, spilled
from tests.sessions import written

SESSION = SessionBuilder().user().raw


# Reading


def test_a_session_is_opened(tmp_path: Path) -> None:
    assert isinstance(open_session(written(tmp_path, SESSION)), Session)


@pytest.mark.parametrize("name", ["no ending", "ünïcode 😀.jsonl", "-rf", " ", "a\nb"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    assert isinstance(open_session(written(tmp_path, SESSION, name)), Session)


def test_a_link_to_a_session_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(written(tmp_path, SESSION))
    assert isinstance(open_session(link), Session)


def reason_of(result: object) -> str:
    assert isinstance(result, Refusal)
    assert "\n" not in result.reason
    return result.reason


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert reason_of(read_bytes(tmp_path)) == "is a directory"


@pytest.mark.parametrize("name", ["missing", "missing/deeper", "n" * 300, "a\0b", "\ud83d"])
def test_what_cannot_be_there_is_refused(tmp_path: Path, name: str) -> None:
    assert reason_of(read_bytes(tmp_path / name))


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    assert reason_of(read_bytes(written(tmp_path, SESSION) / "x")) == "not a directory"


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert reason_of(read_bytes(tmp_path / "loop"))


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Nobody writes to it: opening it the usual way would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    assert reason_of(read_bytes(tmp_path / "pipe")) == "not a regular file"


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_devices_are_refused(device: str) -> None:
    assert reason_of(read_bytes(Path(device)))


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert reason_of(read_bytes(Path("s")))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, SESSION)
    path.chmod(0)
    assert reason_of(read_bytes(path)) == "permission denied"


def test_a_file_that_is_not_ours_is_read_without_the_right_to_spare_its_access_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "O_NOATIME"):
        pytest.skip("this system has no O_NOATIME")
    genuine = os.open

    def refusing(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & os.O_NOATIME:
            raise PermissionError(1, "Operation not permitted")
        return genuine(path, flags, *args, **kwargs)

    path = written(tmp_path, SESSION)
    monkeypatch.setattr(os, "open", refusing)
    assert read_bytes(path) == SESSION


# Sidecars


def record_with(path: Any) -> Record:
    (record,) = SessionBuilder().index(spilled("x", 5, path)).inspect().index.records.values()
    return record


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A session's folder with a body inside its blobs folder and secrets outside."""
    home = tmp_path / "home"
    blobs = home / "s-blobs"
    blobs.mkdir(parents=True)
    (blobs / "body.txt").write_bytes(b"body\r\n\xff")
    (blobs / "link.txt").symlink_to("body.txt")
    (blobs / "out.txt").symlink_to("../../secret.txt")
    (blobs / "deeper-blobs").mkdir()
    (blobs / "deeper-blobs" / "body.txt").write_bytes(b"deep")
    os.mkfifo(blobs / "pipe.txt")
    (home / "linked-blobs").symlink_to(tmp_path)
    (home / "secret.txt").write_bytes(b"secret")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "body.txt").write_bytes(b"away")
    written(home, SESSION)
    return home


def sidecar(home: Path, recorded: Any, follow_paths: bool = False) -> bytes | None:
    return sidecar_reader(home / "session.jsonl", follow_paths)(record_with(recorded))


@pytest.mark.parametrize(
    "recorded",
    [
        "s-blobs/body.txt",
        "./s-blobs/body.txt",
        "/another/machine/s-blobs/body.txt",
        "C:\\Users\\x\\s-blobs\\body.txt",
        "../../s-blobs/body.txt",
    ],
)
def test_a_body_is_found_beside_the_session(home: Path, recorded: str) -> None:
    assert sidecar(home, recorded) == b"body\r\n\xff"


@pytest.mark.parametrize("follow_paths", [False, True])
def test_a_link_inside_the_folder_is_followed(home: Path, follow_paths: bool) -> None:
    assert sidecar(home, "/x/s-blobs/link.txt", follow_paths) == b"body\r\n\xff"


OUTSIDE = [
    "../secret.txt",
    "secret.txt",
    "s-blobs/../secret.txt",
    "s-blobs/..",
    "s-blobs/.",
    "s-blobs/",
    "s-blobs",
    "s-blobs/out.txt",
    "s-blobs/pipe.txt",
    "s-blobs/deeper-blobs/body.txt",
    "linked-blobs/secret.txt",
    "..\\secret.txt",
    "s-blobs\\..\\..\\secret.txt",
    "s-blobs/body.txt\0",
    "s-blobs/missing.txt",
    "away/body.txt",
    "/etc/passwd",
    "\ud83d-blobs/x.txt",
    "s-blobs/\ud83d.txt",
    "s-blobs/" + "n" * 5_000,
    "/",
    ".",
    "-blobs/body.txt",
]


@pytest.mark.parametrize("recorded", OUTSIDE, ids=lambda path: repr(path)[:28])
def test_nothing_else_is_read(home: Path, recorded: str) -> None:
    assert sidecar(home, recorded) is None


@pytest.mark.parametrize(
    ("recorded", "body"),
    [
        ("../away/body.txt", b"away"),
        ("../secret.txt", b"secret"),
        ("secret.txt", b"secret"),
        ("s-blobs/out.txt", b"secret"),
        ("s-blobs/deeper-blobs/body.txt", b"deep"),
        ("s-blobs//body.txt", b"body\r\n\xff"),
        ("s-blobs/pipe.txt", None),
        ("s-blobs/missing.txt", None),
        ("s-blobs", None),
        ("\ud83d", None),
        ("a\0b", None),
        ("/dev/zero", None),
    ],
)
def test_recorded_paths_are_followed_when_asked(home: Path, recorded: str, body: Any) -> None:
    assert sidecar(home, recorded, follow_paths=True) == body


def test_an_absolute_path_is_followed_only_when_asked(home: Path, tmp_path: Path) -> None:
    recorded = str(tmp_path / "away" / "body.txt")
    assert sidecar(home, recorded) is None
    assert sidecar(home, recorded, follow_paths=True) == b"away"


def test_the_body_beside_the_session_goes_before_the_recorded_one(
    home: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "s-blobs"
    other.mkdir(parents=True)
    (other / "body.txt").write_bytes(b"other")
    assert sidecar(home, str(other / "body.txt"), follow_paths=True) == b"body\r\n\xff"


def test_a_session_named_without_a_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert sidecar_reader(Path("session.jsonl"))(record_with("/x/s-blobs/body.txt"))
