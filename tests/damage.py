"""Sessions damaged on purpose: lines, ids and parents, which plain mutations seldom hit."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from condense_tui.session.jsontext import json_text
from tests.vectors import MUTATIONS, SMALL_VECTORS, Draw, Line

GARBAGE = [b"not json", b"{", b'{"type":"mess', b"42", b"null", b"[1]", b'"words"', b"\xff\xfe"]


def entries_in(lines: list[Line]) -> list[dict[str, Any]]:
    return [line for line in lines[1:] if isinstance(line, dict)]


def ids_in(lines: list[Line]) -> list[Any]:
    ids = [entry.get("id") for entry in entries_in(lines)]
    return [*ids, None, "missing", "missing too"]


def change_a_parent(draw: Draw, lines: list[Line]) -> None:
    """To another entry, a missing one, or none."""
    if entries := entries_in(lines):
        draw(st.sampled_from(entries))["parentId"] = draw(st.sampled_from(ids_in(lines)))


def change_an_id(draw: Draw, lines: list[Line]) -> None:
    """To another entry's, or none."""
    if entries := entries_in(lines):
        draw(st.sampled_from(entries))["id"] = draw(st.sampled_from(ids_in(lines)))


def lose_an_id(draw: Draw, lines: list[Line]) -> None:
    if entries := entries_in(lines):
        entry = draw(st.sampled_from(entries))
        entry.pop("id", None)
        if draw(st.booleans()):
            entry.pop("parentId", None)


def move_a_line(draw: Draw, lines: list[Line]) -> None:
    line = lines.pop(draw(st.integers(1, len(lines) - 1)))
    lines.insert(draw(st.integers(1, len(lines))), line)


def add_garbage(draw: Draw, lines: list[Line]) -> None:
    lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(GARBAGE)))


def add_a_header(draw: Draw, lines: list[Line]) -> None:
    lines.insert(draw(st.integers(1, len(lines))), deepcopy(lines[0]))


def add_a_compaction(draw: Draw, lines: list[Line]) -> None:
    """At the end, keeping from anywhere."""
    ids = ids_in(lines)
    kept = {"firstKeptEntryId": draw(st.sampled_from(ids))}
    if draw(st.booleans()):
        kept = {"firstKeptEntryIndex": draw(st.integers(-1, len(lines) + 2))}
    entry = {"type": "compaction", "id": "compacted", "parentId": ids[-4], "summary": "s", **kept}
    lines.insert(draw(st.integers(1, len(lines))), {**entry, "timestamp": "2026-01-01T00:00:00Z"})


def add_an_edit(draw: Draw, lines: list[Line]) -> None:
    """After an entry, so that everything below goes through it."""
    entries = entries_in(lines)
    if not entries:
        return
    above = draw(st.sampled_from(entries))
    edit = {"type": "context_edit", "id": f"edit{len(lines)}", "parentId": above.get("id")}
    edit |= {"targetId": draw(st.sampled_from(ids_in(lines))), "timestamp": "x"}
    edit["replacement"] = draw(st.sampled_from([None, {"content": "edited"}]))
    for entry in entries:
        if entry.get("parentId") == above.get("id"):
            entry["parentId"] = edit["id"]
    lines.insert(lines.index(above) + 1, edit)


def put_a_message_between(draw: Draw, lines: list[Line]) -> None:
    """A barrier: the entry after it hangs below it, as when it was written there."""
    entries = entries_in(lines)
    if not entries:
        return
    below = draw(st.sampled_from(entries))
    barrier = {"type": "custom_message", "customType": "x", "content": f"b{len(lines)}"}
    barrier |= {"id": f"b{len(lines)}", "parentId": below.get("parentId"), "timestamp": "x"}
    below["parentId"] = barrier["id"]
    lines.insert(lines.index(below), {**barrier, "display": True})


def end_a_reply_early(draw: Draw, lines: list[Line]) -> None:
    messages = [entry.get("message") for entry in entries_in(lines)]
    replies = [m for m in messages if isinstance(m, dict) and m.get("role") == "assistant"]
    if replies:
        draw(st.sampled_from(replies))["stopReason"] = draw(st.sampled_from(["error", "aborted"]))


def change_the_version(draw: Draw, lines: list[Line]) -> None:
    if isinstance(lines[0], dict):
        lines[0]["version"] = draw(st.sampled_from([1, 2, 3, 99]))


DAMAGES: list[Callable[[Draw, list[Line]], None]] = [
    change_a_parent,
    change_a_parent,
    change_an_id,
    lose_an_id,
    move_a_line,
    add_garbage,
    add_a_header,
    add_a_compaction,
    add_an_edit,
    put_a_message_between,
    end_a_reply_early,
    change_the_version,
    *MUTATIONS,
]


@st.composite
def damaged_sessions(draw: Draw) -> bytes:
    """The bytes of a session, some lines of it welded, its end perhaps torn."""
    original, _ = draw(st.sampled_from(SMALL_VECTORS))
    lines = deepcopy(original)
    for _ in range(draw(st.integers(1, 8))):
        if len(lines) > 2:
            draw(st.sampled_from(DAMAGES))(draw, lines)
    raws = [line if isinstance(line, bytes) else json_text(line).encode() for line in lines]
    welds = draw(st.sets(st.integers(1, len(raws)), max_size=2))
    cut = draw(st.sampled_from([0, 0, 9]))
    raw = b""
    for number, line in enumerate(raws, 1):
        raw += line[: len(line) - cut] if number in welds else line + b"\n"
    return raw[: len(raw) - draw(st.sampled_from([0, 0, 1, 7]))]
