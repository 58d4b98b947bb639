"""The call tree as lines."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.view.lines import text_of
from condense_tui.view.tree import tree_lines
from tests.build import SessionBuilder, record, ref, spilled
from tests.sessions import session_in


def shown(session: SessionBuilder, has_sidecar: bool = False, **settings: Any) -> list[str]:
    inspection = session.inspect(**settings)
    tree = build_call_tree(inspection)
    return [text_of(row) for row in tree_lines(tree, inspection, lambda _: has_sidecar)]


def test_a_summary_with_its_calls() -> None:
    session = SessionBuilder().index(record("a", 1, "x" * 1500, args={"command": "ls"}))
    session.summary(ref("t1", "a", 1), turnIndex=4, content="- `t1` listed")
    assert shown(session) == [
        "Turn 4 summary · 1 tool · 13 chars",
        '  t1    bash(command="ls") · 1.5k chars',
    ]


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({}, None),
        ({"isError": True}, "error"),
        ({"turnIndex": None}, None),
        ({"args": None}, None),
        ({"args": "text"}, None),
        ({"args": {"path": "p" * 500}}, None),
    ],
)
def test_a_call_is_one_line_of_bounded_width(fields: dict[str, Any], note: str | None) -> None:
    session = SessionBuilder().index(record("a", 1, **fields)).summary(ref("t1", "a", 1))
    row = shown(session)[1]
    assert len(row) < 120
    assert note is None or row.endswith(f" · {note}")


def test_what_the_extensions_own_tree_hides() -> None:
    session = SessionBuilder().archive("t1", "a", 1, "same").archive("t2", "a", 2)
    session.summary(ref("t9", "gone", 5)).alias(("b", 3), ("a", 1)).archive("t4", "old", None)
    session.index(record("c", 4), backfilled=True)
    text = "\n".join(shown(session))
    assert "gone@5 · no record" in text
    assert "×2 occurrences of a" in text
    assert "same output as a@1" in text
    assert "legacy, no time" in text
    assert "backfilled" in text


@pytest.mark.parametrize(
    ("has_sidecar", "note"), [(True, " · spilled"), (False, " · spilled, its file is missing")]
)
def test_a_missing_sidecar_is_said(has_sidecar: bool, note: str) -> None:
    session = SessionBuilder().index(spilled("a", 1)).summary(ref("t1", "a", 1))
    assert shown(session, has_sidecar)[1].endswith(f" · 70.0k bytes{note}")


@pytest.mark.parametrize("size", [0, 1.5, -1, 1e21, 1e40, float("inf"), float("-inf")])
def test_a_spilled_size_may_be_any_number(size: float) -> None:
    session = SessionBuilder().index(spilled("a", 1, spillBytes="SIZE"))
    raw = session.raw.replace(b'"SIZE"', repr(size).replace("inf", "1e999").encode())
    inspection = Inspection(default_branch(session_in(raw)), settings_from(None))
    rows = list(tree_lines(build_call_tree(inspection), inspection, lambda _: True))
    assert text_of(rows[-1]).endswith(" · spilled")


def test_chains_are_groups() -> None:
    session = SessionBuilder().user(at=1000).turn("a", at=1100).turn("b", at=1200).answer(at=1300)
    session.archive("t1", "a", 1100).archive("t2", "b", 1200)
    session.chain("b1", 1000, 1300, ["a@1100", "b@1200"], toolRefs=["t1", "t2"])
    rows = shown(session)
    assert rows[0] == "b1 chain · 2 calls · t1–t2"
    assert [len(row) - len(row.lstrip()) for row in rows] == [0, 2, 4, 2, 4]
    assert all("no longer in the context" in row for row in rows if "summary" in row)


def test_a_chain_that_is_not_applied_says_so() -> None:
    (row,) = shown(SessionBuilder().chain("b1", 1, 2, toolRefs=["t1"]))
    assert row.startswith("b1 chain · 0 calls · t1 · not applied")


def test_calls_without_a_summary() -> None:
    rows = shown(SessionBuilder().index(record("a", 1)))
    assert rows == ["Without a summary · 1 call", "  –     bash() · 6 chars"]


def test_what_waits_for_a_summary() -> None:
    rows = shown(SessionBuilder().user().turn("a", "output", at=5))
    assert rows == ["Pending · 1 call not yet summarised", "  –     bash a@5 · 6 chars"]


def test_what_a_flush_has_tried_waits_no_more() -> None:
    """A finished copy has nothing left to do, whatever was too small for a summary."""
    session = SessionBuilder().user().turn("a", "small", at=5).turn("b", "later", at=6)
    frontier = {"lastAttemptedToolCallId": "a", "lastAttemptedTurnIndex": 0}
    session.custom("context-prune-frontier", frontier)
    assert shown(session) == [
        "Pending · 1 call not yet summarised",
        "  –     bash b@6 · 5 chars",
        "Left as they are · 1 call that a flush has tried",
        "  –     bash a@5 · 5 chars",
    ]


def test_a_session_that_was_never_pruned_is_not_answered_by_silence() -> None:
    assert shown(SessionBuilder().user())
