"""A spilled output whose file is slow: nothing waits for it, and nothing late is shown."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import settings_from
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.screens.export import ExportScreen
from condense_tui.tui.screens.query import QueryScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from tests.build import SessionBuilder, record, ref, spilled
from tests.tui.stage import browsing, is_on, press, screen_text, settled, wait_until

BODY = "".join(f"row {number} of the body\n" for number in range(400))


class SlowReader:
    """Reads nothing until it is let; counts what it was asked for."""

    def __init__(self) -> None:
        self.is_let = Event()
        self.asked: list[str] = []

    def __call__(self, record: Record) -> bytes | None:
        self.asked.append(record.key)
        assert self.is_let.wait(60)
        return BODY.encode()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowReader]:
    slow = SlowReader()
    monkeypatch.setattr("condense_tui.tui.picture.sidecar_reader", lambda _: slow)
    yield slow
    slow.is_let.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A summary of a call whose output is in a file and of one whose output is not."""
    session = SessionBuilder().user().turn("slow", at=10).turn("quick", at=20)
    session.summary(ref("t1", "slow", 10), ref("t2", "quick", 20))
    session.index(spilled("slow", 10), record("quick", 20, "the quick output"))
    file = tmp_path / "session.jsonl"
    file.write_bytes(session.answer().raw)
    return file


async def keys(pilot: Pilot[None], *pressed: str) -> None:
    """Press keys while something is still being read, so that one cannot wait for all to end."""
    for key in pressed:
        pilot.app.simulate_key(key)
        for _ in range(5):
            await pilot.pause(0)


def detail(pilot: Pilot[Any]) -> DocumentView:
    return pilot.app.screen.query_one(DocumentView)


def seen(pilot: Pilot[Any], text: str) -> bool:
    return text in screen_text(pilot.app)


async def at_the_slow_call(pilot: Pilot[None]) -> None:
    await press(pilot, "right", "down")
    await keys(pilot, "enter")
    await wait_until(pilot, lambda: seen(pilot, "reading …"))


async def test_keys_work_and_what_comes_late_is_not_shown(path: Path, reader: SlowReader) -> None:
    async with browsing(path) as pilot:
        await at_the_slow_call(pilot)
        assert seen(pilot, "t1 · slow@10")
        tree = pilot.app.screen.query_one(FoldTree)
        tree.focus()
        await keys(pilot, "down")
        await wait_until(pilot, lambda: seen(pilot, "the quick output"))
        reader.is_let.set()
        await settled(pilot)
        assert seen(pilot, "the quick output")
        assert not seen(pilot, "of the body")


async def test_the_output_comes_below_what_is_read_and_the_cursor_stays(
    path: Path, reader: SlowReader
) -> None:
    async with browsing(path) as pilot:
        await at_the_slow_call(pilot)
        await keys(pilot, "down", "down")
        reader.is_let.set()
        await wait_until(pilot, lambda: seen(pilot, "row 0 of the body"))
        assert detail(pilot).cursor == 2
        assert not seen(pilot, "reading …")


async def test_each_file_is_read_once_and_everything_gets_all_of_it(
    path: Path, reader: SlowReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(
        "condense_tui.tui.outside.open_outside", lambda app, text, *_: shown.append(text)
    )
    reader.is_let.set()
    async with browsing(path) as pilot:
        await press(pilot, "right", "down", "y")
        assert pilot.app.clipboard == BODY
        await press(pilot, "enter", "y", "O", "E", "ctrl+o")
        assert shown == [BODY, BODY]
        assert detail(pilot).row_count == 401
        await press(pilot, "y", "escape", "escape", "colon", "text:t1", "enter", "down")
        assert is_on(pilot, QueryScreen)
        assert seen(pilot, "row 0 of the body")
        await press(pilot, "y")
        assert pilot.app.clipboard == BODY
    assert reader.asked == ["slow@10"]


async def test_a_copy_waits_for_the_file(path: Path, reader: SlowReader) -> None:
    async with browsing(path) as pilot:
        await at_the_slow_call(pilot)
        await keys(pilot, "y")
        assert pilot.app.clipboard == ""
        reader.is_let.set()
        await wait_until(pilot, lambda: pilot.app.clipboard == BODY)


async def test_the_overlay_opens_and_closes_before_the_file_is_read(
    path: Path, reader: SlowReader
) -> None:
    async with browsing(path) as pilot:
        await press(pilot, "right", "down")
        await keys(pilot, "ctrl+o")
        await wait_until(pilot, lambda: is_on(pilot, WholeScreen) and seen(pilot, "reading …"))
        await keys(pilot, "escape")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await keys(pilot, "ctrl+o")
        await wait_until(pilot, lambda: is_on(pilot, WholeScreen))
        reader.is_let.set()
        await wait_until(pilot, lambda: seen(pilot, "row 0 of the body"))
        assert not seen(pilot, "Arguments")


async def test_an_editor_is_not_opened_on_what_one_has_left(
    path: Path, reader: SlowReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(
        "condense_tui.tui.outside.open_outside", lambda app, text, *_: shown.append(text)
    )
    async with browsing(path) as pilot:
        await press(pilot, "right", "down")
        await keys(pilot, "E", "down")
        reader.is_let.set()
        await settled(pilot)
    assert shown == []


async def test_a_hit_is_gone_to_when_its_text_is_there(path: Path, reader: SlowReader) -> None:
    async with browsing(path) as pilot:
        await at_the_slow_call(pilot)
        detail(pilot).go_to(1, BODY.index("row 300 "))
        await keys(pilot)
        reader.is_let.set()
        await wait_until(pilot, lambda: seen(pilot, "row 300 of the body"))
        await settled(pilot)
        view = detail(pilot)
        assert view.render_line(view.cursor - view.scroll_offset.y).text.startswith("row 300 ")


async def test_another_look_reads_for_itself(path: Path, reader: SlowReader) -> None:
    async with browsing(path) as pilot:
        await at_the_slow_call(pilot)
        app = pilot.app
        assert isinstance(app, CondenseApp)
        before = app.picture
        app.look_with(settings_from({"enabled": False}))
        await wait_until(pilot, lambda: app.picture is not before)
        reader.is_let.set()
        await wait_until(pilot, lambda: seen(pilot, "row 0 of the body"))
    assert reader.asked == ["slow@10", "slow@10"]


async def test_the_query_answers_keys_while_it_reads(path: Path, reader: SlowReader) -> None:
    async with browsing(path) as pilot:
        await press(pilot, "colon")
        await keys(pilot, *"t1 t2")
        assert pilot.app.screen.query_one(Input).value == "t1 t2"
        reader.is_let.set()
        await wait_until(pilot, lambda: seen(pilot, "2 occurrences"))
        await press(pilot, "enter", "down")
        assert seen(pilot, "the quick output")
        await press(pilot, "up")
        assert seen(pilot, "row 0 of the body")
    assert reader.asked == ["slow@10"]


async def test_the_export_dialog_opens_before_the_file_is_read(
    path: Path, reader: SlowReader
) -> None:
    async with browsing(path) as pilot:
        await press(pilot, "right", "down")
        await keys(pilot, "e")
        await wait_until(pilot, lambda: is_on(pilot, ExportScreen))
        await wait_until(pilot, lambda: seen(pilot, "this output: t1 bash · 70.0k bytes"))
        await keys(pilot, "tab")
        assert not pilot.app.screen.query_one("#what", LineList).has_focus
        reader.is_let.set()
        tally = pilot.app.screen.query_one("#tally", Static)
        await wait_until(pilot, lambda: "2 files" in str(tally.content))
        assert seen(pilot, f"slow@10.txt  {len(BODY) / 1000:.1f}k bytes")
