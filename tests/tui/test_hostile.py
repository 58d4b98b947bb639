"""Every byte that reaches a terminal while hostile text is shown, on every screen.

The session is hostile in each place that is ever shown, and so are the names of its file, of its
folder and of its neighbours.
"""

from __future__ import annotations

import base64
import os
import re
import time
from pathlib import Path

import pytest

from tests.build import SessionBuilder
from tests.sessions import DANGEROUS, HOSTILE, hostile_session
from tests.tui.pseudoterminal import Terminal, terminal

# All that Textual itself writes: colours and places, private modes, the keyboard's and the
# pointer's; nothing else is taken for its own.
_OWN = re.compile(
    r"\x1b\[[0-9;]*[mH]"
    r"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1049|2004|2026|2048)[hl]"
    r"|\x1b\[\?(?:2026|2048)\$p"
    r"|\x1b\[>[0-9]+u|\x1b\[<u"
    r"|\x1b\]22;[a-z-]+\x07"
)
_CLIPBOARD = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
_LINE_ENDS = "\r\n"
_AGAIN_SECONDS = 1.0
# What no file system takes in a name, and what a path is cut at.
FILE_NAME = HOSTILE.replace("\0", "").replace("/", "")


def foreign_in(written: bytes) -> list[str]:
    """Every control character that is not part of what Textual writes, with what follows."""
    text = _OWN.sub("", written.decode(errors="ignore"))
    dangers = set(DANGEROUS) - set(_LINE_ENDS)
    return [
        ascii(text[at : at + 20])
        for at, character in enumerate(text)
        if character in dangers or (character < " " and character not in _LINE_ENDS)
    ]


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b]52;c;aGk=\x07",
        "\x1b]0;t\x07",
        "\x1b[2J",
        "\x1b[6n",
        "\x9b5m",
        "\x1bPq\x1b\\",
        "\b",
        "\u202e",
    ],
    ids=ascii,
)
def test_what_is_foreign_is_seen(sequence: str) -> None:
    own = "\x1b[?1049h\x1b[1;1H\x1b[38;2;1;2;3mwords\x1b[0m\r\n\x1b]22;default\x07"
    assert foreign_in(own.encode()) == []
    assert foreign_in((own + sequence + own).encode()) != []


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's folder with sessions of hostile names: pi's, and one that is no session."""
    folder = tmp_path / ".pi" / "agent" / "sessions" / f"--{FILE_NAME}--"
    folder.mkdir(parents=True)
    (folder / f"{FILE_NAME}.jsonl").write_bytes(hostile_session().raw)
    (folder / f"none{FILE_NAME}.jsonl").write_bytes(b"\x1b]0;title\x07 no session\n")
    name = os.fsencode(folder) + b"/\xff\x9b31m\xfe.jsonl"
    Path(os.fsdecode(name)).write_bytes(SessionBuilder(id="bytes").user("of no name").raw)
    settings = tmp_path / ".pi" / "agent" / "settings.json"
    settings.write_text('{"contextPrune":{"protectedTools":["\\u001b]0;t\\u0007"]}}')
    return tmp_path


def go(shown: Terminal, keys: str, text: str) -> None:
    """Press keys and wait for what then is there; after `-` for what then is gone."""
    shown.press(keys)
    gone = text.removeprefix("-")
    shown.wait_for(lambda: (text in shown.text) if gone == text else (gone not in shown.text))


def insist(shown: Terminal, key: str, text: str) -> None:
    """Now and then again: a key may come before what it is meant for has the focus."""
    pressed = 0.0

    def is_there() -> bool:
        nonlocal pressed
        if text not in shown.text and time.monotonic() - pressed > _AGAIN_SECONDS:
            shown.press(key)
            pressed = time.monotonic()
        return text in shown.text

    shown.wait_for(is_there)


PASTED = "\x1b[200~a\u202eb\x9b31m\u2028\x1b[201~"
STEPS = [
    ("\r", "line 13 of the file"),
    ("x", '"parentId"'),
    ("\x0f", "^O Esc q Close"),
    ("\x1b", "-^O Esc q Close"),
    ("\x1b", "-line 13 of the file"),
    ("\t", "Next change"),
    ("\r", "made by the extension"),
    ("\x1b", "-made by the extension"),
    ("v", "Context: raw"),
    ("v", "Context: both"),
    ("v", "Context: pruned"),
    ("\x1bOQ", "─ Findings: "),
    ("\r", "-─ Findings: "),
    ("\x1b", "-─ cycle"),
    ("/", "find in everything"),
    ("forged", "1 of 15"),
    ("\r", "2 of 15"),
    (PASTED, "nothing"),
    ("\x1b", "-nothing"),
    (":", "context_tree_query"),
    (PASTED, "a\\u202eb"),
    ("\x1b", "-a\\u202eb"),
    ("s", "Settings (contextPrune)"),
    ("\x1b", "-Settings (contextPrune)"),
    ("b", "─ Branches"),
    ("\x1b", "-─ Branches"),
    ("?", "Go to the next change"),
    ("\x1b", "-Go to the next change"),
    ("e", "files, all of them new"),
]


def opened(shown: Terminal) -> None:
    """From the chooser, by what the session's first words are."""
    shown.wait_for_text("3 sessions")
    go(shown, "forged", "-of no name")
    go(shown, "\r", "prune: ON")


def test_no_screen_passes_anything_on(home: Path) -> None:
    with terminal([], home) as shown:
        opened(shown)
        for keys, text in STEPS:
            go(shown, keys, text)
        insist(shown, "\r", "written to")
        shown.press("q")
        assert shown.wait_for_end() == 0
    assert foreign_in(shown.written) == []
    assert "␛[31mred".encode() in shown.written
    assert b"Traceback" not in shown.written


def test_only_whoever_copies_fills_the_clipboard(home: Path) -> None:
    """By one sequence, and its text is the original one, bytes and all."""
    with terminal([], home) as shown:
        opened(shown)
        go(shown, "\t", "q Quit")
        before = shown.written
        go(shown, "y", "to the terminal")
        after = shown.written.removeprefix(before)
        shown.press("q")
        assert shown.wait_for_end() == 0
    (copied,) = _CLIPBOARD.findall(after.decode(errors="replace"))
    assert HOSTILE in base64.b64decode(copied).decode()
    whole = before[: before.rfind(b"\x1b")]  # what was read may end within a sequence
    assert foreign_in(whole) == []
    assert foreign_in(_CLIPBOARD.sub("", shown.written.decode()).encode()) == []


def test_a_file_that_is_refused_is_named_and_said(home: Path) -> None:
    (path,) = home.rglob("none*.jsonl")
    with terminal([str(path)], home) as shown:
        shown.wait_for_text("Cannot be opened")
        shown.press("q")
        assert shown.wait_for_end() == 0
    assert foreign_in(shown.written) == []
