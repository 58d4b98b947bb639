"""`repair` on the command line: the copy, the report, and what must never happen to the session."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import condense_tui.store
import condense_tui.store_copies
from condense_tui.repairing.table import FIXES
from tests.build import SessionBuilder, call, record
from tests.sessions import Ran, file_of, header, ran, user, written
from tests.test_cli_untouched import age, traces

Capture = pytest.CaptureFixture[bytes]

DAMAGED = SessionBuilder().user().result("x").raw
LEFT = SessionBuilder().user().entry("compaction", summary="s", firstKeptEntryId="lost").raw


@pytest.fixture
def session(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return written(home, DAMAGED)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "copy.jsonl"


def refused(done: Ran, words: str) -> None:
    assert (done.code, done.out) == (2, b"")
    assert words in done.complaint


# What is written


def test_a_mended_copy_and_a_report(session: Path, copy: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.err) == (0, "")
    assert done.words == (
        "1 change\n"
        "  line 3  orphan-results  e2: set aside: a result, but no open call before it has its id\n"
        f"written to {copy}\n"
    )
    assert os.listdir(copy.parent) == [copy.name]
    assert ran(capsysbinary, "repair", copy, "--dry-run").words.startswith("nothing to mend\n")


def test_json(session: Path, copy: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "repair", session, "-o", copy, "--format", "json")
    what = "set aside: a result, but no open call before it has its id"
    assert done.json == {
        "session": str(session),
        "copy": str(copy),
        "changes": [{"fix": "orphan-results", "line": 3, "entry": "e2", "what": what}],
        "left": [],
        "sidecars": {"copied": 0, "failed": []},
    }


def test_what_is_well_is_copied_as_it_is(tmp_path: Path, copy: Path, capsysbinary: Capture) -> None:
    session = written(tmp_path, SessionBuilder().user().raw)
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.words) == (0, f"nothing to mend\nwritten to {copy}\n")
    assert copy.read_bytes() == session.read_bytes()


def test_a_dry_run_writes_nothing(session: Path, copy: Path, capsysbinary: Capture) -> None:
    wet = ran(capsysbinary, "repair", session, "-o", copy, "--format", "json").json
    copy.unlink()
    for options in ([], ["-o", copy]):
        done = ran(capsysbinary, "repair", session, "--dry-run", "--format", "json", *options)
        assert done.code == 0
        assert done.json == wet | {"copy": None}
        assert os.listdir(copy.parent) == []
    assert "nothing written" in ran(capsysbinary, "repair", session, "--dry-run").words


def test_what_could_not_be_mended_ends_with_1(
    tmp_path: Path, copy: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, "repair", written(tmp_path, LEFT), "-o", copy)
    assert done.code == 1
    assert "not mended\n  line 3  compaction-boundary  " in done.words
    assert copy.read_bytes() == LEFT


def test_only_the_fixes_that_are_named(tmp_path: Path, copy: Path, capsysbinary: Capture) -> None:
    session = written(tmp_path, file_of(header(), b"42", b"nonsense", user("a")))
    ran(capsysbinary, "repair", session, "-o", copy, "--fix", "bare-values, torn-end")
    assert copy.read_bytes() == file_of(header(), b"nonsense", user("a"))


def test_reused_ids_are_a_fix_for_those_who_ask(
    tmp_path: Path, copy: Path, capsysbinary: Capture
) -> None:
    session = written(tmp_path, SessionBuilder().turn("x").turn("x").raw)
    assert ran(capsysbinary, "repair", session, "--dry-run").words.startswith("nothing to mend")
    for options in (["--fix", "reused-ids"], ["--all-fixes"]):
        ran(capsysbinary, "repair", session, "-o", copy, "--force", *options)
        assert b'"x_2"' in copy.read_bytes()


# What is refused


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ([], "needs the name of the copy"),
        (["-o", "{copy}", "--fix", "nope"], "no such fix: nope"),
        (["-o", "{copy}", "--fix", ","], "--fix names no fix"),
        (["-o", "{copy}", "--fix", "cycles", "--all-fixes"], "name fixes or give --all-fixes"),
        (["-o", "{session}"], "is the session itself"),
        (["-o", "{session}", "--force"], "is the session itself"),
        (["-o", "{folder}", "--force"], "is a directory"),
        (["-o", "{folder}/no/copy"], "no such folder"),
        (["-o", "{folder}/\0"], "embedded null"),
    ],
)
def test_refusals(
    tokens: list[str], words: str, session: Path, copy: Path, capsysbinary: Capture
) -> None:
    places = {"{copy}": copy, "{session}": session, "{folder}": copy.parent}
    for name, path in places.items():
        tokens = [token.replace(name, str(path)) for token in tokens]
    refused(ran(capsysbinary, "repair", session, *tokens), words)
    assert session.read_bytes() == DAMAGED
    assert os.listdir(copy.parent) == []


def test_another_name_of_the_session_is_the_session(
    session: Path, copy: Path, capsysbinary: Capture
) -> None:
    os.link(session, copy)
    for options in ([], ["--force"]):
        refused(ran(capsysbinary, "repair", session, "-o", copy, *options), "is the session itself")
    assert copy.samefile(session)


def test_a_link_to_the_session_is_replaced_itself(
    session: Path, copy: Path, capsysbinary: Capture
) -> None:
    copy.symlink_to(session)
    refused(ran(capsysbinary, "repair", session, "-o", copy), "exists; --force overwrites")
    assert ran(capsysbinary, "repair", session, "-o", copy, "--force").code == 0
    assert not copy.is_symlink()
    assert session.read_bytes() == DAMAGED


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_pipe_is_no_copy(
    force: list[str], session: Path, copy: Path, capsysbinary: Capture
) -> None:
    os.mkfifo(copy)
    refused(ran(capsysbinary, "repair", session, "-o", copy, *force), f"{copy}: not a regular file")


def test_no_file_is_overwritten_without_force(
    session: Path, copy: Path, capsysbinary: Capture
) -> None:
    copy.write_bytes(b"mine")
    refused(ran(capsysbinary, "repair", session, "-o", copy), "exists; --force overwrites")
    assert copy.read_bytes() == b"mine"
    assert ran(capsysbinary, "repair", session, "-o", copy, "--force").code == 0
    assert copy.read_bytes() != b"mine"


def test_a_file_that_comes_into_being_meanwhile_is_not_overwritten(
    session: Path, copy: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(descriptor: int) -> None:
        copy.write_bytes(b"mine")

    monkeypatch.setattr(condense_tui.store.os, "fsync", fsync)
    refused(ran(capsysbinary, "repair", session, "-o", copy), "file exists")
    assert copy.read_bytes() == b"mine"
    assert os.listdir(copy.parent) == [copy.name]


@pytest.mark.parametrize("raw", [b"", b"once upon a time\n", file_of(user("a")), b'{"v":4}\n'])
def test_what_is_no_session_is_not_copied(
    raw: bytes, tmp_path: Path, copy: Path, capsysbinary: Capture
) -> None:
    session = written(tmp_path, raw)
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith(f"{session}: ")
    assert not copy.exists()


@pytest.mark.parametrize(
    "raw", [b"", b"\0" * 100, "{}\n".encode("utf-16"), bytes(range(256)), b"\x7fELF\n\0\n"]
)
def test_what_is_no_session_is_refused_as_inspect_does(
    raw: bytes, tmp_path: Path, capsysbinary: Capture
) -> None:
    session = written(tmp_path, raw)
    said = ran(capsysbinary, "repair", session, "--dry-run").complaint
    assert said == ran(capsysbinary, "inspect", session).complaint
    assert ("empty" in said) == (not raw)


# Safety


@pytest.mark.parametrize("options", [["--dry-run"], ["-o", "{copy}"], ["-o", "{near}"]])
def test_the_session_is_not_touched(
    options: list[str], session: Path, copy: Path, capsysbinary: Capture
) -> None:
    near = session.with_name("near.jsonl")
    age(session.parent)
    before = traces(session.parent)
    options = [o.replace("{copy}", str(copy)).replace("{near}", str(near)) for o in options]
    ran(capsysbinary, "repair", session, *options)
    near.unlink(missing_ok=True)
    assert traces(session.parent) == before
    assert session.read_bytes() == DAMAGED


def test_a_copy_is_as_private_as_the_session(
    session: Path, copy: Path, capsysbinary: Capture
) -> None:
    for mode, kept in ((0o600, 0o600), (0o644, 0o644), (0o440, 0o640)):
        session.chmod(mode)
        ran(capsysbinary, "repair", session, "-o", copy, "--force")
        assert copy.stat().st_mode & 0o777 == kept


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
LOST = PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize("step", ["fsync", "chmod", "link"])
@pytest.mark.parametrize(
    ("failure", "code", "words"),
    [
        (FULL, 2, "no space left on device: nothing was written"),
        (LOST, 2, "permission denied: nothing was written"),
        (KeyboardInterrupt(), 130, "interrupted, nothing was written"),
    ],
)
def test_a_failure_leaves_nothing_behind(
    step: str,
    failure: BaseException,
    code: int,
    words: str,
    session: Path,
    copy: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if step == "link" and not isinstance(failure, KeyboardInterrupt):
        # A file system without links is renamed on instead.
        monkeypatch.setattr(os, "replace", _raising(failure))
    monkeypatch.setattr(os, step, _raising(failure))
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.out) == (code, b"")
    assert words in done.complaint
    assert os.listdir(copy.parent) == []


def _raising(failure: BaseException) -> Any:
    def fail(*_args: object, **_options: object) -> None:
        raise failure

    return fail


def test_a_file_system_without_links(
    session: Path, copy: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _raising(OSError(errno.EPERM, "no links here")))
    assert ran(capsysbinary, "repair", session, "-o", copy).code == 0
    assert os.listdir(copy.parent) == [copy.name]


def test_a_folder_that_may_not_be_written(session: Path, copy: Path, capsysbinary: Capture) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    copy.parent.chmod(0o500)
    refused(ran(capsysbinary, "repair", session, "-o", copy), "permission denied")
    copy.parent.chmod(0o700)


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no signals")
def test_ctrl_c_ends_with_one_line(tmp_path: Path, copy: Path) -> None:
    """A real interruption, while a large session is mended."""
    line = SessionBuilder().turn("x", "output" * 500).raw.partition(b"\n")[2]
    session = written(tmp_path, SessionBuilder().raw + line * 20_000)
    command = [sys.executable, "-m", "condense_tui", "repair", str(session), "-o", str(copy)]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_hear_ctrl_c
    )
    _wait_until_it_reads(running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, b"")
    assert err == b"condense-tui: interrupted, nothing was written\n"
    assert os.listdir(copy.parent) == []


def _hear_ctrl_c() -> None:
    """Also where the tests run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _wait_until_it_reads(running: subprocess.Popen[bytes]) -> None:
    """Its memory grows with the session."""
    status = Path(f"/proc/{running.pid}/statm")
    if not status.exists():
        pytest.skip("no way to see how far a process is")
    deadline = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < deadline:
        pages = int(status.read_text().split()[1])
        if pages * os.sysconf("SC_PAGE_SIZE") > 100_000_000:
            return
    pytest.fail("it ended before it could be interrupted")


# Spilled outputs


def spilling(folder: Path) -> Path:
    session = SessionBuilder().user().turn("x", at=5)
    session.index(record("x", 5, "", spillPath="/elsewhere/s-blobs/x_5.txt", spillBytes=4))
    session.index(record("y", 6, "", spillPath="s-blobs/gone.txt", spillBytes=4))
    (folder / "s-blobs").mkdir()
    written(folder / "s-blobs", b"body", "x_5.txt")
    return written(folder, session.raw)


def test_spilled_outputs_come_along(tmp_path: Path, copy: Path, capsysbinary: Capture) -> None:
    session = spilling(tmp_path)
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.err) == (0, "")
    assert done.words.endswith(f"written to {copy}, and 1 spilled output\n")
    assert ran(capsysbinary, "query", copy, "x").words.count("\nbody\n") == 1
    again = ran(capsysbinary, "repair", session, "-o", copy, "--force")
    assert again.words.endswith(f"written to {copy}\n")


def test_spilled_outputs_beside_the_copy_are_not_overwritten(
    tmp_path: Path, copy: Path, capsysbinary: Capture
) -> None:
    session = spilling(tmp_path)
    (copy.parent / "s-blobs").mkdir()
    other = written(copy.parent / "s-blobs", b"other", "x_5.txt")
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert done.code == 1
    assert "exists; --force overwrites" in done.complaint
    assert other.read_bytes() == b"other"
    ran(capsysbinary, "repair", session, "-o", copy, "--force")
    assert other.read_bytes() == b"body"


def test_an_interruption_beside_the_copy_is_told(
    tmp_path: Path, copy: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = spilling(tmp_path)
    stop = _raising(KeyboardInterrupt())
    monkeypatch.setattr(condense_tui.store_copies, "write_files", stop)
    done = ran(capsysbinary, "repair", session, "-o", copy)
    assert (done.code, done.out) == (130, b"")
    assert f"{copy} is whole" in done.complaint
    assert copy.read_bytes() == session.read_bytes()


def test_a_copy_in_the_same_folder_finds_them_where_they_are(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    session = spilling(tmp_path)
    copy = tmp_path / "copy.jsonl"
    assert ran(capsysbinary, "repair", session, "-o", copy).code == 0
    assert ran(capsysbinary, "query", copy, "x").words.count("\nbody\n") == 1


# Documents


@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: fix.name)
def test_the_document_has_every_row_of_the_table(fix: Any) -> None:
    docs = Path(__file__).parent.parent / "docs" / "repair.md"
    assert f"| `{fix.name}` | {fix.what} | {fix.why} |" in docs.read_text(encoding="utf-8")


def test_the_document_has_the_order_of_the_table() -> None:
    docs = (Path(__file__).parent.parent / "docs" / "repair.md").read_text(encoding="utf-8")
    places = [docs.index(f"| `{fix.name}` |") for fix in FIXES]
    assert places == sorted(places)
    assert docs.count("\n| `") == len(FIXES)


def test_a_call_that_nobody_answered_is_no_damage(
    tmp_path: Path, copy: Path, capsysbinary: Capture
) -> None:
    session = written(tmp_path, SessionBuilder().assistant(call("x")).user().raw)
    assert ran(capsysbinary, "repair", session, "-o", copy).code == 0
    assert copy.read_bytes() == session.read_bytes()
