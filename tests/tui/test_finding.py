"""Finding: from what is typed to the hit that is shown."""

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Input, Static

import condense_tui.demo
import condense_tui.tui
from condense_tui.inspection.links import SlotTarget
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import MAX_HITS, Found, Hit
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session, read_session
from condense_tui.tui.finding import Finder, look_for
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.finding import FindingScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.find_bar import FindBar

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"


@pytest.fixture(scope="module")
def picture() -> Picture:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    return take_picture(DEMO, default_branch(session), settings_from(None))


def pattern(text: str) -> SearchPattern:
    made = make_pattern(text)
    assert isinstance(made, SearchPattern)
    return made


def found(*starts: int, is_given_up: bool = False) -> Found:
    hits = (Hit(SlotTarget(0), 0, start, start + 1, "x") for start in starts)
    return Found(tuple(hits), is_given_up)


# ── the finder ──


def test_steps_go_round() -> None:
    finder = Finder(pattern("x"))
    finder.add([found(1, 2), found(3)])
    steps = [1, 1, 1, 1, -1, -1]
    assert [hit and hit.start for hit in map(finder.step, steps)] == [1, 2, 3, 1, 3, 2]


def test_the_first_step_back_is_to_the_last_hit() -> None:
    finder = Finder(pattern("x"))
    finder.add([found(1, 2, 3)])
    hit = finder.step(-1)
    assert hit
    assert hit.start == 3


def test_the_count_says_where_one_is_and_whether_that_is_all() -> None:
    finder = Finder(pattern("x"))
    assert finder.count_text == "…"
    finder.add([found(1)])
    assert finder.count_text == "1 hit…"
    finder.add([found(2, 3)])
    finder.step(1)
    assert finder.count_text == "1 of 3…"
    finder.end()
    assert finder.count_text == "1 of 3"
    finder.add([found(is_given_up=True)])
    assert finder.count_text == "1 of 3, gave up on 1 text"
    finder.add([found(*range(MAX_HITS))])
    assert finder.count_text.startswith("1 of 10,003+")


def test_nothing_is_said_of_nothing() -> None:
    assert Finder().count_text == ""
    assert Finder().step(1) is None
    finder = Finder(pattern("x"))
    finder.end()
    assert finder.count_text == "nothing found"


def test_a_look_can_be_cancelled_and_then_delivers_nothing(picture: Picture) -> None:
    delivered: list[bool] = []
    look_for(picture, pattern("e"), lambda _, is_over: delivered.append(is_over), lambda: True)
    assert delivered == []
    look_for(picture, pattern("e"), lambda _, is_over: delivered.append(is_over), lambda: False)
    assert delivered[-1]
    assert delivered.count(True) == 1


# ── the screen ──


class Viewer(FindingScreen):
    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture

    def compose(self) -> ComposeResult:
        yield DocumentView()
        yield FindBar()

    def searched_picture(self) -> Picture:
        return self._picture

    def show_hit(self, hit: Hit) -> None:
        view = self.query_one(DocumentView)
        view.show_document(self._picture.documents.document(hit.target))
        view.go_to(hit.passage, hit.start)

    def mark_hits(self, pattern: SearchPattern | None) -> None:
        self.query_one(DocumentView).highlight(pattern)

    def leave_find(self) -> None:
        self.query_one(DocumentView).focus()


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture

    def on_mount(self) -> None:
        self.push_screen(Viewer(self._picture))


def count(app: Stage) -> str:
    return str(app.screen.query_one("#count", Static).render())


def row(app: Stage) -> str:
    view = app.screen.query_one(DocumentView)
    return view.render_line(view.cursor - view.scroll_offset.y).text


def marked(app: Stage) -> list[str]:
    view = app.screen.query_one(DocumentView)
    strip = view.render_line(view.cursor - view.scroll_offset.y)
    return [part.text for part in strip if part.style and part.style.reverse]


async def until(pilot: Pilot[None], words: str) -> None:
    app = pilot.app
    assert isinstance(app, Stage)
    for _ in range(200):
        await pilot.pause(0.01)
        if words in count(app):
            return
    raise AssertionError(f"{words!r} is not said, but {count(app)!r}")


async def opened(pilot: Pilot[None], text: str) -> None:
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, Viewer)
    screen.action_find()
    await pilot.pause()
    await pilot.press(*text)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_person_finds_a_word_in_what_was_pruned(
    picture: Picture, size: tuple[int, int]
) -> None:
    app = Stage(picture)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "R-209000")
        await until(pilot, "1 hit")
        await pilot.press("enter")
        await until(pilot, "1 of 1")
        await pilot.pause()
        assert "R-209000" in row(app)
        assert marked(app) == ["R-209000"]


async def test_every_hit_of_the_demo_is_shown_where_it_stands(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "half a cent")
        await until(pilot, "hits")
        total = int(count(app).split()[0])
        assert total > 2
        for number in range(1, total + 1):
            await pilot.press("down")
            await until(pilot, f"{number} of {total}")
            await pilot.pause()
            assert "half" in row(app).lower()
            assert marked(app)


async def test_a_step_that_comes_too_early_is_taken_when_there_is_a_hit(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "")
        app.screen.query_one(Input).value = "refund"
        app.screen.query_one(FindBar).action_step(1)
        await until(pilot, "1 of ")


async def test_leaving_marks_nothing_and_gives_the_focus_back(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "refund")
        await until(pilot, "hits")
        await pilot.press("enter")
        await until(pilot, "1 of")
        await pilot.pause()
        assert marked(app)
        await pilot.press("escape")
        await pilot.pause()
        assert not marked(app)
        assert isinstance(app.focused, DocumentView)


async def test_what_is_not_there_is_said(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "zebra crossing")
        await until(pilot, "nothing found")
