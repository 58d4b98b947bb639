"""`inspect`: everything about one or more sessions at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from condense_tui.inspection.report import REPORT_KEYS
from tests.build import SessionBuilder
from tests.sessions import file_of, header, message, ran, written

Capture = pytest.CaptureFixture[bytes]

VECTOR_KEYS = """
    messages_raw messages_pruned pruned prune_error reconstruct beforeChars afterChars sizeRaw
    sizePruned diagnostics diagnostic_entries resolved_ranges tree chains eligible in_grace metrics
    frontier stats pending records dedup_aliases short_refs next_short_ref content_hashes
    summary_bodies chain_registry config
"""
OWN_KEYS = ["slots", "problems", "findings", "status_line", "session"]


def pruned_session() -> SessionBuilder:
    session = SessionBuilder().user(at=1000).turn("bash_1", "one", at=2000)
    return session.archive("t1", "bash_1", 2000, "one").answer()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return written(tmp_path, pruned_session().raw)


def report_of(capture: Capture, *tokens: object) -> Any:
    done = ran(capture, "inspect", *tokens, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return done.json


# JSON


def test_json_holds_every_key_that_is_promised(session: Path, capsysbinary: Capture) -> None:
    report = report_of(capsysbinary, session)
    assert {*VECTOR_KEYS.split(), *OWN_KEYS} <= report.keys()
    assert list(report) == list(REPORT_KEYS)


def test_the_session_in_json(session: Path, capsysbinary: Capture) -> None:
    about = report_of(capsysbinary, session)["session"]
    expected = {"path": str(session), "id": "s", "version": 3, "cwd": "/work", "name": None}
    assert about.items() >= expected.items()
    assert (about["leaf"], about["branchLength"]) == ("e6", 6)


def test_slots_in_json(session: Path, capsysbinary: Capture) -> None:
    slots = report_of(capsysbinary, session, "--keys", "slots")["slots"]
    assert [slot["role"] for slot in slots] == [
        "user",
        "assistant",
        "toolResult",
        "custom",
        "assistant",
    ]
    stub = slots[2]
    assert (stub["place"], stub["entry"], stub["ref"], stub["block"]) == (2, "e3", "t1", None)
    assert [fate["kind"] for fate in stub["fates"]] == ["stubbed"]
    assert all(fate["reason"] for slot in slots for fate in slot["fates"])


@pytest.mark.parametrize(
    "keys", ["pruned", "sizeRaw,pruned", " sizeRaw , pruned ", "pruned,", "pruned,pruned"]
)
def test_keys_limit_the_object(keys: str, session: Path, capsysbinary: Capture) -> None:
    report = report_of(capsysbinary, session, "--keys", keys)
    assert set(report) == {key.strip() for key in keys.split(",")} - {""}
    assert report["pruned"] is True


@pytest.mark.parametrize("keys", ["", ",", " "])
def test_no_keys_are_not_an_empty_answer(keys: str, session: Path, capsysbinary: Capture) -> None:
    """Nobody asks for nothing: an unset variable in a script does."""
    done = ran(capsysbinary, "inspect", session, "--keys", keys, "--format", "json")
    assert done.code == 2 or done.json != {}


def test_keys_alone_ask_for_json(session: Path, capsysbinary: Capture) -> None:
    assert ran(capsysbinary, "inspect", session, "--keys", "pruned").json == {"pruned": True}


def test_json_escapes_what_utf8_cannot_hold(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user("caf\udcb2 \ud83d").raw)
    done = ran(capsysbinary, "inspect", path, "--keys", "messages_raw", "--format", "json")
    assert rb"caf\udcb2 \ud83d" in done.out
    assert done.json["messages_raw"][0]["content"][0]["text"] == "caf\udcb2 \ud83d"


def test_control_characters_are_exact_in_json(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user("\x1b[31m\u202e\x9b\x00").raw)
    raw = report_of(capsysbinary, path, "--keys", "messages_raw")["messages_raw"]
    assert raw[0]["content"][0]["text"] == "\x1b[31m\u202e\x9b\x00"


def test_problems_in_json(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user().line('{"a":1}{"b":2}').answer().raw)
    (problem,) = report_of(capsysbinary, path, "--keys", "problems")["problems"]
    assert (problem["line"], problem["recoverable"]) == (3, 0)


def test_welded_records_are_counted_in_json(tmp_path: Path, capsysbinary: Capture) -> None:
    lines = file_of(header(), message("a")) + file_of(message("b"), message("c"), ending=b"")
    (problem,) = report_of(capsysbinary, written(tmp_path, lines), "--keys", "problems")["problems"]
    assert (problem["line"], problem["kind"], problem["recoverable"]) == (3, "welded-line", 2)


# Leaves


@pytest.mark.parametrize("leaf", ["e1", "e2", "e3", "e5"])
def test_any_entry_is_a_moment_to_look_at(leaf: str, session: Path, capsysbinary: Capture) -> None:
    report = report_of(capsysbinary, session, "--leaf", leaf)
    assert report["session"]["leaf"] == leaf
    assert report["session"]["branchLength"] == int(leaf[1:])
    assert report["pruned"] is (leaf == "e5")


def test_a_leaf_of_version_1_is_its_line(tmp_path: Path, capsysbinary: Capture) -> None:
    plain = {"type": "message", "message": {"role": "user", "content": "x"}}
    path = written(tmp_path, file_of({"type": "session", "id": "s"}, plain, plain))
    assert report_of(capsysbinary, path, "--leaf", "line-2")["session"]["branchLength"] == 1


# Settings


def graced(tmp_path: Path) -> Path:
    session = SessionBuilder().user(at=1000).turn("q", "found", at=2000, tool="context_tree_query")
    return written(tmp_path, session.archive("t1", "q", 2000, "found").raw)


@pytest.mark.parametrize(
    "config",
    [
        b'{"recoveryGraceTurns":0}',
        b'{"contextPrune":{"recoveryGraceTurns":0}}',
        b'{"other":1,"contextPrune":{"recoveryGraceTurns":0}}',
    ],
)
def test_settings_from_a_named_file(config: bytes, tmp_path: Path, capsysbinary: Capture) -> None:
    path, settings = graced(tmp_path), written(tmp_path, config, "config.json")
    assert report_of(capsysbinary, path)["pruned"] is False
    assert report_of(capsysbinary, path, "--config", settings)["pruned"] is True


def test_settings_of_the_agent(
    tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    path = graced(tmp_path)
    written(tmp_path, b'{"contextPrune":{"recoveryGraceTurns":0}}', "settings.json")
    assert report_of(capsysbinary, path)["config"]["recoveryGraceTurns"] == 0
    other = written(tmp_path, b'{"recoveryGraceTurns":5}', "config.json")
    assert report_of(capsysbinary, path, "--config", other)["config"]["recoveryGraceTurns"] == 5


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"chainCompression": {"rollingWindow": 1}}, "settings-partial"),
        ({"purgeErrors": {"enabled": True}}, "settings-partial"),
        ({"minBatchChars": "x"}, "settings-ignored"),
        ({"enabled": False}, "pruner-off"),
        (5, "settings-ignored"),
    ],
)
def test_what_is_odd_about_settings_is_a_finding(
    settings: Any, code: str, session: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    config = written(tmp_path, json.dumps({"contextPrune": settings}).encode(), "config.json")
    findings = report_of(capsysbinary, session, "--config", config)["findings"]
    assert code in [finding["code"] for finding in findings]


def test_broken_settings_of_the_agent_are_a_finding(
    session: Path, tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extension goes on with its defaults, silently; whoever wrote them should know."""
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    path = written(tmp_path, b'{"contextPrune": {},}', "settings.json")
    findings = report_of(capsysbinary, session)["findings"]
    assert [str(path) in finding["what"] for finding in findings] == [True]


# Several sessions


def three(tmp_path: Path) -> list[Path]:
    first = written(tmp_path, SessionBuilder(id="first").user().raw, "1.jsonl")
    last = written(tmp_path, SessionBuilder(id="last").user().raw, "3.jsonl")
    return [first, written(tmp_path, b"garbage", "2.jsonl"), last]


def test_a_bad_one_between_two_in_text(tmp_path: Path, capsysbinary: Capture) -> None:
    paths = three(tmp_path)
    done = ran(capsysbinary, "inspect", *paths)
    assert done.code == 2
    assert done.complaint.startswith(f"{paths[1]}: not a pi session")
    assert [row for row in done.words.splitlines() if "/work" in row] == [
        "first  /work",
        "last  /work",
    ]


def test_several_in_text_can_be_told_apart(tmp_path: Path, capsysbinary: Capture) -> None:
    """A copy has the same id and directory, so only the path tells."""
    paths = [written(tmp_path, SessionBuilder().raw, name) for name in ("a.jsonl", "b.jsonl")]
    words = ran(capsysbinary, "inspect", *paths).words
    assert [path.name in words for path in paths] == [True, True]


@pytest.mark.parametrize("output_format", ["json", "jsonl"])
def test_a_bad_one_between_two_in_json(
    output_format: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    paths = three(tmp_path)
    done = ran(capsysbinary, "inspect", *paths, "--format", output_format)
    assert done.code == 2
    assert done.complaint.startswith(str(paths[1]))
    lines = done.out.splitlines()
    reports = done.json if output_format == "json" else [json.loads(line) for line in lines]
    assert len(reports) == 3
    assert [report["session"]["path"] for report in reports] == [str(path) for path in paths]
    assert reports[1].keys() == {"session", "error"}
    assert (reports[0]["session"]["id"], reports[2]["session"]["id"]) == ("first", "last")


def test_jsonl_is_one_object_a_line(tmp_path: Path, capsysbinary: Capture) -> None:
    """Texts may hold line separators of their own; only a line feed ends a line."""
    path = written(tmp_path, SessionBuilder().user("a\u2028b\nc").raw)
    done = ran(capsysbinary, "inspect", path, path, "--format", "jsonl")
    assert done.out.count(b"\n") == 2
    first, second = done.out.removesuffix(b"\n").split(b"\n")
    assert json.loads(first) == json.loads(second)


def test_json_of_one_session_is_an_object_and_of_several_a_list(
    session: Path, capsysbinary: Capture
) -> None:
    assert isinstance(report_of(capsysbinary, session), dict)
    assert [type(each) for each in report_of(capsysbinary, session, session)] == [dict, dict]


def test_only_bad_ones(tmp_path: Path, capsysbinary: Capture) -> None:
    bad = tmp_path / "missing"
    done = ran(capsysbinary, "inspect", bad, bad, "--format", "jsonl")
    assert done.code == 2
    assert done.out.count(b"\n") == done.err.count("\n") == 2


# Text


def test_text(session: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "inspect", session)
    assert (done.code, done.err) == (0, "")
    rows = done.words.splitlines()
    assert rows[0] == "s  /work"
    assert "  ~     1  stubbed" in rows
    assert all(row == row.rstrip() for row in rows)


def test_the_same_file_gives_the_same_answer(session: Path, capsysbinary: Capture) -> None:
    answers = {ran(capsysbinary, "inspect", session, "--format", "json").out for _ in range(3)}
    assert len(answers) == 1
