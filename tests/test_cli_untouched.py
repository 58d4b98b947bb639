"""No command changes a file that it reads, nor the folder that it lies in, nor any time of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.build import SessionBuilder, spilled
from tests.sessions import ran, written
from tests.traces import age, traces

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
    ["check", "--as", "2.5", "--fail-on", "note", "--follow-paths"],
    ["check", "--format", "json", "--config", "{config}"],
    ["check", "--format", "jsonl", "--leaf", "e1"],
    ["context", "--format", "markdown", "--redact"],
    ["export", "--all", "--to", "{out}", "--force", "--redact"],
    ["repair", "--dry-run"],
    ["repair", "-o", "{out}"],
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


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session's folder with a sidecar and settings, all last read before they were written."""
    home = tmp_path / "home"
    (home / "s-blobs").mkdir(parents=True)
    written(home / "s-blobs", b"body", "x_1.txt")
    written(home, b'{"contextPrune":{}}', "settings.json")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(home))
    return home


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
    places = {"out": tmp_path / "out", "config": home / "settings.json"}
    options = [token.format_map(places) for token in tokens[1:]]
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
