"""Keys that come together: each goes to what the one before it has opened."""

from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from condense_tui.tui.commands import COMMANDS
from condense_tui.tui.screens.chooser import ChooserScreen
from condense_tui.tui.screens.export import ExportScreen
from condense_tui.tui.screens.query import QueryScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.find_bar import FindBar
from tests.tui.stage import DEMO, browsing, is_on, settled, wait_until

# Each of them is a command where nothing is typed into.
TYPED = "".join(key for one in COMMANDS for key in one.keys.split(",") if len(key) == 1)


def typed_into(pilot: Pilot[Any], field: str) -> str:
    """Nothing where there is no such field yet."""
    return next((one.value for one in pilot.app.screen.query(field).results(Input)), "")


@pytest.mark.parametrize(
    ("key", "kind", "field"),
    [
        ("ampersand", SessionScreen, "#filter"),
        ("slash", SessionScreen, "FindBar Input"),
        ("colon", QueryScreen, "#line"),
        ("ctrl+s", ChooserScreen, "#typed"),
    ],
)
async def test_what_is_typed_at_once_is_in_the_field(key: str, kind: type, field: str) -> None:
    async with browsing(DEMO) as pilot:
        for pressed in (key, *TYPED):
            pilot.app.simulate_key(pressed)
        await wait_until(pilot, lambda: is_on(pilot, kind) and typed_into(pilot, field) == TYPED)
        await settled(pilot)
        assert (is_on(pilot, kind), typed_into(pilot, field)) == (True, TYPED)


async def test_what_is_pasted_at_once_is_in_the_field() -> None:
    async with browsing(DEMO) as pilot:
        for event in (events.Key("colon", ":"), events.Paste("bash_3"), events.Key("x", "x")):
            pilot.app.post_message(event)
        await wait_until(pilot, lambda: typed_into(pilot, "#line") == "bash_3x")
        await settled(pilot)


async def test_keys_go_through_screen_after_screen() -> None:
    """Into a screen, what it shows, out again, and into another."""
    async with browsing(DEMO) as pilot:
        for key in ("ctrl+o", "escape", "slash", "a", "escape", "e"):
            pilot.app.simulate_key(key)
        await wait_until(pilot, lambda: is_on(pilot, ExportScreen))
        await settled(pilot)
        assert not any(isinstance(one, WholeScreen) for one in pilot.app.screen_stack)
        find = pilot.app.screen_stack[-2].query_one(FindBar)
        assert (find.display, find.query_one(Input).value) == (False, "a")


async def test_a_key_that_closes_what_it_went_to_holds_up_none() -> None:
    async with browsing(DEMO) as pilot:
        for _ in range(5):
            for key in ("ctrl+o", "q"):
                pilot.app.simulate_key(key)
        pilot.app.simulate_key("colon")
        await wait_until(pilot, lambda: is_on(pilot, QueryScreen))
        await settled(pilot)
        assert not any(isinstance(one, WholeScreen) for one in pilot.app.screen_stack)


async def test_keys_after_the_last_one_are_nobodys() -> None:
    async with browsing(DEMO) as pilot:
        for key in "q:xyz":
            pilot.app.simulate_key(key)
        await wait_until(pilot, lambda: pilot.app.return_code is not None)
    assert pilot.app.return_code == 0
