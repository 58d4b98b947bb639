"""Session files of any size, written piece by piece: `write_session(path, megabytes)`.

What people have on their disks: prompts with a handful of calls each, outputs from a line to a
few hundred kilobytes, most of the prompts summarised and some of those compressed.  Nothing
depends on chance or on the clock.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tests.benchmarks.workload import Story

MEGABYTE = 1_000_000
# How many lines of output the calls of a prompt have, in turn; 3.8 kB a line of the file.
_OUTPUT_LINES = (3, 40, 12, 160, 5, 25, 90, 8, 60, 2, 18, 430, 30, 6, 45, 110)
_CALLS = (1, 2, 1, 1, 3, 1, 1)
_KEPT_PROMPTS = 3


def write_session(path: Path, megabytes: float) -> int:
    """Write a session of at least this size; returns how many lines it has.

    The last prompts are left as they were; of those before, two in three are summarised, and
    every other one of these is compressed to a block.
    """
    story, written, prompts = Story(), 0, count()
    size = megabytes * MEGABYTE
    with open(path, "wb") as file:
        while written < size:
            _tell(story, next(prompts))
            written += file.write(story.take())
        for _ in range(_KEPT_PROMPTS):
            _tell(story, 0)
        written += file.write(story.take())
    return story.lines


def _tell(story: Story, number: int) -> None:
    outputs = iter(_OUTPUT_LINES[number % 5 :] + _OUTPUT_LINES)
    prompt = story.prompt(_CALLS, lambda call: _output(call.id, next(outputs)))
    if number % 3 == 0:
        return
    story.index(prompt.calls)
    for batch in prompt.batches:
        story.summary(batch)
    if number % 2:
        story.chain(prompt.start_ms, prompt.final_ms, prompt.calls)


def _output(call: str, lines: int) -> str:
    return "".join(
        f"src/cart.py:{line}: {call} total = sum(line.amount for line in lines)  # naïve\n"
        for line in range(lines)
    )
