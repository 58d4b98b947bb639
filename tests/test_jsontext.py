"""JSON as JavaScript reads and writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.session.jsontext import (
    as_number,
    collapse_white_space,
    json_length,
    json_text,
    number_text,
    object_keys,
    parse_json,
    string_json,
    trim,
    trim_start,
    utf16_head,
    utf16_length,
    utf16_sort_key,
)
from tests.sessions import nested

TEXTS = st.text(st.characters(), max_size=12)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"1", 1),
        (b" [1, 2]\r", [1, 2]),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'"\\ud83d"', "\ud83d"),
        (b'"caf\\udcb2"', "caf\udcb2"),
        (b'"\\ud83d\\ude00"', "😀"),
        (b'"a\xe2\x80\xa8b"', "a\u2028b"),
        (b'"\xff\xfe"', "\ufffd\ufffd"),
        (b'{"__proto__":1}', {"__proto__": 1}),
        (b"1e400", float("inf")),
        (b"-1e400", float("-inf")),
        (b"9" * 30, 1e30),
        (b"9" * 5000, float("inf")),
        (b"-" + b"9" * 5000, float("-inf")),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_parses_as_javascript_does(raw: bytes, value: Any) -> None:
    assert parse_json(raw) == value


def test_a_doubled_key_keeps_its_first_place_and_its_last_value() -> None:
    assert list(parse_json(b'{"a":1,"b":2,"a":3}').items()) == [("a", 3), ("b", 2)]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"nonsense",
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"[1,]",
        b'{"a":1}{"b":2}',
        b"'a'",
        b'"a\tb"',
        b"01",
        b"\xef\xbb\xbf1",
        nested(100000)[:-1],
    ],
    ids=lambda raw: repr(raw)[:20],
)
def test_refuses_what_is_not_json(raw: bytes) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the reason is json's own
        parse_json(raw)
    assert str(raised.value)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (1.5, "1.5"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (123456789012345680000, "123456789012345680000"),
        (2**53 + 1, "9007199254740992"),
        (0.000001, "0.000001"),
        (0.0000001, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_print_as_in_javascript(number: float, text: str) -> None:
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, 1),
        (1.0, 1),
        (1.5, 1.5),
        (True, None),
        (None, None),
        ("1", None),
        ([], None),
        (2**53, 2**53),
        (2**53 + 1, 2**53),
        (2.0**60, 2.0**60),
    ],
)
def test_only_json_numbers_are_numbers(value: object, number: float | None) -> None:
    assert as_number(value) == number
    assert type(as_number(value)) is type(number)


@pytest.mark.parametrize(
    ("text", "length"),
    [("", 0), ("abc", 3), ("é", 1), ("😀", 2), ("\ud83d", 1), ("\ud83d\ude00", 2)],
)
def test_length_counts_code_units(text: str, length: int) -> None:
    assert utf16_length(text) == length


@pytest.mark.parametrize(
    ("text", "units", "head"),
    [("abc", 2, "ab"), ("a😀b", 2, "a\ud83d"), ("a😀b", 3, "a😀"), ("é", 5, "é"), ("😀", 0, "")],
)
def test_heads_are_cut_between_code_units(text: str, units: int, head: str) -> None:
    assert utf16_head(text, units) == head


def test_sorting_goes_by_code_unit() -> None:
    """As code points the emoji is the last; its first half is below U+FF00."""
    assert sorted(["\uff00", "😀", "a"], key=utf16_sort_key) == ["a", "😀", "\uff00"]


@pytest.mark.parametrize("blank", "\t\n\v\f\r \u00a0\u1680\u2003\u2028\u2029\u202f\u3000\ufeff")
def test_trim_removes_what_javascript_calls_white_space(blank: str) -> None:
    assert trim(f"{blank}a b{blank}") == "a b"
    assert trim_start(f"{blank}a{blank}") == f"a{blank}"
    assert collapse_white_space(f"a{blank}{blank}b") == "a b"


@pytest.mark.parametrize("sign", "\x1c\x1f\u0085\u180e\u200b")
def test_trim_leaves_what_only_python_calls_white_space(sign: str) -> None:
    assert trim(f"{sign}a{sign}") == f"{sign}a{sign}"
    assert collapse_white_space(f"a{sign}b") == f"a{sign}b"


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("a", '"a"'),
        ('"\\', '"\\"\\\\"'),
        ("\n\t\x00\x1f\x7f", '"\\n\\t\\u0000\\u001f\x7f"'),
        ("é\u2028/", '"é\u2028/"'),
        ("\ud83dx\udcb2", '"\\ud83dx\\udcb2"'),
        ("😀", '"😀"'),
    ],
)
def test_string_literals(text: str, literal: str) -> None:
    assert string_json(text) == literal


@pytest.mark.parametrize(
    ("value", "compact", "indented"),
    [
        ({}, "{}", "{}"),
        ([], "[]", "[]"),
        ((1, 2), "[1,2]", "[\n  1,\n  2\n]"),
        ({"a": [1, {}]}, '{"a":[1,{}]}', '{\n  "a": [\n    1,\n    {}\n  ]\n}'),
        ([None, True, 1e21, float("nan"), float("inf")], "[null,true,1e+21,null,null]", None),
        ({"b": 1, "10": 2, "9": 3, "01": 4}, '{"9":3,"10":2,"b":1,"01":4}', None),
    ],
)
def test_json_text(value: Any, compact: str, indented: str | None) -> None:
    assert json_text(value) == compact
    if indented is not None:
        assert json_text(value, indent=2) == indented


def test_keys_that_are_no_array_index_stay_in_place() -> None:
    keys = ["4294967295", "-1", "1.5", "٣", "4294967294", "0"]
    assert object_keys(dict.fromkeys(keys)) == ["0", "4294967294", *keys[:4]]


def test_a_value_may_be_nested_as_deep_as_it_likes() -> None:
    value: Any = []
    for _ in range(50_000):
        value = [value]
    assert json_text(value) == nested(50_001).decode()
    assert json_length(value) == 100_002


def test_what_is_no_json_value_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes"):
        json_text({"a": b""})


@given(JSON_VALUES)
def test_the_length_is_that_of_the_text(value: Any) -> None:
    assert json_length(value) == utf16_length(json_text(value))


@given(JSON_VALUES)
def test_the_text_reads_back(value: Any) -> None:
    """Integers beyond 2^53 come back rounded, as JavaScript holds them."""
    rounded = json.loads(json.dumps(value), parse_int=lambda digits: float(digits))
    assert json.loads(json_text(value), parse_int=float) == rounded
    assert json.loads(json_text(value, indent=2), parse_int=float) == rounded


@given(JSON_VALUES)
def test_the_text_is_utf8_whatever_the_strings_hold(value: Any) -> None:
    assert json_text(value).encode().decode() == json_text(value)
