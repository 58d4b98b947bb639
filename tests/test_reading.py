"""Bytes → `Session`: everything that pi reads is read, and what it skips is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.session.entries import ProblemKind, Refusal, Session
from condense_tui.session.reading import read_session
from tests.sessions import (
    entry,
    file_of,
    header,
    ids_of,
    kinds_of,
    line_of,
    message,
    nested,
    read,
    session_in,
)

A, B, C, D = (line_of(message(*pair)) for pair in ("a", "ba", "cb", "dc"))
TORN = ProblemKind.TORN_END
WELDED = ProblemKind.WELDED
UNREADABLE = ProblemKind.UNREADABLE
NOT_AN_OBJECT = ProblemKind.NOT_AN_OBJECT
NO_ID = ProblemKind.NO_ID


# Lines


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\n\n", b"\n \t\n", b"\r\n\r\n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\r\n", b"\n\n\n"])
def test_line_endings_and_blank_lines(ending: bytes, last: bytes) -> None:
    session = session_in(file_of(header(), A, B, ending=ending, last=last))
    assert ids_of(session) == ["a", "b"]
    assert session.problems == ()


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85"])
def test_other_separators_in_a_text_divide_nothing(sign: str) -> None:
    session = read(line_of(entry("a", note="SIGN")).replace(b"SIGN", f"x{sign}y".encode()))
    assert session.problems == ()
    assert [found.body["note"] for found in session.entries] == [f"x{sign}y"]


@pytest.mark.parametrize("sign", [b"\v", b"\f", b"\r", b"\x1c", b"\x1d", b"\x1e"])
def test_control_characters_divide_no_line_either(sign: bytes) -> None:
    """A bare one in a text is not JSON, so the line is bad; it is one line all the same."""
    session = read(line_of(entry("a", note="SIGN")).replace(b"SIGN", b"x" + sign + b"y"), B)
    assert kinds_of(session.problems) == [(2, UNREADABLE)]
    assert ids_of(session) == ["b"]


def test_lines_count_from_one_and_blank_ones_count() -> None:
    session = session_in(file_of(b"", header(), b"  ", A, b"", B))
    assert [found.line for found in session.entries] == [4, 6]


@pytest.mark.parametrize("text", ["caf\\udcb2", "\\ud83d", "x\\udc00\\ud800y"])
def test_half_a_character_is_kept(text: str) -> None:
    session = read(line_of(entry("a", note="TEXT")).replace(b"TEXT", text.encode()))
    assert session.problems == ()
    assert session.entries[0].body["note"] == text.encode().decode("unicode_escape")


def test_invalid_utf8_becomes_replacement_signs_and_the_line_is_kept() -> None:
    session = read(line_of(entry("a", note="TEXT")).replace(b"TEXT", b"x\xff\xc3y"))
    assert session.problems == ()
    assert session.entries[0].body["note"] == "x\ufffd\ufffdy"


@pytest.mark.parametrize("value", [b"null", b"0", b"-0", b"0.0", b'""', b"false"])
def test_what_javascript_finds_false_is_dropped_and_said(value: bytes) -> None:
    session = read(A, value, B)
    assert ids_of(session) == ["a", "b"]
    assert kinds_of(session.problems) == [(3, NOT_AN_OBJECT)]


@pytest.mark.parametrize("value", [b"42", b'"s"', b"[1]", b"[]", b"true"])
def test_other_bare_values_are_entries_without_id(value: bytes) -> None:
    session = read(A, value, B)
    assert ids_of(session) == ["a", None, "b"]
    assert kinds_of(session.problems) == [(3, NOT_AN_OBJECT), (3, NO_ID)]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (b"null", "null"),
        (b"42", "number"),
        (b'"s"', "string"),
        (b"true", "boolean"),
        (b"[1]", "array"),
    ],
)
def test_bare_values_are_named_as_json_names_them(value: bytes, name: str) -> None:
    assert name in read(value).problems[0].reason


def test_a_reason_names_no_other_line_than_its_own() -> None:
    (problem,) = read(A, b"garbage").problems
    assert problem.line == 3
    assert "line 1" not in problem.reason


@pytest.mark.parametrize(
    ("lines", "last", "ids", "problems"),
    [
        pytest.param([A, B + C, D], b"\n", ["a", "d"], [(3, WELDED, 2)], id="two whole"),
        pytest.param([A, B + b"  " + C], b"\n", ["a"], [(3, WELDED, 2)], id="blanks between"),
        pytest.param([A, B[:-20] + C, D], b"\n", ["a", "d"], [(3, WELDED, 1)], id="torn, whole"),
        pytest.param(
            [A, B[:9] + C[:9] + D], b"\n", ["a"], [(3, WELDED, 1)], id="torn, torn, whole"
        ),
        pytest.param([A, B + C[:-20]], b"", ["a"], [(3, WELDED, 1)], id="whole, torn at the end"),
        pytest.param([A, B + b"}" + C], b"\n", ["a"], [(3, WELDED, 2)], id="a brace between"),
        pytest.param([A, b'{"type":"mess'], b"", ["a"], [(3, TORN, 0)], id="torn end"),
        pytest.param([A, C[:-1]], b"", ["a"], [(3, TORN, 0)], id="torn before its last brace"),
        pytest.param([A, b'{"type":"mess', B], b"\n", ["a", "b"], [(3, UNREADABLE, 0)], id="torn"),
        pytest.param([A, b"{{{{"], b"\n", ["a"], [(3, UNREADABLE, 0)], id="garbage"),
        pytest.param([A, b"\x00\x00\x00"], b"\n", ["a"], [(3, UNREADABLE, 0)], id="zeros"),
        pytest.param(
            [A, b"\xef\xbb\xbf" + B], b"\n", ["a"], [(3, WELDED, 1)], id="byte-order mark"
        ),
    ],
)
def test_lines_that_are_not_one_json_value(
    lines: list[bytes], last: bytes, ids: list[str], problems: list[tuple[int, ProblemKind, int]]
) -> None:
    session = read(*lines, last=last)
    assert ids_of(session) == ids
    found = [(problem.line, problem.kind, problem.recoverable) for problem in session.problems]
    assert [each for each in found if each[1] is not NO_ID] == problems


def test_parts_of_a_broken_record_are_no_records() -> None:
    """A message's parts have a type too, and may have a time."""
    parts = [{"type": "text", "text": "x"}, {"type": "toolCall", "id": "c", "arguments": {}}]
    torn = line_of(message("b", "a", content=parts))[:-3]
    (problem,) = read(A, torn, C).problems
    assert (problem.kind, problem.recoverable) == (UNREADABLE, 0)


@pytest.mark.parametrize("opening", [b'{"a":', b"[", b'{"', b'{ "x":[{"y":'])
def test_a_hostile_line_costs_a_bounded_number_of_attempts(opening: bytes) -> None:
    session = read(A, opening * 30_000, B)
    assert ids_of(session) == ["a", "b"]
    assert kinds_of(session.problems) == [(3, UNREADABLE)]


# Depth and size


@pytest.mark.parametrize("levels", [500, 900])
def test_nested_values_are_read(levels: int) -> None:
    session = read(line_of(entry("a", data="DEEP")).replace(b'"DEEP"', nested(levels)), B)
    assert ids_of(session) == ["a", "b"]


@pytest.mark.parametrize("levels", [2_000, 100_000])
@pytest.mark.parametrize("shape", [b"[%b]", b'{"a":%b}'], ids=["lists", "objects"])
def test_values_too_deep_to_hold_are_a_problem_or_read(levels: int, shape: bytes) -> None:
    opening, closing = shape.split(b"%b")
    deep = opening * levels + b"1" + closing * levels
    session = read(A, line_of(entry("b", "a", data="DEEP")).replace(b'"DEEP"', deep), C)
    if "b" not in ids_of(session):
        assert kinds_of(session.problems) == [(3, UNREADABLE)]
    assert {"a", "c"} <= set(ids_of(session))


@pytest.mark.parametrize(
    "number", [b"9" * 30, b"9" * 5_000, b"-" + b"9" * 400, b"1e999", b"5e-324"]
)
def test_huge_numbers_are_read(number: bytes) -> None:
    raw = line_of(message("a", timestamp="N")).replace(b'"N"', number)
    session = read(raw.replace(b'"2026-01-01T12:00:00.000Z"', number))
    assert ids_of(session) == ["a"]
    assert session.problems == ()


def test_a_line_may_be_long() -> None:
    session = read(entry("a", note="x" * 5_000_000), B)
    assert ids_of(session) == ["a", "b"]


# Entries


def test_a_doubled_id_is_said_with_the_line_of_the_first() -> None:
    session = read(A, B, A)
    assert kinds_of(session.problems) == [(4, ProblemKind.DUPLICATE_ID)]
    assert "line 2" in session.problems[0].reason


@pytest.mark.parametrize("body", [None, "text", 5, []])
def test_a_message_without_a_message_is_said(body: Any) -> None:
    session = read(entry("a", kind="message", message=body), entry("b", kind="message"))
    kind = ProblemKind.NO_MESSAGE
    assert kinds_of(session.problems) == [(2, kind), (3, kind)]


@pytest.mark.parametrize("entry_id", [None, "", 0, False, [], {}])
def test_an_id_that_cannot_be_looked_up_is_none(entry_id: Any) -> None:
    session = read(entry(entry_id))
    assert ids_of(session) == [None]
    assert kinds_of(session.problems) == [(2, NO_ID)]
    assert session.entries[0].label == "line 2"


@pytest.mark.parametrize("kind", ["leaf", "active_tools_change", "of the future", "", None, 7])
def test_unknown_types_are_kept_as_such(kind: Any) -> None:
    session = read(entry("a", kind=kind, extra=1))
    assert session.entries[0].type == (kind if isinstance(kind, str) else "")
    assert session.entries[0].body["extra"] == 1
    assert session.problems == ()


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ([], None),
        (["one"], "one"),
        (["one", "two"], "two"),
        (["one", ""], None),
        (["one", "  "], None),
        (["one", None], None),
        (["one", 5], None),
        ([" one "], "one"),
    ],
)
def test_the_newest_name_in_the_file_counts(names: list[Any], name: str | None) -> None:
    infos = [entry(f"i{n}", None, "session_info", name=given) for n, given in enumerate(names)]
    assert read(*infos).name == name


# Whatever the bytes


@given(st.binary(max_size=300))
def test_any_bytes_are_a_session_or_refused(raw: bytes) -> None:
    assert isinstance(read_session(raw), Session | Refusal)


@given(st.lists(st.sampled_from([A, B, B[:-9], b"", b"null", b"7", b"\xff", b"\r", b"{"])))
def test_every_line_is_an_entry_or_a_problem_or_blank(lines: list[bytes]) -> None:
    session = read(*lines)
    seen = {found.line for found in session.entries} | {found.line for found in session.problems}
    assert seen == {n for n, line in enumerate(lines, start=2) if line.strip()}
    assert [found.index for found in session.entries] == list(range(len(session.entries)))
