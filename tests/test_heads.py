"""What the first and last bytes of a session say: a table, and agreement with a whole reading."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import condense_tui.demo
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.heads import Head, SessionHead, read_head
from condense_tui.session.reading import read_session

DEMO = (Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl").read_bytes()
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "t", "cwd": "/home/u/shop"}
FILLER = '{"type":"session_info","name":"no"} {"customType":"context-prune-index"}'
WIDE = 100_000


def entry(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": f"{kind}-{len(str(fields))}", "parentId": None, **fields}


def user(content: Any) -> dict[str, Any]:
    return entry("message", message={"role": "user", "content": content})


def named(name: Any) -> dict[str, Any]:
    return entry("session_info", name=name)


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def head_of(raw: bytes) -> Head:
    head = read_head(raw, b"", len(raw))
    assert isinstance(head, Head), head
    return head


PRUNED = entry("custom", customType="context-prune-index", data={})


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], {"title": "s1", "entries": 0, "cwd": "/home/u/shop", "is_estimate": False}),
        ([user("fix it")], {"title": "fix it", "entries": 1, "is_pruned": False}),
        ([user([{"type": "text", "text": " fix it "}])], {"first_prompt": "fix it"}),
        ([user([{"type": "image"}]), user("then this")], {"first_prompt": "then this"}),
        ([user(None), user("  "), user("said")], {"first_prompt": "said"}),
        ([user("a" * 9_000)], {"first_prompt": "a" * 400}),
        ([user("x"), named("release")], {"title": "release", "first_prompt": "x"}),
        ([named("old"), named("new")], {"name": "new"}),
        ([named("old"), named("")], {"name": None}),
        ([named("old"), named(7), user("x")], {"name": None, "title": "x"}),
        ([PRUNED], {"is_pruned": True}),
        ([entry("custom_message", customType="context-prune-summary")], {"is_pruned": True}),
        ([entry("custom", customType="other", data="context-prune-")], {"is_pruned": False}),
        ([entry("custom", customType=3)], {"is_pruned": False}),
        ([user('{"customType":"context-prune-index"}')], {"is_pruned": False}),
        ([HEADER, "bare", None, user("x")], {"entries": 4, "title": "x"}),
        ([user(FILLER), *[entry("filler")] * 99, named("late")], {"name": "late", "entries": 101}),
        ([*[entry("filler", role="user")] * 7, user("late")], {"first_prompt": "late"}),
        ([*[entry("filler")] * 99, PRUNED], {"is_pruned": True}),
        ([user("half \ud83d of it")], {"first_prompt": "half \ud83d of it"}),
    ],
)
def test_what_a_whole_file_says(entries: list[Any], expected: dict[str, Any]) -> None:
    head = head_of(lines(HEADER, *entries))
    assert {name: getattr(head, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b"\n \n{\n", "no line of it is a record"),
        (b"\x00\x01\xff binary", "no line of it is a record"),
        (lines({"rows": 1}), "no session header"),
        (lines({"v": 4, "kind": "header"}), "harness v4"),
    ],
)
def test_why_a_file_is_no_session(raw: bytes, reason: str) -> None:
    head = read_head(raw, b"", len(raw))
    assert isinstance(head, Refusal)
    assert reason in head.reason


def test_a_file_of_which_no_whole_line_was_read_says_so() -> None:
    raw = lines({**HEADER, "note": "x" * WIDE})
    head = read_head(raw[:1000], raw[-500:], len(raw))
    assert isinstance(head, Refusal)
    assert "part that was read" in head.reason


def test_the_middle_is_estimated_and_the_ends_are_known() -> None:
    middle = [user("y" * 200) for _ in range(2_000)]
    raw = lines(HEADER, user("first"), *middle, named("last name"), PRUNED)
    head = read_head(raw[:50_000], raw[-10_000:], len(raw))
    assert isinstance(head, Head)
    assert (head.name, head.first_prompt, head.is_pruned) == ("last name", "first", True)
    assert head.is_estimate
    assert head.entries == pytest.approx(2_003, rel=0.03)


def test_an_unread_middle_may_hold_what_prunes() -> None:
    raw = lines(HEADER, *(user("y" * 200) for _ in range(400)))
    head = read_head(raw[:9_000], raw[-9_000:], len(raw))
    assert isinstance(head, Head)
    assert head.is_pruned is None


@given(st.integers(0, len(DEMO)))
def test_however_the_pieces_meet_a_whole_file_is_known_exactly(cut: int) -> None:
    session = read_session(DEMO)
    assert isinstance(session, Session)
    head = read_head(DEMO[:cut], DEMO[cut:], len(DEMO))
    assert isinstance(head, Head)
    assert not head.is_estimate
    assert (head.entries, head.name, head.cwd) == (
        len(session.entries),
        session.name,
        session.header.cwd,
    )
    assert head.is_pruned


@given(st.integers(0, len(DEMO)), st.integers(0, len(DEMO)))
def test_whatever_was_not_read_the_rest_is_an_estimate(start: int, end: int) -> None:
    first, last = sorted((start, end))
    session = read_session(DEMO)
    assert isinstance(session, Session)
    head = read_head(DEMO[:first], DEMO[last:], len(DEMO))
    if isinstance(head, Head):
        assert head.session_id == session.header.id
        assert head.is_estimate == (first < last)


@pytest.mark.parametrize(
    ("cwd", "file", "is_here"),
    [
        ("/home/u/shop", "/sessions/a.jsonl", True),
        ("/home/u/shop/", "/sessions/a.jsonl", True),
        ("/home/u/shop2", "/sessions/a.jsonl", False),
        ("/home/u", "/sessions/a.jsonl", False),
        (None, "/sessions/a.jsonl", False),
        ("/elsewhere", "/home/u/shop/a.jsonl", True),
        ("/elsewhere", "/home/u/shop/deeper/a.jsonl", False),
    ],
)
def test_whose_directory_a_session_is_of(cwd: str | None, file: str, is_here: bool) -> None:
    head = SessionHead(Path(file), 0, 0, Head("s", None, None, cwd, 1, False, False))
    assert head.is_of(Path("/home/u/shop")) is is_here
