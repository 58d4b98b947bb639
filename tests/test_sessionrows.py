"""Rows of the chooser: columns in every width, words, order and filter."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from condense_tui.session.compact import changed
from condense_tui.session.entries import Refusal
from condense_tui.session.heads import Head, SessionHead
from condense_tui.view.lines import text_of
from condense_tui.view.sessionrows import (
    SessionRows,
    age_words,
    byte_words,
    heading,
    is_match,
    nothing_found,
    order_key,
    tail_line,
)

HERE = Path("/home/u/shop")
ROWS = SessionRows(HERE, "/home/u", now=10_000)
HEAD = Head("s1", None, "Fix the rounding bug", "/home/u/other", 412, False, True)


def listed(**fields: Any) -> SessionHead:
    return SessionHead(Path("/sessions/a.jsonl"), 6_000, 1_234_567, changed(HEAD, **fields))


def row(head: SessionHead, width: int = 100) -> str:
    return text_of(ROWS.row(head, width))


def test_a_row_says_everything_a_person_chooses_by() -> None:
    words = " ".join(row(listed()).split())
    assert words == "Fix the rounding bug ~/other 1 h 1.2 MB 412 pruned"


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"name": "release 2"}, "release 2 "),
        ({"cwd": str(HERE)}, "this directory"),
        ({"cwd": None}, "no directory"),
        ({"cwd": "/home/u"}, " ~ "),
        ({"cwd": "/home/under/x"}, "/home/under/x"),
        ({"entries": 41_234, "is_estimate": True}, " ~41.2k "),
        ({"is_pruned": None}, " ?"),
        ({"first_prompt": "[/x] \x1b]52;c;eA==\x07 two\nlines"}, "[/x] ␛]52;c;eA==␇ two lines"),
    ],
)
def test_what_a_row_shows(fields: dict[str, Any], shown: str) -> None:
    assert shown in row(listed(**fields))


def test_what_was_not_pruned_is_not_said_to_be() -> None:
    assert "pruned" not in row(listed(is_pruned=False))


def test_a_file_that_cannot_be_read_says_why() -> None:
    shown = row(SessionHead(Path("/s/bad.jsonl"), 6_000, 12, Refusal("permission denied")))
    assert " ".join(shown.split()) == "bad.jsonl unreadable: permission denied 1 h 12 B"


TEXTS = st.text(max_size=60) | st.sampled_from(
    ["日本語のプロンプト" * 9, "e\u0301" * 50, "\t\x00\x1b[1m"]
)


@given(TEXTS, TEXTS, st.integers(0, 200))
def test_no_text_breaks_the_columns(prompt: str, cwd: str, width: int) -> None:
    shown = row(listed(first_prompt=prompt or "x", cwd=cwd), width)
    assert cell_len(shown) == max(width, 43)
    assert cell_len(text_of(heading(width))) + 8 == max(width, 43)


def test_a_long_path_shows_its_end() -> None:
    assert "/the/last/part " in row(listed(cwd="/home/u/" + "x" * 300 + "/the/last/part"))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "now"),
        (59, "now"),
        (60, "1 min"),
        (3_599, "59 min"),
        (7_200, "2 h"),
        (86_400 * 3, "3 d"),
        (86_400 * 45, "1 mo"),
        (86_400 * 800, "2 y"),
    ],
)
def test_age_words(seconds: float, words: str) -> None:
    assert age_words(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2_370_492, "2.4 MB"), (7 * 10**9, "7.0 GB")],
)
def test_byte_words(count: int, words: str) -> None:
    assert byte_words(count) == words


def test_this_directory_comes_first_and_the_unreadable_last() -> None:
    newer = changed(listed(), modified=9)
    older = changed(listed(), modified=8)
    own = changed(listed(cwd=str(HERE)), modified=1)
    bad = changed(listed(), modified=99, content=Refusal("empty"))
    expected = [own, newer, older, bad]
    assert sorted((older, bad, newer, own), key=lambda head: order_key(head, HERE)) == expected


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        ([], True),
        (["rounding"], True),
        (["bug", "other"], True),
        (["sessions/a.js"], True),
        (["s1"], True),
        (["bug", "missing"], False),
    ],
)
def test_a_filter_looks_for_every_word_anywhere(words: list[str], is_found: bool) -> None:
    assert is_match(listed(), words) is is_found


def test_an_unreadable_file_is_found_by_its_path() -> None:
    head = changed(listed(), content=Refusal("empty"))
    assert is_match(head, ["a.jsonl"])
    assert not is_match(head, ["rounding"])


def test_an_empty_list_says_where_was_looked() -> None:
    text = nothing_found([(Path("/one"), True), (Path("/two"), False)])
    assert "  /one\n" in text
    assert "  /two   (there is no such folder)\n" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"is_estimate": True}, "Reading · only the last 7 entries so far · what was pruned"),
        ({"is_estimate": False}, "Reading · 7 entries · what was pruned"),
        ({"name": "\x1b[2J"}, "is not known yet · ␛[2J · "),
        ({"cwd": None}, "is not known yet · "),
    ],
)
def test_what_is_said_while_only_the_end_is_read(changes: dict[str, Any], words: str) -> None:
    assert words in text_of(tail_line(listed(**changes), 7))


def test_of_a_refused_file_there_is_no_end() -> None:
    assert tail_line(changed(listed(), content=Refusal("empty")), 0) == ()
