"""What a command line must not say: each refusal is one sentence with the way to help."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from pathlib import Path

import pytest

from condense_tui.cli import browsing
from condense_tui.cli.app import app
from tests.build import SessionBuilder, spilled
from tests.sessions import HOSTILE, Ran, ran, written

Capture = pytest.CaptureFixture[bytes]

COMMANDS = ["", *(name for name in app if not name.startswith("-"))]
# What a command needs besides a session, so that nothing is wrong but what is tried.
NEEDED: dict[str, list[str]] = {"query": ["t1"], "export": ["t1", "--to={out}"], "demo": []}


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Every option changes what is shown of it on a terminal."""
    (tmp_path / "elsewhere.txt").write_text("found elsewhere")
    folder = tmp_path / "sessions"
    folder.mkdir()
    builder = SessionBuilder().user(HOSTILE).turn("a", HOSTILE, at=2000)
    builder.archive("t1", "a", 2000, HOSTILE).user("ghp_" + "a1B2" * 9).turn("a", at=3000)
    return written(folder, builder.index(spilled("x", 5, "../elsewhere.txt")).raw)


def tried(capture: Capture, session: Path, command: str, *tokens: str) -> Ran:
    """Run a command with all that it needs; a token replaces what is needed of the same option."""
    options = {token.partition("=")[0] for token in tokens}
    needed = [token for token in NEEDED.get(command, []) if token.partition("=")[0] not in options]
    wanted = [*([command] if command else []), str(session), *needed, *tokens]
    return ran(capture, *(token.replace("{out}", str(session.parent / "out")) for token in wanted))


# Nothing is empty


def valued_options() -> list[tuple[str, str]]:
    """Every option of every command that takes a value."""
    return [
        (command, argument.name)
        for command in COMMANDS
        for argument in (app[command] if command else app).assemble_argument_collection()
        if argument.name.startswith("--") and argument.token_count()[0]
    ]


def test_the_options_are_found() -> None:
    assert {("", "--config"), ("export", "--to"), ("serve", "--host")} <= set(valued_options())


@pytest.mark.parametrize(("command", "option"), valued_options())
def test_no_value_is_empty(
    command: str, option: str, session: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty path would be the current directory: an unset variable in a script is no wish."""
    monkeypatch.chdir(session.parent)
    done = tried(capsysbinary, session, command, f"{option}=")
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith(f"{option} must not be empty")
    assert [path.name for path in session.parent.iterdir()] == [session.name]


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "demo"])
def test_no_session_is_empty(command: str, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, *([command] if command else []), "", *NEEDED.get(command, []))
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith("a session must not be empty")


@pytest.mark.parametrize(
    "tokens",
    [
        ["inspect", "-"],
        ["-"],
        ["repair", "{session}", "-o", "-"],
        ["inspect", "x", "--config", "-"],
    ],
)
def test_a_dash_is_no_stream(tokens: list[str], session: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, *(token.replace("{session}", str(session)) for token in tokens))
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith("- for standard input or output is not supported: name a file")


# Options that do not fit together

KEYS_AS_TEXT = "--keys chooses among JSON keys"
RAW_JSON = "--raw is for text"
CLASHES: dict[tuple[str, str, str], str] = {
    ("inspect", "--keys=pruned", "--format=text"): KEYS_AS_TEXT,
    ("context", "--format=jsonl", "--raw"): RAW_JSON,
    ("context", "--view=raw", "--format=markdown"): "--format markdown is what the model is sent",
    ("context", "--view=diff", "--format=markdown"): "--format markdown is what the model is sent",
    ("context", "--view=raw", "--as=2.5"): "before pruning all versions are alike",
    ("query", "--format=json", "--raw"): RAW_JSON,
    ("query", "--as-tool", "--format=json"): "--as-tool prints the tool's text",
    ("export", "--all", "t1"): "name refs or give --all",
    ("", "--latest", "{session}"): "name a session or give --latest",
}
# Options with values that change what is shown, by command.  `--config` and `--leaf` choose what
# is looked at and fit everything.
SETTINGS: dict[str, list[str]] = {
    "inspect": ["--keys=pruned", "--format=text", "--format=json", "--format=jsonl"],
    "context": [
        "--view=raw",
        "--view=diff",
        "--as=2.5",
        "--format=jsonl",
        "--format=markdown",
        "--raw",
        "--redact",
    ],
    "query": ["--as-tool", "--follow-paths", "--format=json", "--raw"],
    "tree": ["--follow-paths"],
}


@pytest.mark.parametrize("clash", CLASHES, ids=" ".join)
def test_what_does_not_fit_together(
    clash: tuple[str, str, str], session: Path, capsysbinary: Capture
) -> None:
    command, *tokens = (token.replace("{session}", str(session)) for token in clash)
    done = tried(capsysbinary, session, command, *tokens)
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith(CLASHES[clash])
    assert not (session.parent / "out").exists()


def pairs() -> list[tuple[str, str, str]]:
    """Every two different options of a command, but those that the table refuses."""
    return [
        (command, one, other)
        for command, settings in SETTINGS.items()
        for one, other in combinations(settings, 2)
        if one.partition("=")[0] != other.partition("=")[0] and (command, one, other) not in CLASHES
    ]


@pytest.mark.parametrize(("command", "one", "other"), pairs())
def test_of_what_fits_together_nothing_is_ignored(
    command: str,
    one: str,
    other: str,
    session: Path,
    capsysbinary: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both change what a person sees; where only one of them does, the other was ignored."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _self: True)
    monkeypatch.setenv("NO_COLOR", "1")
    refs = ["x@5"] if command == "query" else []
    shown = [
        tried(capsysbinary, session, command, *refs, *options).out
        for options in ([one, other], [one], [other])
    ]
    assert b"" not in shown
    # Keys alone ask for JSON.
    if "--format=json" not in (one, other) or command != "inspect":
        assert len(set(shown)) == 3
    assert shown[0] != shown[2]


def test_the_settings_are_all_that_there_are() -> None:
    """A new option must be tried with the others."""
    for command, settings in SETTINGS.items():
        options = {
            argument.name
            for argument in app[command].assemble_argument_collection()
            if argument.name.startswith("--")
        }
        assert options - {"--config", "--leaf"} == {one.partition("=")[0] for one in settings}


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["--leaf", "e1"], "--leaf is an entry of one session"),
        (["--follow"], "--follow follows one session"),
        (["--follow", "{session}"], "--follow shows a session as it grows, and needs a terminal"),
        (["export", "{session}", "--to", "out"], "name the refs to export, or give --all"),
    ],
)
def test_what_lacks_another(
    tokens: list[str], words: str, session: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, *(token.replace("{session}", str(session)) for token in tokens))
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith(words)


def test_a_flag_that_is_denied_clashes_with_nothing(session: Path, capsysbinary: Capture) -> None:
    assert ran(capsysbinary, session, "--latest=false").code == 0
    assert ran(capsysbinary, "context", session, "--raw=false", "--format", "jsonl").code == 0


# Plain words

WRONG: list[tuple[list[str], str]] = [
    (["inspct", "{session}"], "there is no command inspct; did you mean inspect?"),
    (["inspct"], "there is no command inspct; did you mean inspect?"),
    (["exprot", "{session}", "t1"], "there is no command exprot; did you mean export?"),
    (["help"], "there is no command help; did you mean --help?"),
    (["--leaf", "x", "tree", "{session}"], "the command tree must come first"),
    (["{session}", "more"], "more is one argument too many"),
    (["tree", "{session}", "more"], "more is one argument too many"),
    (["demo", "more"], "more is one argument too many"),
    (["inspect"], "a session is missing"),
    (["query"], "a session is missing"),
    (["export", "{session}", "t1"], "--to is missing"),
    (["context", "{session}", "--view"], "--view needs a value"),
    (["context", "{session}", "--view", "x"], "--view takes pruned, raw or diff, not x"),
    (["context", "{session}", "--view=raw", "--view=raw"], "--view is given twice"),
    (["context", "{session}", "--raw", "--raw"], "--raw is given twice"),
    (["context", "{session}", "--raw=x"], "--raw takes no value"),
    (
        ["inspect", "{session}", "--fromat", "x"],
        "there is no option --fromat; did you mean --format?",
    ),
    (["--latst"], "there is no option --latst; did you mean --latest?"),
    (["tree", "{session}", "-x"], "there is no option -x"),
    (["serve", "{session}", "--port", "x"], "--port takes a whole number, not x"),
    (["serve", "{session}", "--port", "0"], "--port takes a number from 1 to 65535"),
    (["serve", "{session}", "--port", "65536"], "--port takes a number from 1 to 65535"),
]


@pytest.mark.parametrize(("tokens", "words"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_what_is_wrong_is_said_in_plain_words(
    tokens: list[str], words: str, session: Path, capsysbinary: Capture
) -> None:
    done = ran(capsysbinary, *(token.replace("{session}", str(session)) for token in tokens))
    assert (done.code, done.out) == (2, b"")
    told = re.fullmatch(r"(.*) \((condense-tui.* --help) says more\)", done.complaint)
    assert told
    assert told[1] == words
    assert ran(capsysbinary, *told[2].split()[1:]).code == 0


def test_a_file_may_be_called_almost_like_a_command(
    session: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(session.parent)
    session.rename("inspct")
    assert ran(capsysbinary, "inspct").code == 0


@pytest.mark.parametrize("word", ["missing", "inspct.jsonl", "folder/inspct"])
def test_what_is_no_command_is_a_missing_file(word: str, capsysbinary: Capture) -> None:
    assert ran(capsysbinary, word).complaint == f"{word}: no such file or directory"


# A directory


@pytest.mark.parametrize("command", ["", "inspect", "context", "query", "export", "tree"])
def test_a_directory_says_where_its_sessions_are(
    command: str, session: Path, capsysbinary: Capture
) -> None:
    done = tried(capsysbinary, session.parent, command)
    assert (done.code, done.out) == (2, b"")
    assert done.complaint.startswith(f"{session.parent}: is a directory")
    assert f"newest session is {session};" in done.complaint
    assert "condense-tui alone lists" in done.complaint


def test_a_directory_without_sessions(tmp_path: Path, capsysbinary: Capture) -> None:
    done = ran(capsysbinary, tmp_path)
    assert done.code == 2
    assert done.complaint.startswith(f"{tmp_path}: is a directory without sessions; condense-tui")


def test_a_session_is_followed_where_someone_looks(
    session: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(browsing, "is_interactive", lambda: True)
    monkeypatch.setattr("condense_tui.tui.run.run_browser", lambda *given: asked.append(given[-1]))
    assert ran(capsysbinary, "--follow", session).code == 0
    assert ran(capsysbinary, "--config", session.parent / "none", session).code == 2
    assert ran(capsysbinary, session).code == 0
    assert asked == [True, False]


@pytest.mark.parametrize("command", [[], ["--config", "{folder}"]])
def test_no_browser_is_opened_on_a_directory(
    command: list[str], tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "is_interactive", lambda: True)
    tokens = [token.replace("{folder}", str(tmp_path)) for token in command]
    done = ran(capsysbinary, tmp_path, *tokens)
    assert (done.code, done.out) == (2, b"")
    assert "is a directory" in done.complaint
