"""Sessions with the right answers: the copied selection, and the whole collection if there;
and sessions that were made from these by mutation, for which nobody knows the answers.

The collection is the folder `shared` beside the project, or what CONDENSE_SHARED names.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import branch_to, default_branch
from condense_tui.session.entries import Session
from condense_tui.session.jsontext import json_text
from condense_tui.store_open import open_session

PROJECT = Path(__file__).resolve().parent.parent
COPIED = PROJECT / "tests" / "data"
SHARED = Path(os.environ.get("CONDENSE_SHARED") or PROJECT.parent / "shared")

_SESSION = "session.jsonl"
_ANSWER = "expected.json.gz"


@dataclass(frozen=True)
class Vector:
    """One session and the extension's answers about it."""

    session: Path

    def __str__(self) -> str:
        *_, above, folder, file = self.session.parts
        home = "copied" if COPIED in self.session.parents else "shared"
        return f"{home}/{above}/{folder}/{file}".removesuffix(_SESSION).rstrip("./")

    def _beside(self, name: str) -> Path:
        return self.session.with_name(self.session.name.removesuffix(_SESSION) + name)

    @property
    def config(self) -> Any:
        path = self._beside("config.json")
        return json.loads(path.read_bytes()) if path.exists() else None

    @property
    def expected(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(gzip.decompress(self._beside(_ANSWER).read_bytes()))
        return answer

    def inspect(self, leaf: str | None = None) -> Inspection:
        session = _opened(self.session)
        branch = branch_to(session, leaf) if leaf else default_branch(session)
        assert branch is not None
        return Inspection(branch, settings_from(self.config))

    @property
    def live_rows(self) -> list[dict[str, Any]]:
        """What the running agent sent, request by request; none for most vectors."""
        path = self._beside("live.jsonl.txt")
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]


@lru_cache(maxsize=1)
def _opened(path: Path) -> Session:
    session = open_session(path)
    assert isinstance(session, Session), session
    return session


class Case:
    """A vector with its answer and our own, each worked out once."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector

    @cached_property
    def expected(self) -> dict[str, Any]:
        return self.vector.expected

    @cached_property
    def inspection(self) -> Inspection:
        return self.vector.inspect()


def vectors_in(folder: Path) -> list[Vector]:
    """Every vector below a folder, in order; none where there is no folder."""
    answers = sorted((folder / "vectors").glob(f"*/**/*{_ANSWER}"))
    return [Vector(path.with_name(path.name.removesuffix(_ANSWER) + _SESSION)) for path in answers]


def public_expectations() -> list[Path]:
    """What pi itself makes of the public sessions, where those are."""
    return sorted((SHARED / "sessions" / "expected").glob("*.json"))


def units() -> Iterator[dict[str, Any]]:
    """Small functions of the extension: name, arguments, result."""
    yield from json.loads((COPIED / "units.json").read_bytes(), object_hook=_repeated)


def _repeated(value: dict[str, Any]) -> Any:
    """Long texts are written down as what they repeat, and how often, and joined."""
    if "joined" in value:
        return "".join(value["joined"])
    return value["repeat"][0] * value["repeat"][1] if "repeat" in value else value


# Mutations

Line = dict[str, Any] | bytes
Draw = Callable[[st.SearchStrategy[Any]], Any]

ODD_VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 2**60, "", "x", "x@1", "\ud800", [], {}, [None], [[]], [{}],
    {"type": "text"}, {"type": "toolCall"}, [{"type": "toolCall", "id": "x"}],
]  # fmt: skip


def lines_of(raw: bytes) -> list[Line]:
    return [_parsed(line) for line in raw.split(b"\n") if line.strip()]


def _parsed(line: bytes) -> Line:
    try:
        value = json.loads(line)
    except ValueError:
        return line
    return value if isinstance(value, dict) else line


SMALL_VECTORS = [
    (lines_of(vector.session.read_bytes()), vector.config)
    for vector in vectors_in(COPIED)
    if vector.session.stat().st_size < 60_000
]


def inner_places(value: Any) -> list[tuple[Any, Any]]:
    """Every container inside a value with each of its keys."""
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    own = [(value, key) for key in keys]
    return own + [place for key in keys for place in inner_places(value[key])]


def change_a_value(draw: Draw, lines: list[Line]) -> None:
    """Somewhere inside an entry something odd, or nothing."""
    places = inner_places(draw(st.sampled_from(lines[1:])))
    if not places:
        return
    container, key = draw(st.sampled_from(places))
    if draw(st.booleans()):
        container[key] = deepcopy(draw(st.sampled_from(ODD_VALUES)))
    else:
        del container[key]


def drop_a_line(draw: Draw, lines: list[Line]) -> None:
    del lines[draw(st.integers(1, len(lines) - 1))]


def repeat_a_line(draw: Draw, lines: list[Line]) -> None:
    lines.insert(draw(st.integers(1, len(lines))), deepcopy(draw(st.sampled_from(lines[1:]))))


def swap_messages(draw: Draw, lines: list[Line]) -> None:
    """The places stay, what stands there changes."""
    entries = [line for line in lines if isinstance(line, dict) and "message" in line]
    if len(entries) > 1:
        first, second = (draw(st.sampled_from(entries)) for _ in range(2))
        first["message"], second["message"] = second["message"], first["message"]


MUTATIONS = [
    change_a_value,
    change_a_value,
    change_a_value,
    drop_a_line,
    repeat_a_line,
    swap_messages,
]


@st.composite
def mutated_sessions(draw: Draw) -> tuple[bytes, Any]:
    original, config = draw(st.sampled_from(SMALL_VECTORS))
    lines = deepcopy(original)
    for _ in range(draw(st.integers(1, 8))):
        if len(lines) > 2:
            draw(st.sampled_from(MUTATIONS))(draw, lines)
    raw = b"\n".join(
        line if isinstance(line, bytes) else json_text(line).encode() for line in lines
    )
    return raw[: len(raw) - draw(st.sampled_from([0, 0, 0, 7]))], config
