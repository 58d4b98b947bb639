"""What every command does first: settings, session, leaf → `Inspection`."""

from __future__ import annotations

from pathlib import Path

from condense_tui.cli.output import PROGRAM
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.branch import branch_of
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import is_folder, load_settings
from condense_tui.store_open import open_session
from condense_tui.store_sessions import SessionPlaces, session_paths


class CommandError(Exception):
    """Ends a command with one line on stderr and this exit code."""

    def __init__(self, reason: str, exit_code: int = 2) -> None:
        super().__init__(reason)
        self.exit_code = exit_code


class Look(Value, frozen=True):
    """The options that choose what is looked at, and how."""

    config: Path | None = None
    leaf: str | None = None


def settings_for(look: Look) -> CondenseSettings:
    """The settings in force; raises CommandError when a named file cannot be read."""
    loaded = load_settings(look.config)
    if isinstance(loaded, Refusal):
        raise CommandError(loaded.reason)
    return loaded.settings


def inspect_file(path: Path, settings: CondenseSettings, leaf: str | None) -> Inspection | Refusal:
    """The inspection of one file, or why there is none."""
    session = open_session(path)
    if isinstance(session, Refusal):
        return folder_refusal(path) or session
    return inspected(session, path, settings, leaf)


def inspected(
    session: Session, path: Path, settings: CondenseSettings, leaf: str | None
) -> Inspection | Refusal:
    """The inspection of a session that was read, or why there is no such branch."""
    branch = branch_of(session, leaf)
    return branch if isinstance(branch, Refusal) else Inspection(branch, settings, str(path))


def folder_refusal(path: Path) -> Refusal | None:
    """Why a folder is no session, and where there are some; None for anything else."""
    if not is_folder(path):
        return None
    newest = next(session_paths(SessionPlaces(path, ())), None)
    if newest is None:
        return Refusal(
            f"is a directory without sessions; {PROGRAM} alone lists those that pi keeps"
        )
    return Refusal(
        f"is a directory, its newest session is {newest}; "
        f"{PROGRAM} alone lists those of the directory where it is started"
    )


def opened(path: Path, look: Look) -> Inspection:
    """The inspection of one file; raises CommandError when it cannot be opened."""
    inspection = inspect_file(path, settings_for(look), look.leaf)
    if isinstance(inspection, Refusal):
        raise CommandError(f"{path}: {inspection.reason}")
    return inspection
