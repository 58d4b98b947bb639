"""The browser while a session is read: rows at once, keys for them, and what is kept of it."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from condense_tui.session.messages import Message
from condense_tui.tui.screens.chooser import ChooserScreen
from condense_tui.tui.screens.failure import FailureScreen
from condense_tui.tui.screens.loading import LoadingScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from tests.build import SessionBuilder
from tests.tui.stage import (
    DEMO,
    LARGE,
    SMALL,
    Size,
    is_on,
    opening,
    row_text,
    screen_text,
    settled,
    wait_until,
)

ROUNDS = 6
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])


def focused(pilot: Pilot[Any]) -> LineList:
    rows = pilot.app.focused
    assert isinstance(rows, LineList)
    return rows


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Keys one after another; the work is not waited for."""
    await wait_until(pilot, lambda: pilot.app.focused is not None)
    for key in keys:
        pilot.app.simulate_key(key)
        for _ in range(ROUNDS):
            await pilot.pause(0)


async def taken_over(pilot: Pilot[Any], go_on: Event) -> SessionScreen:
    """The session screen, once everything is read."""
    go_on.set()
    await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SessionScreen)
    return screen


def marked_message(pilot: Pilot[Any]) -> Message:
    """What the cursor of the messages is on while the rest is read."""
    screen = pilot.app.screen
    assert isinstance(screen, LoadingScreen)
    assert screen._glimpse is not None
    return screen._glimpse.messages[focused(pilot).cursor]


@SIZES
async def test_rows_are_there_and_answer_while_the_rest_is_read(size: Size) -> None:
    async with opening(DEMO, size) as (pilot, go_on):
        await press(pilot, "up")
        assert isinstance(focused(pilot), FoldTree)
        last = focused(pilot).row_count - 1
        assert focused(pilot).cursor == last - 1
        await press(pilot, "tab")
        assert focused(pilot).cursor == focused(pilot).row_count - 1
        assert "read_4" in row_text(focused(pilot))
        await press(pilot, "k", "pageup", "home", "end", "up")
        assert focused(pilot).cursor == focused(pilot).row_count - 2
        assert is_on(pilot, LoadingScreen)
        assert not go_on.is_set()


@SIZES
async def test_it_says_how_much_it_shows_and_nothing_that_it_cannot_know(size: Size) -> None:
    async with opening(DEMO, size) as (pilot, _):
        said = "Reading · only the last 44 entries so far · what was pruned is not known"
        await wait_until(pilot, lambda: said in screen_text(pilot.app))
        await wait_until(pilot, lambda: "20.0 MB of 40.0 MB" in screen_text(pilot.app))
        seen = screen_text(pilot.app)
        for known_later in ("prune:", "diag", "stubbed", "→", "stays raw", "of 2 branches"):
            assert known_later not in seen


@SIZES
async def test_the_selected_message_stays_selected(size: Size) -> None:
    async with opening(DEMO, size) as (pilot, go_on):
        await press(pilot, "tab", "up", "up", "up")
        message = marked_message(pilot)
        assert message.entry is not None
        screen = await taken_over(pilot, go_on)
        rows = focused(pilot)
        assert isinstance(rows, ContextList)
        assert rows.slot is not None
        now = screen._picture.inspection.plan.slots[rows.slot].message
        assert now.entry is not None
        assert now.entry.id == message.entry.id
        assert row_text(rows)[:40] in screen_text(pilot.app), "and it is in sight"


@SIZES
@pytest.mark.parametrize("keys", [["up"], ["up", "right", "down"], ["home"]], ids=" ".join)
async def test_the_selected_node_stays_selected(size: Size, keys: list[str]) -> None:
    async with opening(DEMO, size) as (pilot, go_on):
        await press(pilot, *keys)
        tree = focused(pilot)
        assert isinstance(tree, FoldTree)
        assert tree.node
        before = tree.node.key
        screen = await taken_over(pilot, go_on)
        tree = focused(pilot)
        assert isinstance(tree, FoldTree)
        assert tree.node
        assert tree.node.key == before
        assert tree.node.target in (None, screen._target), "and with it everything else"


@SIZES
@pytest.mark.parametrize("keys", [[], ["tab", "tab"]], ids=["untouched", "looked around"])
async def test_where_nothing_was_selected_it_begins_as_ever(size: Size, keys: list[str]) -> None:
    async with opening(DEMO, size) as (pilot, go_on):
        await press(pilot, *keys)
        await taken_over(pilot, go_on)
        assert isinstance(focused(pilot), FoldTree)
        assert focused(pilot).cursor == 0


async def test_what_waits_for_a_summary_is_found_again(tmp_path: Path) -> None:
    session = SessionBuilder().turn("a", at=1).archive("t1", "a", 1)
    session.turn("b", at=2).turn("c", at=3).turn("d", at=4)
    (tmp_path / "s.jsonl").write_bytes(session.raw)
    async with opening(tmp_path / "s.jsonl") as (pilot, go_on):
        await press(pilot, "right", "down", "down")
        await taken_over(pilot, go_on)
        tree = focused(pilot)
        assert isinstance(tree, FoldTree)
        assert tree.node
        assert tree.node.key == "pending:c@3"


async def test_nothing_opens_before_everything_is_read() -> None:
    async with opening(DEMO) as (pilot, _):
        await press(pilot, "enter")
        await wait_until(pilot, lambda: pilot.app._notifications)
        said = [note.message for note in pilot.app._notifications]
        assert said == ["opens once everything is read"]
        assert is_on(pilot, LoadingScreen)


@SIZES
async def test_esc_leads_to_the_chooser(size: Size) -> None:
    async with opening(DEMO, size) as (pilot, go_on):
        await press(pilot, "up", "escape")
        await wait_until(pilot, lambda: is_on(pilot, ChooserScreen))
        go_on.set()
        await settled(pilot)
        assert is_on(pilot, ChooserScreen)


async def test_q_leaves_the_program() -> None:
    async with opening(DEMO) as (pilot, _):
        await press(pilot, "q")
        await wait_until(pilot, lambda: pilot.app.return_code == 0)


# Where there is nothing to show


def lines_of_a_session(*last: bytes) -> bytes:
    return SessionBuilder().user("a question").answer().raw + b"".join(last)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (lines_of_a_session(b'{"type":"custom","note":"' + b"x" * 90_000 + b'"}\n'), "a question"),
        (lines_of_a_session(b"x" * 90_000), "a question"),
        (lines_of_a_session(b"\xff\x00" * 50_000), "a question"),
        (SessionBuilder().raw, "0 entries"),
    ],
    ids=["one long line", "a long torn line", "garbage", "nothing but a header"],
)
async def test_without_rows_a_box_says_what_is_known(
    raw: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(raw)
    async with opening(path) as (pilot, go_on):
        await wait_until(pilot, lambda: words in screen_text(pilot.app))
        assert "Opening" in screen_text(pilot.app)
        assert "Next pane" not in screen_text(pilot.app)
        assert not pilot.app.screen.has_class("-rows")
        await taken_over(pilot, go_on)


async def test_a_torn_end_costs_its_line_only(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines_of_a_session(json.dumps({"type": "message"}).encode()[:-3]))
    async with opening(path) as (pilot, go_on):
        await wait_until(pilot, lambda: "an answer" in screen_text(pilot.app))
        await taken_over(pilot, go_on)


@pytest.mark.parametrize(
    "raw", [b"\x00\xff" * 9_000, b'{"row":1}\n' * 9_000], ids=["garbage", "rows"]
)
async def test_what_is_no_session_is_refused_as_ever(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(raw)
    async with opening(path) as (pilot, go_on):
        await wait_until(pilot, lambda: "Opening" in screen_text(pilot.app))
        go_on.set()
        await wait_until(pilot, lambda: is_on(pilot, FailureScreen))
