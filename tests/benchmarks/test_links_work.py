"""The work of linking a session grows with what it holds, counted as that of a render is."""

from __future__ import annotations

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.links import Links, build_links
from tests.benchmarks.test_render_work import FACTOR, StepCounter
from tests.build import SessionBuilder, call, record

FEW = 60


def link_steps(count: int) -> tuple[StepCounter, Links]:
    """So many occurrences of one id, and as many queries that ask for all of them."""
    session = SessionBuilder().user()
    for number in range(count):
        asked = call(f"q{number}", "context_tree_query", toolCallIds=["a"])
        session.assistant(asked).result(f"q{number}", tool="context_tree_query")
    session.index(*(record("a", at) for at in range(1, count + 1)))
    inspection = session.inspect()
    tree, counter = build_call_tree(inspection), StepCounter()
    assert inspection.plan
    return counter, counter.run("links", lambda: build_links(inspection, tree))


def test_an_id_that_is_asked_for_again_is_looked_up_once() -> None:
    few, _ = link_steps(FEW)
    many, links = link_steps(FEW * FACTOR)
    assert many.too_steep(few) == {}
    assert {len(asked) for asked in links.recoveries_of_key.values()} == {FEW * FACTOR}
