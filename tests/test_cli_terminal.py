"""On a terminal nothing of a session moves the cursor; elsewhere it is exact."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from condense_tui.cli import output
from tests.build import SessionBuilder
from tests.sessions import DANGEROUS, HOSTILE, hostile_session, ran, written

Capture = pytest.CaptureFixture[bytes]

# What a front end that paints may send: colours and weights, nothing else.
PAINT = re.compile(r"\x1b\[[0-9;]*m")
REF = f"t1{HOSTILE}\nforged line"

SHOWING: dict[str, list[str]] = {
    "plan": [],
    "inspect": ["inspect"],
    "context": ["context"],
    "context raw view": ["context", "--view", "raw"],
    "context diff": ["context", "--view", "diff"],
    "query": ["query"],
    "query as tool": ["query", "--as-tool"],
    "tree": ["tree"],
    "check": ["check", "--as", "2.5"],
}

# There is something to be found in the hostile session.
CODES = {"check": 1}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return written(tmp_path, hostile_session().raw)


def tokens_for(name: str, path: Path) -> list[str]:
    command, options = SHOWING[name][:1], SHOWING[name][1:]
    refs = [REF, f"{HOSTILE}\nforged line"] if name.startswith("query") else []
    return [*command, str(path), *refs, *options]


@pytest.fixture
def terminal(capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> Capture:
    # The captured stream is another object in the test than here, but of the same kind.
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return capsysbinary


def unpainted(words: str) -> str:
    return PAINT.sub("", words)


def dangers_in(words: str) -> list[str]:
    return [sign for sign in DANGEROUS if sign in words]


# In this process


@pytest.mark.parametrize("name", SHOWING)
def test_nothing_raw_reaches_a_terminal(name: str, hostile: Path, terminal: Capture) -> None:
    done = ran(terminal, *tokens_for(name, hostile))
    assert (done.code, done.err) == (CODES.get(name, 0), "")
    assert dangers_in(unpainted(done.words)) == []
    assert "␛[31mred" in done.words
    assert "\nforged line" not in unpainted(done.words) or "context" in name or "query" in name


@pytest.mark.parametrize("name", SHOWING)
def test_without_colour_there_is_no_escape_at_all(
    name: str, hostile: Path, terminal: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = ran(terminal, *tokens_for(name, hostile))
    monkeypatch.setenv("NO_COLOR", "1")
    plain = ran(terminal, *tokens_for(name, hostile))
    assert dangers_in(plain.words) == []
    assert plain.words == unpainted(painted.words)


def test_colour_is_used_on_a_terminal_only(
    hostile: Path, terminal: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PAINT.search(ran(terminal, "inspect", hostile).words)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: False)
    assert "\x1b" not in ran(terminal, "inspect", hostile).words


def test_an_empty_no_color_means_nothing(
    hostile: Path, terminal: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert PAINT.search(ran(terminal, "inspect", hostile).words)


@pytest.mark.parametrize("name", ["context raw view", "query", "query as tool"])
def test_raw_is_exact_on_a_terminal_too(name: str, hostile: Path, terminal: Capture) -> None:
    assert HOSTILE in ran(terminal, *tokens_for(name, hostile), "--raw").words


@pytest.mark.parametrize("name", ["context raw view", "query", "query as tool"])
def test_without_a_terminal_it_is_exact(name: str, hostile: Path, capsysbinary: Capture) -> None:
    assert HOSTILE in ran(capsysbinary, *tokens_for(name, hostile)).words


@pytest.mark.parametrize("name", ["plan", "inspect", "tree", "check"])
def test_what_only_people_read_is_made_visible_everywhere(
    name: str, hostile: Path, capsysbinary: Capture
) -> None:
    assert dangers_in(ran(capsysbinary, *tokens_for(name, hostile)).words) == []


def test_json_is_exact_on_a_terminal(terminal: Capture, tmp_path: Path) -> None:
    path = written(tmp_path, SessionBuilder().archive("t1", "a", 1, HOSTILE).raw)
    (answer,) = ran(terminal, "query", path, "t1", "--format", "json").json
    assert answer["matches"][0]["output"] == HOSTILE


def test_markup_is_text(terminal: Capture, tmp_path: Path) -> None:
    words = "[bold]x[/bold] [/foo] [tool] [link=http://a]b[/link] :smile: [b +"
    path = written(tmp_path, SessionBuilder().user(words).raw)
    assert words in unpainted(ran(terminal, "context", path).words)


def test_long_lines_are_not_broken(terminal: Capture, tmp_path: Path) -> None:
    path = written(tmp_path, SessionBuilder().user("word " * 200 + "x" * 500).raw)
    words = unpainted(ran(terminal, "context", path).words)
    assert "word " * 200 + "x" * 500 in words


@pytest.mark.parametrize(
    "complaint", ["a\x1b[31m\nb", "\x9b", "\u202e", "\udcff"], ids=lambda text: repr(text)
)
def test_complaints_are_one_printable_line(complaint: str, capsysbinary: Capture) -> None:
    output.complain(complaint)
    err = capsysbinary.readouterr().err.decode()
    assert err.count("\n") == 1
    assert dangers_in(err) == []


# On a real one


def on_terminal(*tokens: str, **environment: str) -> tuple[int, str]:
    """Exit code and what a real terminal is sent, stderr included."""
    ours, theirs = os.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", **environment}
    environ = {name: value for name, value in environ.items() if value != "unset"}
    command = [sys.executable, "-m", "condense_tui", *tokens]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ)
    os.close(theirs)
    sent = b""
    while chunk := _read(ours):
        sent += chunk
    os.close(ours)
    return process.wait(timeout=60), sent.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        return b""


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Hostile, but for the ref: the system takes no NUL as an argument."""
    return written(tmp_path, SessionBuilder().archive("t1", "a", 1, HOSTILE).raw)


@pytest.mark.parametrize("tokens", [["query", "t1"], ["query", "t1", "--as-tool"]])
def test_a_real_terminal_is_sent_nothing_raw(tokens: list[str], asked: Path) -> None:
    code, sent = on_terminal(tokens[0], str(asked), *tokens[1:], NO_COLOR="unset")
    assert code == 0
    assert dangers_in(unpainted(sent)) == []
    assert "␛[31mred" in sent


@pytest.mark.parametrize("name", ["context diff", "tree", "check"])
def test_a_real_terminal_without_colour_is_sent_no_escape(name: str, hostile: Path) -> None:
    code, sent = on_terminal(*tokens_for(name, hostile), NO_COLOR="1")
    assert (code, dangers_in(sent)) == (CODES.get(name, 0), [])


def test_a_real_terminal_is_sent_exact_text_when_asked(asked: Path) -> None:
    code, sent = on_terminal("query", str(asked), "t1", "--raw")
    assert code == 0
    assert "\x1b]52;c;aGk=\x07" in sent


@pytest.mark.parametrize("colour", ["unset", "1"])
def test_a_terminal_that_knows_no_unicode(colour: str, hostile: Path) -> None:
    code, sent = on_terminal(
        "inspect", str(hostile), NO_COLOR=colour, PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )
    assert "Traceback" not in sent
    assert code == 0


def test_a_bad_file_on_a_terminal_is_one_line(tmp_path: Path) -> None:
    code, sent = on_terminal("inspect", str(tmp_path / "missing\x1b[31m"))
    assert (code, sent.count("\n"), "\x1b" in sent) == (2, 1, False)
