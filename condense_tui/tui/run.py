"""Running the browser from beginning to end."""

from __future__ import annotations

import sys
from pathlib import Path

from condense_tui.preferences import preferences_path
from condense_tui.store import LoadedSettings
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.collections_off import spare_what_there_is


def run_browser(
    path: Path | None, found: LoadedSettings, leaf: str | None, is_followed: bool = False
) -> None:
    """Run the browser until the person leaves it; raises SystemExit where a signal ended it."""
    app = CondenseApp(path, found, leaf, preferences_path(), is_followed)
    app.run()
    spare_what_there_is()
    if app.return_code:
        sys.exit(app.return_code)
