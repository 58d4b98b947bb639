"""Everything can be read at 80x24, and without colours: nothing is cut without a sign."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from condense_tui.preferences import Preferences, write_preferences
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.screens.chooser import ChooserScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.key_footer import fitting_keys
from condense_tui.tui.widgets.query_input import QueryInput
from condense_tui.view.context import View
from tests.tui.scenes import SCENES
from tests.tui.stage import (
    DEMO,
    LARGE,
    SMALL,
    browsing,
    is_on,
    press,
    row_text,
    screen_text,
    settled,
    wait_until,
)


def footer(pilot: Pilot[Any]) -> str:
    return screen_text(pilot.app).split("\n")[-2].strip()


# The footer


@pytest.mark.parametrize(
    ("keys", "first", "last"),
    [
        ((), "? Help", "q Quit"),
        (("enter",), "m Markdown/source", "q Quit"),
        (("ampersand",), "F1 Help", "palette"),
        (("slash",), "Esc Close  ↓ ↑ Next hit  Alt-C Case", "F1 Help"),
        (("question_mark",), "? Esc q Close", ""),
        (("colon",), "^T As the model sees it", "Esc Close"),
        (("colon", "text:t4", "enter", "tab"), "", "Esc Close"),
        (("f2",), "Tab List/text", "F2 Esc q Close"),
        (("s",), "Esc Close", "w Write to a file"),
        (("b",), "Esc Close", ""),
        (("ctrl+o",), "", "^O Esc q Close"),
    ],
)
async def test_a_narrow_footer_shows_whole_keys_and_the_way_out(
    keys: tuple[str, ...], first: str, last: str
) -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, *keys)
        await wait_until(pilot, lambda: footer(pilot).startswith(first))
        assert footer(pilot).endswith(last)


async def test_a_footer_has_as_many_keys_as_there_is_room_for() -> None:
    async with browsing(DEMO, LARGE) as pilot:
        assert "e Export  y Copy  s Settings  q Quit" in footer(pilot)
        await pilot.resize_terminal(60, 24)
        await wait_until(pilot, lambda: "s Settings" not in footer(pilot))
        assert footer(pilot).startswith("? Help  ^O Whole")
        assert footer(pilot).endswith("q Quit")
        await pilot.resize_terminal(140, 24)
        await wait_until(pilot, lambda: footer(pilot).endswith("^p palette"))


@pytest.mark.parametrize(
    ("width", "numbers"),
    [(0, [0, 3]), (26, [0, 3]), (27, [0, 1, 3]), (47, [0, 1, 2, 3]), (48, [0, 1, 2, 3, 4])],
)
def test_the_last_keys_go_first_and_the_palette_before_them(width: int, numbers: list[int]) -> None:
    actions = ["help", "find", "query", "app.quit", "command_palette"]
    assert fitting_keys(actions, [6, 6, 6, 6, 7], width) == numbers


@pytest.mark.parametrize("title", ["help", "quit"])
async def test_the_palette_offers_each_thing_once(title: str) -> None:
    async with browsing(DEMO, SMALL) as pilot:
        offered = list(pilot.app.get_system_commands(pilot.app.screen))
        about = [
            command for command in offered if title in f"{command.title} {command.help}".lower()
        ]
        names = [command.title for command in offered]
        assert len(names) == len(set(names))
        assert "Keys" not in names
        assert title != "help" or [command.title for command in about] == ["Help"]


# Rows and bars


async def test_a_failed_call_says_so_in_a_narrow_tree() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        tree = pilot.app.screen.query_one(FoldTree)
        await press(pilot, "plus")
        rows = [row_text(tree, number) for number in range(tree.row_count)]
        (failed,) = (row for row in rows if row.split()[0] == "t4")
        assert failed.split("…")[1] == " · 2.0k · error · ×2 occurrences · recovered 1×"


@pytest.mark.parametrize("scene", SCENES)
async def test_the_counters_and_the_sizes_are_always_in_sight(scene: str) -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, *SCENES[scene])
        shown = screen_text(pilot.app)
        if scene in ("query", "findings"):
            assert "u1/m1/o1" in shown or scene == "query" or "range id mismatches" in shown
        elif scene == "preview":
            assert "38.2k -> 25.9k chars, about 9.5k -> 6.5k tokens" in shown
        elif scene == "previewed":
            assert "prune: ON · 9.5k->6.5k (-32%) · diag u1/m1" in shown
        else:
            assert "prune: ON · 30.0k->9.5k (-68%) · diag u1/m1/o1" in shown


async def test_the_headline_ends_with_a_whole_word() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        headline = screen_text(pilot.app).split("\n")[0]
        assert headline.endswith(" · /home/mara/shop")
        await pilot.resize_terminal(140, 24)
        await wait_until(pilot, lambda: "133 entries" in screen_text(pilot.app).split("\n")[0])


async def test_a_filter_that_nothing_matches_says_so() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, "ampersand", "text:no such thing")
        tree = pilot.app.screen.query_one(FoldTree)
        assert tree.render_line(0).text.rstrip() == "nothing matches no such thing"
        await press(pilot, "escape")
        assert "nothing matches" not in screen_text(pilot.app)


async def test_an_overlay_never_says_that_it_is_at_none_of_no_rows() -> None:
    async with browsing(DEMO, SMALL):
        assert DocumentView().position_text == ""


async def test_settings_figures_say_that_some_are_missing() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, "s")
        figures = pilot.app.screen.query_one("#figures", Static)
        await wait_until(pilot, lambda: str(figures.content).endswith("…"))
        assert str(figures.content).startswith("54 messages · 38.2k chars sent · ")
        assert figures.size.height == len(str(figures.content).split("\n")) == 2


# The panes


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_pane_with_the_keys_has_the_heavy_frame(size: tuple[int, int]) -> None:
    async with browsing(DEMO, size) as pilot:
        assert "┏━ Pruned tool calls ━" in screen_text(pilot.app)
        assert "┏━ Context" not in screen_text(pilot.app)
        await press(pilot, "tab")
        assert "┏━ Context: pruned ━" in screen_text(pilot.app)
        assert "┏━ Pruned" not in screen_text(pilot.app)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_one_begins_in_the_tree_also_after_both_was_looked_at_last(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    remembered = tmp_path / "preferences.json"
    write_preferences(remembered, Preferences(view=View.DIFF))
    async with CondenseApp(DEMO, preferences=remembered).run_test(size=size) as pilot:
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await wait_until(pilot, lambda: isinstance(pilot.app.focused, FoldTree))
        await settled(pilot)
        assert "Pruned tool calls" in screen_text(pilot.app)
        assert pilot.app.screen.query_one(ContextList).view is View.PRUNED


async def test_without_a_tree_the_context_is_in_sight(tmp_path: Path) -> None:
    session = tmp_path / "plain.jsonl"
    session.write_text('{"type": "session", "version": 3, "id": "s", "cwd": "/shop"}\n')
    async with browsing(session, SMALL) as pilot:
        assert isinstance(pilot.app.focused, ContextList)
        assert "┏━ Context: pruned ━" in screen_text(pilot.app)
        assert "no messages" in screen_text(pilot.app)


# Typing


async def test_what_tab_would_complete_stands_in_words_too() -> None:
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, "colon", "text:bash_3@17896")
        await wait_until(pilot, lambda: "Tab: bash_3@1789652458646 · " in screen_text(pilot.app))
        await press(pilot, "text:!")
        await wait_until(pilot, lambda: "Tab completes · " in screen_text(pilot.app))


async def test_without_colours_a_completion_looks_different(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, "colon", "text:bash_3@")
        field = pilot.app.screen.query_one(QueryInput)
        await wait_until(pilot, lambda: "1789652458646" in field.render_line(0).text)
        (rest,) = (part for part in field.render_line(0) if part.text.startswith("789652458646"))
        assert rest.style is not None
        assert rest.style.underline


@pytest.mark.parametrize("before", [(), ("slash", "a")])
async def test_what_is_typed_after_the_key_for_sessions_is_for_the_chooser(
    before: tuple[str, ...],
) -> None:
    """All at once, as a fast typist or a slow machine has it."""
    async with browsing(DEMO, SMALL) as pilot:
        await press(pilot, *before)
        for key in ("ctrl+s", "b", "n", "q"):
            pilot.app.simulate_key(key)
        await wait_until(pilot, lambda: is_on(pilot, ChooserScreen))
        await settled(pilot)
        assert is_on(pilot, ChooserScreen)
        assert pilot.app.screen.query_one("#typed", Input).value == "bnq"
