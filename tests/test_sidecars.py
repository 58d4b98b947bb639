"""Sidecar bodies: read once for everyone who asks, and kept within bounds."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.records import Record
from condense_tui.pruning.sidecars import RememberedSidecars
from condense_tui.store import sidecar_finder, sidecar_reader
from condense_tui.view.queryrows import look_up
from tests.build import SessionBuilder, spilled


class CountedReader:
    """Remembers what it was asked for; a body is its path, ten times."""

    def __init__(self) -> None:
        self.asked: list[str | None] = []

    def __call__(self, record: Record) -> bytes | None:
        self.asked.append(record.spill_path)
        return (record.spill_path or "").encode() * 10


def spilled_session(*paths: str) -> Inspection:
    session = SessionBuilder()
    session.index(*(spilled("x", at, path) for at, path in enumerate(paths)))
    return session.inspect()


def records(*paths: str) -> list[Record]:
    return list(spilled_session(*paths).index.records.values())


def test_a_body_is_read_once() -> None:
    read = CountedReader()
    remembered = RememberedSidecars(read)
    first, second = records("a", "b")
    for record in (first, second, first):
        assert remembered(record) == sidecar(record)
    assert read.asked == ["a", "b"]


def sidecar(record: Record) -> bytes:
    return (record.spill_path or "").encode() * 10


def test_that_there_is_none_is_remembered_too() -> None:
    asked: list[Record] = []
    remembered = RememberedSidecars(asked.append)
    (record,) = records("a")
    assert remembered(record) is remembered(record) is None
    assert len(asked) == 1


def test_what_was_asked_for_longest_ago_is_forgotten() -> None:
    read = CountedReader()
    remembered = RememberedSidecars(read, max_bytes=20)
    first, second, third = records("a", "b", "c")
    for record in (first, second, first, third, first, second):
        remembered(record)
    assert read.asked == ["a", "b", "c", "b"]


def test_the_last_one_is_kept_whatever_its_size() -> None:
    read = CountedReader()
    remembered = RememberedSidecars(read, max_bytes=5)
    (record,) = records("a")
    remembered(record)
    remembered(record)
    assert read.asked == ["a"]


def test_two_threads_that_ask_at_once_share_a_reading() -> None:
    began, gate, asked = Event(), Event(), []

    def read(record: Record) -> bytes | None:
        asked.append(record)
        began.set()
        assert gate.wait(10)
        return b"body"

    remembered = RememberedSidecars(read)
    (record,) = records("a")
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(remembered, record)
        assert began.wait(10)
        second = threads.submit(remembered, record)
        gate.set()
        assert (first.result(), second.result()) == (b"body", b"body")
    assert len(asked) == 1


def test_a_query_reads_each_file_once() -> None:
    read = CountedReader()
    found = look_up("x", spilled_session("a", "b").index, (), read)
    assert [match.raw for match in found.matches] == [b"a" * 10, b"b" * 10]
    assert "a" * 10 in found.tool_text
    assert read.asked == ["a", "b"]


@pytest.mark.parametrize("follow_paths", [False, True])
@pytest.mark.parametrize("path", ["s-blobs/a.txt", "s-blobs/none.txt", "s-blobs", "a.txt", ""])
def test_what_is_found_is_what_would_be_read(tmp_path: Path, path: str, follow_paths: bool) -> None:
    (tmp_path / "s-blobs").mkdir()
    (tmp_path / "s-blobs" / "a.txt").write_text("body")
    (tmp_path / "a.txt").write_text("body")
    (record,) = records(path)
    session = tmp_path / "session.jsonl"
    body = sidecar_reader(session, follow_paths)(record)
    assert sidecar_finder(session, follow_paths)(record) == (body is not None)
