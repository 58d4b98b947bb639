"""Command lines that are read without the library which reads all others.

To load that takes as long as to load the browser, and longer than to answer.  Whatever is not as
plain, or goes wrong, is left to it and to what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from condense_tui.cli.output import is_interactive
from condense_tui.session.entries import Refusal
from condense_tui.store import is_folder, is_there, load_settings

_SUFFIX = ".jsonl"
_FORMATS = ("json", "jsonl")


def run_plainly(tokens: Sequence[str]) -> int | None:
    """The exit code, or None where this command line is not for it."""
    match tokens:
        case [session]:
            return _browse(session)
        case ["inspect", "--format", word, *sessions] | ["inspect", *sessions, "--format", word]:
            return _inspect(sessions, word)
        case _:
            return None


def _browse(word: str) -> int | None:
    """`condense-tui SESSION.jsonl` in a terminal."""
    path = Path(word)
    if not (_is_session(word) and is_interactive() and is_there(path) and not is_folder(path)):
        return None
    found = load_settings(None)
    if isinstance(found, Refusal):
        return None
    from condense_tui.tui.run import run_browser

    try:
        run_browser(path, found, None)
    except OSError as error:
        from condense_tui.cli.ending import code_after

        return code_after(error)
    return 0


def _inspect(sessions: Sequence[str], word: str) -> int | None:
    """`condense-tui inspect SESSION.jsonl --format json`, the sessions being one or more."""
    if word not in _FORMATS or not sessions or not all(map(_is_session, sessions)):
        return None
    from condense_tui.cli.ending import ended
    from condense_tui.cli.inspecting import inspect_sessions
    from condense_tui.cli.opening import Look

    paths = [Path(session) for session in sessions]
    return ended(lambda: inspect_sessions(paths, Look(), output_format=word))


def _is_session(word: str) -> bool:
    """No command and no option looks like that."""
    return word.endswith(_SUFFIX) and not word.startswith("-")
