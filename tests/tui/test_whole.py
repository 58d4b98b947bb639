"""Ctrl-O: one thing whole in an overlay."""

from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.containers import Vertical
from textual.content import Content

import condense_tui.tui
from condense_tui.inspection.links import CallTarget, Target
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.frame import Frame
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.lines import line

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
LINES = "\n".join(["- `t1` **first**", *(f"- line {n}" for n in range(2, 301))])


def named(name: str) -> Target | None:
    return CallTarget("bash_1") if name == "t1" else None


def document() -> Document:
    blocks = (Block(line("about it")), Block(text=LINES, form=Form.MARKDOWN, passage=0))
    return Document("Turn 3 summary [/x]", blocks, LINES, body=1, target_named=named)


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self) -> None:
        super().__init__()
        self.results: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(WholeScreen(document()), self.results.append)


def first_row(app: Stage) -> str:
    return app.screen.query_one(DocumentView).render_line(0).text.rstrip()


def subtitle(app: Stage) -> str:
    return str(app.screen.query_one(Vertical).border_subtitle)


async def test_it_says_what_it_is_and_shows_that_and_nothing_about_it() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        title = Content.from_markup(str(app.screen.query_one(Vertical).border_title))
        assert title.plain == "Turn 3 summary [/x]"
        assert first_row(app) == "• t1 first"


async def test_where_one_is_is_drawn_without_the_frame_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, drawn = Stage(), []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        frame = app.screen.query_one(Frame)
        monkeypatch.setattr(frame, "_set_dirty", lambda *regions: drawn.append(regions))
        frame.show_below("8–9 of 9")
    (regions,) = drawn
    below = frame.outer_size.height - 1 - frame.content_offset.y
    assert [(region.y, region.height) for region in regions] == [(below, 1)]


async def test_where_one_is_stands_on_the_screen_after_a_page() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("pagedown")
        await pilot.pause()
        position = app.screen.query_one(DocumentView).position_text
        assert not position.startswith("1–")
        assert position.replace(" ", "&#160;") in app.export_screenshot()


async def test_nothing_is_folded_and_the_position_is_shown() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        height = app.screen.query_one(DocumentView).size.height
        assert subtitle(app) == f"1–{height} of 300"
        for key, first in (("down", 2), ("space", height + 1), ("b", 2), ("up", 1)):
            await pilot.press(key)
            await pilot.pause()
            assert subtitle(app).startswith(f"{first}–")
        await pilot.press("end")
        await pilot.pause()
        assert subtitle(app).endswith("–300 of 300")


async def test_the_source_is_a_key_away() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("m")
        await pilot.pause()
        assert first_row(app) == "- `t1` **first**"


@pytest.mark.parametrize("key", ["ctrl+o", "escape", "q", "backspace"])
async def test_every_way_out_leads_back(key: str) -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert app.results == [None]
        assert app.is_running


async def test_a_link_leads_out_to_its_target() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert app.results == [CallTarget("bash_1")]


async def test_copy_takes_the_original() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("y")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert app.clipboard == LINES
