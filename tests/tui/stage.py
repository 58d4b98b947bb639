"""The browser on a stage: run it on a session, wait for what is to be seen, read the screen."""

from __future__ import annotations

import io
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

from rich.console import Console
from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from condense_tui import store_sessions
from condense_tui.store import GIVEN_UP, LoadedSettings, Progress
from condense_tui.tui import app as opener
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.keysinturn import KeysInTurn
from condense_tui.tui.screens.loading import LoadingScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets.line_list import LineList

Size = tuple[int, int]
Condition = Callable[[], object]

PROJECT = Path(__file__).resolve().parents[2]
DEMO = Path(str(files("condense_tui") / "demo" / "session.jsonl"))
SHARED = Path(os.environ.get("CONDENSE_SHARED") or PROJECT.parent / "shared")
SMALL, LARGE = (80, 24), (120, 40)
_PATIENCE_SECONDS = 30
_TURN = 0.01
# A message of a widget goes up through its parents, each with a queue of its own.
_ROUNDS = 4


@asynccontextmanager
async def browsing(
    path: Path, size: Size = LARGE, found: LoadedSettings | None = None
) -> AsyncIterator[Pilot[None]]:
    """The browser with a session open and shown, remembering nothing."""
    async with CondenseApp(path, found).run_test(size=size) as pilot:
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await wait_until(pilot, lambda: pilot.app.focused is not None)
        await settled(pilot)
        yield pilot


@asynccontextmanager
async def opening(
    path: Path, size: Size = LARGE, end_bytes: int = 60_000
) -> AsyncIterator[tuple[Pilot[None], Event]]:
    """The browser while a session is read, which goes on when the event is set.

    All that is known then is in the first kilobytes and so many bytes at the end.
    """
    go_on = Event()
    read = opener.read_picture

    def held(path: Path, leaf: str | None, settings: Any, progress: Progress) -> Any:
        # A half is the same in a bar of any width; of others Textual keeps what fitted the first.
        progress(20_000_000, 40_000_000)
        go_on.wait(_PATIENCE_SECONDS)
        if not progress(40_000_000, 40_000_000):
            return GIVEN_UP
        return read(path, leaf, settings, progress)

    ends = {"START_BYTES": 4_000, "TAIL_BYTES": end_bytes}
    with patch.object(opener, "read_picture", held), patch.multiple(store_sessions, **ends):
        async with CondenseApp(path).run_test(size=size) as pilot:
            try:
                await wait_until(pilot, lambda: is_on(pilot, LoadingScreen))
                await wait_until(pilot, lambda: not pilot.app.screen.has_class("-unseen"))
                yield pilot, go_on
            finally:
                go_on.set()


async def wait_until(pilot: Pilot[Any], condition: Condition) -> None:
    """Until it is so; a condition that never comes fails with the screen as it then is."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"still not so; the screen is\n{screen_text(pilot.app)}")
        await pilot.pause(_TURN)


async def settled(pilot: Pilot[Any]) -> None:
    """Until nothing is being worked out any more."""
    for _ in range(_ROUNDS):
        await pilot.pause(0)
    app = pilot.app
    while isinstance(app, KeysInTurn) and app.has_keys and app.is_running:
        await pilot.pause(0)
    await _worked_out(pilot)
    for _ in range(_ROUNDS):
        await pilot.pause(0)


async def _worked_out(pilot: Pilot[Any]) -> None:
    """Work that other work has taken the place of ends the waiting for all the others, too."""
    while True:
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
            return
        await pilot.pause(0)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys and wait for what comes of them; `text:abc` types `abc`."""
    for key in keys:
        typed = key.removeprefix("text:")
        for pressed in typed if typed != key else [key]:
            pilot.app.simulate_key(pressed)
        await settled(pilot)


async def press_until(pilot: Pilot[Any], key: str, condition: Condition, at_most: int = 60) -> None:
    """Press a key again and again, as someone who looks for something does."""
    for _ in range(at_most):
        if condition():
            return
        await press(pilot, key)
    raise AssertionError(f"{key} does not lead there; the screen is\n{screen_text(pilot.app)}")


def is_on(pilot: Pilot[Any], kind: type) -> bool:
    """Whether such a screen is in front."""
    return isinstance(pilot.app.screen, kind)


def screen_text(app: App[Any]) -> str:
    """Everything that a person sees, as rows of plain characters without trailing space."""
    width, height = app.size
    console = Console(
        width=width, height=height, file=io.StringIO(), record=True, legacy_windows=False
    )
    console.print(app.screen._compositor.render_update(True, app._background_screens))
    rows = console.export_text(styles=False).split("\n")
    return "\n".join(row.rstrip() for row in rows).rstrip("\n") + "\n"


def row_text(rows: LineList, number: int | None = None) -> str:
    """One row of a list, else the one under its cursor."""
    y = rows.cursor if number is None else number
    return rows.render_line(y - rows.scroll_offset.y).text.rstrip()
