"""The export dialog: what, where, which files; nothing is replaced unless that is confirmed."""

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, Static

import condense_tui.tui
from condense_tui.inspection.links import CallTarget, Target
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.compact import changed
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.screens.export import ExportScreen
from condense_tui.tui.widgets.line_list import LineList
from tests.build import SessionBuilder
from tests.tui.stage import DEMO, SMALL, screen_text, settled, wait_until

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"


@pytest.fixture(scope="module")
def demo() -> Picture:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    return take_picture(DEMO, default_branch(session), settings_from(None))


class ExportApp(App[None]):
    CSS_PATH = STYLES

    def __init__(self, picture: Picture, target: Target | None = None) -> None:
        super().__init__()
        self.dialog = ExportScreen(picture.documents, (target,) if target else ())
        self.answers: list[str | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.dialog, self.answers.append)


def tally(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#tally", Static).content)


def one_call(demo: Picture) -> CallTarget:
    return CallTarget(next(iter(demo.inspection.index.records)))


async def test_an_output_is_written_into_a_new_folder(
    demo: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    target = one_call(demo)
    app = ExportApp(demo, target)
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot) == "2 files, all of them new")
        assert f"+ new      {target.key}.txt" in screen_text(pilot.app)
        assert list(tmp_path.iterdir()) == []
        await pilot.press("enter", "enter")
        await wait_until(pilot, lambda: bool(app.answers))
    folder = tmp_path / "refund_rounding_bug-export"
    assert app.answers == [f"1 output and manifest.json written to {folder.name}"]
    record = demo.inspection.index.records[target.key]
    assert (folder / f"{target.key}.txt").read_bytes() == record.result_text.encode()


async def test_another_choice_is_another_list_of_files(demo: Picture) -> None:
    app = ExportApp(demo, one_call(demo))
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot).startswith("2 files"))
        await pilot.press("down", "down", "down")
        index = demo.inspection.index
        count = len(index.all_keys) + 1
        await wait_until(pilot, lambda: tally(pilot).startswith(f"{count} files"))
        await pilot.press("down", "down")
        await wait_until(pilot, lambda: "context.json" in screen_text(pilot.app))
        await pilot.press("escape")
    assert app.answers == [None]


async def test_credentials_are_masked_when_that_is_wanted(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    session = SessionBuilder().user(at=1).turn("a", f"a token: {token}", at=2)
    session.archive("t1", "a", 2, f"a token: {token}")
    branch = default_branch(session.session)
    app = ExportApp(take_picture(DEMO, branch, settings_from(None)))
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot) == "2 files, all of them new")
        assert "^T Mask credentials" in screen_text(pilot.app)
        app.dialog.query_one(Input).value = str(tmp_path)
        await pilot.press("enter", "ctrl+t")
        masked = "1 credential masked: only common shapes are known"
        await wait_until(pilot, lambda: tally(pilot) == f"2 files, all of them new; {masked}")
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(app.answers))
    assert app.answers == [f"1 output and manifest.json written to {tmp_path}; {masked}"]
    texts = [path.read_text() for path in tmp_path.iterdir()]
    assert not any(token in text for text in texts)
    assert any("[masked: GitHub token]" in text for text in texts)


async def test_files_are_replaced_only_when_that_is_confirmed(
    demo: Picture, tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").write_text("mine")
    app = ExportApp(demo)
    async with app.run_test(size=SMALL) as pilot:
        app.dialog.query_one("#what", LineList).cursor = 1
        app.dialog.query_one(Input).value = str(tmp_path)
        await wait_until(pilot, lambda: tally(pilot) == "2 files, 1 of them there already")
        assert "! replaces manifest.json" in screen_text(pilot.app)
        await pilot.press("enter", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.screen is app.dialog)
        assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
        assert (tmp_path / "manifest.json").read_text() == "mine"
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await wait_until(pilot, lambda: bool(app.answers))
    assert app.answers == [f"1 text and manifest.json written to {tmp_path}"]
    assert (tmp_path / "context.md").read_text().startswith("# refund rounding bug")
    assert (tmp_path / "manifest.json").read_text() != "mine"


async def test_a_folder_that_cannot_be_written_is_told_and_the_dialog_stays(
    demo: Picture, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    app = ExportApp(demo, one_call(demo))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("enter")
        app.dialog.query_one(Input).value = str(tmp_path / "file" / "folder")
        await wait_until(
            pilot, lambda: tally(pilot) == f"2 files; {tmp_path / 'file'} is not a folder"
        )
        assert "+ new" not in screen_text(pilot.app)
        await pilot.press("enter")
        note = app.dialog.query_one("#note", Static)
        await wait_until(pilot, lambda: "not a directory" in str(note.content))
        app.dialog.query_one(Input).value = " "
        await pilot.press("enter")
        await wait_until(pilot, lambda: str(note.content) == "no folder is named")
        assert app.answers == []


async def test_what_is_being_written_is_waited_for(
    demo: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, gate, written = Event(), Event(), []

    def write(folder: Path, *_: Any) -> None:
        began.set()
        assert gate.wait(60)
        written.append(folder)

    monkeypatch.setattr("condense_tui.tui.screens.export.write_files", write)
    app = ExportApp(demo, one_call(demo))
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot).startswith("2 files"))
        await pilot.press("enter")
        app.dialog.query_one(Input).value = str(tmp_path)
        await pilot.press("enter")
        await wait_until(pilot, began.is_set)
        await pilot.press("enter", "escape", "enter", "escape")
        assert app.screen is app.dialog
        gate.set()
        await wait_until(pilot, lambda: bool(app.answers))
    assert written == [tmp_path]
    assert app.answers == [f"1 output and manifest.json written to {tmp_path}"]


async def test_enter_held_down_writes_once_and_ends_nothing(demo: Picture, tmp_path: Path) -> None:
    """Keys that are still on their way when the dialog has answered find nothing to do."""
    app = ExportApp(demo, one_call(demo))
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot).startswith("2 files"))
        where = app.dialog.query_one(Input)
        where.value = str(tmp_path / "out")
        await pilot.press("enter")
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(app.answers))
        app.dialog.on_input_submitted(Input.Submitted(where, where.value))
        await settled(pilot)
    assert len(app.answers) == 1


async def test_a_folder_that_is_typed_makes_one_plan(
    demo: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each key asks anew what would be written; the outputs are worked out once."""
    app, plans, gate = ExportApp(demo, one_call(demo)), [], Event()
    async with app.run_test(size=SMALL) as pilot:
        await wait_until(pilot, lambda: tally(pilot).startswith("2 files"))
        choice = app.dialog._choices[-1]

        def slow_plan() -> Any:
            plans.append(1)
            assert gate.wait(60)
            return choice.plan()

        app.dialog._exact = (*app.dialog._choices[:-1], changed(choice, plan=slow_plan))
        await pilot.press("end", "enter")
        await wait_until(pilot, lambda: bool(plans))
        await pilot.press(*"abcdef")
        gate.set()
        await wait_until(pilot, lambda: "context.json" in screen_text(app))
    assert plans == [1]
