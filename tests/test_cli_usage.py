"""Commands, options and exit codes: 0, 1 for not found, 2 with one line on stderr."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from condense_tui import __version__
from tests.build import SessionBuilder
from tests.sessions import Ran, file_of, header, line_of, message, ran, written

Capture = pytest.CaptureFixture[bytes]

COMMANDS = ["inspect", "check", "context", "query", "export", "tree", "repair", "demo"]
# Every command that opens a session, as it would be asked about a ref and told where to write.
OPENING: dict[str, list[str]] = {
    "": [],
    "inspect": [],
    "inspect json": ["--format", "json"],
    "inspect jsonl": ["--format", "jsonl"],
    "context": [],
    "context raw": ["--view", "raw"],
    "context jsonl": ["--format", "jsonl"],
    "query": ["t1"],
    "query as tool": ["t1", "--as-tool"],
    "query json": ["t1", "--format", "json"],
    "export": ["--all", "--to", "{out}", "--force"],
    "tree": [],
    "check": [],
    "check json": ["--format", "json"],
    "tree following": ["--follow-paths"],
    "repair": ["--dry-run"],
}


@pytest.fixture
def session(tmp_path: Path) -> Path:
    builder = SessionBuilder().user().turn("bash_1", at=2000).archive("t1", "bash_1", 2000)
    return written(tmp_path, builder.raw)


def opened(capture: Capture, name: str, path: object, out: Path) -> Ran:
    """Run a command of the table on a file."""
    command = name.split(" ")[:1] if name else []
    options = [option.replace("{out}", str(out)) for option in OPENING[name]]
    return ran(capture, *command, path, *options)


@pytest.mark.parametrize("name", OPENING)
def test_every_command_opens_a_session(
    name: str, session: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    done = opened(capsysbinary, name, session, tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(b"\n") or name == "query as tool"


# Help and version


def test_version(capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "--version")
    assert (done.code, done.out, done.err) == (0, f"{__version__}\n".encode(), "")


@pytest.mark.parametrize("command", [None, *COMMANDS])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(command: str | None, flag: str, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, *([command] if command else []), flag)
    assert (done.code, done.err) == (0, "")
    assert f"condense-tui{f' {command}' if command else ''}" in done.words
    assert "\x1b" not in done.words


def test_help_names_every_command(capsysbinary: Capture) -> None:
    words = ran(capsysbinary, "--help").words
    assert [command for command in COMMANDS if command not in words] == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("inspect", "--config --leaf --keys --format text json jsonl"),
        ("context", "--view pruned raw diff --config --leaf --format --raw"),
        ("query", "--as-tool --config --leaf --follow-paths --format --raw"),
        ("export", "--to --all --force --follow-paths --config --leaf"),
        ("tree", "--config --leaf --follow-paths"),
        ("repair", "--output -o --fix --all-fixes --dry-run --force --format text json"),
    ],
)
def test_help_names_every_option(command: str, options: str, capsysbinary: Capture) -> None:
    words = ran(capsysbinary, command, "--help").words
    assert [option for option in options.split() if option not in words] == []


# Bad usage


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        *([command] for command in COMMANDS if command != "demo"),
        ["--nope"],
        ["inspect", "{session}", "--nope"],
        ["inspect", "{session}", "--fromat", "json"],
        ["inspect", "{session}", "--format"],
        ["inspect", "{session}", "--format", "xml"],
        ["inspect", "{session}", "--keys"],
        ["inspect", "{session}", "--keys", "nope"],
        ["inspect", "{session}", "--keys", "session,nope", "--format", "json"],
        ["inspect", "{session}", "--leaf", "nope"],
        ["inspect", "{session}", "--leaf", ""],
        ["inspect", "{session}", "--config", "missing.json"],
        ["context", "{session}", "--view", "nope"],
        ["context", "{session}", "extra"],
        ["context", "{session}", "--leaf", "nope"],
        ["query", "{session}"],
        ["query", "{session}", "t1", "--leaf", "nope"],
        ["export", "{session}"],
        ["export", "{session}", "t1"],
        ["export", "{session}", "--to", "out"],
        ["export", "{session}", "t1", "--all", "--to", "out"],
        ["tree", "{session}", "{session}"],
        ["repair", "{session}"],
        ["repair", "{session}", "-o"],
        ["repair", "{session}", "--dry-run", "--fix", "a\nb\x1b[31m"],
        ["demo", "extra"],
        ["{session}", "extra"],
        ["missing command", "extra"],
        ["{session}", "--leaf", "nope"],
        ["a\nb\x1b[31m"],
        ["inspect", "{session}", "--format", "a\nb\x1b[31m"],
        ["inspect", "{session}", "--leaf", "a\nb\x1b[31m"],
        ["inspect", "{session}", "--keys", "a\nb\x1b[31m"],
        ["inspect", "{session}", "--a\nb\x1b[31m"],
    ],
    ids=lambda tokens: " ".join(tokens) or "nothing",
)
def test_bad_usage(
    tokens: list[str],
    session: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran(capsysbinary, *(token.replace("{session}", str(session)) for token in tokens))
    assert (done.code, done.out) == (2, b"")
    assert done.complaint
    assert "\x1b" not in done.err
    assert os.listdir(tmp_path) == [session.name]


@pytest.mark.parametrize("name", ["-session.jsonl", "--help", "demo", "a b\nc", "ünï 😀.jsonl"])
def test_a_session_may_have_any_name(
    name: str, tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, SessionBuilder().raw, name)
    monkeypatch.chdir(tmp_path)
    assert ran(capsysbinary, "inspect", f"./{name}").code == 0
    assert ran(capsysbinary, "inspect", "--", name).code == 0


# What is no session


def make(folder: Path, kind: str) -> Path:
    path = folder / "bad"
    makers = {
        "missing": lambda: None,
        "folder": path.mkdir,
        "empty": lambda: path.write_bytes(b""),
        "blank": lambda: path.write_bytes(b"\n \r\n"),
        "binary": lambda: path.write_bytes(bytes(range(256)) * 99),
        "text": lambda: path.write_bytes(b"once upon a time\n" * 99),
        "json": lambda: path.write_bytes(b'{"a": 1}\n'),
        "headless": lambda: path.write_bytes(file_of(message("a"))),
        "marked": lambda: path.write_bytes(b"\xef\xbb\xbf" + file_of(header())),
        "welded header": lambda: path.write_bytes(line_of(header()) + file_of(message("a"))),
        "harness": lambda: path.write_bytes(file_of({"v": 4, "kind": "header", "id": "x"})),
        "pipe": lambda: os.mkfifo(path),
        "loop": lambda: path.symlink_to(path),
    }
    makers[kind]()
    return path


BAD = ["missing", "folder", "empty", "blank", "binary", "text", "json", "headless", "marked"]
BAD += ["welded header", "harness", "pipe", "loop"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [*((kind, "inspect") for kind in BAD), *(("headless", name) for name in OPENING)],
)
def test_what_is_no_session_ends_with_one_line(
    kind: str, name: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    path = make(tmp_path, kind)
    done = opened(capsysbinary, name, path, tmp_path / "out")
    assert done.code == 2
    assert done.complaint.startswith(f"{path}: ")
    assert "Traceback" not in done.err
    assert not (tmp_path / "out").exists()
    if "json" not in name:
        assert done.out == b""


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_a_device_ends_with_one_line(device: str, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, device)
    assert (done.code, done.complaint) == (2, f"{device}: not a regular file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission_ends_with_one_line(session: Path, capsysbinary: Capture) -> None:
    session.chmod(0)
    done = ran(capsysbinary, session)
    assert (done.code, done.complaint) == (2, f"{session}: permission denied")


# What is one, but hurt


HURT = {
    "a header alone": file_of(header(), last=b""),
    "a torn end": file_of(header(), message("a"), b'{"type":"mess', last=b""),
    "welded lines": file_of(header(), message("a"), line_of(message("b")) * 2),
    "its own parent": file_of(header(), message("a", "a")),
    "no ids": file_of(header(), {"type": "message", "message": {"role": "user"}}),
    "a message without one": file_of(header(), {"type": "message", "id": "a"}),
    "bare values": file_of(header(), b"42", b"null", b"[1]", b'"s"', b"true"),
    "invalid bytes": file_of(header(), b"\xff\xfe\x00", message("a")),
    "json mode": file_of(header(), {"type": "agent_start"}, {"type": "message_update"}),
    "version 99": file_of(header(version=99), message("a")),
    "a time that is a list": file_of(header(), message("a", timestamp=[1])),
    "a time that is an object": file_of(header(), message("a", role="assistant", timestamp={})),
    "a huge time": file_of(header(), line_of(message("a", timestamp=7)).replace(b"7", b"9" * 400)),
    "no content": file_of(header(), message("a", role="assistant", content=None)),
    "a text of an assistant": file_of(header(), message("a", role="assistant", content="x")),
    "a deep value": file_of(header(), line_of(message("a", content=7)).replace(b"7", b"[" * 9999)),
}


@pytest.mark.parametrize("name", OPENING)
@pytest.mark.parametrize("kind", HURT)
def test_what_is_hurt_is_shown_all_the_same(
    kind: str, name: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    path = written(tmp_path, HURT[kind])
    done = opened(capsysbinary, name, path, tmp_path / "out")
    expected = {"query": {1}, "check": {0, 1}, "repair": {0, 1}}.get(name.split(" ")[0], {0})
    assert done.code in expected
    assert done.err == ""
