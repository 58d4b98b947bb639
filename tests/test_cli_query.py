"""`query`: full outputs by ref, bare id or occurrence key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.build import SessionBuilder, spilled
from tests.sessions import ran, written
from tests.vectors import COPIED, SHARED, Vector, vectors_in

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    builder = SessionBuilder().archive("t1", "a", 9, "new").archive("t2", "a", 5, "old\n")
    builder.archive("t3", "b", None, "legacy").alias(("b", 7), ("a", 9))
    return written(tmp_path, builder.raw)


@pytest.mark.parametrize(
    ("asked", "outputs"),
    [
        (["t1"], ["new"]),
        (["a@5"], ["old\n"]),
        (["a"], ["old\n", "new"]),
        (["t3"], ["legacy"]),
        (["b"], ["legacy", "new"]),
        (["b@7"], ["new"]),
        (["t2", "t1", "t2"], ["old\n", "new", "old\n"]),
    ],
)
def test_occurrences_oldest_first(
    asked: list[str], outputs: list[str], session: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, "query", session, *asked, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert [answer["asked"] for answer in done.json] == asked
    got = [match["output"] for answer in done.json for match in answer["matches"]]
    assert got == outputs


def test_text(session: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, "query", session, "a")
    assert done.code == 0
    rows = done.words.split("\n")
    assert rows[0] == "a  2 occurrences, oldest first"
    assert [row for row in rows if row.startswith("──")] == ["── a@5  bash()", "── a@9  bash()"]


@pytest.mark.parametrize("asked", ["t9", "", "A", "a@6", "t1 ", "\x1b[31m", "__proto__"])
@pytest.mark.parametrize("options", [[], ["--as-tool"], ["--format", "json"]])
def test_a_ref_that_is_not_found(
    asked: str, options: list[str], session: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, "query", session, "t1", asked, *options)
    assert done.code == 1
    assert b"new" in done.out
    assert b"not found" in done.out or done.json[1] == {"asked": asked, "matches": []}


def test_a_ref_may_look_like_an_option(session: Path, capsysbinary: Capture) -> None:
    assert ran(capsysbinary, "query", session, "--", "--all").words == "--all  not found\n"


# Exactly what the tool answers


@pytest.fixture(scope="module", params=vectors_in(COPIED) + vectors_in(SHARED), ids=str)
def vector(request: pytest.FixtureRequest) -> Vector:
    found: Vector = request.param
    return found


def test_as_tool_is_the_tools_answer_to_the_letter(vector: Vector, capsysbinary: Capture) -> None:
    queries = vector.expected["queries"]
    asked = [each["input"] for each in queries]
    done = ran(capsysbinary, "query", vector.session, "--as-tool", "--", *asked)
    answer = "\n\n---\n\n".join(each["text"] for each in queries)
    assert done.words == with_signs(answer)
    assert done.code == int(any("(not found in index" in each["text"] for each in queries))


def with_signs(text: str) -> str:
    """Half characters cannot leave the program as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def test_as_tool_cuts_and_people_get_the_whole(tmp_path: Path, capsysbinary: Capture) -> None:
    output = "".join(f"line {n}\n" for n in range(3000))
    path = written(tmp_path, SessionBuilder().archive("t1", "a", 1, output).raw)
    cut = ran(capsysbinary, "query", path, "t1", "--as-tool").words
    assert cut.endswith("line 1999\n[Output truncated: 2000/3000 lines shown]")
    assert "line 2999" in ran(capsysbinary, "query", path, "t1").words


def test_arguments_on_the_command_line_need_not_be_utf8(
    session: Path, capsysbinary: Capture
) -> None:
    assert ran(capsysbinary, "query", session, "\udcff").words == "\ufffd  not found\n"


# Exact text


OUTPUT = "a\x1b[31m\r\n\tb\x00\u202e\u2028c\x9b"


def test_text_is_exact_when_nobody_looks(tmp_path: Path, capsysbinary: Capture) -> None:
    path = written(tmp_path, SessionBuilder().archive("t1", "a", 1, OUTPUT).raw)
    assert OUTPUT in ran(capsysbinary, "query", path, "t1").words
    assert OUTPUT in ran(capsysbinary, "query", path, "t1", "--raw").words
    (answer,) = ran(capsysbinary, "query", path, "t1", "--format", "json").json
    assert answer["matches"][0]["output"] == OUTPUT


# Sidecars


def spilling(tmp_path: Path, recorded: str, **fields: Any) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return written(folder, SessionBuilder().index(spilled("x", 1, recorded, **fields)).raw)


def source_of(capture: Capture, path: Path, *options: str) -> tuple[str, str]:
    (answer,) = ran(capture, "query", path, "x", "--format", "json", *options).json
    (match,) = answer["matches"]
    return match["source"], match["output"]


def test_a_sidecar_beside_the_session(tmp_path: Path, capsysbinary: Capture) -> None:
    path = spilling(tmp_path, "/elsewhere/s-blobs/x_1.txt", resultPreview="head")
    assert source_of(capsysbinary, path) == ("preview only", "head")
    (path.parent / "s-blobs").mkdir()
    (path.parent / "s-blobs" / "x_1.txt").write_bytes(b"body\r\n\xff")
    assert source_of(capsysbinary, path) == ("sidecar", "body\r\n\ufffd")


@pytest.mark.parametrize("place", ["absolute", "relative", "link"])
def test_a_recorded_path_is_read_only_when_asked(
    place: str, tmp_path: Path, capsysbinary: Capture
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    recorded = {"absolute": str(secret), "relative": "../secret.txt", "link": "s-blobs/x.txt"}
    path = spilling(tmp_path, recorded[place])
    if place == "link":
        (path.parent / "s-blobs").mkdir()
        (path.parent / "s-blobs" / "x.txt").symlink_to(secret)
    assert source_of(capsysbinary, path)[0] == "unavailable"
    assert source_of(capsysbinary, path, "--follow-paths") == ("sidecar", "secret")


@pytest.mark.parametrize("recorded", ["s-blobs/\ud83d.txt", "\0", "/dev/zero", "/", "x" * 9999])
@pytest.mark.parametrize("options", [[], ["--follow-paths"]])
def test_a_path_that_cannot_be_is_no_sidecar(
    recorded: str, options: list[str], tmp_path: Path, capsysbinary: Capture
) -> None:
    path = spilling(tmp_path, recorded)
    assert source_of(capsysbinary, path, *options)[0] == "unavailable"
    assert ran(capsysbinary, "tree", path, *options).code == 0
