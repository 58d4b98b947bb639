"""`Following`: a file is watched, and whenever something happens to it a step is taken.

One step at a time, in a thread that nobody waits for at the end; what comes meanwhile, or while
another screen is in front, is one later step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.message import Message

from condense_tui.store_watch import moments
from condense_tui.tui.abandoned import in_abandoned_thread
from condense_tui.tui.collections_off import MANY_BYTES, without_collections
from condense_tui.tui.follower import FOLLOWING, Follower, Step
from condense_tui.tui.picture import Picture

Shown = Callable[[], tuple[Picture, bool] | None]
"""The picture that is shown and whether its leaf is pinned; None while others are in front."""


class Following:
    """Of one session at a time; the app is told of every step by a `Stepped`."""

    class Stepped(Message):
        """A step was taken from the picture `shown`; None is one that leads nowhere."""

        def __init__(self, follower: Follower, shown: Picture, step: Step | None) -> None:
            super().__init__()
            self.follower = follower
            self.shown = shown
            self.step = step

    def __init__(self, app: App[Any], shown: Shown) -> None:
        self._app = app
        self._shown = shown
        self._follower: Follower | None = None
        self._watching: asyncio.Task[None] | None = None
        self._path = Path()
        self._is_stepping = False
        self._is_due = False
        self._held: Following.Stepped | None = None
        self.mark = ""

    @property
    def is_on(self) -> bool:
        """Whether the file is watched."""
        return self._watching is not None

    def take_up(self, picture: Picture) -> None:
        """Another session, which is not watched yet."""
        self._cancel()
        self._follower = Follower(picture, picture.file) if picture.file else None
        self._path = picture.path
        self._is_stepping = self._is_due = False
        self._held = None

    def turn(self) -> None:
        """Watch the file, or no more."""
        if not self._cancel() and self._follower is not None:
            self.mark = FOLLOWING
            self._watching = asyncio.create_task(self._watch(self._path))

    @property
    def standing(self) -> str:
        """What there is to say where a look at the file leads nowhere."""
        return self._follower.standing if self._follower else ""

    def catch_up(self) -> None:
        """What pi would open is shown."""
        if self.is_on and self._follower:
            self.mark = self._follower.catch_up()

    async def end(self) -> None:
        """The program ends: nothing is left that watches."""
        watching = self._watching
        self._cancel()
        if watching:
            with suppress(asyncio.CancelledError):
                await watching

    def _cancel(self) -> bool:
        watching, self._watching = self._watching, None
        self.mark = ""
        return watching is not None and watching.cancel()

    async def _watch(self, path: Path) -> None:
        async with aclosing(moments(path)) as stirred:
            async for _ in stirred:
                self.look()

    def look(self) -> None:
        """Look at the file now, or as soon as that can be."""
        shown = self._shown()
        if self._is_stepping or shown is None:
            self._is_due = True
        elif self._follower:
            self._is_stepping, self._is_due = True, False
            self._app.run_worker(self._step(self._follower, *shown), group="follow")

    def look_if_due(self) -> None:
        """What was in the way may not be there any more."""
        if self._held and self._shown():
            self._app.post_message(self._held)
            self._held = None
        elif self._is_due:
            self.look()

    async def _step(self, follower: Follower, shown: Picture, is_pinned: bool) -> None:
        step = await in_abandoned_thread(partial(_stepped, follower, shown, is_pinned))
        self._app.post_message(self.Stepped(follower, shown, step))

    def taken(self, event: Stepped) -> Step | None:
        """The step of an event, unless it is one in another session, or must wait."""
        if event.follower is not self._follower:
            return None
        if self._shown() is None:
            self._held = event
            return None
        self._is_stepping = False
        if self.is_on and event.step:
            self.mark = event.step.mark
        return event.step


def _stepped(follower: Follower, shown: Picture, is_pinned: bool) -> Step | None:
    """In a thread; of a large session nothing is collected meanwhile, as when it is opened."""
    with without_collections() if follower.size >= MANY_BYTES else nullcontext():
        return follower.step(shown, is_pinned)
