"""The browser, for a session or for the demo, or, where nobody looks, the plan as text."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from condense_tui.cli.opening import CommandError, Look, folder_refusal, inspect_file, opened
from condense_tui.cli.output import is_interactive, write_lines
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.entries import Refusal
from condense_tui.store import LoadedSettings, load_settings
from condense_tui.store_sessions import latest_session, session_places
from condense_tui.view.context import View, context_lines
from condense_tui.view.overview import overview


def browse_session(
    session: Path | None,
    is_latest: bool,
    config: Path | None,
    leaf: str | None,
    is_followed: bool,
) -> None:
    """Open a session, the newest of this directory, or the list of them."""
    path = _latest() if is_latest else session
    if is_interactive():
        _browse(path, Look(config, leaf), is_followed)
    elif is_followed:
        raise CommandError("--follow shows a session as it grows, and needs a terminal for that")
    elif path is None:
        raise CommandError("name a session, or run in a terminal to choose one")
    else:
        _show_plan(opened(path, Look(config, leaf)))


def _latest() -> Path:
    path = latest_session(session_places())
    if path is None:
        raise CommandError("no session of this directory was found")
    return path


def _browse(path: Path | None, look: Look, is_followed: bool) -> None:
    """Textual is imported only where it is needed: it takes longer than everything else."""
    found = load_settings(look.config)
    if isinstance(found, Refusal):
        raise CommandError(found.reason)
    if path is not None and (refusal := folder_refusal(path)):
        raise CommandError(f"{path}: {refusal.reason}")
    from condense_tui.tui.run import run_browser

    run_browser(path, found, look.leaf, is_followed)


def demo() -> None:
    """Show the bundled example: a developer fixing a bug, with everything pruning does."""
    with as_file(files("condense_tui") / "demo") as folder:
        path = folder / "session.jsonl"
        if is_interactive():
            from condense_tui.tui.run import run_browser

            run_browser(path, LoadedSettings(None, None), None)
            return
        inspection = inspect_file(path, settings_from(None), None)
        if isinstance(inspection, Refusal):
            raise CommandError(f"{path}: {inspection.reason}")
        _show_plan(inspection)


def _show_plan(inspection: Inspection) -> None:
    write_lines(overview(inspection))
    write_lines([()])
    write_lines(context_lines(inspection.plan, View.DIFF, has_bodies=False))
