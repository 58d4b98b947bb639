"""Beside what is sent now, what version 2.5.0 would send."""

from __future__ import annotations

from pathlib import Path

import pytest

from condense_tui.inspection.comparison import compare
from condense_tui.tui.screens.comparison import ComparisonScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.view.comparisonwords import comparison_words
from tests.build import SessionBuilder, call
from tests.tui.stage import DEMO, SMALL, browsing, press, screen_text, wait_until


async def test_a_walk_through_the_differences_and_back_to_a_message() -> None:
    async with browsing(DEMO) as pilot:
        await press(pilot, "V")
        await wait_until(pilot, lambda: "of now would not be sent" in screen_text(pilot.app))
        assert isinstance(pilot.app.screen, ComparisonScreen)
        rows = pilot.app.screen.query_one(ContextList)
        first = rows.cursor
        await press(pilot, "n")
        assert rows.cursor > first
        count = rows.row_count
        await press(pilot, "c")
        assert 0 < rows.row_count < count
        await press(pilot, "home", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert pilot.app.screen.query_one("#context", ContextList).slot == 1


async def test_at_80_columns_both_columns_are_there_and_esc_closes() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, "V")
        await wait_until(pilot, lambda: "not sent then" in screen_text(pilot.app))
        assert "Close" in screen_text(pilot.app).splitlines()[-1]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SessionScreen)


async def test_what_only_that_version_inserts_has_no_place_now(tmp_path: Path) -> None:
    session = SessionBuilder().user(at=1000).turn("x").chain("b1", 1000, None, ["y@1"])
    path = tmp_path / "s.jsonl"
    path.write_bytes(session.answer().raw)
    async with browsing(path) as pilot:
        await press(pilot, "V")
        await wait_until(pilot, lambda: "1 more would be" in screen_text(pilot.app))
        await press(pilot, "enter")
        await wait_until(pilot, lambda: bool(pilot.app._notifications))
        notes = [note.message for note in pilot.app._notifications]
        assert notes == ["the context of now has no such message"]


async def test_it_begins_with_the_first_difference_also_in_the_first_row(tmp_path: Path) -> None:
    session = SessionBuilder().assistant(call("x")).result("x").user(at=2000).turn("x", at=2150)
    session.answer(at=2200).chain("b1", 2000, 2200, ["x@2150"])
    path = tmp_path / "s.jsonl"
    path.write_bytes(session.raw)
    async with browsing(path) as pilot:
        await press(pilot, "V")
        await wait_until(pilot, lambda: "of now would not be sent" in screen_text(pilot.app))
        assert pilot.app.screen.query_one(ContextList).cursor == 0


def live_call_of_a_dropped_id() -> SessionBuilder:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.chain("b1", 1000, 1200, ["x@1150"]).user(at=2000)
    return session.assistant(call("x"), call("z")).result("x").result("z")


def failed_call_without_arguments() -> SessionBuilder:
    session = SessionBuilder().user().assistant({"type": "toolCall", "id": "x", "name": "bash"})
    return session.result("x", is_error=True).answer().answer()


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (SessionBuilder().user().turn("x").answer(), "Both send the same."),
        (
            live_call_of_a_dropped_id(),
            "2 messages of now would not be sent, 0 more would be, 0 would be another; "
            "1 result would stand without a call, which providers refuse.",
        ),
        (failed_call_without_arguments(), "It fails on this context, so pi would send all"),
    ],
)
def test_the_verdict(session: SessionBuilder, words: str) -> None:
    inspection = session.inspect()
    assert comparison_words(compare(inspection.plan, inspection.legacy_plan)).startswith(words)
