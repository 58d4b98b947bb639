"""A number → one case: the bytes of a session and of a settings file, from nothing but the number.

The same seed, number and material give the same bytes, on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.fuzz.bytemutations import mutated_bytes
from tests.fuzz.grammar import made_entries
from tests.fuzz.jsonmutations import Line, mutated_entries, parsed, written
from tests.fuzz.material import Material
from tests.fuzz.settings import made_settings

# Mostly few lines, so that many sessions are judged in a second.
_LINES = (3, 5, 8, 8, 12, 20)
_MAX_BYTES = 8_000


@dataclass(frozen=True)
class Case:
    """`settings` is empty where there is no settings file; `kind` and `origin` are for tallies."""

    number: int
    kind: str
    origin: str
    raw: bytes
    settings: bytes


def make_case(seed: int, number: int, sessions: tuple[Material, ...]) -> Case:
    """The case with this number."""
    random = Random(seed + number)
    kind = random.choice(tuple(_KINDS))
    origin = random.choice(sessions)
    raw = _KINDS[kind](random, origin)
    settings = origin.settings if random.random() < 0.6 else made_settings(random)
    if random.random() < 0.02:
        settings = mutated_bytes(random, settings)
    name = "made" if kind.startswith("made") else origin.name
    return Case(number, kind, name, raw, settings)


def _window(random: Random, origin: Material) -> list[bytes]:
    """The header and some lines in a row; of a longer session from two places."""
    header, *rest = origin.lines
    limit = random.choice(_LINES)
    if len(rest) <= limit and sum(map(len, rest)) <= _MAX_BYTES:
        return [header, *rest]
    lines = [header]
    room = _MAX_BYTES
    for _ in range(2):
        start = random.randrange(len(rest))
        for line in rest[start : start + limit // 2 + 1]:
            room -= len(line)
            lines += [line] if room > 0 else []
    return lines


def _entries(random: Random, origin: Material) -> list[Line]:
    """A window's entries, for the most part again each the child of the one before."""
    lines = [parsed(line) for line in _window(random, origin)]
    is_rejoined = random.random() < 0.7
    parent = None
    for line in lines[1:]:
        if is_rejoined and isinstance(line, dict) and "parentId" in line:
            line["parentId"] = parent
            parent = line.get("id")
    return lines


def _mutated_bytes(random: Random, origin: Material) -> bytes:
    return mutated_bytes(random, b"\n".join(_window(random, origin)) + b"\n")


def _mutated_entries(random: Random, origin: Material) -> bytes:
    return written(mutated_entries(random, _entries(random, origin)))


def _mutated_both(random: Random, origin: Material) -> bytes:
    return mutated_bytes(random, _mutated_entries(random, origin))


def _made(random: Random, _origin: Material) -> bytes:
    return written(made_entries(random, random.choice(_LINES)))


def _made_mutated(random: Random, _origin: Material) -> bytes:
    return mutated_bytes(
        random, written(mutated_entries(random, made_entries(random, random.choice(_LINES))))
    )


_KINDS: dict[str, Callable[[Random, Material], bytes]] = {
    "entries": _mutated_entries,
    "bytes": _mutated_bytes,
    "entries and bytes": _mutated_both,
    "made": _made,
    "made, then mutated": _made_mutated,
}
