"""The program as a process: what it loads, where its output goes, how it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from condense_tui.cli.plainly import run_plainly
from condense_tui.cli.run import run
from tests.build import SessionBuilder
from tests.sessions import Ran, file_of, header, message, written

RUN = [sys.executable, "-m", "condense_tui"]


def started(*tokens: object, **options: Any) -> Ran:
    """Run the program in a process of its own."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run([*RUN, *map(str, tokens)], timeout=120, check=False, **streams | options)
    return Ran(done.returncode, done.stdout or b"", (done.stderr or b"").decode())


@pytest.fixture
def session(tmp_path: Path) -> Path:
    builder = SessionBuilder().user().turn("bash_1", at=2000).archive("t1", "bash_1", 2000)
    return written(tmp_path, builder.raw)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """More than any pipe holds."""
    lines = [message(f"i{n}", f"i{n - 1}" if n else None, content="x" * 500) for n in range(400)]
    return written(tmp_path, file_of(header(), *lines), "large.jsonl")


def test_it_answers(session: Path) -> None:
    done = started("query", session, "t1", "--as-tool")
    assert (done.code, done.err) == (0, "")
    assert done.words.startswith("## toolRef: t1\nTool: bash\n")


def test_it_complains(tmp_path: Path) -> None:
    path = tmp_path / "missing"
    done = started(path)
    assert (done.code, done.out) == (2, b"")
    assert done.complaint == f"{path}: no such file or directory"


LOADED = """
import sys
from condense_tui.cli.run import run
code = run(sys.argv[1:])
heavy = [name for name in ("textual", "rich") if name in sys.modules]
print(code, *heavy, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "options",
    [
        ["inspect", "{session}", "--format", "json"],
        ["inspect", "{session}", "--format", "jsonl"],
        ["context", "{session}", "--format", "jsonl"],
        ["query", "{session}", "t1", "--format", "json"],
    ],
    ids=lambda options: " ".join(options),
)
def test_json_needs_no_front_end(options: list[str], session: Path) -> None:
    tokens = [option.replace("{session}", str(session)) for option in options]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *tokens], capture_output=True, timeout=120, check=True
    )
    assert done.stderr.decode().split() == ["0"]


# Whoever reads may stop reading


@pytest.mark.parametrize(
    "tokens",
    [
        ["inspect", "{large}", "--format", "json"],
        ["inspect", "{large}", "{large}", "--format", "jsonl"],
        ["context", "{large}"],
        ["context", "{large}", "--format", "jsonl"],
        ["{large}"],
        ["--help"],
    ],
    ids=lambda tokens: " ".join(tokens),
)
def test_a_reader_that_stops_is_no_error(tokens: list[str], large: Path) -> None:
    process = subprocess.Popen(
        [*RUN, *(token.replace("{large}", str(large)) for token in tokens)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    assert err == ""
    assert process.wait(timeout=60) in (0, 141)


def test_a_reader_that_was_never_there(large: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = started("context", large, stdout=writing)
    finally:
        os.close(writing)
    assert (done.code in (0, 141), done.err) == (True, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "tokens", [["inspect", "{session}"], ["query", "{session}", "t1", "--as-tool"], ["--version"]]
)
def test_a_full_disk_is_one_line(tokens: list[str], session: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = started(*(token.replace("{session}", str(session)) for token in tokens), stdout=full)
    assert done.code == 2
    assert "space" in done.complaint


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("streams", [["stderr"], ["stdout", "stderr"]])
def test_a_complaint_that_cannot_be_written_leaves_the_exit_code(
    streams: list[str], session: Path, tmp_path: Path
) -> None:
    path = tmp_path / "missing" if streams == ["stderr"] else session
    with open("/dev/full", "wb") as full:
        assert started("inspect", path, **dict.fromkeys(streams, full)).code == 2


@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_output_is_no_traceback(closed: int, session: Path, tmp_path: Path) -> None:
    """As a service manager or `>&-` leaves it."""
    options = {"preexec_fn": partial(os.close, closed)}
    assert "Traceback" not in started("query", session, "t1", "--as-tool", **options).err
    assert started("inspect", tmp_path / "missing", **options).code == 2


def test_an_interruption_is_no_traceback(tmp_path: Path) -> None:
    lines = [message(f"i{n}", f"i{n - 1}" if n else None) for n in range(3_000)]
    path = written(tmp_path, file_of(header(), *lines))
    process = subprocess.Popen(
        [*RUN, "inspect", *[str(path)] * 300],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hears_of_interruptions,
    )
    assert process.stdout is not None
    process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    assert process.returncode == 130


def test_an_interruption_while_it_is_loaded_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "cyclopts.py").write_text("raise KeyboardInterrupt")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])}
    done = started("--version", env=environ)
    assert (done.code, done.out, done.err) == (130, b"", "")


def test_an_interruption_while_a_library_in_c_is_loaded_does_not_reach_it(tmp_path: Path) -> None:
    """Some of them take it for a module that is there."""
    lines = [
        "import os, signal",
        "try:",
        "    os.kill(os.getpid(), signal.SIGINT)",
        "    for _ in range(1000): pass",
        "except KeyboardInterrupt:",
        "    os.abort()",
    ]
    (tmp_path / "orjson.py").write_text("\n".join(lines))
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])}
    options = {"preexec_fn": _hears_of_interruptions}
    done = started("--version", env=environ, **options)
    assert (done.code, done.out, done.err) == (130, b"", "")


INTERRUPTED_AT_THE_END = """
import atexit, os, signal
from condense_tui.cli import main
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
main(["--version"])
"""


def test_an_interruption_at_the_very_end_is_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_THE_END],
        capture_output=True,
        timeout=120,
        check=False,
        preexec_fn=_hears_of_interruptions,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def _hears_of_interruptions() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("tokens", [["{session}"], ["--latest"]])
@pytest.mark.parametrize("variable", ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"])
def test_a_home_that_nobody_knows_is_no_traceback(
    variable: str, tokens: list[str], session: Path
) -> None:
    """As where a container runs a user that its system has not heard of."""
    environ = {**os.environ, "PYTHONPATH": os.getcwd(), variable: "~nobody-of-this-name/x"}
    tokens = [token.replace("{session}", str(session)) for token in tokens]
    done = started(*tokens, cwd=session.parent, env=environ)
    assert (done.code, done.err) in (
        (0, ""),
        (2, "condense-tui: no session of this directory was found\n"),
    )


def test_it_does_not_matter_where_it_is_started(session: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environ = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = started("inspect", "../session.jsonl", cwd=elsewhere, env=environ)
    assert (done.code, done.err) == (0, "")
    assert list(elsewhere.iterdir()) == []


# Without the library that reads command lines

INSPECT = ("inspect", "{session}", "--format", "json")


@pytest.mark.parametrize(
    "tokens",
    [
        INSPECT,
        ("inspect", "--format", "jsonl", "{session}", "{session}"),
        ("inspect", "{missing}", "--format", "json"),
        ("inspect", "{folder}", "{session}", "--format", "json"),
    ],
    ids=" ".join,
)
def test_what_is_read_plainly_is_answered_alike(
    tokens: tuple[str, ...], session: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = session.parent / "folder.jsonl"
    folder.mkdir()
    places = {"session": session, "missing": session.parent / "missing.jsonl", "folder": folder}
    given = [token.format(**places) for token in tokens]
    plainly = (run_plainly(given), *capfdbinary.readouterr())
    assert plainly[0] is not None
    assert plainly == (run(given), *capfdbinary.readouterr())


@pytest.mark.parametrize(
    "tokens",
    [
        (*INSPECT, "--keys", "session"),
        ("inspect", "{session}", "--keys", "session", "--format", "json"),
        ("inspect", "--format", "json"),
        ("inspect", "{session}", "--format", "text"),
        ("inspect", "{session}", "--format", "yaml"),
        ("inspect", "", "--format", "json"),
        ("inspect", "--leaf=a.jsonl", "--format", "json"),
        ("check", "{session}", "--format", "json"),
        ("inspect", "{session}"),
        ("{session}",),
    ],
    ids=" ".join,
)
def test_what_is_not_as_plain_is_left_to_the_library(
    tokens: tuple[str, ...], session: Path
) -> None:
    """A session alone opens the browser, but not where nobody sits at a terminal."""
    assert run_plainly([token.format(session=session) for token in tokens]) is None
