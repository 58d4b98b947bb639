"""`export`: every occurrence to its own file, never outside the folder, never over another."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from tests.build import SessionBuilder, record, spilled
from tests.sessions import ran, written

Capture = pytest.CaptureFixture[bytes]

LONG = "call_" + "x" * 450


@pytest.fixture
def session(tmp_path: Path) -> Path:
    builder = SessionBuilder().archive("t1", "bash_23", 1766000001234, "one\r\n\x1b[31m")
    builder.archive("t2", "bash_23", 1766000009999, "two").alias(("b", 7), ("bash_23", 9))
    builder.archive("t3", "old", None, "half \ud83d")
    return written(tmp_path, builder.raw)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "a" / "out"


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_one_ref(session: Path, out: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "export", session, "t1", "--to", out)
    assert (done.code, done.err) == (0, "")
    assert done.words == f"1 output and manifest.json written to {out}\n"
    files = files_in(out)
    raw = b"one\r\n\x1b[31m"
    assert files.pop("bash_23@1766000001234.txt") == raw
    manifest = json.loads(files.pop("manifest.json"))
    assert files == {}
    assert manifest["session"] == str(session)
    (row,) = manifest["outputs"]
    assert (row["ref"], row["occurrence"]) == ("t1", "bash_23@1766000001234")
    assert (row["bytes"], row["sha256"]) == (len(raw), hashlib.sha256(raw).hexdigest())


def test_a_bare_id_exports_every_occurrence(
    session: Path, out: Path, capsysbinary: Capture
) -> None:
    assert ran(capsysbinary, "export", session, "bash_23", "--to", out).code == 0
    assert sorted(files_in(out)) == [
        "bash_23@1766000001234.txt",
        "bash_23@1766000009999.txt",
        "manifest.json",
    ]


def test_all(session: Path, out: Path, capsysbinary: Capture) -> None:
    """An alias of a record that is not there is no output, and no reason to fail."""
    done = ran(capsysbinary, "export", session, "--all", "--to", out)
    assert (done.code, done.err) == (0, "")
    assert len(files_in(out)) == 4
    assert files_in(out)["old.txt"] == b"half \xef\xbf\xbd"


def test_all_of_nothing(tmp_path: Path, out: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().user().raw)
    done = ran(capsysbinary, "export", path, "--all", "--to", out)
    assert done.code == 0
    assert json.loads((out / "manifest.json").read_bytes())["outputs"] == []


def test_what_is_not_found_is_said_and_the_rest_is_written(
    session: Path, out: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, "export", session, "t1", "t9", "--to", out)
    assert (done.code, done.complaint) == (1, "not found: t9")
    assert len(files_in(out)) == 2


def test_nothing_found_nothing_written(session: Path, out: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "export", session, "t9", "--to", out)
    assert (done.code, done.complaint) == (1, "not found: t9")
    assert not out.exists()


# Never over another


def test_nothing_is_overwritten_unless_forced(
    session: Path, out: Path, capsysbinary: Capture
) -> None:
    arguments = ("export", session, "t1", "t2", "--to", out)
    ran(capsysbinary, *arguments)
    for path in out.iterdir():
        path.write_bytes(b"mine")
    done = ran(capsysbinary, *arguments)
    assert (done.code, done.out) == (2, b"")
    assert "--force" in done.complaint
    assert set(files_in(out).values()) == {b"mine"}
    assert ran(capsysbinary, *arguments, "--force").code == 0
    assert b"mine" not in files_in(out).values()


def test_other_files_in_the_folder_stay(session: Path, out: Path, capsysbinary: Capture) -> None:
    out.mkdir(parents=True)
    (out / "mine").write_bytes(b"mine")
    assert ran(capsysbinary, "export", session, "--all", "--to", out, "--force").code == 0
    assert (out / "mine").read_bytes() == b"mine"
    assert [name for name in files_in(out) if name.startswith(".")] == []


@pytest.mark.parametrize("name", ["bash_23@1766000001234.txt", "manifest.json"])
@pytest.mark.parametrize("is_dangling", [False, True])
def test_a_link_in_the_folder_is_not_followed(
    name: str, is_dangling: bool, session: Path, out: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    target = tmp_path / "target"
    if not is_dangling:
        target.write_bytes(b"precious")
    out.mkdir(parents=True)
    (out / name).symlink_to(target)
    assert ran(capsysbinary, "export", session, "t1", "--to", out).code == 2
    assert ran(capsysbinary, "export", session, "t1", "--to", out, "--force").code == 0
    assert not (out / name).is_symlink()
    assert target.exists() is not is_dangling
    assert is_dangling or target.read_bytes() == b"precious"


def test_the_session_itself_is_never_overwritten(tmp_path: Path, capsysbinary: Capture) -> None:
    """Whatever it is called and however hard one insists."""
    path = written(tmp_path, SessionBuilder().archive("t1", "a", 1).raw, "manifest.json")
    before = path.read_bytes()
    done = ran(capsysbinary, "export", path, "t1", "--to", tmp_path, "--force")
    assert path.read_bytes() == before
    assert done.code == 2


# Never outside


HOSTILE_IDS = ["../../x", "/etc/x", "..", ".", "", "CON", "con", "nul.txt", LONG, LONG + "y"]
HOSTILE_IDS += ["Bash_1", "bash_1", "BASH_1", "a/b", "a\\b", "a:b", "a\0b", "a\nb", "~", "-rf", "ü"]


def test_hostile_ids_make_safe_names(tmp_path: Path, out: Path, capsysbinary: Capture) -> None:
    builder = SessionBuilder().index(*(record(name, None, name) for name in HOSTILE_IDS))
    path = written(tmp_path, builder.raw)
    assert ran(capsysbinary, "export", path, "--all", "--to", out).code == 0
    files = files_in(out)
    rows = json.loads(files.pop("manifest.json"))["outputs"]
    assert {row["occurrence"]: files[row["file"]].decode() for row in rows} == {
        name: name for name in HOSTILE_IDS
    }
    assert len({name.casefold() for name in files}) == len(HOSTILE_IDS)
    assert max(map(len, files)) < 140
    assert sorted(os.listdir(tmp_path)) == ["a", "session.jsonl"]


@pytest.mark.parametrize("kind", ["file", "below a file", "device"])
def test_a_folder_that_cannot_be_made(
    kind: str, session: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    taken = written(tmp_path, b"mine", "taken")
    to = {"file": taken, "below a file": taken / "x", "device": Path("/dev/null")}[kind]
    done = ran(capsysbinary, "export", session, "t1", "--to", to)
    assert (done.code, done.out) == (2, b"")
    assert done.complaint == f"{to}: not a directory"
    assert taken.read_bytes() == b"mine"


# Sidecars


def test_where_outputs_come_from(tmp_path: Path, out: Path, capsysbinary: Capture) -> None:
    secret = written(tmp_path, b"secret", "secret.txt")
    blobs = tmp_path / "s-blobs"
    blobs.mkdir()
    written(blobs, b"body \xff", "a_1.txt")
    builder = SessionBuilder().index(
        spilled("a", 1, "/far/away/s-blobs/a_1.txt"),
        spilled("b", 2, str(secret), resultPreview="head"),
        spilled("c", 3, "gone/s-blobs/c.txt"),
        record("d", 4, "whole"),
    )
    path = written(tmp_path, builder.raw)
    done = ran(capsysbinary, "export", path, "--all", "--to", out)
    assert done.code == 0
    files = files_in(out)
    rows = json.loads(files.pop("manifest.json"))["outputs"]
    assert [row["source"] for row in rows] == ["sidecar", "preview only", "unavailable", "record"]
    assert files == {"a@1.txt": b"body \xff", "b@2.txt": b"head", "d@4.txt": b"whole"}
    ran(capsysbinary, "export", path, "b", "--to", out, "--force", "--follow-paths")
    assert files_in(out)["b@2.txt"] == b"secret"


def test_what_is_not_whole_is_said(tmp_path: Path, out: Path, capsysbinary: Capture) -> None:
    """Whoever exports to keep a copy must not believe that they have one."""
    builder = SessionBuilder().index(spilled("a", 1, resultPreview="head"), spilled("b", 2))
    path = written(tmp_path, builder.raw)
    done = ran(capsysbinary, "export", path, "--all", "--to", out)
    assert "preview" in done.words + done.err
    assert "b@2" in done.words + done.err


def test_redacted_files_say_so_and_their_hashes_hold(tmp_path: Path, capsysbinary: Capture) -> None:
    secret = "ghp_" + "a1B2" * 9
    builder = SessionBuilder().user().turn("x", at=2000)
    builder.index(record("x", 2000, f"token {secret}\n", args={"password": "correct horse"}))
    session, out = written(tmp_path, builder.raw), tmp_path / "out"
    done = ran(capsysbinary, "export", session, "--all", "--to", out, "--redact")
    assert (done.code, "2 credentials masked" in done.err) == (0, True)
    manifest = json.loads((out / "manifest.json").read_bytes())
    [row] = manifest["outputs"]
    raw = (out / row["file"]).read_bytes()
    assert raw == b"token [masked: GitHub token]\n"
    assert row["sha256"] == hashlib.sha256(raw).hexdigest()
    assert row["arguments"] == {"password": "[masked: secret]"}
    assert manifest["masked"] == 2
