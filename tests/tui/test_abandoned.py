"""Threads that nobody waits for when the program ends."""

import asyncio
import subprocess
import sys
from threading import Event

import pytest

from condense_tui.tui.abandoned import in_abandoned_thread

LEAVE = """
import asyncio, time
from condense_tui.tui.abandoned import in_abandoned_thread

async def leave():
    work = asyncio.create_task(in_abandoned_thread(lambda: time.sleep(600)))
    await asyncio.sleep(0)
    work.cancel()

asyncio.run(leave())
print("left")
"""


async def test_it_answers_with_what_the_work_returns() -> None:
    assert await in_abandoned_thread(lambda: 7) == 7


async def test_it_raises_what_the_work_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        await in_abandoned_thread(lambda: 1 / 0)


async def test_who_stops_waiting_stops_nothing() -> None:
    started, go_on, ended = Event(), Event(), Event()

    def work() -> None:
        started.set()
        go_on.wait(30)
        ended.set()

    waiting = asyncio.create_task(in_abandoned_thread(work))
    while not started.is_set():
        await asyncio.sleep(0.001)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    assert ended.wait(30)


def test_the_program_does_not_wait_for_it_to_end() -> None:
    done = subprocess.run([sys.executable, "-c", LEAVE], capture_output=True, timeout=60)
    assert done.stdout == b"left\n"
    assert done.stderr == b""
