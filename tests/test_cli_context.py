"""`context`, `tree`, `demo`, and a session without a command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import condense_tui
from condense_tui.session.jsontext import json_text
from tests.build import SessionBuilder, spilled
from tests.sessions import ran, written

Capture = pytest.CaptureFixture[bytes]

DEMO = Path(condense_tui.__file__).parent / "demo"


def walk() -> SessionBuilder:
    session = SessionBuilder().message("system", "the prompt")
    session.user("first", at=1000).turn("bash_1", "the output", at=2000)
    return session.archive("t1", "bash_1", 2000, "the output").answer()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return written(tmp_path, walk().raw)


@pytest.mark.parametrize(
    ("view", "has", "has_not"),
    [
        ("pruned", ["ref `t1`", "stubbed as t1", "the prompt"], ["the output"]),
        ("raw", ["the output", "the prompt"], ["ref `t1`."]),
        ("diff", ["   - the output", "   + [Summarized", "stubbed as t1"], []),
    ],
)
def test_views(
    view: str, has: list[str], has_not: list[str], session: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, "context", session, "--view", view)
    assert (done.code, done.err) == (0, "")
    assert [words for words in has if words not in done.words] == []
    assert [words for words in has_not if words in done.words] == []


def test_pruned_is_the_default(session: Path, capsysbinary: Capture) -> None:
    default = ran(capsysbinary, "context", session)
    assert default == ran(capsysbinary, "context", session, "--view", "pruned")


def objects(capture: Capture, path: Path, view: str) -> list[Any]:
    done = ran(capture, "context", path, "--view", view, "--format", "jsonl")
    return [json.loads(line) for line in done.out.split(b"\n")[:-1]]


def test_one_message_a_line(session: Path, capsysbinary: Capture) -> None:
    plan = walk().plan()
    pruned, raw, diff = (objects(capsysbinary, session, v) for v in ("pruned", "raw", "diff"))
    assert [found["role"] for found in pruned] == [found["role"] for found in raw]
    assert pruned[0]["role"] == "system"
    assert json_text(pruned[1:]) == json_text([found.body for found in plan.pruned_messages])
    assert json_text(raw[1:]) == json_text([found.body for found in plan.raw_messages])
    assert [found["before"] for found in diff] == raw
    assert [found["after"] for found in diff] == pruned


def test_a_line_separator_in_a_text_ends_no_line(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user("a\u2028b\x85c\nd").raw)
    assert len(objects(capsysbinary, path, "pruned")) == 1


def test_text_is_exact_when_nobody_looks(tmp_path: Path, capsysbinary: Capture) -> None:
    words = "a\x1b[31m\r\tb\x00\u202e\u2028c\x9b"
    path = written(tmp_path, SessionBuilder().user(words).raw)
    assert words in ran(capsysbinary, "context", path).words
    assert words in ran(capsysbinary, "context", path, "--raw").words


def test_an_earlier_moment(session: Path, capsysbinary: Capture) -> None:
    words = ran(capsysbinary, "context", session, "--leaf", "e4").words
    assert "the output" in words
    assert "stubbed" not in words


@pytest.mark.parametrize("view", ["pruned", "raw", "diff"])
@pytest.mark.parametrize("output_format", ["text", "jsonl"])
def test_an_empty_context(
    view: str, output_format: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    path = written(tmp_path, SessionBuilder().raw)
    done = ran(capsysbinary, "context", path, "--view", view, "--format", output_format)
    assert (done.code, done.out) == (0, b"")


@pytest.mark.parametrize("view", ["pruned", "raw"])
def test_no_line_ends_in_blanks_that_the_session_does_not_hold(
    view: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    session = SessionBuilder().user("a\n\nb").turn("x", "c\n\nd", at=2000).archive("t1", "x", 2000)
    words = ran(capsysbinary, "context", written(tmp_path, session.raw), "--view", view).words
    assert [row for row in words.split("\n") if row != row.rstrip()] == []


# A session without a command


def test_a_session_alone_shows_the_plan(session: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, session)
    assert (done.code, done.err) == (0, "")
    assert done.words.startswith("s  /work\n")
    assert "~ result bash bash_1" in done.words
    assert "stubbed as t1" in done.words
    assert "the output" not in done.words


def test_the_plan_shows_what_was_taken_away(tmp_path: Path, capsysbinary: Capture) -> None:
    builder = SessionBuilder().user(at=1000).turn("bash_1", at=1100).answer(at=1200)
    builder.chain("b1", 1000, 1200, ["bash_1@1100"])
    words = ran(capsysbinary, written(tmp_path, builder.raw)).words
    assert words.count("dropped into b1") == 2


@pytest.mark.parametrize("options", [["--leaf", "e1"], ["--config", "config.json"]])
def test_options_without_a_command(
    options: list[str],
    session: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, b'{"enabled":false}', "config.json")
    assert "stubbed as t1" not in ran(capsysbinary, session, *options).words


# The tree


def test_tree(session: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "tree", session)
    assert (done.code, done.err) == (0, "")
    assert done.words == ("Turn 0 summary · 1 tool · 13 chars\n  t1    bash() · 10 chars\n")


def test_tree_looks_for_sidecars(tmp_path: Path, capsysbinary: Capture) -> None:
    elsewhere = written(tmp_path, b"body", "elsewhere.txt")
    path = written(tmp_path, SessionBuilder().index(spilled("x", 1, str(elsewhere))).raw)
    missing = "spilled, its file is missing"
    assert missing in ran(capsysbinary, "tree", path).words
    assert missing not in ran(capsysbinary, "tree", path, "--follow-paths").words


# The demo


def test_demo(capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "demo")
    assert (done.code, done.err) == (0, "")
    assert done.words == ran(capsysbinary, DEMO / "session.jsonl").words


def test_the_demo_does_not_depend_on_anyones_settings(
    tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ran(capsysbinary, "demo")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    written(tmp_path, b'{"contextPrune":{"enabled":false}}', "settings.json")
    assert ran(capsysbinary, "demo") == before


def test_the_demo_can_be_copied_and_asked(tmp_path: Path, capsysbinary: Capture) -> None:
    copy = tmp_path / "demo"
    shutil.copytree(DEMO, copy)
    done = ran(capsysbinary, "export", copy / "session.jsonl", "--all", "--to", tmp_path / "out")
    assert (done.code, done.err) == (0, "")
    rows = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["outputs"]
    assert {row["source"] for row in rows} == {"record", "sidecar"}


@pytest.mark.parametrize("form", ["text", "jsonl", "markdown"])
def test_redacted_in_every_form(form: str, tmp_path: Path, capsysbinary: Capture) -> None:
    secret = "ghp_" + "a1B2" * 9
    session = written(tmp_path, SessionBuilder().user(f"use {secret}").answer().raw)
    done = ran(capsysbinary, "context", session, "--format", form, "--redact")
    assert secret.encode() not in done.out
    assert b"use [masked: GitHub token]" in done.out
    assert "1 credential masked" in done.err
    assert secret.encode() in ran(capsysbinary, "context", session, "--format", form).out


def test_as_the_old_version_and_beside_it(tmp_path: Path, capsysbinary: Capture) -> None:
    builder = SessionBuilder().user().turn("x", "one", at=2000).archive("t1", "x", 2000)
    session = written(tmp_path, builder.user().turn("x", "two", at=3000).raw)
    now = ran(capsysbinary, "context", session).out
    then = ran(capsysbinary, "context", session, "--as", "2.5").out
    assert b"two" in now
    assert b"two" not in then
    both = ran(capsysbinary, "context", session, "--as", "2.5", "--view", "diff").out
    assert b"   - two\n   + [Summarized in pruner summary" in both
    assert both.count(b"Summarized in pruner summary") == 2
