"""What is mutated: every vector, the demo, and the public sessions where those are at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from condense_tui.session.jsontext import json_text
from tests.vectors import COPIED, PROJECT, SHARED, vectors_in


@dataclass(frozen=True)
class Material:
    """One session as it lies there, line by line; `settings` is empty where it goes without."""

    name: str
    lines: tuple[bytes, ...]
    settings: bytes


@lru_cache(maxsize=2)
def material(is_shared: bool) -> tuple[Material, ...]:
    """All sessions, in an order that is the same everywhere; `is_shared` is with those beside
    the project, of which the vectors in the project are a part."""
    return tuple(_with_public() if is_shared else _own())


def _own() -> Iterator[Material]:
    yield _read(PROJECT / "condense_tui" / "demo" / "session.jsonl", b"")
    yield from _vectors(COPIED)


def _with_public() -> Iterator[Material]:
    yield next(_own())
    yield from _vectors(SHARED)
    for path in sorted((SHARED / "sessions").rglob("*.jsonl")):
        yield _read(path, b"")


def _vectors(folder: Path) -> Iterator[Material]:
    for vector in vectors_in(folder):
        config = vector.config
        yield _read(vector.session, b"" if config is None else json_text(config).encode())


def _read(path: Path, settings: bytes) -> Material:
    name = "/".join(path.parts[-3:])
    return Material(name, tuple(filter(None, path.read_bytes().split(b"\n"))), settings)


def digest_of(sessions: tuple[Material, ...]) -> str:
    """Twelve characters that are the same wherever the same sessions are mutated."""
    digest = hashlib.sha256()
    for session in sessions:
        for line in (*session.lines, session.settings):
            digest.update(line + b"\n")
    return digest.hexdigest()[:12]


def is_shared_at_hand() -> bool:
    """Whether there is more than what the project holds."""
    return (SHARED / "vectors").is_dir() and (SHARED / "sessions").is_dir()
