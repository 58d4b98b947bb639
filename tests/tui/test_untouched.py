"""A walk through the whole browser leaves a session, what lies beside it and all times alone."""

import hashlib
import json
from pathlib import Path

import pytest
from textual.widgets import Input

from condense_tui.pruning.settings import settings_from
from condense_tui.store import LoadedSettings, load_settings
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.screens.branches import BranchesScreen
from condense_tui.tui.screens.chooser import ChooserScreen
from condense_tui.tui.screens.export import ExportScreen
from condense_tui.tui.screens.findings import FindingsScreen
from condense_tui.tui.screens.help import HelpScreen
from condense_tui.tui.screens.query import QueryScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.settings import SettingsScreen
from condense_tui.tui.screens.whole import WholeScreen
from tests.build import SessionBuilder, call, spilled
from tests.sessions import written
from tests.traces import Traces, age, traces
from tests.tui.stage import LARGE, is_on, press, screen_text, settled, wait_until

SCREENS = {
    "f2": FindingsScreen,
    "ctrl+o": WholeScreen,
    "s": SettingsScreen,
    "question_mark": HelpScreen,
    "b": BranchesScreen,
}


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The agent's folder: a session with a sidecar and two branches, another one, and settings."""
    agent, elsewhere = tmp_path / "agent", tmp_path / "elsewhere"
    folder = agent / "sessions" / "--w--"
    (folder / "s-blobs").mkdir(parents=True)
    elsewhere.mkdir()
    session = SessionBuilder().user("first words").turn("x", "needle", 1150)
    session.archive("t1", "x", 1150).index(spilled("y", 5, "s-blobs/y_1.txt"))
    session.assistant(call("open")).back_to("e1").answer("the other branch").user("live")
    written(folder, session.raw)
    written(folder, SessionBuilder().user().raw, "other.jsonl")
    written(folder / "s-blobs", b"body of y", "y_1.txt")
    written(agent, json.dumps({"contextPrune": {"enabled": True}}).encode(), "settings.json")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(agent))
    monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR", raising=False)
    monkeypatch.chdir(elsewhere)
    age(agent)
    return agent


def state(folder: Path) -> tuple[Traces, dict[str, str]]:
    """All that is known of the files; the content is read last, which may leave a trace."""
    known = traces(folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return known, {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


async def test_a_whole_visit_changes_nothing(agent: Path, tmp_path: Path) -> None:
    path = agent / "sessions" / "--w--" / "session.jsonl"
    before = state(agent)
    age(agent)
    known = traces(agent)
    found = load_settings(None)
    assert isinstance(found, LoadedSettings)
    assert found.settings.merged == settings_from({"enabled": True}).merged
    app = CondenseApp(path, found, preferences=tmp_path / "preferences.json")
    async with app.run_test(size=LARGE) as pilot:
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await settled(pilot)
        await press(pilot, "v", "v", "n", "tab", "G", "enter", "y", "x", "m", "backspace", "escape")
        for key, screen in SCREENS.items():
            await press(pilot, key)
            await wait_until(pilot, lambda kind=screen: is_on(pilot, kind))
            await press(pilot, "down", "enter" if key == "b" else "space", "escape")
            while not is_on(pilot, SessionScreen):
                await press(pilot, "escape")
        await press(pilot, "slash", "text:needle", "enter", "escape")
        await press(pilot, "colon", "text:y", "enter")
        await wait_until(pilot, lambda: is_on(pilot, QueryScreen))
        await wait_until(pilot, lambda: "body of y" in screen_text(app))
        while not is_on(pilot, SessionScreen):
            await press(pilot, "escape")
        await press(pilot, "e")
        await wait_until(pilot, lambda: is_on(pilot, ExportScreen))
        app.screen.query_one(Input).value = str(tmp_path / "out")
        await press(pilot, "enter", "enter")
        await wait_until(pilot, lambda: (tmp_path / "out" / "manifest.json").exists())
        await settled(pilot)
        await press(pilot, "ctrl+s")
        await wait_until(pilot, lambda: is_on(pilot, ChooserScreen))
        await press(pilot, "text:other", "enter")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await settled(pilot)
        await press(pilot, "q")
        await wait_until(pilot, lambda: app.return_code is not None or not app.is_running)
    assert traces(agent) == known
    assert state(agent)[1] == before[1]
