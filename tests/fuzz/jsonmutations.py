"""Mutations of a session as entries: what a program that knows half of the format would write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from condense_tui.session.jsontext import json_text
from tests.fuzz.odd import BLOCKS, ENTRY_IDS, IDS, REFS, TEXTS, TIMES, TOOLS, odd_value

Line = dict[str, Any] | bytes

_ROLES = ("user", "assistant", "toolResult", "custom", "system", "bashExecution", "hookMessage", "")
_ID_FIELDS = {
    "toolCallId": IDS,
    "newToolCallId": IDS,
    "originalToolCallId": IDS,
    "shortId": REFS,
    "blockId": BLOCKS,
    "toolName": TOOLS,
    "name": TOOLS,
    "timestamp": TIMES,
    "resultTimestamp": TIMES,
    "startUserTimestamp": TIMES,
    "finalAssistantTimestamp": TIMES,
    "firstKeptEntryId": ENTRY_IDS,
    "targetId": ENTRY_IDS,
}


def parsed(raw: bytes) -> Line:
    """An object, or the line as it is."""
    try:
        value = json.loads(raw)
    except ValueError:
        return raw
    return value if isinstance(value, dict) else raw


def written(lines: list[Line]) -> bytes:
    """The lines as a file.  Written without recursion, so that it is the same on every machine."""
    return b"".join(_line(line) + b"\n" for line in lines)


def _line(line: Line) -> bytes:
    return line if isinstance(line, bytes) else json_text(line).encode("utf-8", "replace")


def _copied(value: Any) -> Any:
    """A copy that shares no container but the deepest."""
    return _copied_to(value, 9)


def _copied_to(value: Any, depth: int) -> Any:
    if depth and isinstance(value, dict):
        return {key: _copied_to(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, list):
        return [_copied_to(item, depth - 1) for item in value]
    return value


def mutated_entries(random: Random, lines: list[Line]) -> list[Line]:
    """One to eight mutations, one after the other; the header mostly stays."""
    for _ in range(random.randrange(1, 9)):
        if len(lines) > 2:
            random.choice(_MUTATIONS)(random, lines)
    if random.random() < 0.02 and isinstance(lines[0], dict):
        _spoil(random, lines[0])
    return lines


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container inside a value with each of its keys."""
    pending = [value]
    while pending:
        inside = pending.pop()
        keys: Any = inside if isinstance(inside, dict) else range(len(inside))
        for key in keys:
            yield inside, key
            if isinstance(inside[key], dict | list):
                pending.append(inside[key])


def _entry(random: Random, lines: list[Line]) -> dict[str, Any]:
    line = random.choice(lines[1:])
    return line if isinstance(line, dict) else {}


def _spoil(random: Random, entry: dict[str, Any]) -> None:
    places = list(_places(entry))
    if not places:
        return
    container, key = random.choice(places)
    match random.randrange(5):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[str(random.choice(TEXTS))[:40]] = container.pop(key)
        case 2:
            container[key] = [container[key]]
        case _:
            container[key] = odd_value(random)


def _change_value(random: Random, lines: list[Line]) -> None:
    _spoil(random, _entry(random, lines))


def _reuse_an_id(random: Random, lines: list[Line]) -> None:
    """Ids, refs, names and times of all entries come from a few."""
    places = [place for place in _places(_entry(random, lines)) if place[1] in _ID_FIELDS]
    for container, key in random.sample(places, min(len(places), 3)):
        container[key] = random.choice(_ID_FIELDS[key])


def _take_a_value(random: Random, lines: list[Line]) -> None:
    """A field of one entry gets what a field of that name has elsewhere."""
    places = list(_places(_entry(random, lines)))
    found: dict[Any, Any] = {
        key: container[key] for container, key in _places(_entry(random, lines))
    }
    fitting = [place for place in places if place[1] in found]
    if fitting:
        container, key = random.choice(fitting)
        container[key] = _copied(found[key])


def _change_role(random: Random, lines: list[Line]) -> None:
    message = _entry(random, lines).get("message")
    if isinstance(message, dict):
        message["role"] = random.choice(_ROLES)


def _reparent(random: Random, lines: list[Line]) -> None:
    ids = [line.get("id") for line in lines if isinstance(line, dict)]
    _entry(random, lines)["parentId"] = random.choice((*ids, *ids, "missing", None))


def _rename(random: Random, lines: list[Line]) -> None:
    ids = [line.get("id") for line in lines if isinstance(line, dict)]
    _entry(random, lines)["id"] = random.choice((*ids, None, "", 7, "new"))


def _drop_line(random: Random, lines: list[Line]) -> None:
    del lines[random.randrange(1, len(lines))]


def _repeat_line(random: Random, lines: list[Line]) -> None:
    lines.insert(random.randrange(1, len(lines) + 1), _copied(random.choice(lines[1:])))


def _move_line(random: Random, lines: list[Line]) -> None:
    line = lines.pop(random.randrange(1, len(lines)))
    lines.insert(random.randrange(1, len(lines) + 1), line)


def _cut_window(random: Random, lines: list[Line]) -> None:
    start = random.randrange(1, len(lines))
    del lines[start : start + random.randrange(1, 6)]


def _swap_messages(random: Random, lines: list[Line]) -> None:
    """The places stay, what stands there changes."""
    entries = [line for line in lines if isinstance(line, dict) and "message" in line]
    if len(entries) > 1:
        first, second = random.sample(entries, 2)
        first["message"], second["message"] = second["message"], first["message"]


_MUTATIONS: tuple[Callable[[Random, list[Line]], None], ...] = (
    _change_value,
    _change_value,
    _change_value,
    _change_value,
    _reuse_an_id,
    _reuse_an_id,
    _take_a_value,
    _change_role,
    _reparent,
    _rename,
    _drop_line,
    _repeat_line,
    _move_line,
    _cut_window,
    _swap_messages,
)
