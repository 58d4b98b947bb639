"""What a typed text finds in the index, and the rows that tell it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import condense_tui.demo
from condense_tui.pruning.query import Match
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.view.columns import cell, key_cell
from condense_tui.view.fitting import fitted
from condense_tui.view.lines import text_of
from condense_tui.view.query import known_texts
from condense_tui.view.queryrows import (
    Candidate,
    Found,
    Heading,
    RowWriter,
    asked_texts,
    first_known,
    look_up,
    verdict,
)

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
HOSTILE = "\x1b]52;c;aGk=\x07[/x]\ud83d"


def picture_of(path: Path, raw: bytes) -> Picture:
    session = read_session(raw)
    assert isinstance(session, Session)
    return take_picture(path, default_branch(session), settings_from(None))


@pytest.fixture(scope="module")
def demo() -> Picture:
    return picture_of(DEMO, DEMO.read_bytes())


def record(call_id: str, at: int | None, output: str = "output", **fields: Any) -> dict[str, Any]:
    time = {} if at is None else {"resultTimestamp": at}
    return {
        "toolCallId": call_id,
        "toolName": "bash",
        "args": {},
        "resultText": output,
        "isError": False,
        "turnIndex": 1,
        "timestamp": 5,
        **time,
        **fields,
    }


def archive(*records: dict[str, Any], refs: dict[str, str] | None = None) -> Picture:
    """A session that holds only these records, and refs to bare ids."""
    entries: list[dict[str, Any]] = [
        {
            "type": "custom",
            "customType": "context-prune-index",
            "data": {
                "toolCalls": list(records),
                "backfilled": True,
                "refs": [{"shortId": r, "toolCallId": i} for r, i in (refs or {}).items()],
            },
        }
    ]
    return session_of(entries)


def session_of(entries: list[dict[str, Any]]) -> Picture:
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/shop"}
    chained = [
        {"id": f"e{number}", "parentId": f"e{number - 1}" if number else None, **entry}
        for number, entry in enumerate(entries)
    ]
    raw = "\n".join(map(json.dumps, [header, *chained])).encode()
    return picture_of(Path("session.jsonl"), raw)


def found_in(picture: Picture, typed: str) -> Found:
    index = picture.inspection.index
    return look_up(typed, index, known_texts(index), picture.documents.read_sidecar)


def rows_in(picture: Picture, typed: str, width: int = 120) -> list[str]:
    lines = RowWriter(picture.inspection, picture.links).lines(found_in(picture, typed), width)
    return [text_of(line) for line in lines]


# What is typed, and what it finds.


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("", ()),
        ("  ", ()),
        ("t1", ("t1",)),
        (" t1,bash_2 ,  t1\t", ("t1", "bash_2", "t1")),
        ("an id, with blanks", ("an id, with blanks",)),
        ("an id, with", ("an", "id", "with")),
    ],
)
def test_words_are_separated_by_blanks_and_commas(typed: str, asked: tuple[str, ...]) -> None:
    index = archive(record("an id, with blanks", 7), record("", None)).inspection.index
    assert asked_texts(typed, index) == asked


def test_refs_come_first_and_what_cannot_be_typed_is_not_offered() -> None:
    picture = archive(record("bash_1", 7), record(HOSTILE, 8), record("a b", 9), refs={"t1": "x"})
    assert known_texts(picture.inspection.index) == ("t1", "bash_1", "bash_1@7")


def test_a_reused_id_gives_every_occurrence_oldest_first() -> None:
    picture = archive(record("bash_3", 90), record("bash_3", 20), record("bash_3", None))
    found = found_in(picture, "bash_3")
    assert [match.label for match in found.matches] == ["bash_3", "bash_3@20", "bash_3@90"]
    assert text_of(verdict(found)) == "3 occurrences, oldest first"


def test_only_the_record_without_a_time_is_marked_as_legacy() -> None:
    rows = rows_in(archive(record("bash_3", 20), record("bash_3", None)), "bash_3")
    assert ["legacy (no resultTimestamp)" in row for row in rows] == [True, False]


def test_an_alias_is_an_occurrence_that_names_its_original() -> None:
    picture = session_of(
        [
            {
                "type": "custom",
                "customType": "context-prune-index",
                "data": {"toolCalls": [record("read_1", 10)]},
            },
            {
                "type": "custom",
                "customType": "context-prune-dedup-alias",
                "data": {
                    "newToolCallId": "read_1",
                    "newResultTimestamp": 30,
                    "originalToolCallId": "read_1",
                    "originalResultTimestamp": 10,
                },
            },
        ]
    )
    assert ["= read_1@10" in row for row in rows_in(picture, "read_1")] == [False, True]
    assert ["= read_1@10" in row for row in rows_in(picture, "read_1@30")] == [True]


def test_a_row_tells_ref_turn_status_summary_place_and_recoveries(demo: Picture) -> None:
    first, second = rows_in(demo, "bash_3", 200)
    assert first.split()[:5] == ["bash_3@1789652458646", "t7", "turn", "6", "error"]
    assert first.endswith(" · Turn 6 summary · dropped into b1 #12")
    assert second.split()[:5] == ["bash_3@1789652999294", "t12", "turn", "14", "ok"]
    assert second.endswith(" · Turn 14 summary · stubbed #35")


def test_several_names_have_headings_where_they_need_them(demo: Picture) -> None:
    found = found_in(demo, "bash_3 t5 nix")
    kinds = [type(row) for row in found.rows]
    assert kinds == [Heading, Match, Match, Match, Heading]
    assert rows_in(demo, "bash_3 t5 nix")[-1] == (
        " nix  not found in the index: it may not have been summarised yet"
    )


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "56 names to ask for"),
        ("t5", "1 occurrence"),
        ("t5 t6", "2 occurrences for 2 names, oldest first"),
        ("bash_3 nix", "2 occurrences for 2 names, 1 not found, oldest first"),
        ("nix", "not found"),
        ("bash", "not found · 14 known begin with bash"),
    ],
)
def test_the_verdict_says_how_much_was_found(demo: Picture, typed: str, words: str) -> None:
    assert text_of(verdict(found_in(demo, typed))) == words


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (52, "2 occurrences for 2 names, 1 not found, oldest first"),
        (51, "2 occurrences for 2 names, 1 not found"),
        (37, "2 occurrences, 1 not found"),
        (20, "2 occurrences"),
        (12, "2 occurrenc…"),
    ],
)
def test_the_count_is_what_a_narrow_verdict_keeps(demo: Picture, width: int, words: str) -> None:
    assert text_of(fitted(verdict(found_in(demo, "bash_3 nix")), width)) == words


def test_what_one_may_have_meant_is_listed_only_where_nothing_is_found(demo: Picture) -> None:
    candidates = [
        row.text for row in found_in(demo, "nix grep_").rows if isinstance(row, Candidate)
    ]
    assert candidates
    assert all(text.startswith("grep_") for text in candidates)
    assert not any(isinstance(row, Candidate) for row in found_in(demo, "t5 grep_").rows)


def test_completion_takes_the_last_word_only() -> None:
    known = ("t1", "t12", "bash_3")
    assert first_known("bash_3, t1", known) == "bash_3, t12"
    assert first_known("b", known) == "bash_3"
    assert first_known("bash_3 ", known) is None
    assert first_known("x", known) is None


@given(st.text(), st.integers(0, 60))
def test_a_cell_fills_exactly_its_width(text: str, width: int) -> None:
    assert cell_len(cell(text, width)) == width
    assert cell_len(key_cell(text, width)) == width


def test_a_long_key_keeps_the_end_that_tells_it_from_others() -> None:
    keys = [f"call_abcdefghijklmnopqrstuvwxyz@17896524586{end}" for end in (46, 47)]
    cut = [key_cell(key, 24) for key in keys]
    assert cut[0] != cut[1]
    assert all(text.startswith("call_") for text in cut)


@pytest.mark.parametrize("width", [40, 76, 110, 200])
def test_columns_stand_below_each_other(width: int) -> None:
    picture = archive(record("日本_1", 10), record("b", 1234567890123, isError=True))
    starts = {cell_len(row[: row.index("turn")]) for row in rows_in(picture, "日本_1 b", width)}
    assert len(starts) == 1
