"""`condense-tui SESSION.jsonl` in a terminal, without the library that reads command lines.

To load that takes as long as to load the browser.  Whatever is not as plain, or goes wrong, is
left to it and to what it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from condense_tui.cli.output import is_interactive
from condense_tui.session.entries import Refusal
from condense_tui.store import is_folder, is_there, load_settings

_SUFFIX = ".jsonl"


def browse_plainly(tokens: Sequence[str]) -> int | None:
    """The exit code of the browser, or None where this command line is not for it."""
    path = _only_session(tokens)
    if path is None or not is_interactive():
        return None
    found = load_settings(None)
    if isinstance(found, Refusal):
        return None
    from condense_tui.tui.run import run_browser

    try:
        run_browser(path, found, None)
    except OSError as error:
        from condense_tui.cli.run import code_after

        return code_after(error)
    return 0


def _only_session(tokens: Sequence[str]) -> Path | None:
    """No command and no option ends like that."""
    if len(tokens) != 1 or tokens[0].startswith("-") or not tokens[0].endswith(_SUFFIX):
        return None
    path = Path(tokens[0])
    return path if is_there(path) and not is_folder(path) else None
