"""The theme without colours: nothing that reaches the terminal has one, and things stay apart."""

import re
from pathlib import Path
from typing import ClassVar

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.widgets import Footer, Input, Markdown

import condense_tui.tui
from condense_tui.tui.themes import MONOCHROME, is_colourless, wear_theme
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import Span, Tone, line

FOLDER = Path(next(iter(condense_tui.tui.__path__)))


@pytest.mark.parametrize("path", sorted((FOLDER / "widgets").glob("*.py")), ids=lambda p: p.stem)
def test_a_widget_names_no_colour(path: Path) -> None:
    """They stand in the stylesheet."""
    assert not re.search(r"\$(?!PAGER|EDITOR|OPENAI_)\w", path.read_text(encoding="utf-8"))


class ThemedApp(App[None]):
    CSS_PATH: ClassVar[list[Path]] = [FOLDER / "condense.tcss", FOLDER / "monochrome.tcss"]
    BINDINGS = (("q", "quit", "Quit"),)

    def __init__(self, remembered: str | None = None) -> None:
        super().__init__(ansi_color=True if is_colourless() else None)
        self.remembered = remembered

    def compose(self) -> ComposeResult:
        yield LineList()
        yield Input("text")
        yield Markdown("# Title\n\n`code`\n\n```python\nx = 1\n```")
        yield Footer()

    def on_mount(self) -> None:
        wear_theme(self, self.remembered)
        rows = self.query_one(LineList)
        rows.show_rows([line(Span(tone.value, tone)) for tone in Tone])
        rows.focus()


async def styles_of(app: ThemedApp) -> list[tuple[str, Style]]:
    async with app.run_test(size=(60, 30)) as pilot:
        app.notify("a notice")
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        return [(text, style or Style()) for strip in strips for text, style, _ in strip]


def has_colour(style: Style) -> bool:
    return any(color and not color.is_default for color in (style.color, style.bgcolor))


async def test_with_no_color_no_colour_leaves_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = ThemedApp("nord")
    coloured = [text for text, style in await styles_of(app) if has_colour(style)]
    assert coloured == []
    assert app.theme == MONOCHROME.name


async def test_without_colours_every_state_still_looks_different(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    styles = dict(await styles_of(ThemedApp()))
    assert styles["plain"].reverse, "the row under the cursor"
    looks = {
        tone: (styles[tone].bold, styles[tone].italic, styles[tone].underline) for tone in Tone
    }
    assert styles[Tone.DIM].dim
    assert looks[Tone.STRONG][0]
    assert len({looks[Tone.GOOD], looks[Tone.WARNING], looks[Tone.BAD]}) == 3


async def test_with_colours_the_remembered_theme_is_worn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    app = ThemedApp("nord")
    assert any(has_colour(style) for _, style in await styles_of(app))
    assert app.theme == "nord"


@pytest.mark.parametrize("remembered", [None, "gone"])
async def test_a_theme_that_is_not_there_leaves_the_default(
    monkeypatch: pytest.MonkeyPatch, remembered: str | None
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    app = ThemedApp(remembered)
    before = app.theme
    await styles_of(app)
    assert app.theme == before
