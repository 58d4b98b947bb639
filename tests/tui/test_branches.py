"""The chooser of branches."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import App

import condense_tui.demo
import condense_tui.tui
from condense_tui.inspection.leaves import leaf_paths
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.screens.branches import BranchesScreen
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.leafrows import leaf_heading, leaf_row
from condense_tui.view.lines import text_of
from tests.tui.stage import wait_until

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
NARROW, WIDE = (80, 24), (120, 40)
HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/w"}


def entry(name: str | None, parent: str | None, asked: str, at: Any = None) -> dict[str, Any]:
    message = {"role": "user", "content": asked}
    fields = {"type": "message", "parentId": parent, "timestamp": at, "message": message}
    return fields if name is None else {**fields, "id": name}


def session_of(*entries: dict[str, Any]) -> Session:
    raw = "".join(json.dumps(value) + "\n" for value in (HEADER, *entries))
    session = read_session(raw.encode())
    assert isinstance(session, Session)
    return session


FORKED = session_of(
    entry("a", None, "first"),
    entry("b", "a", "left [/x] behind \x1b[2J", "2026-02-20T11:44:20.711Z"),
    entry("c", "a", "gone on", 1_771_587_860_711),
)


class BranchesApp(App[None]):
    """Remembers the answer."""

    CSS_PATH = STYLES

    def __init__(self, session: Session, shown: str | None) -> None:
        super().__init__()
        self.branches = BranchesScreen(session, shown)
        self.answers: list[str | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.branches, self.answers.append)

    @property
    def found(self) -> LineList:
        return self.branches.query_one(LineList)

    def rows(self) -> list[str]:
        lines = (self.found.render_line(y).text for y in range(self.found.size.height))
        return [" ".join(text.split()) for text in lines]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_every_branch_has_its_state_last_words_time_and_length(
    size: tuple[int, int],
) -> None:
    app = BranchesApp(FORKED, "c")
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 2 and app.found.size.height == 2)
        assert app.rows() == [
            "▸● active gone on 2026-02-20 11:44 2",
            "○ abandoned left [/x] behind ␛[2J 2026-02-20 11:44 2",
        ]


async def test_an_abandoned_branch_is_two_keys_away() -> None:
    app = BranchesApp(FORKED, "c")
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 2)
        await pilot.press("down", "enter")
    assert app.answers == ["b"]


async def test_a_second_enter_on_its_way_closes_nothing_else() -> None:
    app = BranchesApp(FORKED, "c")
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 2)
        for _ in range(2):
            app.post_message(events.Key("enter", None))
        await wait_until(pilot, lambda: app.answers == ["c"])
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_the_cursor_begins_on_the_branch_that_is_shown() -> None:
    app = BranchesApp(FORKED, "b")
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 2)
        await pilot.press("enter")
    assert app.answers == ["b"]


async def test_an_earlier_moment_is_a_row_of_its_own() -> None:
    app = BranchesApp(FORKED, "a")
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 3 and app.found.size.height == 3)
        assert app.rows()[2] == "▸· earlier first no time 1"
        assert str(app.branches.query_one("Vertical").border_subtitle).endswith(" 2 branches")


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_one_may_go_back_without_an_answer(key: str) -> None:
    app = BranchesApp(FORKED, "c")
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press(key)
    assert app.answers == [None]


async def test_an_end_without_an_id_answers_with_the_empty_text() -> None:
    app = BranchesApp(session_of(entry("a", None, "x"), entry(None, "a", "y")), None)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 1)
        await pilot.press("enter")
    assert app.answers == [""]


async def test_hundreds_of_branches_scroll_within_the_screen() -> None:
    forks = (entry(f"f{number}", "a", f"try {number}") for number in range(500))
    app = BranchesApp(session_of(entry("a", None, "x"), *forks), "f7")
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.found.row_count == 500)
        assert app.branches.query_one("Vertical").size.height < 24
        await wait_until(pilot, lambda: any("▸" in row for row in app.rows()))
        await pilot.press("enter")
    assert app.answers == ["f7"]


async def test_the_demo_shows_the_branch_that_pi_opens_as_active() -> None:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    leaf = default_branch(session).leaf_id
    app = BranchesApp(session, leaf)
    async with app.run_test(size=WIDE) as pilot:
        await wait_until(pilot, lambda: app.found.row_count > 0)
        assert app.rows()[0].startswith("▸● active")
        await pilot.press("enter")
    assert app.answers == [leaf]


@pytest.mark.parametrize("width", [40, 80, 137])
def test_rows_and_heading_have_the_same_columns(width: int) -> None:
    wide = session_of(entry("a", None, "日本語のプロンプト" * 30))
    for path in (*leaf_paths(FORKED), *leaf_paths(wide)):
        assert cell_len(text_of(leaf_row(path, True, width))) == max(width, 50)
    assert cell_len(text_of(leaf_heading(width))) == max(width, 50)
