"""The settings screen: what it shows, what a change asks for, and what is written."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, Static

import condense_tui.tui
from condense_tui.pruning.settings import CondenseSettings, settings_from
from condense_tui.session.branch import Branch, default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.store import LoadedSettings
from condense_tui.store_writing import write_settings
from condense_tui.tui.picture import take_picture
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.screens.settings import SettingsScreen
from condense_tui.tui.screens.settings_file import SettingsFileScreen
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.lines import text_of
from tests.tui.stage import DEMO, LARGE, SMALL, browsing, press, screen_text, wait_until

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"


@pytest.fixture(scope="module")
def branch() -> Branch:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    return default_branch(session)


class SettingsApp(App[None]):
    """What the browser does with the screen: another picture for other settings."""

    CSS_PATH = STYLES

    def __init__(self, branch: Branch, found: Any = None, source: Path | None = None) -> None:
        super().__init__()
        self.branch = branch
        self.found = LoadedSettings(found, source)
        self.asked: list[CondenseSettings] = []
        self.answers = True

    def on_mount(self) -> None:
        picture = take_picture(DEMO, self.branch, settings_from(self.found.value))
        self.push_screen(SettingsScreen(picture, self.found))

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        self.asked.append(event.settings)
        if self.answers:
            self.answer(event.settings)

    def answer(self, settings: CondenseSettings) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, SettingsScreen):
                screen.show_picture(take_picture(DEMO, self.branch, settings))


def shown(pilot: Pilot[None], name: str) -> str:
    widget = pilot.app.screen.query_one(f"#{name}", Static)
    return str(widget.content) if widget.display else ""


def rows(pilot: Pilot[None]) -> list[str]:
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    count = screen.query_one("#settings", LineList).row_count
    return [" ".join(text_of(screen._line(row)).split()) for row in range(count)]


async def go_to(pilot: Pilot[None], name: str) -> None:
    wanted = next(row for row, text in enumerate(rows(pilot)) if text.split()[:1] == [name])
    pilot.app.screen.query_one("#settings", LineList).cursor = wanted
    await pilot.pause()


async def type_text(pilot: Pilot[None], text: str) -> None:
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


async def test_it_says_what_is_in_force_and_where_it_comes_from(branch: Branch) -> None:
    app = SettingsApp(branch, {"recoveryGraceTurns": 5}, Path("/home/ann/settings.json"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert shown(pilot, "now").startswith("now     prune: ON · ")
        assert shown(pilot, "before") == ""
        assert "enabled on on default" in rows(pilot)
        assert "recoveryGraceTurns 5 3 settings.json" in rows(pilot)
        await go_to(pilot, "recoveryGraceTurns")
        assert shown(pilot, "about").startswith("How many user messages")
        assert shown(pilot, "origin").endswith("default: 3 · from: /home/ann/settings.json")
        assert app.screen.query_one("#settings").size.height >= 6


async def test_a_switch_turns_and_the_new_picture_shows_at_once(branch: Branch) -> None:
    app = SettingsApp(branch)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        before = shown(pilot, "now")
        for _ in range(5):
            await pilot.press("down")
        await pilot.press("space")
        await pilot.pause()
        assert not app.asked[-1].chain_compression.is_enabled
        assert app.asked[-1].chain_compression.rolling_window == 3
        assert "* enabled off on changed here" in rows(pilot)
        assert shown(pilot, "before") == before.replace("now    ", "before ")
        assert shown(pilot, "now") != before
        assert "× 0 dropped into a block (was 16)" in shown(pilot, "figures")
        await pilot.press("enter")
        await pilot.pause()
        assert app.asked[-1] == settings_from(None)
        assert shown(pilot, "before") == ""


async def test_until_the_picture_is_there_the_old_figures_are_not_shown(branch: Branch) -> None:
    app = SettingsApp(branch)
    app.answers = False
    async with app.run_test(size=LARGE) as pilot:
        await pilot.press("space")
        await pilot.pause()
        assert "computing" in shown(pilot, "now")
        assert shown(pilot, "figures") == ""
        app.answer(settings_from(None))
        await pilot.pause()
        assert "computing" in shown(pilot, "now")
        app.answer(app.asked[-1])
        await pilot.pause()
        assert shown(pilot, "now") == "now     prune: OFF"


async def test_a_count_is_typed_stepped_and_taken_back(branch: Branch) -> None:
    app = SettingsApp(branch, {"recoveryGraceTurns": 5})
    async with app.run_test(size=SMALL) as pilot:
        await go_to(pilot, "recoveryGraceTurns")
        await pilot.press("1", "2", "enter")
        assert app.asked[-1].recovery_grace_turns == 12
        await pilot.press("plus", "minus", "minus")
        assert app.asked[-1].recovery_grace_turns == 11
        await pilot.press("d")
        assert app.asked[-1].recovery_grace_turns == 3
        await pilot.press("r")
        assert app.asked[-1].recovery_grace_turns == 5
        await pilot.press("enter", "0", "escape")
        assert len(app.asked) == 6
        assert app.screen.query_one("#settings").has_focus
        await pilot.press("enter")
        await type_text(pilot, "-4")
        assert len(app.asked) == 6
        assert app.screen.query_one(Input).has_focus
        await pilot.press("escape", "escape")
        assert not isinstance(app.screen, SettingsScreen)


async def test_a_list_is_typed_with_commas_and_any_letters(branch: Branch) -> None:
    app = SettingsApp(branch)
    async with app.run_test(size=SMALL) as pilot:
        await go_to(pilot, "protectedTools")
        await pilot.press("enter")
        await type_text(pilot, "bash, read")
        await pilot.pause()
        assert app.asked[-1].protected_tools == {"bash", "read"}
        assert "kept: protected (was 1)" in shown(pilot, "figures")
        await pilot.press("enter", *", sqdrw", "enter")
        assert app.asked[-1].protected_tools == {"bash", "read", "sqdrw"}


async def test_a_partial_part_is_explained_and_mended(branch: Branch) -> None:
    app = SettingsApp(branch, {"chainCompression": {"rollingWindow": 1}})
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert "chainCompression partial: 3 values missing" in rows(pilot)
        await go_to(pilot, "stripFinalAssistantThinking")
        assert "final thinking stays" in shown(pilot, "trap")
        await go_to(pilot, "chainCompression")
        assert "replaces the whole default: without enabled it is off" in shown(pilot, "trap")
        await pilot.press("d")
        await pilot.pause()
        assert app.asked[-1].chain_compression.is_enabled
        assert shown(pilot, "trap") == ""


async def ask_for(pilot: Pilot[None], path: Path) -> None:
    """Change a setting and ask for everything to be written into a file."""
    await pilot.press("space", "w")
    assert isinstance(pilot.app.screen, SettingsFileScreen)
    await type_text(pilot, str(path))


async def test_a_new_file_is_written_when_it_is_named(branch: Branch, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    async with SettingsApp(branch, {"minBatchChars": 7}).run_test(size=SMALL) as pilot:
        await ask_for(pilot, path)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
    text = path.read_text()
    assert json.loads(text) == {"contextPrune": {"minBatchChars": 7, "enabled": False}}
    assert text.endswith("}\n")
    assert list(tmp_path.iterdir()) == [path]


async def test_a_file_that_is_there_is_only_written_when_confirmed(
    branch: Branch, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "dark", "contextPrune": {"enabled": true}, "n": 1}')
    path.chmod(0o600)
    before = path.read_bytes()
    async with SettingsApp(branch).run_test(size=SMALL) as pilot:
        await ask_for(pilot, path)
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SettingsFileScreen))
        assert path.read_bytes() == before
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert path.read_bytes() == before
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
    kept = {"theme": "dark", "contextPrune": {"enabled": False}, "n": 1}
    assert json.loads(path.read_text()) == kept
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_bare_name_is_told_with_its_folder(
    branch: Branch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with SettingsApp(branch).run_test(size=SMALL) as pilot:
        await ask_for(pilot, Path("bare.json"))
        await wait_until(pilot, lambda: bool(pilot.app._notifications))
        notes = [note.message for note in pilot.app._notifications]
    assert notes == [f"settings written to {tmp_path / 'bare.json'}"]
    assert (tmp_path / "bare.json").exists()


async def test_what_is_being_written_is_waited_for(
    branch: Branch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, gate, written = Event(), Event(), []

    def write(path: Path, settings: Any) -> None:
        began.set()
        assert gate.wait(60)
        written.append(path)

    monkeypatch.setattr("condense_tui.tui.screens.settings_file.write_settings", write)
    path = tmp_path / "settings.json"
    async with SettingsApp(branch).run_test(size=SMALL) as pilot:
        await ask_for(pilot, path)
        await wait_until(pilot, began.is_set)
        await pilot.press("enter", "escape", "enter", "escape")
        assert isinstance(pilot.app.screen, SettingsFileScreen)
        gate.set()
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        await wait_until(pilot, lambda: bool(pilot.app._notifications))
        notes = [note.message for note in pilot.app._notifications]
    assert written == [path]
    assert notes == [f"settings written to {path}"]


async def test_any_other_file_is_refused_with_its_reason(branch: Branch, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(b"enabled = true")
    async with SettingsApp(branch).run_test(size=SMALL) as pilot:
        await ask_for(pilot, path)
        await wait_until(
            pilot, lambda: "not a JSON file; it stays as it is" in shown(pilot, "note")
        )
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, SettingsScreen)
    assert path.read_bytes() == b"enabled = true"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a JSON file"),
        (b"[1]", "no JSON object"),
        (b'{"type":"session","version":3,"id":"x"}\n', "a session"),
        (b'{"type":"session"}\n{"type":"message"}\n', "not a JSON file"),
    ],
)
def test_what_is_no_settings_file_stays_as_it_is(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    failed = write_settings(path, {})
    assert failed is not None
    assert reason in failed.reason
    assert path.read_bytes() == content


async def test_nothing_is_written_unless_asked(
    branch: Branch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with SettingsApp(branch).run_test(size=SMALL) as pilot:
        await pilot.press("space", "down", "9", "enter", "w", "enter", "escape", "escape")
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_settings_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.json", tmp_path / "settings.json"
    target.write_text('{"kept": "\\ud83d"}')
    link.symlink_to(target)
    assert write_settings(link, {"enabled": True}) is None
    assert link.is_symlink()
    assert json.loads(target.read_text()) == {"kept": "\ud83d", "contextPrune": {"enabled": True}}


@pytest.mark.parametrize("name", ["none/own.json", ".", "a\0b"])
def test_a_file_that_cannot_be_written_is_a_reason(tmp_path: Path, name: str) -> None:
    failed = write_settings(tmp_path / name, {})
    assert failed is not None
    assert "\n" not in failed.reason


async def test_hostile_settings_are_shown_as_signs(branch: Branch) -> None:
    hostile = "\x1b]52;c;aGk=\x07[/x]\ud83d"
    found = {hostile: hostile, "protectedTools": [hostile]}
    async with SettingsApp(branch, found, Path(f"/{hostile}")).run_test(size=LARGE) as pilot:
        await go_to(pilot, "protectedTools")
        assert "\x1b" not in shown(pilot, "origin")
        await pilot.press("end", "enter", "w")
        await pilot.pause()
        assert not {"\x1b", "\x07"} & set(screen_text(pilot.app))


async def test_the_first_row_says_that_settings_are_tried() -> None:
    async with browsing(DEMO, SMALL) as pilot:

        def says_so() -> bool:
            return "settings tried" in screen_text(pilot.app).split("\n")[0]

        assert not says_so()
        for keys in (("s", "space", "escape"), ("s", "r", "escape")):
            await press(pilot, *keys)
            await wait_until(pilot, lambda is_tried=keys[1] == "space": says_so() == is_tried)
