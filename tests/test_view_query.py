"""Answers of a query → text for people and objects for programs."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.query import ReadSidecar, query
from condense_tui.view.lines import text_of
from condense_tui.view.query import answer_lines, answer_object
from tests.build import SessionBuilder, record, spilled


def shown(session: SessionBuilder, *asked: str, body: bytes | None = None) -> list[str]:
    index = session.inspect().index
    return [text_of(row) for row in answer_lines(query(index, asked, reading(body)), index)]


def objects(session: SessionBuilder, *asked: str, body: bytes | None = None) -> list[Any]:
    index = session.inspect().index
    return [answer_object(answer, index) for answer in query(index, asked, reading(body))]


def reading(body: bytes | None) -> ReadSidecar:
    return lambda _record: body


def test_an_output_stands_whole_below_its_title() -> None:
    session = SessionBuilder().archive("t1", "a", 1_767_268_800_000, "one\n\ntwo\n")
    assert shown(session, "t1") == [
        "── t1  bash()",
        "   t1 · turn 0 · ok · 2026-01-01T12:00:00.000Z · 9 bytes · from the record",
        "one",
        "",
        "two",
        "",
        "",
    ]


def test_several_occurrences_are_counted_and_stand_oldest_first() -> None:
    session = SessionBuilder().archive("t1", "a", 9, "new").archive("t2", "a", 5, "old")
    rows = shown(session, "a")
    assert rows[0] == "a  2 occurrences, oldest first"
    assert [row for row in rows if row.startswith("──")] == ["── a@5  bash()", "── a@9  bash()"]
    assert rows.index("old") < rows.index("new")


def test_a_ref_that_names_nothing() -> None:
    assert shown(SessionBuilder(), "t1", "x") == ["t1  not found", "x  not found"]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("T1", "; did you mean t1?"),
        ("t1,T2", "; did you mean t1 t2?"),
        ("t1, b", "; did you mean t1 b?"),
        ("t1,t9", ""),
        (",", ""),
        ("", ""),
    ],
)
def test_what_may_have_been_meant(asked: str, hint: str) -> None:
    session = SessionBuilder().archive("t1", "a", 1, "A").archive("t2", "b", 2, "B")
    assert shown(session, asked) == [f"{asked}  not found{hint}"]


def test_answers_stand_in_the_order_asked() -> None:
    session = SessionBuilder().archive("t1", "a", 1, "A").archive("t2", "b", 2, "B")
    titles = [row.split()[1] for row in shown(session, "t2", "zz", "t1", "t2") if row[:1] == "─"]
    assert titles == ["t2", "t1", "t2"]


def test_an_error_and_a_legacy_record_are_marked() -> None:
    session = SessionBuilder().index(record("a", isError=True, turnIndex=None))
    assert shown(session, "a")[1] == "   no ref · turn ? · error · legacy, no time · 6 bytes · " + (
        "from the record"
    )


def test_where_a_spilled_output_comes_from() -> None:
    session = SessionBuilder().index(spilled("a", 1, resultPreview="head"))
    assert shown(session, "a", body=b"whole")[1].endswith("5 bytes · from the sidecar")
    assert shown(session, "a", body=b"whole")[2] == "whole"
    assert shown(session, "a")[1].endswith("4 bytes · preview only")
    assert shown(session, "a")[2] == "head"
    nothing = SessionBuilder().index(spilled("a", 1))
    assert shown(nothing, "a")[1].endswith("0 bytes · unavailable")


def test_objects() -> None:
    session = SessionBuilder().archive("t1", "a", 5, "out").index(record("b", 6, args={"k": [1]}))
    assert objects(session, "t1", "zz") == [
        {
            "asked": "t1",
            "matches": [
                {
                    "label": "t1",
                    "occurrence": "a@5",
                    "ref": "t1",
                    "tool": "bash",
                    "arguments": {},
                    "status": "ok",
                    "turn": 0,
                    "resultTimestamp": 5,
                    "legacy": False,
                    "source": "record",
                    "bytes": 3,
                    "output": "out",
                }
            ],
        },
        {"asked": "zz", "matches": []},
    ]


def test_objects_hold_outputs_to_the_letter() -> None:
    output = "a\x1b[31m\r\n\ud83d\u2028"
    session = SessionBuilder().index(record("a", 1, output))
    (match,) = objects(session, "a")[0]["matches"]
    assert match["output"] == output
    assert match["bytes"] == len(b"a\x1b[31m\r\n\xef\xbf\xbd\xe2\x80\xa8")


def test_an_alias_is_an_occurrence_of_its_own() -> None:
    session = SessionBuilder().archive("t1", "a", 1, "same").alias(("b", 2), ("a", 1))
    (match,) = objects(session, "b")[0]["matches"]
    assert (match["occurrence"], match["ref"], match["output"]) == ("b@2", "t1", "same")
