"""The footer is one line: what it shows, and that a click on a key is that key."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from condense_tui.tui.widgets.key_footer import KeyFooter


class Keyed(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "note('a')", "First"),
        Binding("f2", "note('f2')", "Second", tooltip="Does more"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input()
        yield KeyFooter()

    def action_note(self, key: str) -> None:
        self.noted.append(key)


def shown(app: App[None]) -> str:
    return app.query_one(KeyFooter).render().plain


async def test_it_has_no_widgets_of_its_own_and_shows_what_can_be_pressed() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 10)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        assert shown(app).startswith(" a First  f2 Second ")
        assert shown(app).endswith("▏^p palette ")
        assert list(app.query_one(KeyFooter).children) == []


async def test_what_would_be_typed_is_no_key() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 10)) as pilot:
        app.query_one(Input).focus()
        await pilot.pause()
        assert "First" not in shown(app)
        assert "Second" in shown(app)


async def test_a_click_is_the_key() -> None:
    app = Keyed()
    async with app.run_test(size=(60, 10)) as pilot:
        app.screen.set_focus(None)
        await pilot.pause()
        await pilot.click(KeyFooter, offset=(shown(app).index("Second"), 0))
        await pilot.click(KeyFooter, offset=(30, 0))
        await pilot.pause()
        assert app.noted == ["f2"]
        assert app.query_one(KeyFooter).tooltip is None
        await pilot.hover(KeyFooter, offset=(shown(app).index("Second"), 0))
        assert app.query_one(KeyFooter).tooltip == "Does more"
