"""Lines that fit: never too wide, and what matters least goes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import build_links
from condense_tui.view.cells import cell_len
from condense_tui.view.context import View
from condense_tui.view.contextrows import both_row, context_row
from condense_tui.view.figures import figure_texts
from condense_tui.view.fitting import CUT, filled, fitted, flowed
from condense_tui.view.headline import headline
from condense_tui.view.lines import Giving, Line, Span, filling, going, line, shrinking, text_of
from condense_tui.view.overview import overview
from condense_tui.view.printable import one_line
from condense_tui.view.treenodes import tree_nodes
from condense_tui.view.treerows import TreeNode
from tests.build import SessionBuilder, record, ref

PIECES = st.builds(
    Span, st.text("ab 大\u0301\x1b\n", max_size=30), giving=st.sampled_from(list(Giving))
)
LINES = st.lists(PIECES, max_size=6).map(tuple)
SHRUNK_CELLS = 6
MAY_GO = (Giving.GOES, Giving.LINGERS, Giving.FILLS)


def width_of(spans: Line) -> int:
    return cell_len(text_of(spans))


@given(LINES, st.integers(0, 120))
def test_a_fitted_line_is_never_too_wide(spans: Line, width: int) -> None:
    assert width_of(fitted(spans, width)) <= width
    assert width_of(filled(spans, width)) == width


@given(LINES, st.integers(0, 120))
def test_what_stays_is_there_whole_wherever_it_can_be(spans: Line, width: int) -> None:
    needed = 0
    for span in spans:
        cells = cell_len(one_line(span.text))
        least = {Giving.SHRINKS: SHRUNK_CELLS, **dict.fromkeys(MAY_GO, 0)}
        needed += min(cells, least.get(span.giving, cells))
    if width >= needed:
        shown = text_of(fitted(spans, width))
        stays = [one_line(span.text) for span in spans if span.giving is Giving.STAYS]
        assert all(text in shown for text in stays)


@given(LINES, st.integers(1, 120))
def test_whatever_is_missing_but_what_may_go_leaves_a_sign(spans: Line, width: int) -> None:
    shown = text_of(fitted(spans, width))
    kept = [span for span in spans if span.giving not in MAY_GO]
    if not all(one_line(span.text) in shown for span in kept):
        assert CUT in shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (49, "t1 bash(command=ls -la) · 2 chars · error excerpt"),
        (43, "t1 bash(command=ls -la) · 2 chars · error …"),
        (42, "t1 bash(command=ls -la) · 2 chars · error "),
        (37, "t1 bash(command=ls -la) · 2 · error …"),
        (35, "t1 bash(command=ls -l… · 2 · error "),
        (22, "t1 bash(… · 2 · error "),
        (16, "t1 bash(… · 2 ·…"),
        (1, "…"),
        (0, ""),
    ],
)
def test_arguments_are_cut_before_a_size_or_a_state(width: int, shown: str) -> None:
    spans = line("t1 ", shrinking("bash(command=ls -la)"), " · 2", going(" chars"), " · error ")
    assert text_of(fitted((*spans, filling("excerpt")), width)) == shown


@given(st.lists(st.text("ab大 ", min_size=1, max_size=30), max_size=8), st.integers(1, 60))
def test_a_flow_breaks_no_piece_and_says_what_is_missing(pieces: list[str], width: int) -> None:
    rows = flowed(pieces, width, 2)
    assert len(rows) <= 2
    assert all(cell_len(row) <= width for row in rows)
    if not all(any(piece in row for row in rows) for piece in pieces):
        assert rows[-1].endswith(CUT) or any(CUT in row for row in rows)


@pytest.mark.parametrize(
    ("rows", "flow"), [(3, ["one · two", "three", "four"]), (2, ["one · two", "three · …"])]
)
def test_what_has_no_row_is_left_out(rows: int, flow: list[str]) -> None:
    assert flowed(["one", "two", "three", "four"], 11, rows) == flow


# What the rows of the screens are made of


def nodes(inspection: Inspection) -> tuple[TreeNode, ...]:
    tree = build_call_tree(inspection)
    return tree_nodes(inspection, tree, build_links(inspection, tree), lambda _: True)


def busy() -> Inspection:
    """A failed call of a reused id, with arguments as long as they come."""
    arguments = {"command": "python -m pytest " + "x" * 500}
    session = SessionBuilder().user()
    session.index(record("a", 1, "x" * 3200, args=arguments, isError=True), record("a", 2))
    return session.summary(ref("t7", "a", 1), turnIndex=2).inspect()


@pytest.mark.parametrize("width", range(31, 130))
def test_a_failed_call_says_so_at_every_width(width: int) -> None:
    (call,) = nodes(busy())[0].children
    shown = text_of(fitted(call.line, width))
    assert shown.startswith("t7   bash(")
    assert " · 3.2k" in shown
    assert " · error · ×2" in shown
    assert "…" in shown


def test_a_narrow_summary_keeps_its_size_and_its_state() -> None:
    session = SessionBuilder().user(at=1000).turn("a", at=1100).answer(at=1300)
    session.archive("t1", "a", 1100).chain("b1", 1000, 1300, ["a@1100"], toolRefs=["t1"])
    (chain,) = nodes(session.inspect())
    assert text_of(fitted(chain.children[0].line, 33)) == "Turn 0 summary · 13 · suppressed"
    assert " → " in text_of(fitted(chain.line, 20))


@pytest.mark.parametrize("width", range(53, 100, 7))
def test_a_message_that_was_changed_says_how_and_from_what(width: int) -> None:
    session = SessionBuilder().user().turn("a", "out " * 500, at=5).archive("t1", "a", 5)
    plan = session.plan()
    row = text_of(fitted(context_row(plan, 2, View.PRUNED), width))
    assert "~ result" in row
    assert "stubbed as t" in row
    assert ", was 2.1k" in row


@pytest.mark.parametrize("width", [0, 1, 20, 37, 78])
def test_both_columns_fit(width: int) -> None:
    plan = SessionBuilder().user("long words " * 50).turn("a", at=5).archive("t1", "a", 5).plan()
    for number in range(len(plan.slots)):
        assert width_of(fitted(both_row(plan, number, width), width)) <= width


def test_the_headline_keeps_what_is_looked_at_and_what_is_wrong() -> None:
    session = SessionBuilder(cwd="/a/very/long/way/down/to/the/project").user().line("{")
    session.entry("session_info", name="a name that tells a whole story " * 3)
    shown = text_of(fitted(headline(session.inspect()), 78))
    assert shown.startswith("a name that tells ")
    assert " · problems: 1 · leaf e" in shown
    assert width_of(fitted(headline(session.inspect()), 78)) <= 78


def test_figures_of_one_are_no_plural() -> None:
    session = SessionBuilder().user(at=1000).turn("a", at=1100).answer(at=1300)
    session.archive("t1", "a", 1100).chain("b1", 1000, 1300, ["a@1100"], toolRefs=["t1"])
    session.user(at=2000).turn("b", at=2100)
    inspection = session.inspect()
    texts = figure_texts(inspection, inspection)
    assert "+ 1 block inserted" in texts
    assert "- 1 summary suppressed" in texts
    assert "1 call due at the next flush" in texts


def test_overview_and_figures_count_alike() -> None:
    """Of a message that was stubbed and then dropped the last counts, here and there."""
    session = SessionBuilder().user(at=1000).turn("a", at=1100).answer(at=1300)
    session.archive("t1", "a", 1100).chain("b1", 1000, 1300, ["a@1100"], toolRefs=["t1"])
    inspection = session.inspect()
    assert any(len(slot.fates) > 1 for slot in inspection.plan.slots)
    figures = figure_texts(inspection, inspection)
    happened = [text_of(row).split(maxsplit=2) for row in overview(inspection)]
    counts = {row[0]: row[1] for row in happened if len(row) == 3 and row[0] in "~%×-°!+?"}
    assert counts
    assert {text.split()[0]: text.split()[1] for text in figures if text[0] in "~%×-°!+?"} == counts


def test_no_chain_waits_while_compression_is_off() -> None:
    session = SessionBuilder()
    for name in "abcd":
        session.user().turn(name).answer()
    now = session.inspect(chainCompression={"enabled": False, "rollingWindow": 3})
    assert "0 chains eligible at the next flush (was 1)" in figure_texts(now, session.inspect())
    assert now.eligible
