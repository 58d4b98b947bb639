"""What comes late or twice: answers about what is no longer shown, and keys on their way."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from condense_tui.inspection.links import CallTarget, SlotTarget, Target
from condense_tui.pruning.settings import settings_from
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.picture import Picture, read_picture, take_picture, while_shown
from condense_tui.tui.screens.findings import FindingsScreen
from condense_tui.tui.screens.query import QueryResult, QueryScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.document import Block, Document
from condense_tui.view.lines import line
from tests.build import SessionBuilder
from tests.tui.stage import DEMO, browsing, is_on, press, settled, wait_until

# Pictures


def picture_of(app: App[Any]) -> Picture:
    assert isinstance(app, CondenseApp)
    assert app.picture is not None
    return app.picture


async def test_the_late_picture_of_an_earlier_session_is_dropped(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(SessionBuilder().user("another session").raw)
    async with browsing(DEMO) as pilot:
        app, first = pilot.app, picture_of(pilot.app)
        assert isinstance(app, CondenseApp)
        late = take_picture(first.path, first.inspection.branch, settings_from({"enabled": True}))
        app.open_session(other)
        await wait_until(pilot, lambda: picture_of(app).path == other)
        await settled(pilot)
        app.post_message(CondenseApp.PictureTaken(late))
        await settled(pilot)
        assert picture_of(app).path == other
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        assert screen._picture is picture_of(app)


def test_an_answer_is_taken_while_its_picture_is_shown() -> None:
    shown: list[Any] = [SimpleNamespace()]
    taken: list[str] = []
    take = while_shown(lambda: shown[-1], taken.append)
    take("in time")
    shown.append(SimpleNamespace())
    take("late")
    shown.pop()
    take("shown again")
    assert taken == ["in time", "shown again"]


@pytest.mark.parametrize(
    ("key", "screen", "answer"),
    [
        ("f2", FindingsScreen, SlotTarget(10_000)),
        ("colon", QueryScreen, QueryResult(SlotTarget(10_000))),
        ("ctrl+o", WholeScreen, SlotTarget(10_000)),
    ],
)
async def test_what_was_chosen_in_an_earlier_picture_is_not_opened(
    key: str, screen: type, answer: Any
) -> None:
    async with browsing(DEMO) as pilot:
        await press(pilot, "down", key)
        await wait_until(pilot, lambda: is_on(pilot, screen))
        app = pilot.app
        assert isinstance(app, CondenseApp)
        before = picture_of(app)
        app.look_with(settings_from({"enabled": True}))
        await wait_until(pilot, lambda: picture_of(app) is not before)
        await settled(pilot)
        app.screen.dismiss(answer)
        await settled(pilot)
        session = app.screen
        assert isinstance(session, SessionScreen)
        assert session._target != SlotTarget(10_000)


# Two keys at once


class Stage(App[None]):
    """Shows one screen and remembers every answer; below it nothing hears a key."""

    def __init__(self, screen: Any) -> None:
        super().__init__()
        self.shown = screen
        self.answers: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(self.shown, self.answers.append)


async def press_at_once(pilot: Pilot[None], key: str, times: int) -> None:
    """As when a key is held down: the next one comes before the screen heard of the last one."""
    for _ in range(times):
        pilot.app.simulate_key(key)
    await settled(pilot)


def linked() -> Document:
    target: Target = CallTarget("t1")
    return Document("title", (Block(line("a link"), target=target),), "")


@pytest.fixture(scope="module")
def demo() -> Picture:
    taken = read_picture(DEMO, None, settings_from(None))
    assert isinstance(taken, Picture)
    return taken


async def test_two_enters_at_once_choose_one_finding(demo: Picture) -> None:
    app = Stage(FindingsScreen(demo))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press_at_once(pilot, "enter", 2)
    assert [type(answer) for answer in app.answers] == [SlotTarget]


async def test_two_enters_at_once_follow_one_link() -> None:
    app = Stage(WholeScreen(linked()))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press_at_once(pilot, "enter", 2)
    assert app.answers == [CallTarget("t1")]


async def test_two_enters_at_once_open_one_answer(demo: Picture) -> None:
    history: list[str] = []
    app = Stage(QueryScreen(demo, history))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "text:t12", "enter")
        assert isinstance(app.screen.focused, LineList)
        await press_at_once(pilot, "enter", 2)
    assert [type(answer.target) for answer in app.answers] == [CallTarget]
    assert history == ["t12"]


# Pasting


class Field(App[None]):
    def compose(self) -> ComposeResult:
        yield PrintableInput("/a/z")


@pytest.mark.parametrize(
    ("pasted", "value"),
    [
        ("b/c", "/a/b/cz"),
        ("\x1b]52;c;aGk=\x07", "/a/␛]52;c;aGk=␇z"),
        ("\u202eabc\x9b", "/a/\\u202eabc\\x9bz"),
        ("\r\nfirst\r\nsecond", "/a/firstz"),
        ("first\rsecond", "/a/firstz"),
        ("\ud83d", "/a/\ufffdz"),
    ],
)
async def test_no_control_character_is_pasted(pasted: str, value: str) -> None:
    app = Field()
    async with app.run_test(size=(60, 3)) as pilot:
        field = app.query_one(PrintableInput)
        field.cursor_position = 3
        field.post_message(events.Paste(pasted))
        await settled(pilot)
        assert field.value == value
