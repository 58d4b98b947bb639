"""Leaving: whatever the way out, theme and view are remembered, or it is said why not."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from condense_tui.tui.app import CondenseApp
from condense_tui.tui.screens.failure import FailureScreen
from condense_tui.tui.screens.session import SessionScreen
from tests.tui.stage import DEMO, is_on, settled, wait_until

Way = Callable[[Pilot[Any]], Awaitable[None]]


@pytest.fixture(autouse=True)
def _with_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


async def leave_with(key: str, kind: type, pilot: Pilot[Any]) -> None:
    await wait_until(pilot, lambda: is_on(pilot, kind))
    await settled(pilot)
    pilot.app.theme = "nord"
    pilot.app.simulate_key(key)
    await wait_until(pilot, lambda: pilot.app.return_code is not None)


@pytest.mark.parametrize(
    ("session", "key", "kind"),
    [
        (DEMO, "q", SessionScreen),
        (DEMO, "ctrl+q", SessionScreen),
        (Path("none.jsonl"), "q", FailureScreen),
        (Path("none.jsonl"), "ctrl+q", FailureScreen),
    ],
)
async def test_every_way_out_remembers(tmp_path: Path, session: Path, key: str, kind: type) -> None:
    kept = tmp_path / "preferences.json"
    async with CondenseApp(session, preferences=kept).run_test() as pilot:
        await leave_with(key, kind, pilot)
    assert json.loads(kept.read_text())["theme"] == "nord"


async def test_what_cannot_be_remembered_is_said_after_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fil\x1be").write_text("")
    app = CondenseApp(Path("none.jsonl"), preferences=tmp_path / "fil\x1be" / "preferences.json")

    async def leave(pilot: Pilot[Any]) -> None:
        await leave_with("q", FailureScreen, pilot)

    await app.run_async(headless=True, auto_pilot=leave)
    said = "".join(capsys.readouterr().err.split("\n"))
    assert said.startswith("theme and view not kept: ")
    assert "\x1b" not in said
    assert app.return_code == 0
