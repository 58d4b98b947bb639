"""Session text that a terminal may show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.view.lines import (
    Line,
    Span,
    Tone,
    dim,
    exact_text,
    line,
    printable_line,
    strong,
    text_of,
)
from condense_tui.view.printable import one_line, printable
from tests.sessions import DANGEROUS, HOSTILE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain text, with *signs* & [brackets] and :colons:", None),
        ("ünïcödé 漢字 😀 e\u0301", None),
        ("a\nb", None),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\r\x08\x00\x7f", "␍␈␀␡"),
        ("\x9b31m\x85", "\\x9b31m\\x85"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069"),
        ("\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("a\u200b\u2060\ufeff\xad", "a\\u200b\\u2060\\ufeff\\xad"),
        ("\U000e0041", "\\U000e0041"),
        ("👩\u200d🚀", None),
        ("\ud83d and \udcb2", "\ufffd and \ufffd"),
        ("a\tb", "a   b"),
        ("abcd\te", "abcd    e"),
        ("ab\n\tc", "ab\n    c"),
    ],
)
def test_what_is_shown(text: str, shown: str | None) -> None:
    assert printable(text) == (text if shown is None else shown)


@given(st.text(st.sampled_from("ab\n\x00\x1b\x7f\x85\u202eé\ud83d"), max_size=5))
def test_a_long_text_is_shown_as_a_short_one_is(text: str) -> None:
    lead = "plain\n" * 12_000
    assert printable(lead + text) == lead + printable(text)
    assert printable("é" + lead + text) == "é" + lead + printable(text)


@pytest.mark.parametrize("sign", DANGEROUS, ids=lambda sign: f"{ord(sign):04x}")
def test_no_dangerous_sign_comes_through(sign: str) -> None:
    assert sign not in printable(f"a{sign}b")
    assert printable(f"a{sign}b") != "ab", "it must be seen"


@pytest.mark.parametrize("sign", ["\ufff9", "\ufffa", "\ufffb"])
def test_interlinear_marks_are_made_visible(sign: str) -> None:
    """What stands between them may be hidden from the reader."""
    assert sign not in printable(f"a{sign}b")


def test_a_newline_begins_no_line_where_there_is_room_for_one_only() -> None:
    assert one_line("a\nb\r\n") == "a⏎b␍⏎"


@given(st.text(st.characters()))
def test_nothing_but_newlines_moves_the_cursor(text: str) -> None:
    for sign in printable(text):
        assert sign == "\n" or unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(sign) not in ("LRE", "RLE", "LRO", "RLO", "PDF")
        assert unicodedata.bidirectional(sign) not in ("LRI", "RLI", "FSI", "PDI")


@given(st.text(st.characters()))
def test_it_is_shown_once_and_for_all(text: str) -> None:
    assert printable(printable(text)) == printable(text)
    assert one_line(one_line(text)) == one_line(text)
    assert "\n" not in one_line(text)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp"])))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


# Lines


def hostile_line() -> Line:
    return line("a\nb", Span(HOSTILE, Tone.BAD), strong("x"), dim("y"))


def test_a_line_is_one_line() -> None:
    assert text_of(line("a", strong("b"), dim(""))) == "ab"
    assert "\n" not in exact_text(hostile_line())
    assert "\n" not in text_of(printable_line(hostile_line()))


def test_a_line_keeps_its_tones() -> None:
    tones = [Tone.PLAIN, Tone.BAD, Tone.STRONG, Tone.DIM]
    assert [span.tone for span in printable_line(hostile_line())] == tones


def test_an_exact_line_keeps_all_but_newlines() -> None:
    assert exact_text(line(HOSTILE)) == HOSTILE
