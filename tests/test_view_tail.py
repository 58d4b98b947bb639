"""The end of a branch as a tree and as rows: what is certain, and nothing of what is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from condense_tui.session.messages import Message
from condense_tui.view.context import View
from condense_tui.view.contextrows import context_row, message_row
from condense_tui.view.lines import text_of
from condense_tui.view.tailtree import tail_nodes
from condense_tui.view.treerows import TreeNode
from tests.build import SessionBuilder, record, ref


def outline(nodes: Iterable[TreeNode], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield "  " * depth + text_of(node.line)
        yield from outline(node.children, depth + 1)


def shown(session: SessionBuilder) -> list[str]:
    return list(outline(tail_nodes(session.inspect())))


def test_chains_hold_summaries_and_these_their_calls() -> None:
    session = SessionBuilder().index(record("a", 1, "x" * 1500, args={"command": "ls"}))
    session.summary(ref("t1", "a", 1), turnIndex=4, content="- `t1` listed")
    session.chain("b1", 10, 20, ["a@1", "gone@2"])
    session.summary(ref("t3", "c", 3)).index(record("c", 3, isError=True))
    assert shown(session) == [
        "b1 · 2 calls",
        "  Turn 4 summary · 1 tool · 13 chars",
        '    t1   bash(command="ls") · 1.5k chars',
        "  –    gone@2",
        "Turn 0 summary · 1 tool · 9 chars",
        "  t3   bash() · 6 chars · error",
    ]


@pytest.mark.parametrize(
    "session",
    [
        SessionBuilder().summary(ref("t1", "a", 1)),
        SessionBuilder().archive("t1", "a", 1).index(record("a", 2)),
        SessionBuilder().alias(("a", 1), ("before", 0)),
        SessionBuilder().chain("b1", 10, 20, ["a@1"]),
        SessionBuilder().index(record("a", 1)),
        SessionBuilder().archive("t1", "a", 1).user().chain("b1", 1, 2, ["a@1"], toolRefs=["t1"]),
    ],
)
def test_nothing_is_said_to_be_missing_that_may_stand_before(session: SessionBuilder) -> None:
    rows = "\n".join(shown(session))
    assert "a@1" in rows or "bash()" in rows
    for word in ("no record", "not archived", "raw", "→", "suppressed", "×", "Without"):
        assert word not in rows


def test_what_has_no_summary_comes_last() -> None:
    session = SessionBuilder().turn("a", at=1).archive("t1", "a", 1).turn("b", "out", at=2)
    assert shown(session)[-2:] == ["Not summarised", "  –    bash() · 3 chars"]


def test_a_message_s_row_is_the_context_s_row_without_place_and_fate() -> None:
    session = SessionBuilder().user("a question").turn("a").message("system", "be brief")
    plan = session.plan()
    for number, slot in enumerate(plan.slots):
        assert isinstance(slot.before, Message)
        bare, whole = (
            text_of(message_row(slot.before)),
            text_of(context_row(plan, number, View.RAW)),
        )
        assert bare == " " * 8 + whole[8:]
