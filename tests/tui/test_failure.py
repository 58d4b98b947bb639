"""The screen that says why a session cannot be opened."""

from pathlib import Path

import pytest
from textual.app import App
from textual.widgets import Static

import condense_tui.tui
from condense_tui.tui.screens.failure import FailureScreen, NextStep

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"


class FailureApp(App[None]):
    """Remembers the answer."""

    CSS_PATH = STYLES

    def __init__(self, path: str = "/s/a.jsonl", reason: str = "permission denied") -> None:
        super().__init__()
        self.failure = FailureScreen(Path(path), reason)
        self.answers: list[NextStep | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.failure, self.answers.append)


@pytest.mark.parametrize(
    ("key", "step"),
    [
        ("enter", NextStep.CHOOSE),
        ("escape", NextStep.CHOOSE),
        ("c", NextStep.CHOOSE),
        ("r", NextStep.TRY_AGAIN),
        ("q", NextStep.QUIT),
    ],
)
async def test_each_key_is_a_next_step(key: str, step: NextStep) -> None:
    app = FailureApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
    assert app.answers == [step]


async def test_file_and_reason_are_shown_as_they_are_and_whole() -> None:
    app = FailureApp("/s/[/x]\x1b[2J.jsonl", "[b + " + "a long reason " * 20 + "end")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        name, reason = (app.failure.query_one(f"#{part}", Static) for part in ("name", "reason"))
        lines = [reason.render_line(y).text for y in range(reason.size.height)]
        assert str(name.content) == "/s/[/x]␛[2J.jsonl"
    assert " ".join("".join(lines).split()).startswith("[b + a long reason")
    assert "".join(lines).rstrip().endswith("end")
