"""A look that goes on from an earlier one: when the plan goes on too, and that it is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.findings import find
from condense_tui.inspection.growth import further, quiet_tail
from condense_tui.inspection.inspection import _OF_THE_BRANCH, Inspection
from condense_tui.inspection.links import build_links
from condense_tui.inspection.report import report
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import branch_to
from condense_tui.view.treenodes import tree_nodes
from condense_tui.view.treerows import TreeNode
from tests.build import SessionBuilder, call, record, ref

Add = Callable[[SessionBuilder], SessionBuilder]


def begun() -> SessionBuilder:
    """A compressed chain, and a turn after it."""
    session = SessionBuilder().user(at=1000).turn("a", at=1010).answer(at=1020)
    session.archive("t1", "a", 1010).summary(ref("t9", "x@5", 7))
    session.chain("b1", 1000, 1020, ["a@1010", "z@3000", "y"])
    return session.user(at=2000).turn("b", at=2010)


def looks(add: Add, begin: Callable[[], SessionBuilder], **settings: Any) -> list[Inspection]:
    """Before, gone on from there, and anew."""
    count = len(begin().session.entries)
    session = add(begin()).session
    chosen = settings_from({"enabled": True, **settings})
    branches = [branch_to(session, entry.id or "") for entry in session.entries]
    before = Inspection(branches[count - 1] or pytest.fail("no branch"), chosen)
    fresh = Inspection(branches[-1] or pytest.fail("no branch"), chosen)
    _ = report(before), find(before)
    return [before, further(before, fresh.branch), fresh]


def assert_same(gone_on: Inspection, fresh: Inspection) -> None:
    """Also under other settings, under which nothing was judged when it went on."""
    for other in ({}, {"enabled": False}, {"chainCompression": {"enabled": False}}):
        settings = settings_from({"enabled": True, **other})
        for seen, wanted in ((gone_on, fresh), (gone_on.under(settings), fresh.under(settings))):
            assert report(seen) == report(wanted)
            assert find(seen) == find(wanted)
            assert seen.plan.failed_ids == wanted.plan.failed_ids
            assert tree_told(seen) == tree_told(wanted)


def tree_told(inspection: Inspection) -> list[Any]:
    tree = build_call_tree(inspection)
    links = build_links(inspection, tree)
    return [told(node) for node in tree_nodes(inspection, tree, links, lambda _: True)]


def told(node: TreeNode) -> list[Any]:
    return [node.key, node.search_text, node.size, *map(told, node.children)]


def has_gone_on(before: Inspection, after: Inspection) -> bool:
    """Its slots are those that there were, and not only like them."""
    known = before.plan.slots
    return after.plan.slots[: len(known)] == known


QUIET: dict[str, Add] = {
    "a prompt": lambda session: session.user(),
    "an answer": lambda session: session.answer(),
    "a reply with a call": lambda session: session.assistant(call("c")),
    "turns": lambda session: session.turn("c").turn("d").answer().user(),
    "a note of another extension": lambda session: session.custom_message(),
    "what another extension keeps": lambda session: session.custom("other", {"a": 1}),
    "a label": lambda session: session.entry("label", targetId="x", label="here"),
}
GOES_ON: dict[str, Add] = {
    "the result that only a chain names": lambda session: session.turn("z", at=3000),
    "the result that only a chain's bare key names": lambda session: session.turn("y", at=None),
    "the result of a ref whose id ends like a time": lambda session: session.turn("x@5", at=7),
    "the time of an end on a result": lambda session: session.turn("c", at=1020),
    "a result that was archived already": lambda session: session.turn("a", at=1010),
    "a call with an id of old": lambda session: session.assistant(call("a")),
}
ANEW: dict[str, Add] = {
    "a record": lambda session: session.index(record("b", 2010)),
    "a summary": lambda session: session.summary(ref("t2", "b", 2010)),
    "a chain": lambda session: session.answer(at=2020).chain("b2", 2000, 2020, ["b@2010"]),
    "a failure": lambda session: session.turn("c", is_error=True),
    "a recovery": lambda session: session.assistant(
        call("q", "context_tree_query", toolCallIds=["t1"])
    ).result("q", tool="context_tree_query"),
    "a boundary's time again": lambda session: session.user(at=1000),
    "an end's time again": lambda session: session.answer(at=1020),
    "what begins as a block does": lambda session: session.user('<compressed-chain id="b1">'),
    "a result without a call": lambda session: session.result("nobody"),
    "a compaction": lambda session: session.entry(
        "compaction", summary="so far", firstKeptEntryId="x", tokensBefore=1
    ),
    "a system message": lambda session: session.message("system", "be brief"),
    "a reply that says text": lambda session: session.message("assistant", "words"),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_changes_nothing_before_it(name: str) -> None:
    before, gone_on, fresh = looks(QUIET[name], begun)
    assert has_gone_on(before, gone_on)
    assert quiet_tail(before, gone_on) is not None
    assert_same(gone_on, fresh)


@pytest.mark.parametrize("name", GOES_ON)
def test_what_has_to_do_with_what_was_recorded(name: str) -> None:
    before, gone_on, fresh = looks(GOES_ON[name], begun)
    assert has_gone_on(before, gone_on)
    assert_same(gone_on, fresh)


@pytest.mark.parametrize("name", ANEW)
def test_what_reaches_back_is_planned_anew(name: str) -> None:
    before, gone_on, fresh = looks(ANEW[name], begun)
    assert not has_gone_on(before, gone_on)
    assert quiet_tail(before, gone_on) is None
    assert_same(gone_on, fresh)


def failed() -> SessionBuilder:
    """A call with long arguments that has just failed."""
    session = SessionBuilder().user(at=1000)
    return session.assistant(call("a", text="x" * 900), at=1005).result("a", at=1010, is_error=True)


@pytest.mark.parametrize("turns", range(1, 5))
def test_a_failure_cools_down(turns: int) -> None:
    def add(session: SessionBuilder) -> SessionBuilder:
        for _ in range(turns):
            session.answer()
        return session

    def begin() -> SessionBuilder:
        return failed() if turns < 4 else failed().answer().answer().answer()

    before, gone_on, fresh = looks(add, begin)
    assert not has_gone_on(before, gone_on)
    assert_same(gone_on, fresh)


def test_what_names_a_call_makes_its_result_no_stranger() -> None:
    for name in ("the result that only a chain names", "a result that was archived already"):
        before, gone_on, _ = looks(GOES_ON[name], begun)
        assert quiet_tail(before, gone_on) is None


@pytest.mark.parametrize("name", ["a boundary's time again", "a failure"])
@pytest.mark.parametrize("off", ["enabled", "chainCompression", "purgeErrors"])
def test_what_was_not_judged_is_not_handed_on(name: str, off: str) -> None:
    value = False if off == "enabled" else {"enabled": False}
    _, gone_on, fresh = looks(ANEW[name], begun, **{off: value})
    assert_same(gone_on, fresh)


def test_with_nothing_pruned_all_goes_on() -> None:
    before, gone_on, fresh = looks(ANEW["a failure"], begun, enabled=False)
    assert has_gone_on(before, gone_on)
    assert_same(gone_on, fresh)


def test_what_is_handed_on_has_the_names_that_a_look_has() -> None:
    """A name that is none would be worked out anew each time, and nobody would notice."""
    before, gone_on, _ = looks(QUIET["a prompt"], begun)
    names = {*_OF_THE_BRANCH, *gone_on.__dict__, *before.__dict__}
    assert {name for name in names if not hasattr(Inspection, name)} == set()
