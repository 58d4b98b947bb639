"""What the strict decoder says of a line is what the lenient one says, on every line it takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from condense_tui.session.bodies import KeptBody
from condense_tui.session.entries import Entry, entry_of
from condense_tui.session.jsontext import parse_json
from condense_tui.session.skeletons import skeleton_of
from tests.vectors import COPIED, PROJECT

NOWHERE = KeptBody({})
SESSIONS = sorted(COPIED.rglob("*.jsonl"))
DEMO = PROJECT / "condense_tui" / "demo" / "session.jsonl"
TIMES = st.sampled_from([None, 0, -0.0, 7, 1.5, 2**53, 2**53 + 1, 10**400, "2026-01-01", True])
NAMES = st.sampled_from([None, "", "t", "é", "\ud83d", 7, ["x"], {}])
FLAGS = st.sampled_from([None, True, False, 1, "true"])
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["toolCall", "text", None, 5]),
        "id": NAMES,
        "name": NAMES,
        "text": st.text(max_size=3),
        "input": st.sampled_from([None, {}, {"path": "a"}, {"path": 5}, "x"]),
        "arguments": st.sampled_from([None, {}, {"path": "b"}, {"path": None}, [1]]),
    },
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["assistant", "user", "toolResult", "custom", None, 3]),
        "timestamp": TIMES,
        "toolCallId": NAMES,
        "toolName": NAMES,
        "isError": FLAGS,
        "customType": NAMES,
        "stopReason": NAMES,
        "excludeFromContext": FLAGS,
        "content": st.one_of(st.none(), st.just("words"), st.lists(st.one_of(PARTS, st.none()))),
    },
)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["message", "custom_message", "custom", "session", None, 1]),
        "id": NAMES,
        "parentId": NAMES,
        "timestamp": TIMES,
        "customType": NAMES,
        "message": st.one_of(MESSAGES, st.none(), st.just([])),
    },
)


def told(entry: Entry) -> dict[str, Any]:
    """Everything but where the body lies; kinds are told apart, `-0.0` and `0` are not."""
    outline = entry.message
    said = {name: getattr(entry, name) for name in ("type", "id", "parent_id", "has_null_id")}
    said |= {"custom_type": entry.custom_type}
    if outline:
        said["message"] = asdict(outline)
    return said


def assert_same(raw: bytes) -> bool:
    """Whether the strict decoder took the line."""
    skeleton = skeleton_of(0, 1, raw, NOWHERE)
    if skeleton is None:
        return False
    value = parse_json(raw)
    assert isinstance(value, dict)
    assert told(skeleton) == told(entry_of(0, 1, value))
    return True


@given(ENTRIES)
def test_any_entry(body: dict[str, Any]) -> None:
    assert_same(json.dumps(body).encode())


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_every_line_of_the_vectors(path: Path) -> None:
    for line in path.read_bytes().split(b"\n"):
        assert_same(line)


def test_what_pi_writes_is_taken() -> None:
    lines = DEMO.read_bytes().split(b"\n")[1:-1]
    assert all(map(assert_same, lines))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b'{"type":"x"',
        b'{"type":"x"} {"type":"y"}',
        b'{"type":"x","more":"\t"}',
        b'{"type":"x","more":01}',
        b'{"type":"x","more":NaN}',
        b'{"type":"x","more":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"type":"x","timestamp":1e400}',
        b'{"type":"x","timestamp":' + b"9" * 400 + b"}",
    ],
)
def test_what_is_not_as_pi_writes_it_is_left_to_the_lenient_one(raw: bytes) -> None:
    if skeleton_of(0, 1, raw, NOWHERE) is not None:
        assert isinstance(parse_json(raw), dict)


def test_the_last_of_doubled_names_counts() -> None:
    assert assert_same(b'{"type":"x","type":"message","message":{"role":"a"},"message":null}')


def test_bytes_that_are_no_text_do_not_matter_where_nobody_looks() -> None:
    body = b'{"type":"text","text":"\xff"}'
    assert assert_same(b'{"type":"message","message":{"role":"user","content":[%s]}}' % body)
