"""Work in a thread: what is seen of it, how it ends, and how it is given up."""

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from textual.app import App
from textual.screen import ModalScreen
from textual.widgets import ProgressBar, Static

import condense_tui.demo
import condense_tui.tui
from condense_tui.pruning.settings import settings_from
from condense_tui.session.entries import Session
from condense_tui.store import GIVEN_UP, Progress
from condense_tui.store_open import open_session
from condense_tui.tui.glimpse import Glimpse, read_glimpse
from condense_tui.tui.picture import Picture, read_picture
from condense_tui.tui.screens import loading
from condense_tui.tui.screens.loading import Loaded, LoadingScreen
from tests.tui.stage import wait_until

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
PATH = Path("/s/[/x]\x1b[2J.jsonl")


class LoadingApp(App[None]):
    """Remembers the answer."""

    CSS_PATH = STYLES

    def __init__(self, work: Callable[[Progress], Any], path: Path = PATH) -> None:
        super().__init__()
        self.looks = 0
        self._path = path
        self.loading: LoadingScreen[Any] = LoadingScreen(path, work, self._look_ahead)
        self.answers: list[Any] = []

    def _look_ahead(self) -> Glimpse:
        self.looks += 1
        return read_glimpse(self._path, None, settings_from(None))

    def on_mount(self) -> None:
        self.push_screen(self.loading, self.answers.append)

    def text_of(self, name: str) -> str:
        """What it says; nothing before it is to be seen."""
        return "".join(str(found.content) for found in self.loading.query(name).results(Static))


class Reader:
    """Work that reads up to a half, waits to be let on, and notes whether it was given up."""

    def __init__(self, read: int = 500_000, size: int = 1_000_000) -> None:
        self.told = (read, size)
        self.go_on = Event()
        self.ended = Event()
        self.was_given_up = False

    def __call__(self, progress: Progress) -> str:
        progress(*self.told)
        self.go_on.wait(10)
        self.was_given_up = not progress(*self.told)
        self.ended.set()
        return "the result"


async def test_a_session_is_read_and_handed_on() -> None:
    app = LoadingApp(lambda progress: open_session(DEMO, progress), DEMO)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: bool(app.answers))
        assert app.screen is not app.loading
    (loaded,) = app.answers
    assert isinstance(loaded.result, Session)


@pytest.mark.parametrize(
    ("told", "percentage", "words"),
    [
        ((500_000, 1_000_000), 0.5, "500.0 kB of 1.0 MB"),
        ((1_000_000, 1_000_000), 1.0, "1.0 MB read, working it out"),
    ],
)
async def test_name_and_bytes_are_shown(
    told: tuple[int, int], percentage: float, words: str
) -> None:
    reader = Reader(*told)
    app = LoadingApp(reader)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.text_of("#state") == words)
        assert app.text_of("#name") == "/s/[/x]␛[2J.jsonl"
        assert app.loading.query_one(ProgressBar).percentage == percentage
        await wait_until(pilot, lambda: not app.loading.has_class("-unseen"))
        reader.go_on.set()
        await wait_until(pilot, lambda: app.answers == [Loaded("the result")])


async def test_esc_gives_it_up_and_its_result_is_dropped() -> None:
    reader = Reader()
    app = LoadingApp(reader)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "of" in app.text_of("#state"))
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.answers == [None])
        reader.go_on.set()
        await wait_until(pilot, reader.ended.is_set)
        assert reader.was_given_up
        assert app.answers == [None]
        assert len(app.screen_stack) == 1


async def test_esc_gives_it_up_before_there_is_anything_to_see() -> None:
    reader = Reader()
    app = LoadingApp(reader)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.screen is app.loading)
        assert not app.loading.children
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.answers == [None])
        reader.go_on.set()


async def test_what_cannot_be_opened_is_handed_on_too() -> None:
    app = LoadingApp(lambda _progress: GIVEN_UP)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: app.answers == [Loaded(GIVEN_UP)])


async def test_what_is_done_below_another_screen_waits_for_it() -> None:
    reader = Reader()
    app = LoadingApp(reader)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "of" in app.text_of("#state"))
        above: ModalScreen[None] = ModalScreen()
        await app.push_screen(above)
        reader.go_on.set()
        await wait_until(pilot, reader.ended.is_set)
        await pilot.pause()
        assert app.screen is above
        above.dismiss()
        await wait_until(pilot, lambda: app.answers == [Loaded("the result")])
        assert len(app.screen_stack) == 1


async def test_what_the_session_is_about_is_known_before_it_is_read() -> None:
    reader = Reader(5_000_000, 10_000_000)
    app = LoadingApp(reader, DEMO)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "refund rounding bug" in app.text_of("#ahead"))
        assert "entries pruned" in app.text_of("#ahead")
        reader.go_on.set()
        await wait_until(pilot, lambda: app.answers == [Loaded("the result")])


async def test_it_is_not_read_on_before_the_rows_are_seen() -> None:
    """Whoever draws them would have to share the processor."""
    seen = []

    def work(progress: Progress) -> None:
        progress(5_000_000, 10_000_000)
        seen.append(app.loading.has_class("-rows") and len(app.loading.children))

    app = LoadingApp(work, DEMO)
    with patch.object(loading, "_SECONDS_TO_DRAW", 60):
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_until(pilot, lambda: bool(app.answers))
    assert seen == [4]


async def test_nothing_is_shown_ahead_of_a_file_that_is_soon_read() -> None:
    reader = Reader()
    app = LoadingApp(reader, DEMO)
    async with app.run_test(size=(80, 24)) as pilot:
        reader.go_on.set()
        await wait_until(pilot, lambda: bool(app.answers))
    assert app.looks == 0


@pytest.mark.parametrize(("size", "is_collecting"), [(1_000_000, True), (400_000_000, False)])
async def test_nothing_is_collected_while_much_is_read(size: int, is_collecting: bool) -> None:
    collecting = []

    def work(progress: Progress) -> None:
        progress(1, size)
        collecting.append(gc.isenabled())

    app = LoadingApp(work)
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: bool(app.answers))
    assert collecting == [is_collecting]
    assert gc.isenabled()


def test_what_is_never_looked_through_is_freed_all_the_same() -> None:
    """A picture holds no cycles; else one after another would stay."""
    picture = read_picture(DEMO, None, settings_from(None))
    assert isinstance(picture, Picture)
    gc.collect()
    gc.disable()
    try:
        held = weakref.ref(picture.inspection)
        del picture
        assert held() is None
    finally:
        gc.enable()
