"""The find bar alone: what it says when one types, turns options, steps and leaves."""

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Input, Static

import condense_tui.tui
from condense_tui.tui.widgets.find_bar import FindBar

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Any] = []

    def compose(self) -> ComposeResult:
        yield Static("above")
        yield FindBar()

    def on_mount(self) -> None:
        self.bar.open()

    @property
    def bar(self) -> FindBar:
        return self.query_one(FindBar)

    def on_find_bar_sought(self, event: FindBar.Sought) -> None:
        self.heard.append(event.pattern and event.pattern.expression)

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        self.heard.append(event.step)

    def on_find_bar_closed(self) -> None:
        self.heard.append("closed")

    def on_input_changed(self) -> None:
        raise AssertionError("what is typed here is nobody else's business")

    on_input_submitted = on_input_changed


def text_of(app: Stage, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


def found_by(app: Stage, text: str) -> list[str]:
    return [found[0] for found in app.heard[-1].finditer(text)]


async def test_each_letter_is_sought() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "b", "backspace", "backspace")
        assert [heard and heard.pattern for heard in app.heard] == ["a", "ab", "a", None]


@pytest.mark.parametrize(
    ("key", "name", "found"),
    [
        ("alt+c", "case", ["a.b", "a.b"]),
        ("alt+w", "word", ["a.b", "A.B"]),
        ("alt+r", "regex", ["a.b", "A.B", "axb", "a.b"]),
    ],
)
async def test_options_are_turned_and_shown_without_colour(
    key: str, name: str, found: list[str]
) -> None:
    text = "a.b A.B axb a.bc"
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "full_stop", "b")
        assert found_by(app, text) == ["a.b", "A.B", "a.b"]
        assert text_of(app, name) == f"○ {name}"
        await pilot.press(key)
        assert found_by(app, text) == found
        assert text_of(app, name) == f"● {name}"
        await pilot.click(f"#{name}")
        assert found_by(app, text) == ["a.b", "A.B", "a.b"]


async def test_a_terminal_sends_a_letter_with_alt_and_it_is_not_typed() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Key("alt+r", "r"))
        await pilot.pause()
        assert app.query_one(Input).value == ""
        assert text_of(app, "regex") == "● regex"


async def test_a_pattern_that_is_refused_says_why_and_finds_nothing() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("alt+r", *"(a+)+x")
        assert text_of(app, "count").startswith("too slow")
        await pilot.pause()
        assert app.query_one("#count").content_size.width == len(text_of(app, "count"))
        assert app.heard[-1] is None
        await pilot.press("alt+r")
        assert text_of(app, "count") == ""
        assert app.heard[-1] is not None


async def test_steps() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "down", "up", "ctrl+n", "f3", "shift+f3")
        assert app.heard == [1, 1, -1, 1, 1, -1]


async def test_it_closes_and_opens_with_what_was_sought() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "b", "escape")
        assert app.heard[-1] == "closed"
        assert not app.bar.display
        app.bar.open()
        await pilot.pause()
        assert app.heard[-1].pattern == "ab"
        await pilot.press("c")
        assert app.query_one(Input).value == "c"


async def test_it_is_one_line_that_shows_everything_in_80_columns() -> None:
    app = Stage()
    async with app.run_test(size=(80, 24)) as pilot:
        app.bar.show_count("1,234 of 10,000+…")
        await pilot.press(*"a long thing to look for")
        app.bar.show_count("1,234 of 10,000+…")
        await pilot.pause()
        assert app.bar.size.height == 1
        for name in ("case", "word", "regex", "count"):
            region = app.query_one(f"#{name}").region
            assert region.right <= 80
            assert region.width >= len(text_of(app, name))
        assert app.query_one(Input).size.width > 10
