"""A failing case → a smaller one that still fails: lines taken out, then what is in them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from condense_tui.session.jsontext import json_text

Fails = Callable[[bytes, bytes], bool]
_T = TypeVar("_T")
_PATIENCE_SECONDS = 60.0


def shrunk(raw: bytes, settings: bytes, fails: Fails) -> tuple[bytes, bytes]:
    """The smallest that is found in a minute; the case itself where nothing smaller fails."""
    end = time.monotonic() + _PATIENCE_SECONDS

    def still(candidate: bytes, given: bytes) -> bool:
        return time.monotonic() < end and fails(candidate, given)

    if still(raw, b""):
        settings = b""
    lines = _fewer(raw.split(b"\n"), lambda kept: still(b"\n".join(kept), settings))
    for number in range(len(lines)):
        for smaller in iter(lambda at=number: _smaller_line(lines, at, settings, still), None):
            lines[number] = smaller
    return b"\n".join(lines), settings


def _fewer(items: Sequence[_T], still: Callable[[Sequence[_T]], bool]) -> list[_T]:
    """Pieces are taken out, ever smaller ones."""
    kept = list(items)
    size = max(len(kept) // 2, 1)
    while size:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if without and still(without):
                kept = without
            else:
                at += size
        size //= 2
    return kept


def _smaller_line(lines: list[bytes], at: int, settings: bytes, still: Fails) -> bytes | None:
    """The line with one value less or shorter, if it still fails."""
    for smaller in _simpler(lines[at]):
        if smaller != lines[at] and still(
            b"\n".join([*lines[:at], smaller, *lines[at + 1 :]]), settings
        ):
            return smaller
    return None


def _simpler(line: bytes) -> Iterator[bytes]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        yield from (line[: len(line) // 2], line[len(line) // 2 :], line[:-1], line[1:])
        return
    places = list(_places(value))
    for container, key in places:
        taken = container[key]
        del container[key]
        yield json_text(value).encode()
        if isinstance(container, list):
            container.insert(key, taken)
        else:
            container[key] = taken
    for container, key in places:
        taken = container[key]
        if isinstance(taken, str) and len(taken) > 1:
            container[key] = taken[: len(taken) // 2]
            yield json_text(value).encode()
            container[key] = taken


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys, the outermost first."""
    pending = [value]
    while pending:
        inside = pending.pop(0)
        keys = list(inside) if isinstance(inside, dict) else range(len(inside))
        for key in keys if isinstance(inside, dict | list) else ():
            yield inside, key
            if isinstance(inside[key], dict | list):
                pending.append(inside[key])
