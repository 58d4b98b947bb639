"""`check`: what it prints, and the exit code that a script goes by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build import SessionBuilder, call
from tests.sessions import ran, written

Capture = pytest.CaptureFixture[bytes]

CLEAN = SessionBuilder().user().turn("x").answer()
NOTED = SessionBuilder().user().turn("x").user().turn("x").answer()
WARNED = SessionBuilder().user().assistant(call("x")).user().answer()
BROKEN = SessionBuilder().user().turn("x").answer().result("x").answer()


@pytest.mark.parametrize(
    ("session", "fail_on", "code"),
    [
        (CLEAN, "note", 0),
        (NOTED, "note", 1),
        (NOTED, "warning", 0),
        (WARNED, "warning", 1),
        (WARNED, "error", 0),
        (BROKEN, "error", 0),
    ],
)
def test_the_exit_code_goes_by_the_worst(
    session: SessionBuilder, fail_on: str, code: int, tmp_path: Path, capsysbinary: Capture
) -> None:
    """The sweep takes out the orphan of the broken one, so it is only a warning."""
    path = written(tmp_path, session.raw)
    assert ran(capsysbinary, "check", path, "--fail-on", fail_on).code == code


def test_an_error_fails_without_being_asked(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, BROKEN.raw)
    config = tmp_path / "config.json"
    config.write_text('{"enabled": false}')
    done = ran(capsysbinary, "check", path, "--config", config)
    assert done.code == 1
    assert b"E error orphan-result" in done.out


def test_a_session_that_cannot_be_opened_weighs_most(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, NOTED.raw)
    missing = tmp_path / "none.jsonl"
    done = ran(capsysbinary, "check", missing, path, "--fail-on", "note", "--format", "jsonl")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 2
    assert "none.jsonl" in done.err
    assert [line["session"]["path"] for line in lines] == [str(missing), str(path)]
    assert "error" in lines[0]
    assert lines[1]["code"] == "reused-id"


def test_json_counts_and_names_every_place(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, WARNED.raw)
    done = ran(capsysbinary, "check", path, "--format", "json")
    told = done.json
    assert (told["errors"], told["warnings"], told["notes"]) == (0, 1, 0)
    [found] = told["findings"]
    assert found["code"] == "unanswered-call"
    assert found["severity"] == "warning"
    assert (found["line"], found["entry"], found["slot"]) == (3, "e2", 1)
    assert found["what"]
    assert found["why"]
    assert found["advice"]
    both = ran(capsysbinary, "check", path, path, "--format", "json").json
    assert both == [told, told]


def test_the_old_version_is_asked_for(tmp_path: Path, capsysbinary: Capture) -> None:
    session = SessionBuilder().user().turn("x", at=2000).archive("t1", "x", 2000)
    path = written(tmp_path, session.user().turn("x", at=3000).raw)
    assert b"legacy-result-stubbed" not in ran(capsysbinary, "check", path).out
    assert b"legacy-result-stubbed" in ran(capsysbinary, "check", path, "--as", "2.5").out


def test_text_of_the_session_is_shown_printable(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user().result("\x1b[31mx\nE error").raw)
    out = ran(capsysbinary, "check", path).out
    assert b"\x1b" not in out
    assert b"\nE error" not in out.partition(b"\n")[2].split(b"orphan")[-1]
