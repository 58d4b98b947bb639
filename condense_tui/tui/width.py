"""How wide a terminal must be to show things side by side."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

_ROOMY_COLUMNS = 100


def mark_narrow(screen: Screen[Any]) -> None:
    """Give a screen the class `-narrow` where it is; to be called whenever its size changes."""
    screen.set_class(screen.size.width < _ROOMY_COLUMNS, "-narrow")
