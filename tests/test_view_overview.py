"""Everything about a session on a page or two."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.query import query
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.view.context import View, context_lines
from condense_tui.view.lines import Line, exact_text, printable_line, text_of
from condense_tui.view.overview import overview
from condense_tui.view.query import answer_lines
from condense_tui.view.tree import tree_lines
from tests.build import SessionBuilder
from tests.condensing import condensed
from tests.sessions import DANGEROUS, file_of, header, hostile_session, message, session_in


def rows_of(session: SessionBuilder, **settings: Any) -> list[str]:
    return [text_of(row) for row in overview(session.inspect(**settings))]


def section(rows: list[str], title: str) -> list[str]:
    """The rows below a title, up to the next blank one."""
    below = rows[rows.index(title) + 1 :]
    return [row.strip() for row in below[: below.index("") if "" in below else None]]


def test_a_session_without_pruning() -> None:
    assert rows_of(SessionBuilder().user().answer()) == [
        "s  /work",
        "leaf e2 · 1 branch · 2 of 2 entries on this one · version 3",
        "prune: ON",
        "",
        "What happened",
        "  2 messages -> 2 · 167 -> 167 chars",
        "  ·     2  kept as they are",
        "",
        "Records",
        "  none: the extension wrote nothing on this branch",
    ]


def test_a_header_alone() -> None:
    rows = rows_of(SessionBuilder())
    assert rows[1] == "leaf none · 0 branches · 0 of 0 entries on this one · version 3"


def test_the_name_stands_first() -> None:
    assert rows_of(SessionBuilder().entry("session_info", name="The name"))[0] == "The name  /work"


def test_no_directory_is_said() -> None:
    assert rows_of(SessionBuilder(cwd=None))[0] == "s  no directory"


def test_forks_are_counted() -> None:
    session = SessionBuilder().user().answer().back_to("e1").answer()
    assert rows_of(session)[1] == "leaf e3 · 2 branches · 2 of 3 entries on this one · version 3"


def test_three_counts_of_diagnostics_are_three_columns() -> None:
    session = SessionBuilder().user().chain("b1", 1, 2, toolRefs=[])
    for detail in ("x", "x", "y", "z"):
        session.custom("context-prune-diagnostic", {"kind": "orphan-sweep", "detail": detail})
    rows = section(rows_of(session), "Diagnostics")
    assert [row.split()[:4] for row in rows[1:3]] == [["u", "1", "0", "0"], ["o", "0", "4", "3"]]


def test_a_nested_range_is_told_apart() -> None:
    session = SessionBuilder().user(at=1000).user(at=1100).answer(at=1200).answer(at=1300)
    session.chain("b1", 1000, 1300).chain("b2", 1100, 1200)
    (row,) = [row for row in section(rows_of(session), "Diagnostics") if "unresolved" in row]
    assert row.split()[:4] == ["u", "1", "0", "0"]
    assert row.endswith("(1 of them only nested, harmless)")


def test_what_is_still_to_do() -> None:
    rows = section(rows_of(SessionBuilder().user().turn("a").turn("b")), "Still to do")
    assert rows[0] == "2 calls in 2 batches not yet summarised"


def test_a_finished_copy_has_nothing_to_do() -> None:
    """Condensing it again adds nothing, so nothing may be said to wait."""
    after = condensed(SessionBuilder().user().turn("a", "small").answer().inspect()).after
    rows = [text_of(row) for row in overview(after)]
    assert "Still to do" not in rows
    assert section(rows, "Tried already")[0].startswith("1 call in 1 batch left as they are")
    assert after.pending


def test_a_reused_id_is_said() -> None:
    rows = section(rows_of(SessionBuilder().archive("t1", "a", 1).archive("t2", "a", 2)), "Records")
    assert rows[1].startswith("1 id used for several calls")


def test_findings_are_grouped_and_bounded() -> None:
    session = SessionBuilder()
    for number in range(9):
        session.turn(f"a{number}", at=1000 + number * 50, is_error=True)
    for number in range(9):
        session.archive(f"t{number}", f"a{number}", 1000 + number * 50)
    rows = section(rows_of(session), "Findings")
    assert [row for row in rows if "error-looks-successful" in row] == [
        "W error-looks-successful ×9"
    ]
    assert rows[-1] == "and 6 more: see --format json"


def test_problems_name_their_lines() -> None:
    rows = section(rows_of(SessionBuilder().user().line("garbage").answer()), "Problems")
    assert len(rows) == 1
    assert rows[0].startswith("line 3  unreadable-line")


def test_problems_stand_in_the_order_of_the_file() -> None:
    session = session_in(file_of(header(), message("a", "b"), message("b", "a"), b"x"))
    inspection = Inspection(default_branch(session), settings_from(None))
    rows = section([text_of(row) for row in overview(inspection)], "Problems")
    numbers = [int(row.split()[1]) for row in rows]
    assert numbers == sorted(numbers)


def test_an_overview_stays_a_page_or_two_however_many_lines_are_bad() -> None:
    """The events of `pi --mode json` have no ids, and there are thousands of them."""
    events = [{"type": "message_update", "n": n} for n in range(300)]
    session = session_in(file_of(header(), *events))
    flood = Inspection(default_branch(session), settings_from(None))
    assert len(overview(flood)) < 100


def test_an_overview_stays_a_page_or_two_however_many_chains_there_are() -> None:
    session = SessionBuilder().user()
    for number in range(300):
        session.chain(f"b{number}", number, None)
    assert len(overview(session.inspect())) < 100


# Nothing that a session holds begins a line or reaches the terminal


def every_line(inspection: Inspection) -> list[Line]:
    asked = [*inspection.index.records, *inspection.index.aliases, *inspection.index.key_of_ref]
    answers = query(inspection.index, asked, lambda _record: None)
    tree = build_call_tree(inspection)
    return [
        *overview(inspection),
        *(row for view in View for row in context_lines(inspection.plan, view)),
        *tree_lines(tree, inspection, lambda _record: False),
        *answer_lines(answers, inspection.index),
    ]


@pytest.mark.parametrize("settings", [{}, {"protectedTools": ["bash"]}, {"enabled": False}])
def test_no_line_of_a_hostile_session_is_two(settings: dict[str, Any]) -> None:
    rows = every_line(hostile_session().inspect(**settings))
    assert len(rows) > 60
    assert all("\n" not in exact_text(row) for row in rows)


@pytest.mark.parametrize("settings", [{}, {"protectedTools": ["bash"]}])
def test_no_line_of_a_hostile_session_drives_the_terminal(settings: dict[str, Any]) -> None:
    text = "\n".join(
        text_of(printable_line(row)) for row in every_line(hostile_session().inspect(**settings))
    )
    assert [sign for sign in DANGEROUS if sign in text] == []
    assert "␛[31mred" in text


def test_blocks_stand_in_the_order_of_the_session() -> None:
    """The later one may have been recorded first."""
    session = SessionBuilder().user(at=1_000).turn("a", at=1_100).answer(at=1_200)
    session.user(at=2_000).turn("b", at=2_100).answer(at=2_200)
    session.chain("b2", 2_000, 2_200, ["b@2100"]).chain("b1", 1_000, 1_200, ["a@1100"])
    rows = [row.split()[:1] for row in rows_of(session)]
    assert [row for row in rows if row in (["b1"], ["b2"])] == [["b1"], ["b2"]]
