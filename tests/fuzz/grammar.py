"""Sessions from nothing: every kind of entry and record over few ids and times; they meet."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.jsonmutations import Line
from tests.fuzz.odd import (
    BLOCKS,
    ENTRY_IDS,
    IDS,
    PATHS,
    REFS,
    TEXTS,
    TIMES,
    TOOLS,
    odd_value,
)

Json = dict[str, Any]


def made_entries(random: Random, count: int) -> list[Line]:
    """A header and so many entries, mostly each the child of the one before."""
    lines: list[Line] = [_header(random)]
    for number in range(1, count + 1):
        entry = random.choice(_ENTRIES)(random)
        is_tidy = random.random() < 0.92
        entry["id"] = f"e{number}" if is_tidy else random.choice(ENTRY_IDS)
        entry["parentId"] = (
            (f"e{number - 1}" if number > 1 else None) if is_tidy else _parent(random)
        )
        entry["timestamp"] = random.choice((*TEXTS[-3:], *TIMES))
        lines.append(_with_holes(random, entry))
    return lines


def _header(random: Random) -> Json:
    version = 3 if random.random() < 0.8 else random.choice((1, 2, 4, None, "3", 1e400))
    return {"type": "session", "version": version, "id": "s", "cwd": "/w", "timestamp": TEXTS[-3]}


def _parent(random: Random) -> Any:
    return random.choice((*ENTRY_IDS, "missing"))


def _with_holes(random: Random, entry: Json) -> Json:
    """Now and then a field is missing, or is what it should not be."""
    if random.random() < 0.12:
        inside = random.choice([entry, *(v for v in entry.values() if isinstance(v, dict) and v)])
        name = random.choice(list(inside))
        if random.random() < 0.4:
            del inside[name]
        else:
            inside[name] = odd_value(random)
    return entry


# Messages


def _text(random: Random) -> Json:
    return {"type": "text", "text": random.choice(TEXTS)}


def _thinking(random: Random) -> Json:
    return {"type": "thinking", "thinking": random.choice(TEXTS)}


def _image(random: Random) -> Json:
    return {"type": "image", "mimeType": "image/png", "data": "iVBO" * random.choice((0, 1, 500))}


def _call(random: Random) -> Json:
    field = "arguments" if random.random() < 0.9 else random.choice(("input", "args"))
    arguments = {random.choice(("path", "command", "0", "toolCallIds")): odd_value(random)}
    return {
        "type": "toolCall",
        "id": random.choice(IDS),
        "name": random.choice(TOOLS),
        field: arguments,
    }


def _content(random: Random, kinds: tuple[Callable[[Random], Json], ...]) -> Any:
    if random.random() < 0.1:
        return random.choice(TEXTS)
    return [random.choice(kinds)(random) for _ in range(random.randrange(4))]


def _message(random: Random, role: str, content: Any, **fields: Any) -> Json:
    said = {"role": role, "content": content, **fields, "timestamp": random.choice(TIMES)}
    return {"type": "message", "message": said}


def _user(random: Random) -> Json:
    return _message(random, "user", _content(random, (_text, _text, _image)))


def _assistant(random: Random) -> Json:
    reason = random.choice(("stop", "toolUse", "toolUse", "aborted", "error", None))
    content = _content(random, (_text, _thinking, _call, _call))
    return _message(random, "assistant", content, stopReason=reason, model="m", provider="p")


def _result(random: Random) -> Json:
    fields = {"toolCallId": random.choice(IDS), "toolName": random.choice(TOOLS)}
    content = _content(random, (_text, _text, _image))
    return _message(random, "toolResult", content, **fields, isError=random.random() < 0.3)


def _other_message(random: Random) -> Json:
    role = random.choice(("system", "bashExecution", "custom", "hookMessage", "branchSummary", "?"))
    fields = {"command": "ls", "output": random.choice(TEXTS), "customType": "note", "summary": "s"}
    fields["excludeFromContext"] = random.random() < 0.3
    return _message(random, role, _content(random, (_text,)), **fields)


# Other entries


def _custom_message(random: Random) -> Json:
    content = _content(random, (_text,))
    return {"type": "custom_message", "customType": "note", "content": content, "display": True}


def _compaction(random: Random) -> Json:
    kept = {
        "firstKeptEntryId": random.choice(ENTRY_IDS),
        "firstKeptEntryIndex": random.randrange(9),
    }
    return {"type": "compaction", "summary": random.choice(TEXTS), "tokensBefore": 7, **kept}


def _branch_summary(random: Random) -> Json:
    return {"type": "branch_summary", "summary": random.choice(TEXTS), "fromId": _parent(random)}


def _context_edit(random: Random) -> Json:
    replacement = random.choice((None, {"content": _content(random, (_text, _call))}, "x", {}))
    return {"type": "context_edit", "targetId": _parent(random), "replacement": replacement}


def _note(random: Random) -> Json:
    name = random.choice(TEXTS)
    return random.choice(
        (
            {"type": "session_info", "name": name},
            {"type": "label", "targetId": _parent(random), "label": name},
            {"type": "model_change", "provider": "p", "modelId": name},
            {"type": "thinking_level_change", "thinkingLevel": "high"},
            {"type": name},
        )
    )


# What the extension writes


def _custom(kind: str, payload: Any) -> Json:
    return {"type": "custom", "customType": f"context-prune-{kind}", "data": payload}


def _time(random: Random) -> Json:
    return {} if random.random() < 0.25 else {"resultTimestamp": random.choice(TIMES)}


def _record(random: Random) -> Json:
    spill = {"spillPath": random.choice(PATHS), "spillBytes": 70_000, "resultPreview": "p"}
    return {
        "toolCallId": random.choice(IDS),
        "toolName": random.choice(TOOLS),
        "args": odd_value(random),
        "resultText": random.choice(TEXTS),
        "isError": random.random() < 0.3,
        "turnIndex": random.choice((0, 1, 2.5, None)),
        "timestamp": random.choice(TIMES),
        **_time(random),
        **(spill if random.random() < 0.2 else {}),
    }


def _index(random: Random) -> Json:
    records = [_record(random) for _ in range(random.randrange(4))]
    extra = {"backfilled": True} if random.random() < 0.15 else {}
    return _custom("index", {"toolCalls": records, **extra})


def _refs(random: Random) -> list[Json]:
    return [
        {"shortId": random.choice(REFS), "toolCallId": random.choice(IDS), **_time(random)}
        for _ in range(random.randrange(4))
    ]


def _summary(random: Random) -> Json:
    details: Json = {"toolCallRefs": _refs(random), "turnIndex": 0, "timestamp": 1}
    if random.random() < 0.2:
        details = {"toolCallIds": [random.choice(IDS)]}
    content = random.choice(TEXTS) if random.random() < 0.5 else _content(random, (_text,))
    summary = {"customType": "context-prune-summary", "content": content, "details": details}
    return {"type": "custom_message", **summary}


def _alias(random: Random) -> Json:
    sides = {
        "newToolCallId": random.choice(IDS),
        "newResultTimestamp": random.choice(TIMES),
        "originalToolCallId": random.choice(IDS),
        "originalResultTimestamp": random.choice(TIMES),
    }
    return _custom("dedup-alias", sides)


def _chain(random: Random) -> Json:
    ids = [random.choice(IDS) for _ in range(random.randrange(4))]
    payload = {
        "blockId": random.choice(BLOCKS),
        "startUserTimestamp": random.choice(TIMES),
        "finalAssistantTimestamp": random.choice((*TIMES, None)),
        "droppedToolCallIds": ids,
        "droppedOccurrenceKeys": [f"{each}@{random.choice(TIMES)}" for each in ids],
        "protectedToolCallIds": [random.choice(IDS)],
        "toolRefs": [random.choice(REFS)],
        "compressedAt": 9000,
        "rangeSummaryText": random.choice((*TEXTS, None)),
    }
    if random.random() < 0.3:
        del payload[random.choice(list(payload))]
    return _custom("chain", payload)


def _ledger(random: Random) -> Json:
    kind = random.choice(("frontier", "stats", "diagnostic", "flush-metrics", "unknown"))
    found = random.choice(("orphan-sweep", "unresolved-range", "range-id-mismatch", "?"))
    detail = f"blockId={random.choice(BLOCKS)} start=1000 final=null"
    payload: Any = {"kind": found, "detail": detail, "lastAttemptedToolCallId": random.choice(IDS)}
    payload |= {"lastAttemptedTimestamp": random.choice(TIMES), "callCount": odd_value(random)}
    return _custom(kind, payload if random.random() < 0.9 else odd_value(random))


_ENTRIES: tuple[Callable[[Random], Json], ...] = (
    *(_user,) * 4,
    *(_assistant,) * 6,
    *(_result,) * 6,
    _other_message,
    _custom_message,
    _compaction,
    _branch_summary,
    _context_edit,
    _note,
    *(_index,) * 3,
    *(_summary,) * 3,
    _alias,
    *(_chain,) * 3,
    _ledger,
)
