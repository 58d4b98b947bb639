"""Finding sessions on a disk: places, order, bounded reading, the latest one, typed paths."""

import json
import os
from pathlib import Path

import pytest

from condense_tui import store_sessions
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.heads import Head
from condense_tui.store import GIVEN_UP, read_bytes
from condense_tui.store_open import open_session
from condense_tui.store_sessions import (
    END_BYTES,
    START_BYTES,
    TAIL_BYTES,
    SessionPlaces,
    latest_session,
    looks_like_path,
    read_session_ends,
    read_session_head,
    session_paths,
    session_places,
    typed_path,
)


def write(path: Path, cwd: str = "/elsewhere", at: float = 1_000, filler: int = 0) -> Path:
    """A session file that was modified at that time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    user = {"role": "user", "content": "prompt" + "x" * filler}
    values = (
        {"type": "session", "version": 3, "id": path.stem, "timestamp": "t", "cwd": cwd},
        {"type": "message", "id": "a", "parentId": None, "timestamp": "t", "message": user},
    )
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    os.utime(path, (at, at))
    return path


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


@pytest.fixture
def places(tmp_path: Path, here: Path) -> SessionPlaces:
    return SessionPlaces(here, (tmp_path / "sessions", tmp_path / "more"))


class TestPlaces:
    def test_the_environment_names_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "~/kept")
        monkeypatch.setenv("PI_CODING_AGENT_DIR", "/agent")
        monkeypatch.setenv("HOME", "/home/u")
        assert session_places(Path("/")).folders == (
            Path("/home/u/kept"),
            Path("/agent/sessions"),
            Path("/home/u/.pi/agent/sessions"),
        )

    def test_pi_s_own_folder_is_named_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR", raising=False)
        monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
        monkeypatch.setenv("HOME", "/home/u")
        assert session_places(Path("/")).folders == (Path("/home/u/.pi/agent/sessions"),)

    def test_a_place_that_is_missing_is_said_to_be(self, places: SessionPlaces) -> None:
        (places.folders[0]).mkdir()
        assert [is_there for _, is_there in places.looked_in()] == [True, False, True]


class TestPaths:
    def test_the_newest_comes_first_wherever_it_lies(self, places: SessionPlaces) -> None:
        first, second = places.folders
        old = write(first / "--w--" / "a.jsonl", at=1)
        nested = write(first / "--w--" / "run" / "run-0" / "session.jsonl", at=4)
        other = write(second / "b.jsonl", at=3)
        here = write(places.directory / "c.jsonl", at=2)
        assert list(session_paths(places)) == [nested, other, here, old]

    def test_only_files_of_that_name_and_only_at_the_top_here(self, places: SessionPlaces) -> None:
        write(places.folders[0] / "notes.json")
        write(places.directory / "below" / "d.jsonl")
        assert list(session_paths(places)) == []

    def test_one_file_by_two_ways_is_one_session(self, places: SessionPlaces) -> None:
        path = write(places.folders[0] / "a.jsonl")
        (places.directory / "link.jsonl").symlink_to(path)
        assert list(session_paths(places)) == [path]

    def test_a_link_to_nowhere_is_listed_with_its_reason(self, places: SessionPlaces) -> None:
        link = places.directory / "gone.jsonl"
        link.symlink_to("nowhere")
        assert list(session_paths(places)) == [link]
        assert read_session_head(link).content == Refusal("no such file or directory")


class TestHead:
    def test_of_a_small_file_everything_is_known(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.jsonl", at=77)
        head = read_session_head(path)
        assert isinstance(head.content, Head)
        assert (head.modified, head.size) == (77, path.stat().st_size)
        assert (head.content.entries, head.content.is_estimate) == (1, False)

    def test_of_a_large_file_only_the_ends_are_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write(tmp_path / "a.jsonl")
        with path.open("ab") as file:
            line = path.read_bytes().splitlines(keepends=True)[1]
            file.write(line * (3 * START_BYTES // len(line)))
        read: list[int] = []
        whole = store_sessions.read_head

        def watched(start: bytes, end: bytes, size: int) -> Head | Refusal:
            read.extend((len(start), len(end)))
            return whole(start, end, size)

        monkeypatch.setattr(store_sessions, "read_head", watched)
        head = read_session_head(path)
        assert read == [START_BYTES, END_BYTES]
        assert isinstance(head.content, Head)
        assert head.content.is_estimate

    @pytest.mark.parametrize("size", [START_BYTES, START_BYTES + 1, START_BYTES + END_BYTES])
    def test_pieces_that_meet_are_a_whole_file(self, tmp_path: Path, size: int) -> None:
        path = write(tmp_path / "a.jsonl")
        path = write(tmp_path / "a.jsonl", filler=size - path.stat().st_size)
        head = read_session_head(path)
        assert head.size == size
        assert isinstance(head.content, Head)
        assert not head.content.is_estimate

    def test_what_is_no_file_is_refused_and_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.jsonl")
        (tmp_path / "folder.jsonl").mkdir()
        for name in ("pipe.jsonl", "folder.jsonl"):
            assert isinstance(read_session_head(tmp_path / name).content, Refusal)

    def test_reading_leaves_no_trace(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.jsonl", at=5)
        before = path.stat()
        read_session_head(path)
        assert path.stat() == before


class TestLatest:
    def test_of_this_directory_however_old(self, places: SessionPlaces) -> None:
        write(places.folders[0] / "newer.jsonl", at=9)
        own = write(places.folders[0] / "own.jsonl", str(places.directory), at=3)
        write(places.folders[1] / "older.jsonl", str(places.directory), at=2)
        assert latest_session(places) == own

    def test_one_that_cannot_be_read_is_passed_over(self, places: SessionPlaces) -> None:
        (places.directory / "rows.jsonl").write_text('{"row": 1}\n')
        path = write(places.directory / "s.jsonl", at=1)
        assert latest_session(places) == path

    def test_there_may_be_none(self, places: SessionPlaces) -> None:
        write(places.folders[0] / "a.jsonl")
        assert latest_session(places) is None


@pytest.mark.parametrize(
    ("typed", "is_path", "path"),
    [
        ("/s/a.jsonl", True, "/s/a.jsonl"),
        ("~/a.jsonl", True, "/home/u/a.jsonl"),
        ("./a.jsonl", True, "/here/a.jsonl"),
        ("../a.jsonl", True, "/here/../a.jsonl"),
        ("a.jsonl", False, "/here/a.jsonl"),
        ("~nobody-of-this-name/a", True, "/here/~nobody-of-this-name/a"),
    ],
)
def test_typed_paths(typed: str, is_path: bool, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/u")
    assert looks_like_path(typed) is is_path
    assert typed_path(typed, Path("/here")) == Path(path)


class TestProgress:
    """Reading whole files tells how far it is, and can be given up."""

    SIZE = 3 * 1024 * 1024 + 5

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "large"
        path.write_bytes(os.urandom(self.SIZE))
        return path

    def test_it_ends_at_the_size_and_changes_nothing(self, path: Path) -> None:
        told: list[tuple[int, int]] = []
        raw = read_bytes(path, lambda read, size: told.append((read, size)) is None)
        assert raw == read_bytes(path) == path.read_bytes()
        assert told[-1] == (self.SIZE, self.SIZE)
        assert len(told) > 2
        assert told == sorted(told)

    def test_giving_up_ends_it_there(self, path: Path) -> None:
        told: list[int] = []
        raw = read_bytes(path, lambda read, _size: told.append(read) is not None)
        assert raw == GIVEN_UP
        assert len(told) == 1
        assert open_session(path, lambda _read, _size: False) == GIVEN_UP

    def test_an_empty_file_has_nothing_to_tell(self, tmp_path: Path) -> None:
        path = tmp_path / "empty"
        path.touch()
        assert read_bytes(path, lambda _read, _size: False) == b""


class TestEnds:
    """The end of a session, from one bounded reading with its head."""

    def test_of_a_large_file_the_last_entries_are_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write(tmp_path / "a.jsonl")
        header, line, _ = path.read_bytes().split(b"\n")
        count = 3 * START_BYTES // len(line)
        path.write_bytes(b"\n".join([header, *[line] * count, b""]))
        read: list[int] = []
        whole = store_sessions.read_tail

        def watched(start: bytes, end: bytes, size: int) -> Session | Refusal:
            read.extend((len(start), len(end)))
            return whole(start, end, size)

        monkeypatch.setattr(store_sessions, "read_tail", watched)
        head, tail = read_session_ends(path)
        assert read == [START_BYTES, TAIL_BYTES]
        assert isinstance(head.content, Head)
        assert isinstance(tail, Session)
        assert len(tail.entries) == (TAIL_BYTES - 1) // (len(line) + 1)

    def test_one_line_longer_than_the_end_leaves_the_head(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.jsonl", filler=START_BYTES + TAIL_BYTES)
        head, tail = read_session_ends(path)
        assert isinstance(head.content, Head)
        assert isinstance(tail, Refusal)

    def test_what_is_no_file_is_refused_in_both(self, tmp_path: Path) -> None:
        head, tail = read_session_ends(tmp_path)
        assert head.content == tail == Refusal("is a directory")
