"""No command changes a file that it reads, nor the folder that it lies in, nor any time of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.build import SessionBuilder, spilled
from tests.sessions import ran, written

Capture = pytest.CaptureFixture[bytes]

COMMANDS = [
    [],
    ["inspect"],
    ["inspect", "--format", "json"],
    ["context", "--view", "diff"],
    ["query", "x", "--follow-paths"],
    ["export", "--all", "--to", "{out}"],
    ["export", "--all", "--to", "{out}", "--force", "--follow-paths"],
    ["tree"],
    ["check"],
    ["check", "--as", "2.5", "--format", "json", "--follow-paths"],
    ["context", "--format", "markdown", "--redact"],
    ["export", "--all", "--to", "{out}", "--force", "--redact"],
    ["condense", "--dry-run", "--mode", "replay"],
    ["condense", "-o", "{out}/copy.jsonl", "--force"],
]
SESSIONS = {
    "well": SessionBuilder().user().index(spilled("x", 1, "s-blobs/x_1.txt")).raw,
    "no final line feed": SessionBuilder().user().raw[:-1],
    "a torn end": SessionBuilder().user().raw + b'{"type":"mess',
    "version 1": b'{"type":"session","id":"s"}\n{"type":"message","message":{"role":"user"}}\n',
    "version 2": SessionBuilder(version=2).user().raw,
    "header alone": SessionBuilder().raw,
    "empty": b"",
    "no session": b"once upon a time\n",
}

Traces = dict[str, tuple[object, ...]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session's folder with a sidecar and settings, all last read before they were written."""
    home = tmp_path / "home"
    (home / "s-blobs").mkdir(parents=True)
    written(home / "s-blobs", b"body", "x_1.txt")
    written(home, b'{"contextPrune":{}}', "settings.json")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(home))
    return home


def traces(folder: Path) -> Traces:
    """Everything that a file system knows about each file, but for when folders were listed."""
    found: Traces = {}
    for path in sorted(folder.rglob("*")):
        stat = path.stat()
        about = (stat.st_ino, stat.st_mode, stat.st_nlink, stat.st_size, stat.st_mtime_ns)
        access = stat.st_atime_ns if path.is_file() else None
        found[str(path)] = (*about, stat.st_ctime_ns, access)
    return found


def age(folder: Path) -> None:
    """So that even a file system that rarely notes a reading would note the next one."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(1_000_000_000_000_000_000, 1_500_000_000_000_000_000))


def notes_readings(folder: Path) -> bool:
    """Whether a plain reading leaves a trace here; else its absence proves nothing."""
    probe = written(folder, b"x", "probe")
    age(folder)
    before = probe.stat().st_atime_ns
    probe.read_bytes()
    return probe.stat().st_atime_ns != before


@pytest.mark.parametrize("kind", SESSIONS)
@pytest.mark.parametrize("tokens", COMMANDS, ids=lambda tokens: " ".join(tokens) or "plan")
def test_nothing_is_touched(
    tokens: list[str], kind: str, home: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    session = written(home, SESSIONS[kind])
    age(home)
    before = traces(home)
    options = [token.replace("{out}", str(tmp_path / "out")) for token in tokens[1:]]
    ran(capsysbinary, *tokens[:1], session, *options)
    assert traces(home) == before
    assert session.read_bytes() == SESSIONS[kind]


def test_readings_would_leave_a_trace_here(tmp_path: Path) -> None:
    """What the test above is worth on this machine."""
    if not hasattr(os, "O_NOATIME"):
        pytest.skip("this system cannot read without noting it")
    if not notes_readings(tmp_path):
        pytest.skip("this file system notes no readings, so that none can be seen")


def test_a_session_that_may_not_be_written_is_read(home: Path, capsysbinary: Capture) -> None:
    session = written(home, SESSIONS["well"])
    session.chmod(0o400)
    home.chmod(0o500)
    try:
        assert ran(capsysbinary, "inspect", session).code == 0
    finally:
        home.chmod(0o700)
