"""The command line on public sessions, where those are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import ran
from tests.vectors import SHARED

Capture = pytest.CaptureFixture[bytes]

FOLDER = SHARED / "sessions"
SESSIONS = [*sorted(FOLDER.glob("*.jsonl")), *sorted(FOLDER.glob("series/*.jsonl"))]
needs_sessions = pytest.mark.skipif(not SESSIONS, reason=f"no public sessions in {FOLDER}")

# What is wrong with them: line, kind, and what can be recovered or is cut off.
PROBLEMS: dict[str, list[tuple[int, str, str]]] = {
    "badlogic__pi-mono__compact": [(1013, "welded-line", "2 recoverable records")],
    "badlogic__pi-mono__session": [(440, "welded-line", "2 recoverable records")],
    "japer-technology__gmi-dungeon-master__2026-03-06T01-41-13_6392b179": [
        (38, "missing-parent", "36 entries are not on this branch")
    ],
    "kenn-io__agentsview__session": [(10, "unreadable-line", "not JSON")],
}


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_every_command_shows_it(path: Path, capsysbinary: Capture) -> None:
    before = path.read_bytes()
    for tokens in (["inspect", path], ["context", path, "--view", "diff"], ["tree", path], [path]):
        done = ran(capsysbinary, *tokens)
        assert (done.code, done.err) == (0, "")
        assert done.out
    assert path.read_bytes() == before


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_its_problems_are_named(path: Path, capsysbinary: Capture) -> None:
    report = ran(capsysbinary, "inspect", path, "--keys", "problems,prune_error").json
    problems = [(found["line"], found["kind"]) for found in report["problems"]]
    expected = PROBLEMS.get(path.stem, [])
    assert problems == [(line, kind) for line, kind, _ in expected]
    for found, (_, _, words) in zip(report["problems"], expected, strict=True):
        assert words in found["reason"]
    assert report["prune_error"] is False


@needs_sessions
def test_all_at_once(capsysbinary: Capture) -> None:
    keys = ("--keys", "session,sizeRaw,sizePruned", "--format", "jsonl")
    done = ran(capsysbinary, "inspect", *SESSIONS, *keys)
    assert (done.code, done.err) == (0, "")
    reports: list[Any] = [json.loads(line) for line in done.out.split(b"\n")[:-1]]
    assert [report["session"]["path"] for report in reports] == [str(path) for path in SESSIONS]
    assert all(report["sizeRaw"] >= report["sizePruned"] > 2 for report in reports)
