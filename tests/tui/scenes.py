"""The scenes of the demo that are kept as pictures: by name, the keys that lead to them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot

from tests.tui.stage import (
    DEMO,
    LARGE,
    SMALL,
    Size,
    browsing,
    opening,
    press,
    screen_text,
    wait_until,
)

GOLDENS = Path(__file__).parent / "goldens"
SIZES: Mapping[str, Size] = {"120x40": LARGE, "80x24": SMALL}
SCENES: Mapping[str, tuple[str, ...]] = {
    "loading": (),
    "tree": (),
    "both": ("v", "v"),
    "detail": ("right", "down", "right", "down", "enter"),
    "query": ("colon", "text:bash_3", "enter"),
    "findings": ("f2",),
    "whole": ("down", "ctrl+o"),
    "settings": ("s",),
    "preview": ("w", "c"),
    "previewed": ("w", "c", "enter"),
    "help": ("question_mark",),
}


@asynccontextmanager
async def staged(scene: str, size: Size) -> AsyncIterator[Pilot[Any]]:
    """The demo with a scene on the screen, whoever looks and wherever."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    nobody = {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/nowhere", "TZ": "UTC"}
    with patch.dict(os.environ, kept | nobody, clear=True):
        if scene == "loading":
            async with opening(DEMO, size) as (pilot, _):
                await wait_until(
                    pilot, lambda: pilot.app.focused and _is_seen(pilot, "Reading", " MB", "Quit")
                )
                yield pilot
            return
        async with browsing(DEMO, size) as pilot:
            await press(pilot, *SCENES[scene])
            await pilot.pause()
            yield pilot


def _is_seen(pilot: Pilot[Any], *words: str) -> bool:
    seen = screen_text(pilot.app)
    return all(word in seen for word in words)
