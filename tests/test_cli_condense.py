"""`condense`: the copy that it writes, what it refuses, and what it leaves behind: nothing."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from condense_tui import store_condensed
from condense_tui.cli import condense as command
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.query import query
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.store import sidecar_reader
from condense_tui.store_condensed import free_copy_path
from condense_tui.store_open import open_session
from tests.build import SessionBuilder, call, spilled
from tests.sessions import ran, written
from tests.vectors import PROJECT

Capture = pytest.CaptureFixture[bytes]

LONG = "a line of output\n" * 100
HUGE = "a line of output\n" * 10_000


def plain_session() -> SessionBuilder:
    session = SessionBuilder().user().turn("a", LONG).turn("b", "short").turn("c", HUGE)
    return session.answer()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "from"
    folder.mkdir()
    return written(folder, plain_session().raw)


def read(path: Path) -> Session:
    session = open_session(path)
    assert isinstance(session, Session), session
    return session


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# The copy


def test_every_line_stays_but_the_header(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = tmp_path / "copy.jsonl"
    assert ran(capsysbinary, "condense", source, "-o", copy).code == 0
    before, after = source.read_bytes().split(b"\n"), copy.read_bytes().split(b"\n")
    assert after[1 : len(before) - 1] == before[1:-1]
    assert after[-1] == b""
    header, original = json.loads(after[0]), json.loads(before[0])
    assert header["parentSession"] == str(source)
    assert re.fullmatch(
        r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", header["id"]
    )
    assert {name: header[name] for name in ("type", "version", "cwd")} == {
        name: original[name] for name in ("type", "version", "cwd")
    }


def test_the_new_entries_hang_below_the_leaf(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = tmp_path / "copy.jsonl"
    ran(capsysbinary, "condense", source, "-o", copy)
    count = len(read(source).entries)
    entries = read(copy).entries
    new = entries[count:]
    assert [entry.parent_id for entry in new] == [entry.id for entry in entries[count - 1 : -1]]
    assert all(re.fullmatch("[0-9a-f]{8}", entry.id or "") for entry in new)
    assert all(str(entry.timestamp).endswith("Z") for entry in new)


def test_spilled_outputs_lie_in_the_copys_own_folder(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = tmp_path / "new" / "copy.jsonl"
    copy.parent.mkdir()
    done = ran(capsysbinary, "condense", source, "-o", copy)
    session = read(copy)
    index = Inspection(default_branch(session), settings_from(None)).index
    (record,) = (record for record in index.records.values() if record.is_spilled)
    folder = copy.parent / f"{session.header.id}-blobs"
    assert Path(record.spill_path or "").parent == folder
    assert f"folder     {folder}: spilled outputs\n" in done.out.decode()
    (answer,) = query(index, ["c"], sidecar_reader(copy))
    assert [match.raw for match in answer.matches] == [HUGE.encode()]


def test_bodies_that_were_spilled_before_come_along(tmp_path: Path, capsysbinary: Capture) -> None:
    """The copy may lie in another folder, and a record's body is looked for beside it."""
    session = (
        SessionBuilder().user().turn("x", "gone", at=5).index(spilled("x", 5, "/far/s-blobs/x.txt"))
    )
    (tmp_path / "from" / "s-blobs").mkdir(parents=True)
    written(tmp_path / "from" / "s-blobs", b"body", "x.txt")
    source = written(tmp_path / "from", session.raw)
    beside, away = source.with_name("copy.jsonl"), tmp_path / "to" / "copy.jsonl"
    away.parent.mkdir()
    for copy in (beside, away):
        done = ran(capsysbinary, "condense", source, "-o", copy)
        assert done.code == 0
        assert (b"folder  " in done.out) == (copy is away)
    assert str(away.parent / "s-blobs").encode() in done.out
    assert listed(away.parent) == ["copy.jsonl", "s-blobs", "s-blobs/x.txt"]
    assert b"from the sidecar\nbody\n" in ran(capsysbinary, "query", away, "x").out


def test_again_on_its_own_output_adds_nothing(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    ran(capsysbinary, "condense", source, "-o", first)
    done = ran(capsysbinary, "condense", first, "-o", second)
    assert b"0 entries added" in done.out
    assert second.read_bytes().split(b"\n")[1:] == first.read_bytes().split(b"\n")[1:]


@pytest.mark.parametrize(
    "raw",
    [
        plain_session().raw[:-1],
        plain_session().raw + b'{"type":"mess',
        b"garbage\n\n" + plain_session().raw,
        plain_session().raw.replace(b"\n", b"\r\n"),
    ],
    ids=["no last line feed", "a torn end", "garbage before the header", "CRLF"],
)
def test_files_that_are_not_quite_well(raw: bytes, tmp_path: Path, capsysbinary: Capture) -> None:
    source, copy = written(tmp_path, raw), tmp_path / "copy.jsonl"
    assert ran(capsysbinary, "condense", source, "-o", copy).code == 0
    session = read(copy)
    assert session.header.parent_session == str(source)
    branch = default_branch(session)
    assert branch.entries[: len(read(source).entries)][0].id == "e1"
    assert len(branch.entries) > len(read(source).entries)


def test_a_version_1_file_stays_one(tmp_path: Path, capsysbinary: Capture) -> None:
    lines = [json.loads(line) for line in plain_session().raw.splitlines()]
    del lines[0]["version"]
    for line in lines[1:]:
        del line["id"], line["parentId"]
    raw = "\n".join(map(json.dumps, lines)).encode()
    source, copy = written(tmp_path, raw), tmp_path / "copy.jsonl"
    assert ran(capsysbinary, "condense", source, "-o", copy).code == 0
    index = Inspection(default_branch(read(copy)), settings_from(None)).index
    assert set(index.key_of_ref) == {"t1"}
    failed = ran(capsysbinary, "condense", source, "--leaf", "line-3", "-o", tmp_path / "2.jsonl")
    assert failed.code == 2
    assert "but one branch" in failed.err


def test_a_leaf_of_another_branch_becomes_the_active_one(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    session = plain_session().back_to("e1").answer("another way")
    source, copy = written(tmp_path, session.raw), tmp_path / "copy.jsonl"
    ran(capsysbinary, "condense", source, "--leaf", "e8", "-o", copy)
    assert "e8" in [entry.id for entry in default_branch(read(copy)).entries]


def test_settings_count(source: Path, tmp_path: Path, capsysbinary: Capture) -> None:
    config = written(tmp_path, b'{"minBatchChars": 1, "spillThreshold": 1000000}', "c.json")
    dry = ran(capsysbinary, "condense", source, "--dry-run", "--config", config, "--format", "json")
    found = json.loads(dry.out)
    assert [call["outcome"] for call in found["calls"]] == [
        "summarised",
        "not_shorter",
        "summarised",
    ]


# What it refuses


def test_a_file_that_exists_is_overwritten_only_by_force(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = written(tmp_path, b"something else", "copy.jsonl")
    failed = ran(capsysbinary, "condense", source, "-o", copy)
    assert (failed.code, copy.read_bytes()) == (2, b"something else")
    assert "--force overwrites" in failed.err
    assert ran(capsysbinary, "condense", source, "-o", copy, "--force").code == 0
    assert read(copy).header.parent_session == str(source)


@pytest.mark.parametrize("has_links", [True, False])
def test_of_two_runs_to_one_copy_the_later_fails(
    has_links: bool,
    source: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other copy comes to be while this one is worked out; some file systems have no links."""
    copy, work_out = tmp_path / "copy.jsonl", command.condensed

    def overtaken(*arguments: Any) -> Any:
        copy.write_bytes(b"the other")
        return work_out(*arguments)

    def refused(*_arguments: Any) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(command, "condensed", overtaken)
    if not has_links:
        monkeypatch.setattr(os, "link", refused)
    before = listed(tmp_path)
    failed = ran(capsysbinary, "condense", source, "-o", copy)
    assert (failed.code, failed.complaint) == (2, f"{copy} exists; --force overwrites")
    assert copy.read_bytes() == b"the other"
    assert listed(tmp_path) == sorted([*before, copy.name])


@pytest.mark.parametrize("link", [None, os.link])
def test_never_in_place(link: Any, source: Path, tmp_path: Path, capsysbinary: Capture) -> None:
    copy = source if link is None else tmp_path / "link.jsonl"
    if link:
        link(source, copy)
    before = source.read_bytes()
    failed = ran(capsysbinary, "condense", source, "-o", copy, "--force")
    assert failed.code == 2
    assert "the session itself" in failed.err
    assert source.read_bytes() == before


def test_a_link_to_the_session_is_replaced_itself(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy, before = tmp_path / "link.jsonl", source.read_bytes()
    copy.symlink_to(source)
    assert ran(capsysbinary, "condense", source, "-o", copy, "--force").code == 0
    assert source.read_bytes() == before
    assert not copy.is_symlink()


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_folder_is_no_copy(
    force: list[str], source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    assert ran(capsysbinary, "condense", source, "-o", tmp_path, *force).code == 2


@pytest.mark.parametrize("command", ["condense", "repair"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("new/copy.jsonl", "no such folder: new"), ("new/", "-o names a folder: name a file in it")],
)
def test_no_folder_is_made(
    name: str,
    words: str,
    command: str,
    source: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mistyped one would be made without a word, and a path ending in `/` be a file."""
    monkeypatch.chdir(source.parent)
    failed = ran(capsysbinary, command, source, "-o", name)
    assert failed.code == 2
    assert words in failed.complaint
    assert listed(source.parent) == [source.name]


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_pipe_is_no_copy(
    force: list[str], source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = tmp_path / "copy.jsonl"
    os.mkfifo(copy)
    failed = ran(capsysbinary, "condense", source, "-o", copy, *force)
    assert (failed.code, failed.complaint) == (2, f"{copy}: not a regular file")
    assert copy.is_fifo()


OF_MODEL = (["--base-url", "x"], ["--price", "1/2"], ["--jobs", "2"], ["--fuse"], ["--yes"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name the copy with -o"),
        (["--dry-run", "--leaf", "nobody"], "no entry has the id nobody"),
        (["--mode", "later", "--dry-run"], "later"),
        (["--jobs", "0", "--summarizer", "openai:x"], "--jobs is a number from 1 to 64"),
        *((["--dry-run", *of_model], "is for a model") for of_model in OF_MODEL),
        *(
            (["--dry-run", "--summarizer", "extract", *of_model], "is for a model")
            for of_model in OF_MODEL
        ),
        *(
            (["--dry-run", "--summarizer", "openai:x", "--price", price], "IN/OUT")
            for price in ("a/b", "1", "1/2/3", "1/-2", "nan/1")
        ),
    ],
)
def test_wrong_arguments(
    arguments: list[str], words: str, source: Path, capsysbinary: Capture
) -> None:
    failed = ran(capsysbinary, "condense", source, *arguments)
    assert failed.code == 2
    assert words in failed.err


def test_the_numbers_are_shown_where_no_model_can_be_asked(
    source: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    named = ["--summarizer", "openai:x", "--price", "1/2", "--fuse", "--yes"]
    done = ran(capsysbinary, "condense", source, "--dry-run", *named)
    assert (done.code, done.err) == (0, "")
    assert "model      x at OpenAI's own endpoint: 1 question" in done.words
    failed = ran(capsysbinary, "condense", source, "-o", tmp_path / "copy", *named)
    assert (failed.code, failed.complaint) == (
        2,
        "a model needs an extra: pip install 'condense-tui[openai]'",
    )


def test_a_session_whose_records_are_broken(tmp_path: Path, capsysbinary: Capture) -> None:
    source = written(tmp_path, plain_session().custom("context-prune-index", None).raw)
    failed = ran(capsysbinary, "condense", source, "--dry-run")
    assert failed.code == 2
    assert "would not read" in failed.err


# What it leaves behind


@pytest.mark.parametrize(
    ("trouble", "code", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "no space left on device"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
@pytest.mark.parametrize("fails_at", [1, 2])
def test_nothing_is_left_behind(
    fails_at: int,
    trouble: BaseException,
    code: int,
    words: str,
    source: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither where the spilled output fails to be written, nor where the copy does."""
    copy, calls = tmp_path / "new" / "copy.jsonl", []
    copy.parent.mkdir()
    before = listed(tmp_path)

    def failing(path: Any, target: Any) -> None:
        calls.append(path)
        if len(calls) == fails_at:
            raise trouble
        rename(path, target)

    rename = os.replace
    monkeypatch.setattr(os, "replace", failing)
    failed = ran(capsysbinary, "condense", source, "-o", copy, "--force")
    assert failed.code == code
    assert words in failed.err
    assert listed(tmp_path) == before


def test_a_stop_before_anything_is_written(
    source: Path, tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = listed(tmp_path)

    def stopped(*_arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "condensed", stopped)
    assert ran(capsysbinary, "condense", source, "-o", tmp_path / "copy.jsonl").code == 130
    assert listed(tmp_path) == before


def test_a_sidecar_that_is_there_already_is_shared(tmp_path: Path) -> None:
    kept = written(tmp_path, b"other", "kept.txt")
    copy = store_condensed.SessionCopy(tmp_path / "c.jsonl", [b"x\n"], {"kept.txt": b"body"})
    assert store_condensed.write_condensed(copy) is None
    assert kept.read_bytes() == b"other"


# Looking first


def test_a_dry_run_writes_nothing_and_tells_all(source: Path, capsysbinary: Capture) -> None:
    before = listed(source.parent)
    done = ran(capsysbinary, "condense", source, "--dry-run", "-o", source.with_name("copy.jsonl"))
    assert listed(source.parent) == before
    lines = done.out.decode().split("\n")
    assert [re.sub(r" +", " ", line) for line in lines[:5]] == [
        "turns outputs -> summary, in chars",
        " 0 1.7k -> 175 summarised as t1 · bash",
        " 1 5 too small · bash",
        " 2 170.0k spilled · bash",
        "",
    ]
    assert "estimated: 4 characters a token" in done.out.decode()


def test_a_dry_run_says_what_is_wrong_only_with_the_copy(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    """And why fewer questions are asked than there are batches."""
    session = SessionBuilder().user().turn("a", HUGE, is_error=True).turn("b", "short")
    path = written(tmp_path, session.turn("c", LONG).answer().raw)
    done = ran(capsysbinary, "condense", path, "--dry-run")
    assert "findings   the copy would have 1 more: error-looks-successful\n" in done.words
    asked = ran(capsysbinary, "condense", path, "--dry-run", "--format", "json")
    assert asked.json["findings"] == {"error-looks-successful": 1}
    assert "1 of 2 batches in 1 flush, the others too small or duplicates: " in done.words
    assert "one would be asked 1 question (" in done.words


def totals(words: str) -> dict[str, str]:
    """What the totals tell, by their label, which is as wide for all of them."""
    lines = [line for line in words.split("\n") if re.match("[a-z]", line)]
    return {line[:11].rstrip(): line[11:] for line in lines}


def test_a_string_of_an_output_is_left_alone_and_in_a_replay_counted(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG)
    session.assistant(call("b"))
    fields = {"toolCallId": "b", "toolName": "bash", "isError": False}
    session.message("toolResult", "x" * 4_000, **fields).answer(at=1_200)
    path = written(tmp_path, session.raw)
    now = totals(ran(capsysbinary, "condense", path, "--dry-run", "--compact").words)
    assert now["left alone"] == "1 output: a record would not hold all of it"
    assert "lost" not in now
    asked = ("condense", path, "--compact", "--mode", "replay")
    replay = totals(ran(capsysbinary, *asked, "--dry-run").words)
    assert replay["lost"] == "1 output of the context will be found by no query"
    copy = tmp_path / "copy.jsonl"
    assert totals(ran(capsysbinary, *asked, "-o", copy).words)["lost"] == replay["lost"]
    told = ran(capsysbinary, *asked, "--dry-run", "--format", "json").json
    assert told["losses"] == {"unfound": 1, "altered": 0}


def test_where_nothing_changes_no_sizes_stand_side_by_side(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    """Only the frontier moves on."""
    path = written(tmp_path, SessionBuilder().user().turn("b", "short").answer().raw)
    told = totals(ran(capsysbinary, "condense", path, "--dry-run").words)
    assert "tokens, as they are" in told["context"]
    assert told["model"] == "none, and there would be nothing to ask one"


def test_where_a_model_would_only_fuse_that_is_all_it_is_asked(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    session = SessionBuilder().user(at=1_100).turn("a", LONG, at=1_110).turn("b", LONG, at=1_120)
    session.archive("t1", "a", 1_110, LONG).archive("t2", "b", 1_120, LONG).answer(at=1_200)
    path = written(tmp_path, session.raw)
    told = totals(ran(capsysbinary, "condense", path, "--dry-run", "--compact").words)
    assert told["model"].startswith("none; one would be asked 1 question to fuse chains (about ")


def test_where_nothing_is_left_a_sentence_says_so(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    copy = tmp_path / "copy.jsonl"
    ran(capsysbinary, "condense", source, "-o", copy)
    done = ran(capsysbinary, "condense", copy, "--dry-run")
    assert "Nothing is left to condense.\n" in done.words
    assert "0 " not in done.words


def test_the_same_for_programs(source: Path, tmp_path: Path, capsysbinary: Capture) -> None:
    copy = tmp_path / "copy.jsonl"
    done = ran(capsysbinary, "condense", source, "-o", copy, "--format", "json")
    found = json.loads(done.out)
    assert found["copy"] == str(copy)
    assert [(call["outcome"], call["ref"]) for call in found["calls"]] == [
        ("summarised", "t1"),
        ("too_small", None),
        ("spilled", None),
    ]
    assert found["context"]["chars"]["after"] < found["context"]["chars"]["before"]
    assert found["estimate"]["calls"] == 1
    assert found["entries"] == len(read(copy).entries) - len(read(source).entries)


def test_chains_are_shown(source: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "condense", source, "--dry-run", "--compact")
    assert b"b1" in done.out
    assert b"1 output archived" in done.out
    replay = ran(capsysbinary, "condense", source, "--dry-run", "--mode", "replay", "--compact")
    assert b"archived" not in replay.out


def test_a_copy_of_the_demo_does_not_go_where_the_program_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    demo = PROJECT / "condense_tui" / "demo" / "session.jsonl"
    assert free_copy_path(demo) == tmp_path / "session-condensed.jsonl"
    assert free_copy_path(tmp_path / "own.jsonl") == tmp_path / "own-condensed.jsonl"
