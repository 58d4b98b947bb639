"""The theme without hues, and when it is worn.

With NO_COLOR set, an app made with `ansi_color=True` has Textual leave out every colour, so that
the terminal's own two remain; `monochrome.tcss` then tells things apart by weight.  Chosen
without NO_COLOR, the same theme is shades of grey.
"""

from __future__ import annotations

import os
from typing import Any

from textual.app import App
from textual.theme import Theme

_TEXT, _GROUND, _LINE = "#e0e0e0", "#121212", "#9a9a9a"
MONOCHROME = Theme(
    name="monochrome",
    primary=_LINE,
    secondary=_LINE,
    warning=_TEXT,
    error=_TEXT,
    success=_TEXT,
    accent=_TEXT,
    foreground=_TEXT,
    background=_GROUND,
    surface=_GROUND,
    panel="#262626",
    variables={
        "block-cursor-foreground": _TEXT,
        "block-cursor-background": "#3a3a3a",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "bold",
        "button-focus-text-style": "bold reverse",
        "link-style-hover": "bold reverse",
    },
)


def is_colourless() -> bool:
    """Whether NO_COLOR asks for no colours; read as Textual reads it, so also when empty."""
    return "NO_COLOR" in os.environ


def wear_theme(app: App[Any], remembered: str | None) -> None:
    """Register our theme and choose one: ours without colours, else the remembered one."""
    app.register_theme(MONOCHROME)
    if is_colourless():
        app.theme = MONOCHROME.name
    elif remembered in app.available_themes:
        app.theme = str(remembered)
