"""The browser beside a session that grows."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from condense_tui.inspection.links import SlotTarget
from condense_tui.pruning.settings import settings_from
from condense_tui.tui import follower
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from tests.tui.stage import DEMO, LARGE, SMALL, is_on, press, screen_text, settled, wait_until

FOLLOWING = "following"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(DEMO.read_bytes())
    return path


class Stage:
    """The browser with a session that is followed."""

    def __init__(self, pilot: Pilot[None], app: CondenseApp, path: Path) -> None:
        self.pilot = pilot
        self.app = app
        self.path = path

    @property
    def picture(self) -> Picture:
        assert self.app.picture
        return self.app.picture

    @property
    def screen(self) -> SessionScreen:
        (screen,) = (one for one in self.app.screen_stack if isinstance(one, SessionScreen))
        return screen

    @property
    def tree(self) -> FoldTree:
        return self.screen.query_one(FoldTree)

    @property
    def context(self) -> ContextList:
        return self.screen.query_one(ContextList)

    @property
    def text(self) -> str:
        return screen_text(self.app)

    def has_said(self, words: str) -> bool:
        return any(words in notice.message for notice in self.app._notifications)

    @property
    def ids(self) -> list[str | None]:
        return [entry.id for entry in self.picture.inspection.branch.entries]

    async def until(self, condition: Callable[[], object]) -> None:
        await wait_until(self.pilot, condition)
        await settled(self.pilot)

    async def press(self, *keys: str) -> None:
        await press(self.pilot, *keys)

    async def grow(self, *names: str, under: str | None = None) -> None:
        """Add messages, and wait until the last of them is known."""
        parent = under or self.ids[-1]
        for name in names:
            with self.path.open("ab") as file:
                file.write(line(name, parent))
            parent = name
        await self.until(lambda: names[-1] in self.all_ids)

    @property
    def all_ids(self) -> set[str | None]:
        return {entry.id for entry in self.picture.inspection.branch.session.entries}


def line(name: str, parent: str | None, words: str = "") -> bytes:
    message = {"role": "user", "content": words or f"this is {name}", "timestamp": 1}
    fields = {"type": "message", "id": name, "parentId": parent, "message": message}
    return json.dumps(fields).encode() + b"\n"


@asynccontextmanager
async def following(
    path: Path, size: tuple[int, int] = LARGE, leaf: str | None = None, is_on: bool = True
) -> AsyncIterator[Stage]:
    app = CondenseApp(path, leaf=leaf, is_followed=is_on)
    async with app.run_test(size=size) as pilot:
        stage = Stage(pilot, app, path)
        await wait_until(pilot, lambda: isinstance(app.screen, SessionScreen))
        await stage.until(lambda: app.focused is not None)
        if is_on:
            await stage.until(lambda: app.live == FOLLOWING)
        yield stage


# Growing


async def test_what_is_added_is_shown_and_that_it_is_followed(path: Path) -> None:
    async with following(path) as stage:
        count = stage.context.row_count
        await stage.press("tab")
        await stage.grow("n1", "n2")
        assert stage.context.row_count == count + 2
        assert " · following · " in stage.text.split("\n")[0]
        await stage.press("end")
        assert "this is n2" in stage.text


async def test_f_begins_and_ends_it(path: Path) -> None:
    async with following(path, is_on=False) as stage:
        assert FOLLOWING not in stage.text
        await stage.press("f")
        assert stage.app.live == FOLLOWING
        await stage.grow("n1")
        await stage.press("f")
        assert stage.app.live == ""
        assert " following " not in stage.text.split("\n")[0]


async def test_without_it_ctrl_r_reads_on(path: Path) -> None:
    async with following(path, is_on=False) as stage:
        with path.open("ab") as file:
            file.write(line("n1", stage.ids[-1]))
        await stage.press("ctrl+r")
        await stage.until(lambda: "n1" in stage.ids)
        assert stage.app.live == ""
        await stage.press("ctrl+r")
        await stage.until(lambda: stage.has_said("nothing was added"))


async def test_an_unfinished_line_waits(path: Path) -> None:
    async with following(path) as stage:
        raw = line("n1", stage.ids[-1], "größer")
        with path.open("ab") as file:
            file.write(raw[:60])
            file.flush()
            await stage.press("ctrl+r")
            await stage.until(lambda: stage.has_said("nothing was added"))
            assert "n1" not in stage.all_ids
            file.write(raw[60:])
        await stage.until(lambda: "n1" in stage.ids)


WRITER = """
import os, sys
raw = sys.stdin.buffer.read()
with open(sys.argv[1], "ab", buffering=0) as file:
    for start in range(0, len(raw), 700):
        file.write(raw[start:start + 700])
        os.fsync(file.fileno())
"""


async def test_another_process_writes_the_example(tmp_path: Path) -> None:
    """In pieces that end anywhere; in the end there is what a fresh look shows."""
    raw = DEMO.read_bytes()
    path = tmp_path / "session.jsonl"
    start = raw.index(b"\n", 4_000) + 1
    path.write_bytes(raw[:start])
    async with following(path) as stage:
        command = [sys.executable, "-c", WRITER, str(path)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
        assert process.stdin
        await asyncio.to_thread(process.communicate, raw[start:])
        assert process.returncode == 0
        count = raw.count(b"\n") - 1
        await stage.until(lambda: len(stage.all_ids) == count)
        # A branch that was left on the way was announced; b leads to the newest.
        stage.app.look_at(None)
        await settled(stage.pilot)
        fresh = take_picture(
            path, stage.picture.inspection.branch, stage.picture.inspection.settings
        )
        assert stage.picture.inspection.status_line == fresh.inspection.status_line
        count = len(fresh.inspection.plan.slots)
        assert stage.context.tally.endswith(f" of {count} messages")


async def test_what_comes_while_a_picture_is_taken_is_one_later_picture(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, running, most, taken = threading.Event(), [], [], []
    take = follower.further_picture

    def held(*asked: Any) -> Picture:
        running.append(1)
        most.append(len(running))
        go_on.wait(20)
        taken.append(1)
        running.pop()
        return take(*asked)

    monkeypatch.setattr(follower, "further_picture", held)
    async with following(path) as stage:
        leaf = stage.ids[-1]
        for number in range(30):
            with path.open("ab") as file:
                file.write(line(f"n{number}", leaf if not number else f"n{number - 1}"))
            await stage.pilot.pause(0.01)
        go_on.set()
        await stage.until(lambda: "n29" in stage.ids)
    assert max(most) == 1
    assert len(taken) <= 3


# What stays


async def test_who_is_at_the_end_stays_at_the_end(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("tab", "end")
        await stage.grow("n1", "n2")
        assert stage.context.cursor == stage.context.row_count - 1
        assert stage.context.scroll_offset.y == stage.context.max_scroll_y
        assert "this is n2" in stage.text
        assert stage.screen._target == SlotTarget(len(stage.picture.inspection.plan.slots) - 1)


async def test_at_the_end_of_the_changes_one_stays_at_the_last_of_them(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("tab", "c", "end")
        slot = stage.context.slot
        await stage.grow("n1")
        assert stage.context.slot == slot
        assert stage.screen._target == SlotTarget(slot or 0)


async def test_who_is_elsewhere_stays_there(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("tab", "end", *("pageup",) * 2)
        row, top = stage.context.cursor, stage.context.scroll_offset.y
        await stage.grow("n1", "n2")
        assert (stage.context.cursor, stage.context.scroll_offset.y) == (row, top)
        assert "this is n2" not in stage.text


async def test_who_scrolled_to_the_bottom_sees_what_is_added_below_the_cursor(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("tab", "end", *("up",) * 12)
        row, context = stage.context.cursor, stage.context
        context.scroll_to(y=context.max_scroll_y, animate=False, force=True)
        await stage.grow("n1", "n2")
        assert context.cursor == row
        assert context.scroll_offset.y == context.max_scroll_y
        assert "this is n2" in stage.text


async def test_folds_cursor_and_filter_of_the_tree_stay(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("minus", "down", "right", "down")
        await stage.press("ampersand", "text:t", "enter", "down")
        node = stage.tree.node
        rows, cursor, target = stage.tree.row_count, stage.tree.cursor, stage.screen._target
        await stage.grow("n1")
        assert node
        assert stage.tree.node
        assert stage.tree.node.key == node.key
        assert (stage.tree.row_count, stage.tree.cursor) == (rows, cursor)
        assert stage.screen._target == target
        assert stage.tree.has_focus


async def test_the_detail_stays_where_one_reads(path: Path) -> None:
    async with following(path, SMALL) as stage:
        await stage.press("tab", *("down",) * 4, "enter", *("down",) * 5)
        detail = stage.screen.query_one(DocumentView)
        assert detail.document
        title, row, top = detail.document.title, detail.cursor, detail.scroll_offset.y
        assert row
        await stage.grow("n1")
        assert detail.document.title == title
        assert (detail.cursor, detail.scroll_offset.y) == (row, top)
        assert detail.has_focus


async def test_the_hit_that_one_is_on_stays(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("slash", "text:refund", "enter", "enter", "enter")
        count = str(stage.screen.query_one("#count").render())
        target = stage.screen._target
        assert count.startswith("4 of")
        await stage.grow("n1")
        assert str(stage.screen.query_one("#count").render()) == count
        assert stage.screen._target == target


async def test_growth_waits_while_another_screen_is_in_front(path: Path) -> None:
    """What is chosen there is a place of the picture that it was made from."""
    async with following(path) as stage:
        await stage.press("f2")
        with path.open("ab") as file:
            file.write(line("n1", stage.ids[-1]))
        stage.app.action_read_on()
        await settled(stage.pilot)
        assert "n1" not in stage.all_ids
        await stage.press("escape")
        await stage.until(lambda: "n1" in stage.ids)


async def test_other_settings_hold_for_what_is_added(path: Path) -> None:
    off = settings_from({"enabled": False})
    async with following(path) as stage:
        stage.app.look_with(off)
        await stage.grow("n1")
        await stage.until(lambda: stage.picture.inspection.settings == off)
        await stage.grow("n2")
        assert stage.picture.inspection.settings == off


# Branches


async def test_another_branch_is_announced_and_not_jumped_to(path: Path) -> None:
    async with following(path) as stage:
        ids = stage.ids
        await stage.grow("n1", under=ids[3])
        assert stage.ids == ids
        assert stage.has_said("the session goes on on another branch")
        assert "newer on another branch" in stage.app.live
        stage.app.look_with(settings_from({"enabled": False}))
        await settled(stage.pilot)
        assert stage.ids == ids
        stage.app.look_at("n1")
        await stage.until(lambda: stage.ids[-1] == "n1")
        await stage.grow("n2")
        assert stage.ids[-2:] == ["n1", "n2"]
        assert stage.app.live == FOLLOWING


async def test_the_leaf_that_was_asked_for_stays(path: Path) -> None:
    async with following(path, is_on=False) as stage:
        leaf = stage.ids[-1]
    async with following(path, leaf=leaf) as stage:
        await stage.grow("n1")
        assert stage.ids[-1] == leaf


# What else becomes of a file


def cut(raw: bytes) -> bytes:
    return raw[: raw.index(b"\n", 9_000) + 1]


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (replace, "the file was replaced"),
        (lambda path: path.write_bytes(cut(path.read_bytes())), "the file was cut off"),
        (lambda path: path.write_bytes(b" " + path.read_bytes()), "the file was rewritten"),
    ],
)
async def test_another_file_is_shown_and_that_is_said(
    path: Path, change: Callable[[Path], Any], said: str
) -> None:
    async with following(path) as stage:
        file = stage.picture.file
        change(path)
        await stage.until(lambda: stage.has_said(said))
        assert stage.picture.file is not file
        assert stage.app.live == FOLLOWING
        await stage.grow("n2")
        assert is_on(stage.pilot, SessionScreen)


async def test_in_another_file_the_same_message_is_selected(path: Path) -> None:
    async with following(path) as stage:
        await stage.press("tab", *("down",) * 6)
        slots = stage.picture.inspection.plan.slots
        entry = slots[stage.context.slot or 0].message.entry
        assert entry
        path.write_bytes(b"\n" + path.read_bytes())
        await stage.until(lambda: stage.has_said("the file was rewritten"))
        slots = stage.picture.inspection.plan.slots
        again = slots[stage.context.slot or 0].message.entry
        assert again
        assert again is not entry
        assert again.id == entry.id
        assert stage.screen._target == SlotTarget(stage.context.slot or 0)


async def test_a_deleted_file_is_waited_for(path: Path) -> None:
    async with following(path) as stage:
        aside = path.rename(path.with_suffix(".aside"))
        await stage.until(lambda: "the file is gone" in stage.app.live)
        assert "the file is gone" in stage.text.split("\n")[0]
        assert stage.context.row_count
        aside.rename(path)
        await stage.until(lambda: stage.app.live == FOLLOWING)
        await stage.grow("n1")


async def test_another_session_is_not_followed_unasked(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(DEMO.read_bytes())
    async with following(path) as stage:
        stage.app.open_session(other)
        await stage.until(lambda: stage.picture.path == other)
        assert stage.app.live == ""


# The end


async def test_nothing_watches_when_the_browser_is_left(path: Path) -> None:
    before = {task for task in asyncio.all_tasks() if not task.done()}
    async with following(path) as stage:
        await stage.grow("n1")
        await stage.press("q")
    # A step that ends only now finds no screen any more.
    assert stage.app._followed() is None
    for _ in range(3):
        await asyncio.sleep(0)
    left = {task for task in asyncio.all_tasks() if not task.done()} - before
    assert left == set()
