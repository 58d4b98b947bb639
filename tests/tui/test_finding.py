"""Finding: from what is typed to the hit that is shown."""

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

import condense_tui.demo
import condense_tui.tui
from condense_tui.inspection.links import SlotTarget
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import MAX_HITS, Found, Hit
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.finding import Finder, look_for
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.find_pane import FindPane

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


# ── the search behind the bar, and the detail that shows a hit ──


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture

    def compose(self) -> ComposeResult:
        yield DocumentView()
        yield FindPane()

    def on_mount(self) -> None:
        self.query_one(FindPane).show_picture(self._picture)

    def on_find_pane_reached(self, event: FindPane.Reached) -> None:
        view = self.query_one(DocumentView)
        view.highlight(event.pattern)
        if event.hit:
            view.show_document(self._picture.documents.document(event.hit.target))
            view.go_to(event.hit.passage, event.hit.start)

    def on_find_pane_closed(self) -> None:
        self.query_one(DocumentView).focus()


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
    pilot.app.query_one(FindPane).open()
    await pilot.pause()
    await pilot.press(*text)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_person_finds_a_word_in_what_was_pruned(
    picture: Picture, size: tuple[int, int]
) -> None:
    app = Stage(picture)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "R-208612")
        await until(pilot, "1 of 1")
        await pilot.pause()
        assert "R-208612" in row(app)
        assert marked(app) == ["R-208612"]


async def test_every_hit_of_the_demo_is_shown_where_it_stands(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "half a cent")
        await until(pilot, "1 of ")
        total = int(count(app).split()[-1])
        assert total > 2
        for number in (*range(2, total + 1), 1):
            await pilot.press("down")
            await until(pilot, f"{number} of {total}")
            await pilot.pause()
            assert "half" in row(app).lower()
            assert marked(app)


async def test_leaving_marks_nothing_and_gives_the_focus_back(picture: Picture) -> None:
    app = Stage(picture)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "refund")
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
