"""Copying: what reaches the terminal and the system's tool, and what is said about it."""

import sys
from pathlib import Path

import pytest
from textual.app import App

from condense_tui.tui import clipboard
from condense_tui.tui.clipboard import MAX_TERMINAL_BYTES, ClipboardTool, copy_text, system_tool


@pytest.fixture(autouse=True)
def _no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "TOOLS", ())


class Terminal(App[None]):
    """An app that only remembers what is sent to the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def copy_to_clipboard(self, text: str) -> None:
        self.sent.append(text)


def tool(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Install a clipboard tool that is this Python script; `received` is where it may write."""
    path = folder / "fake-copy"
    path.write_text(f"#!{sys.executable}\nimport sys, pathlib\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(clipboard, "TOOLS", (ClipboardTool(("fake-copy", "--clipboard")),))


async def test_a_text_goes_to_the_terminal() -> None:
    app = Terminal()
    copied = await copy_text(app, "x" * 1234)
    assert app.sent == ["x" * 1234]
    assert (copied.sentence, copied.is_sent) == ("sent 1.2k characters to the terminal", True)
    assert (await copy_text(app, "x")).sentence == "sent 1 character to the terminal"


async def test_it_also_goes_to_the_tool_on_its_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    received = tmp_path / "received"
    script = f"pathlib.Path({str(received)!r}).write_bytes(sys.stdin.buffer.read())"
    tool(monkeypatch, tmp_path, script)
    copied = await copy_text(Terminal(), "$(rm -r ~) é\n")
    assert copied.sentence == "sent 13 characters to the terminal and to fake-copy"
    assert received.read_text() == "$(rm -r ~) é\n"


@pytest.mark.parametrize("script", ["sys.exit(3)", "import time; time.sleep(60)"])
async def test_a_tool_that_fails_or_hangs_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str
) -> None:
    monkeypatch.setattr(clipboard, "_SECONDS", 0.3)
    tool(monkeypatch, tmp_path, script)
    copied = await copy_text(Terminal(), "text")
    assert copied.sentence == "sent 4 characters to the terminal; fake-copy failed"
    assert copied.is_sent


async def test_what_is_too_large_for_the_terminal_is_not_sent_there() -> None:
    app = Terminal()
    assert (await copy_text(app, "x" * MAX_TERMINAL_BYTES)).is_sent
    copied = await copy_text(app, "é" * (MAX_TERMINAL_BYTES // 2 + 1))
    assert len(app.sent) == 1
    assert not copied.is_sent
    assert copied.sentence == (
        "37.5k characters are too many for the terminal's clipboard; export it instead (e)"
    )


async def test_a_tool_takes_what_is_too_large_for_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tool(monkeypatch, tmp_path, "sys.stdin.buffer.read()")
    copied = await copy_text(Terminal(), "x" * 80_000)
    assert copied.is_sent
    assert copied.sentence == (
        "80.0k characters are too many for the terminal's clipboard; "
        "sent 80.0k characters to fake-copy"
    )


async def test_half_characters_become_whole() -> None:
    app = Terminal()
    await copy_text(app, "a\ud83d b\ud83d\ude00")
    assert app.sent == ["a\ufffd b\U0001f600"]


def test_a_tool_counts_only_where_it_is_and_has_a_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tool(monkeypatch, tmp_path, "")
    here = ClipboardTool(("fake-copy",), "SOME_DISPLAY")
    monkeypatch.setattr(clipboard, "TOOLS", (ClipboardTool(("not-there",)), here))
    monkeypatch.delenv("SOME_DISPLAY", raising=False)
    assert system_tool() is None
    monkeypatch.setenv("SOME_DISPLAY", ":0")
    assert system_tool() is here
