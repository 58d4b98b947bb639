"""The real command in a real terminal: a pseudo-terminal, and pyte to read what it shows."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.tui.pseudoterminal import terminal

# What Textual itself may write: CSI sequences, mode and cursor requests, and nothing to the
# clipboard or the title.
_OSC = re.compile(rb"\x1b\]([^\x07\x1b]*)")
HOSTILE = {
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "title": "\x1b]0;evil title\x07",
    "colour": "\x1b[38;5;201mevil",
    "C1": "\x9b31mevil \x9d52;c;ZXZpbA==\x9c",
    "direction": "\u202eevil\u2066",
    "device": "\x1b[6n\x1b[c\x1bP+q544e\x1b\\",
}


def test_the_demo_is_read_key_by_key_and_left(tmp_path: Path) -> None:
    with terminal(["demo"], tmp_path) as shown:
        shown.wait_for_text("prune: ON")
        shown.wait_for_text("refund rounding bug")
        shown.press("v")
        shown.wait_for_text("Context: raw")
        shown.press(":")
        shown.wait_for_text("context_tree_query")
        shown.press("bash_3")
        shown.wait_for_text("2 occurrences, oldest first")
        shown.press("\r\r")
        shown.wait_for_text("→ its summary")
        shown.press("\x1b")
        shown.wait_for(lambda: "→ its summary" not in shown.text)
        shown.press("?")
        shown.wait_for_text("Go to the next change")
        shown.press("?q")
        assert shown.wait_for_end() == 0
        assert b"Traceback" not in shown.written


def hostile_session(path: Path) -> Path:
    """Everything that a session can name is hostile: name, directory, model, ids and texts."""
    evil = " ".join(HOSTILE.values())
    header = {"type": "session", "version": 3, "id": f"s{evil}", "cwd": f"/evil/{evil}"}
    call = {"type": "toolCall", "id": f"bash_1{evil}", "name": f"bash{evil}", "arguments": {}}
    call["arguments"] = {f"command{evil}": evil}
    messages = (
        {"role": "user", "content": f"first words {evil}", "timestamp": 1},
        {
            "role": "assistant",
            "model": f"model{evil}",
            "content": [{"type": "thinking", "thinking": evil}, call],
            "timestamp": 2,
        },
        {
            "role": "toolResult",
            "toolCallId": call["id"],
            "toolName": call["name"],
            "content": [{"type": "text", "text": f"output {evil}\n{evil}"}],
            "isError": False,
            "timestamp": 3,
        },
    )
    entries: list[object] = [header | {"timestamp": "2026-01-01T00:00:00.000Z"}]
    entries += [
        {"type": "message", "id": f"e{n}", "parentId": f"e{n - 1}" if n else None, "message": said}
        for n, said in enumerate(messages)
    ]
    entries += [{"type": "session_info", "id": "e3", "parentId": "e2", "name": f"name {evil}"}]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def test_nothing_of_a_session_commands_the_terminal(tmp_path: Path) -> None:
    session = hostile_session(tmp_path / "hostile.jsonl")
    with terminal([str(session)], tmp_path) as shown:
        shown.wait_for_text("prune: ON")
        shown.wait_for_text("first words")
        for keys, text in (
            ("n", "no more changes"),
            ("G\r", "line 4 · entry e2"),
            ("\x0f", "^O Esc q Close"),
            ("q", "x Raw entry  y Copy  ? Help"),
            ("x", '"toolCallId"'),
            ("\x1b", "s Settings"),
            ("v", "Context: raw"),
            ("v", "Context: both"),
            (":bash", "context_tree_query"),
        ):
            shown.press(keys)
            shown.wait_for_text(text)
        shown.press("\x1b")
        shown.wait_for(lambda: "context_tree_query" not in shown.text)
        shown.press("q")
        assert shown.wait_for_end() == 0
    assert "evil" in shown.written.decode(errors="replace")
    for what, sequence in HOSTILE.items():
        assert sequence.encode() not in shown.written, what
    assert [code for code in _OSC.findall(shown.written) if b"evil" in code] == []
    assert not any(code.startswith(b"52") for code in _OSC.findall(shown.written))
    for character in ("\x9b", "\x9d", "\x9c", "\u202e", "\u2066"):
        assert character.encode() not in shown.written, ascii(character)


if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_a_signal_leaves_the_terminal_as_it_was(ending: signal.Signals, tmp_path: Path) -> None:
    with terminal(["demo"], tmp_path) as shown:
        shown.wait_for_text("s Settings")
        shown.process.send_signal(ending)
        assert shown.wait_for_end() == 128 + ending
    entered, left = shown.written.rfind(b"\x1b[?1049h"), shown.written.rfind(b"\x1b[?1049l")
    assert 0 <= entered < left
    assert b"\x1b[?1000l" in shown.written[left - 200 :]
    assert b"\x1b[?25h" in shown.written[left - 200 :]


def test_it_goes_to_the_background_and_comes_back(tmp_path: Path) -> None:
    def has_stopped() -> bool:
        pid, status = os.waitpid(shown.process.pid, os.WUNTRACED | os.WNOHANG)
        return pid != 0 and os.WIFSTOPPED(status)

    with terminal(["demo"], tmp_path) as shown:
        shown.wait_for_text("s Settings")
        shown.press("\x1a")
        shown.wait_for(has_stopped)
        assert shown.written.rfind(b"\x1b[?1049l") > shown.written.rfind(b"\x1b[?1049h")
        shown.process.send_signal(signal.SIGCONT)
        shown.wait_for(lambda: shown.written.rstrip().count(b"\x1b[?1049h") == 2)
        shown.press("v")
        shown.wait_for_text("Context: raw")
        shown.press("q")
        assert shown.wait_for_end() == 0


@pytest.mark.parametrize(
    ("key", "is_closed", "is_stubborn"),
    [("E", True, False), ("O", True, True), ("O", False, False), ("E", False, True)],
)
def test_the_end_comes_while_another_program_has_the_terminal(
    key: str, is_closed: bool, is_stubborn: bool, tmp_path: Path
) -> None:
    """Whether the terminal is closed or we are told to end, and whatever that program thinks."""
    program, given = tmp_path / "program.py", tmp_path / "given"
    deaf = "for one in (signal.SIGHUP, signal.SIGTERM): signal.signal(one, signal.SIG_IGN)\n"
    program.write_text(
        "import pathlib, signal, sys, time\n"
        f"{deaf if is_stubborn else ''}"
        f"pathlib.Path({str(given)!r}).write_text(sys.argv[1])\n"
        "print('PROGRAM', flush=True)\n"
        "time.sleep(30)\n"
    )
    command = f"{sys.executable} {program}"
    with terminal(["demo"], tmp_path, {"EDITOR": command, "PAGER": command}) as shown:
        shown.wait_for_text("s Settings")
        shown.press(key)
        shown.wait_for_text("PROGRAM")
        if is_closed:
            shown.hang_up()
        else:
            shown.process.send_signal(signal.SIGTERM)
        assert shown.wait_for_end() == 128 + (signal.SIGHUP if is_closed else signal.SIGTERM)
    assert not Path(given.read_text()).parent.exists()
