"""The header, and the forms that sessions had before the present one."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.session.entries import ProblemKind, Session
from tests.sessions import (
    file_of,
    header,
    ids_of,
    kinds_of,
    line_of,
    message,
    read,
    refusal_of,
    session_in,
)

A, B = (line_of(message(*pair)) for pair in ("a", "ba"))
NO_ID = ProblemKind.NO_ID


# The header


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b"", "empty"),
        (b"\n \r\n\t\n", "not a pi session"),
        (b"\0" * 100, "not a pi session"),
        (bytes(range(256)) * 4, "not a pi session"),
        (b"\x1f\x8b\x08\x00" + b"\x99" * 40, "not a pi session"),
        (file_of(A, header()), "header"),
        (file_of(b"42", header()), "header"),
        (file_of(b"[1]", header()), "header"),
        (file_of({"type": "session"}), "header"),
        (file_of({"type": "session", "id": 5}), "header"),
        (file_of({"type": "session", "id": None}), "header"),
        (b"\xef\xbb\xbf" + file_of(header(), A), "header"),
        (line_of(header()) + file_of(A, B), "header"),
        (file_of(header(), A).decode().encode("utf-16"), "not a pi session"),
        (file_of({"v": 4, "kind": "header", "id": "x", "storageVersion": 1}), "harness v4"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_session(raw: bytes, word: str) -> None:
    assert word in refusal_of(raw)


@pytest.mark.parametrize("before", [b"garbage", b"null", b"0", b'""', b"false", b"", b"{"])
def test_what_pi_drops_may_stand_before_the_header(before: bytes) -> None:
    session = session_in(file_of(before, header(), A))
    assert (session.header.id, ids_of(session)) == ("s", ["a"])


@pytest.mark.parametrize("last", [b"", b"\n", b"\r\n"])
def test_a_header_alone_is_a_session(last: bytes) -> None:
    session = session_in(file_of(header(), last=last))
    assert (session.entries, session.problems) == ((), ())


def test_the_first_header_counts_and_later_ones_are_no_entries() -> None:
    session = read(A, header(id="other", cwd="/elsewhere"), B)
    assert (session.header.id, session.header.cwd) == ("s", "/w")
    assert ids_of(session) == ["a", "b"]
    assert [found.index for found in session.entries] == [0, 1]
    assert kinds_of(session.problems) == [(3, ProblemKind.SECOND_HEADER)]


@pytest.mark.parametrize(
    ("written", "version"),
    [
        (None, 1),
        (1, 1),
        ("1", 1),
        (2, 2),
        ("2", 2),
        (2.5, 2),
        (3, 3),
        ("3", 3),
        (99, 99),
        ("newest", 3),
        ({}, 3),
        ("Infinity", 3),
        (True, 1),
        (0, 0),
    ],
)
def test_versions(written: Any, version: int) -> None:
    session = session_in(file_of(header(version=written)))
    assert session.header.version == version
    kinds = [problem.kind for problem in session.problems]
    assert kinds == [ProblemKind.UNKNOWN_VERSION] * (version > 3)


@pytest.mark.parametrize("name", ["cwd", "timestamp", "parentSession"])
@pytest.mark.parametrize("value", [None, 5, [], {}])
def test_wrong_fields_of_a_header_are_no_reason_to_refuse(name: str, value: Any) -> None:
    read_header = session_in(file_of(header(**{name: value}))).header
    assert (read_header.cwd, read_header.timestamp, read_header.parent_session).count(None) >= 1


def test_the_output_of_json_mode_has_no_entries_that_count() -> None:
    events = [{"type": "agent_start"}, {"type": "message_update", "message": {"role": "assistant"}}]
    session = read(*events)
    assert ids_of(session) == [None, None]
    assert [problem.kind for problem in session.problems] == [NO_ID, NO_ID]


# Old versions


def v1(*records: Any) -> Session:
    head = header()
    del head["version"]
    return session_in(file_of(head, *records))


def test_version_1_is_chained_by_line() -> None:
    plain = {"type": "message", "message": {"role": "user", "content": "x"}}
    session = v1(plain, b"garbage", plain, header(), plain)
    assert [(found.id, found.parent_id) for found in session.entries] == [
        ("line-2", None),
        ("line-4", "line-2"),
        ("line-6", "line-4"),
    ]
    assert NO_ID not in [problem.kind for problem in session.problems]


@pytest.mark.parametrize(
    ("index", "kept"),
    [(0, None), (1, "line-2"), (2, "line-3"), (3, "line-4"), (9, None), (-1, None), ("1", None)],
)
def test_version_1_boundaries_are_indexes_that_count_the_header(index: Any, kept: Any) -> None:
    plain = {"type": "message", "message": {"role": "user", "content": "x"}}
    session = v1(plain, plain, {"type": "compaction", "firstKeptEntryIndex": index})
    assert session.entries[-1].body.get("firstKeptEntryId") == kept
    assert ("firstKeptEntryIndex" in session.entries[-1].body) is isinstance(index, str)


def test_version_1_boundaries_move_with_lines_that_cannot_be_read() -> None:
    plain = {"type": "message", "message": {"role": "user", "content": "x"}}
    session = v1(b"garbage", b"null", plain, {"type": "compaction", "firstKeptEntryIndex": 1})
    assert session.entries[-1].body["firstKeptEntryId"] == "line-4"


@pytest.mark.parametrize(("version", "role"), [(1, "custom"), (2, "custom"), (3, "hookMessage")])
def test_hook_messages_become_custom_ones_before_version_3(version: int, role: str) -> None:
    session = session_in(file_of(header(version=version), message("a", role="hookMessage")))
    assert session.entries[0].body["message"]["role"] == role
