"""The pager and the editor: what they are given, where it lies, and that it is gone after."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.app import App

from condense_tui.tui.outside import EDITOR, PAGER, Program, open_outside

HOSTILE = "\x1b]52;c;aGk=\x07[/x] \ud83d\n"


class SuspendedApp(App[None]):
    """An app that can give its terminal away."""

    is_suspended = False

    @contextmanager
    def suspend(self) -> Iterator[None]:
        self.is_suspended = True
        yield
        self.is_suspended = False


@pytest.fixture(autouse=True)
def _no_programs_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGER", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the pager and the editor of this test note what they were given."""
    script, notes = tmp_path / "my program.py", tmp_path / "notes"
    notes.mkdir()
    script.write_text(
        "import os, pathlib, shutil, sys\n"
        f"notes = pathlib.Path({str(notes)!r})\n"
        "(notes / 'arguments').write_text('\\n'.join(sys.argv[1:]))\n"
        "(notes / 'mode').write_text(oct(os.stat(sys.argv[-1]).st_mode & 0o777))\n"
        "shutil.copy(sys.argv[-1], notes / 'text')\n"
        "pathlib.Path(sys.argv[-1] + '~').write_text('left behind')\n"
    )
    for name in ("PAGER", "EDITOR"):
        monkeypatch.setenv(name, f"{sys.executable} '{script}' --flag='a b' ';'")
    return notes


def test_the_pager_gets_signs_for_control_characters(received: Path) -> None:
    assert open_outside(SuspendedApp(), HOSTILE, "b3@1/x", PAGER) is None
    assert (received / "text").read_text() == "␛]52;c;aGk=␇[/x] \ufffd\n"


def test_the_editor_gets_the_text_as_it_is(received: Path) -> None:
    app = SuspendedApp()
    assert open_outside(app, HOSTILE, "output", EDITOR) is None
    assert (received / "text").read_text() == "\x1b]52;c;aGk=\x07[/x] \ufffd\n"
    assert not app.is_suspended


def test_the_copy_is_private_and_gone_with_everything_beside_it(received: Path) -> None:
    open_outside(SuspendedApp(), "text", "../b3 x", PAGER)
    flag, semicolon, path = (received / "arguments").read_text().split("\n")
    assert (flag, semicolon) == ("--flag=a b", ";")
    assert Path(path).name == "_b3_x.txt" or Path(path).name.endswith("b3_x.txt")
    assert (received / "mode").read_text() == "0o600"
    assert not Path(path).parent.exists()


def test_visual_comes_before_editor(received: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", os.environ["EDITOR"])
    monkeypatch.setenv("EDITOR", "not-there")
    assert open_outside(SuspendedApp(), "text", "output", EDITOR) is None
    assert (received / "text").read_text() == "text"


@pytest.mark.parametrize(
    ("pager", "reason"),
    [
        ("not-there -x", "$PAGER names not-there, which is not found"),
        ("less 'x", "$pager cannot be read: no closing quotation"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "ended with code 3"),
    ],
)
def test_what_goes_wrong_is_said(monkeypatch: pytest.MonkeyPatch, pager: str, reason: str) -> None:
    monkeypatch.setenv("PAGER", pager)
    assert reason in (open_outside(SuspendedApp(), "text", "output") or "")


def test_without_any_program_the_variable_is_named() -> None:
    nothing = Program("pager", ("PAGER",), ("not-there -x",), str)
    reason = open_outside(SuspendedApp(), "text", "output", nothing)
    assert reason == "no pager found: set $PAGER"


def test_an_interrupt_meant_for_the_pager_does_not_end_us(monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"import os, signal; os.kill({os.getpid()}, signal.SIGINT)"
    monkeypatch.setenv("PAGER", f"{sys.executable} -c '{script}'")
    before = signal.getsignal(signal.SIGINT)
    assert open_outside(SuspendedApp(), "text", "output") is None
    assert signal.getsignal(signal.SIGINT) is before


async def test_a_terminal_that_cannot_be_given_away_is_no_crash(received: Path) -> None:
    app = App[None]()
    async with app.run_test():
        reason = open_outside(app, "text", "output", PAGER)
    assert reason == "no other program can take over this terminal"
    assert list(received.iterdir()) == []
