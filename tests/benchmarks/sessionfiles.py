"""Session files of a size, written to a folder that is removed afterwards."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import bigfile
from tests.benchmarks.workload import condensed_session


def write_session(folder: Path, megabytes: float) -> Path:
    """A session of this size, as people have them."""
    path = folder / f"{megabytes:g}-megabytes.jsonl"
    bigfile.write_session(path, megabytes)
    return path


def write_messages(folder: Path, messages: int) -> Path:
    """A condensed session of so many short messages."""
    path = folder / f"{messages}-messages.jsonl"
    path.write_bytes(condensed_session(messages).raw)
    return path
