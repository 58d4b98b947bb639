"""`KeysInTurn`: each key goes to what the key before it has opened.

Textual deals keys out as they come, to what has the focus then.  Of keys that come together, as
when somebody types fast or pastes, those behind one that opens a field would go past it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from textual import events
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

from condense_tui.tui.soberapp import SoberApp

_SECONDS_BETWEEN_LOOKS = 0.2


class KeysInTurn(SoberApp):
    """Deals out a key or a paste once the one before it has been dealt with.

    Messages keep their order on their way up.  So one that is sent after a key, and comes back
    from where the key went, tells that the key has done what it does, up to here.
    """

    class Passed(Message):
        """All that was on this way before it has come through."""

        def __init__(self) -> None:
            super().__init__()
            self.arrived = asyncio.Event()

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self._waiting: deque[events.Event] = deque()
        self._dealing: asyncio.Task[None] | None = None
        self._dealt: events.Event | None = None

    async def on_unmount(self) -> None:
        """Nobody is left to take what waits."""
        if self._dealing:
            self._dealing.cancel()

    @property
    def has_keys(self) -> bool:
        """Whether there are keys that have not done all that they do."""
        return self._dealing is not None

    async def on_event(self, event: events.Event) -> None:
        """Keep keys that have to wait."""
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not is_typed:
            await super().on_event(event)
            return
        if event is self._dealt:
            # Of those who leave the program some type on.
            if self.screen_stack:
                await super().on_event(event)
            return
        self._waiting.append(event)
        if self._dealing is None:
            self._dealing = asyncio.create_task(self._deal_all())

    async def _deal_all(self) -> None:
        """Until no key waits."""
        try:
            while self._waiting:
                await self._deal_one()
        finally:
            self._dealing = None

    async def _deal_one(self) -> None:
        """Until it has done all that it does."""
        if isinstance(self._taker, Screen):
            # It may be about to give the focus away.
            await self._all_through(self._taker)
        target = self._taker
        self._dealt = self._waiting.popleft()
        self.post_message(self._dealt)
        await self._all_through(self)
        await self._all_through(target)
        # And what has come of it: a focus that moves, a screen that is laid out.
        await self._all_through(self._taker)

    @property
    def _taker(self) -> MessagePump:
        """What has the focus, else the screen in front."""
        return (self.focused or self.screen) if self.screen_stack else self

    async def _all_through(self, start: MessagePump) -> None:
        """Until all messages there, and on the way up from there, have been dealt with."""
        passed = self.Passed()
        start.post_message(passed)
        # Nothing comes back from what is closed meanwhile.
        while self._is_open(start) and not passed.arrived.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(passed.arrived.wait(), _SECONDS_BETWEEN_LOOKS)

    def _is_open(self, start: MessagePump) -> bool:
        """A screen is there before it runs."""
        is_screen = start in self.screen_stack
        return self.is_running and (is_screen or (start.is_running and start.is_attached))

    def on_keys_in_turn_passed(self, event: Passed) -> None:
        """Back here."""
        event.arrived.set()
