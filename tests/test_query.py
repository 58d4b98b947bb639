"""`context_tree_query`: what is found, in which order, and exactly what the tool answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from condense_tui.pruning.query import BodySource, cut, query, tool_answer
from condense_tui.store import sidecar_reader
from tests.build import SessionBuilder, record, ref, spilled


def answer(session: SessionBuilder, *asked: str) -> str:
    return tool_answer(session.inspect().index, asked, lambda _: None)


def test_one_match_is_labelled_as_it_was_asked_for() -> None:
    details = {"toolName": "read", "args": {"path": "é", "2": [], "1": {"a": 1}}, "turnIndex": 4}
    session = SessionBuilder().index(record("x", 5, "line one\nline two", **details))
    session.summary(ref("t1", "x", 5))
    assert answer(session, "t1") == (
        "## toolRef: t1\n"
        "Tool: read\n"
        'Args: {\n  "1": {\n    "a": 1\n  },\n  "2": [],\n  "path": "é"\n}\n'
        "Status: OK\n"
        "Turn: 4\n"
        "\n"
        "line one\nline two"
    )
    assert answer(session, "x").startswith("## toolRef: x\nTool: read\n")
    assert answer(session, "x@5").startswith("## toolRef: x@5\nTool: read\n")


def test_several_matches_are_labelled_by_occurrence() -> None:
    session = SessionBuilder().index(record("x", 5, "new", isError=True))
    session.index(record("x", None, "old", timestamp=3))
    assert answer(session, "x") == (
        "## toolRef: x\nOccurrence: legacy (no resultTimestamp)\n"
        "Tool: bash\nArgs: {}\nStatus: OK\nTurn: 0\n\nold"
        "\n\n---\n\n"
        "## toolRef: x@5\nTool: bash\nArgs: {}\nStatus: ERROR\nTurn: 0\n\nnew"
    )


def test_a_single_legacy_record_is_no_special_case() -> None:
    session = SessionBuilder().index(record("x", None, "old"))
    assert answer(session, "x").startswith("## toolRef: x\nTool: bash\n")


def test_answers_come_in_the_order_asked() -> None:
    session = SessionBuilder().index(record("x", 5, "of x"), record("y", 6, "of y"))
    assert [
        block.split("\n")[0] for block in answer(session, "y", "?", "x").split("\n\n---\n\n")
    ] == [
        "## toolRef: y",
        "## toolRef: ?",
        "## toolRef: x",
    ]
    assert answer(session, "?") == (
        "## toolRef: ?\n(not found in index — may not have been summarized yet)"
    )


@pytest.mark.parametrize(
    ("times", "order"),
    [
        ([(5, 0), (3, 9), (4, 1)], [3, 4, 5]),
        ([(5, 0), (None, 4), (3, 9)], [3, None, 5]),
        ([(None, 4), (3, 9)], [3, None]),
    ],
)
def test_order_is_by_result_time_or_else_by_the_batch(times: list[Any], order: list[Any]) -> None:
    session = SessionBuilder()
    for at, batch_time in times:
        session.index(record("x", at, timestamp=batch_time))
    found, *_ = query(session.inspect().index, ["x"], lambda _: None)
    assert [match.record.result_timestamp for match in found.matches] == order


def test_an_alias_is_an_occurrence_of_its_own_id() -> None:
    session = SessionBuilder().index(record("x", 5, "the output")).alias(("y", 9), ("x", 5))
    session.index(record("y", 7, "another output"))
    found, other = query(session.inspect().index, ["y", "y@9"], lambda _: None)
    assert [(match.label, match.output) for match in found.matches] == [
        ("y@7", "another output"),
        ("y@9", "the output"),
    ]
    assert [(match.label, match.output) for match in other.matches] == [("y@9", "the output")]


def test_a_ref_of_a_missing_record_is_not_found() -> None:
    session = SessionBuilder().summary(ref("t1", "gone", 5)).alias(("y", 9), ("gone", 5))
    assert answer(session, "t1").endswith("may not have been summarized yet)")
    assert answer(session, "y").endswith("may not have been summarized yet)")


# Spilled outputs


@pytest.mark.parametrize(
    ("recorded", "source", "body"),
    [
        ("/far/away/s-blobs/x.txt", BodySource.SIDECAR, "whole\noutput"),
        ("s-blobs/x.txt", BodySource.SIDECAR, "whole\noutput"),
        ("C:\\sessions\\s-blobs\\x.txt", BodySource.SIDECAR, "whole\noutput"),
        ("/far/away/other-blobs/x.txt", BodySource.PREVIEW, "head"),
        ("s-blobs/y.txt", BodySource.PREVIEW, "head"),
        ("s-blobs/../secret.txt", BodySource.PREVIEW, "head"),
        ("secret.txt", BodySource.PREVIEW, "head"),
        ("s-blobs/link.txt", BodySource.PREVIEW, "head"),
    ],
)
def test_a_spilled_output_is_looked_for_beside_the_session(
    tmp_path: Path, recorded: str, source: BodySource, body: str
) -> None:
    (tmp_path / "s-blobs").mkdir()
    (tmp_path / "s-blobs" / "x.txt").write_bytes(b"whole\noutput")
    (tmp_path / "secret.txt").write_text("not yours")
    (tmp_path / "s-blobs" / "link.txt").symlink_to(tmp_path / "secret.txt")
    session = SessionBuilder().index(spilled("x", 5, recorded, resultPreview="head"))
    read_sidecar = sidecar_reader(tmp_path / "s.jsonl")
    (match,) = query(session.inspect().index, ["x"], read_sidecar)[0].matches
    assert (match.source, match.output) == (source, body)


def test_a_recorded_path_is_followed_only_when_asked(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.txt").write_text("whole output")
    session = SessionBuilder().index(spilled("x", 5, str(tmp_path / "elsewhere.txt")))
    index = session.inspect().index
    for follow_paths, source in [(False, BodySource.NONE), (True, BodySource.SIDECAR)]:
        read_sidecar = sidecar_reader(tmp_path / "s.jsonl", follow_paths)
        assert query(index, ["x"], read_sidecar)[0].matches[0].source is source


def test_without_sidecar_and_preview_the_tool_says_so() -> None:
    session = SessionBuilder().index(spilled("x", 5))
    assert answer(session, "x").endswith("\n\n(spilled output unavailable — sidecar file missing)")
    (match,) = query(session.inspect().index, ["x"], lambda _: None)[0].matches
    assert match.raw == b""


def test_people_get_the_bytes_as_they_are() -> None:
    session = SessionBuilder().index(spilled("x", 5))
    (match,) = query(session.inspect().index, ["x"], lambda _: b"caf\xe9\r\n")[0].matches
    assert (match.raw, match.output) == (b"caf\xe9\r\n", "caf\ufffd\r\n")


# The tool's cut


@pytest.mark.parametrize(
    ("whole", "kept", "shown", "total"),
    [
        pytest.param("a\n" * 2001, "a\n" * 1999 + "a", 2000, 2001, id="a line too many"),
        pytest.param("a\n" * 2001 + "b", "a\n" * 1999 + "a", 2000, 2002, id="no newline at end"),
        pytest.param("x" * 51_201, "", 0, 1, id="a first line too long"),
        pytest.param("é" * 25_601, "", 0, 1, id="bytes and not characters"),
        pytest.param("a\n" + "x" * 51_200, "a", 1, 2, id="whole lines only"),
        pytest.param("x" * 51_199 + "\n\n", "x" * 51_199 + "\n", 2, 2, id="newlines count"),
    ],
)
def test_a_long_text_is_cut(whole: str, kept: str, shown: int, total: int) -> None:
    note = f"\n[Output truncated: {shown}/{total} lines shown]"
    assert cut(whole) == kept + note
    session = SessionBuilder().index(record("x", 5, whole))
    assert answer(session, "x").endswith(f"\n\n{kept}{note}")


@pytest.mark.parametrize("whole", ["", "\n", "a\n" * 2000, "x" * 51_200, "a\r\nb", "\n" * 2000])
def test_a_text_within_both_limits_comes_back_untouched(whole: str) -> None:
    assert cut(whole) == whole
