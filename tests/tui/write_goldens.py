"""Write the screens of the demo anew, on purpose: `python -m tests.tui.write_goldens`."""

from __future__ import annotations

import asyncio

from tests.tui.scenes import GOLDENS, SCENES, SIZES, staged
from tests.tui.stage import screen_text


async def write_goldens() -> None:
    """Every scene at every size; what is no scene any more goes."""
    for stale in GOLDENS.iterdir():
        stale.unlink()
    for scene in SCENES:
        for name, size in SIZES.items():
            async with staged(scene, size) as pilot:
                text = screen_text(pilot.app)
            (GOLDENS / f"{scene}-{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write_goldens())
