"""Session files of a size, written to a folder that is removed afterwards."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tests.benchmarks.workload import Story, condensed_session

MEGABYTE = 1_000_000
_LINE = "src/cart.py:41: total = sum(line.amount for line in lines)  # cents are lost\n"
_LONG = _LINE * 500


def write_session(folder: Path, megabytes: float) -> Path:
    """A condensed session; from a few megabytes on most of it is long messages."""
    story = Story()
    size = megabytes * MEGABYTE
    for number in count():
        prompt = story.prompt()
        story.index(prompt.calls)
        for batch in prompt.batches:
            story.summary(batch)
        story.chain(prompt.start_ms, prompt.final_ms, prompt.calls)
        if story.written >= size:
            break
        if size > 10 * MEGABYTE:
            story.user(f"{number}: {_LONG}")
    path = folder / f"{megabytes:g}-megabytes.jsonl"
    path.write_bytes(story.raw)
    return path


def write_messages(folder: Path, messages: int) -> Path:
    """A condensed session of so many short messages."""
    path = folder / f"{messages}-messages.jsonl"
    path.write_bytes(condensed_session(messages).raw)
    return path
