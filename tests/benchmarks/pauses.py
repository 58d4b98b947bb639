"""How long the event loop stands still while somebody walks through a session.

    python -m tests.benchmarks.pauses [MEGABYTES]

A task of the same loop wants to run every millisecond; what it has to wait for longer than that
is a pause, in which no key is heard.  Frames are drawn, but into no terminal.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from condense_tui.tui.app import CondenseApp
from condense_tui.tui.screens.session import SessionScreen
from tests.benchmarks.report import Figure, print_figures
from tests.benchmarks.sessionfiles import write_session

_TARGET_MS = 20
_BEAT_SECONDS = 0.001
_SECONDS_A_KEY = 0.3
_WALK = {
    "the cursor": ["down"] * 10,
    "pages, end, home": ["pagedown", "end", "pageup", "home"],
    "fold and unfold": ["minus", "plus", "right", "left"],
    "the other pane, the three views": ["tab", "end", "v", "v", "v"],
    "open whole, page, close": ["ctrl+o", "pagedown", "end", "escape"],
    "findings": ["f2", "escape"],
    "help": ["question_mark", "escape"],
    "a query": ["colon", "t", "7", "enter", "escape"],
    "find": ["slash", "c", "e", "n", "t", "enter", "escape"],
    "settings": ["s", "down", "escape"],
}


class Pulse:
    """The longest time between two beats, in milliseconds."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def beat(self) -> None:
        """Until it is cancelled."""
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(_BEAT_SECONDS)
            waited = (time.perf_counter() - begin - _BEAT_SECONDS) * 1000
            self.longest = max(self.longest, waited)


async def measured(path: Path) -> list[Figure]:
    """The longest pause of each part of the walk."""
    found = []
    app = CondenseApp(path)
    async with app.run_test(size=(120, 40)) as pilot:
        while not isinstance(app.screen, SessionScreen) or app.focused is None:
            await pilot.pause(0.05)
        await asyncio.sleep(5)
        for part, keys in _WALK.items():
            pulse = Pulse()
            beating = asyncio.create_task(pulse.beat())
            for key in keys:
                app.simulate_key(key)
                await asyncio.sleep(_SECONDS_A_KEY)
            beating.cancel()
            found.append(Figure(f"{part}: the longest pause", pulse.longest, _TARGET_MS))
    return found


def main() -> int:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory() as folder:
        found = asyncio.run(measured(write_session(Path(folder), megabytes)))
    return print_figures(f"Pauses of the event loop, {megabytes:g} MB", found)


if __name__ == "__main__":
    sys.exit(main())
