"""Pictures of the demo for the documents: `python tests/make_screenshots.py` writes them anew."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Mapping
from html import unescape
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from tests.tui.scenes import staged  # noqa: E402

FOLDER = PROJECT / "screenshots"
SIZE = (120, 36)
PICTURES: Mapping[str, str] = {
    "tree": "detail",
    "side-by-side": "both",
    "query": "query",
    "findings": "findings",
    "summary": "whole",
    "settings": "settings",
    "preview": "preview",
}
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_TEXT = re.compile(r'<text [^>]*?y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


async def picture(scene: str) -> str:
    """One scene as SVG; no font is fetched from anywhere."""
    async with staged(scene, SIZE) as pilot:
        return _FONT.sub("", pilot.app.export_screenshot(simplify=True))


def rows_of(svg: str) -> list[str]:
    """What is to be read in a picture, row by row: the rest may change with a library."""
    rows: dict[str, str] = {}
    for height, text in _TEXT.findall(svg):
        rows[height] = rows.get(height, "") + unescape(text).replace("\N{NO-BREAK SPACE}", " ")
    return [" ".join(text.split()) for text in rows.values()]


async def write_pictures() -> None:
    """All of them."""
    for name, scene in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(await picture(scene), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write_pictures())
