"""What the program remembers for a person: the theme and the last view.

One small JSON file in the user's configuration folder.  It is a convenience: a file that cannot
be read counts as none, and what does not fit in it is passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import platformdirs

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import json_text, parse_json
from condense_tui.store import read_bytes
from condense_tui.store_writing import write_files
from condense_tui.view.context import View

_PROGRAM = "condense-tui"


class Preferences(Value, frozen=True):
    """`theme` is a name that may no longer exist; None lets the program choose."""

    theme: str | None = None
    view: View = View.PRUNED


def preferences_path() -> Path:
    """Where the preferences of this user are kept."""
    return platformdirs.user_config_path(_PROGRAM, appauthor=False) / "preferences.json"


def read_preferences(path: Path) -> Preferences:
    """The preferences in a file; what is missing or unfit keeps its default."""
    raw = read_bytes(path)
    try:
        found = None if isinstance(raw, Refusal) else parse_json(raw)
    except ValueError:
        found = None
    return _preferences(found) if isinstance(found, dict) else Preferences()


def _preferences(found: dict[str, Any]) -> Preferences:
    theme, view = found.get("theme"), found.get("view")
    return Preferences(
        theme=theme if isinstance(theme, str) and theme else None,
        view=View(view) if view in tuple(View) else View.PRUNED,
    )


def write_preferences(path: Path, preferences: Preferences) -> Refusal | None:
    """Keep preferences for the next start; the file is replaced as a whole or not at all."""
    chosen = {"theme": preferences.theme, "view": preferences.view.value}
    raw = utf8_bytes(json_text(chosen, indent=2) + "\n")
    return write_files(path.parent, {path.name: raw}, is_forced=True)
