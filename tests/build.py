"""Builders with defaults, so that a test names only what it is about.

`SessionBuilder` writes a session entry by entry: ids, parents and times follow by themselves.
Below it stand the parts of messages and records, and a few readings of a plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Self

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.settings import settings_from
from condense_tui.pruning.slots import FateKind
from condense_tui.session.branch import Branch, branch_to, default_branch
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.occurrences import bare_id_of
from condense_tui.session.reading import read_session

Json = dict[str, Any]

STEP_MS = 10
NEXT: Any = object()
ABSENT: Any = object()


def text(words: str = "words") -> Json:
    return {"type": "text", "text": words}


def thinking(words: str = "a thought") -> Json:
    return {"type": "thinking", "thinking": words}


def call(call_id: str, name: str = "bash", **arguments: Any) -> Json:
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def ref(short_ref: str, call_id: str, at: float | None = None) -> Json:
    return _present(
        {"shortId": short_ref, "toolCallId": call_id, "resultTimestamp": _given(at)},
    )


def record(call_id: str, at: float | None = None, output: str = "output", **fields: Any) -> Json:
    """An archived call, as index entries hold it; `at` is the time of its result."""
    defaults = {
        "toolCallId": call_id,
        "toolName": "bash",
        "args": {},
        "resultText": output,
        "isError": False,
        "turnIndex": 0,
        "timestamp": 1,
        "resultTimestamp": _given(at),
    }
    return _present(defaults | fields)


def spilled(call_id: str, at: float | None = None, path: str = "s-blobs/x.txt", **f: Any) -> Json:
    """A record whose output was moved to a file."""
    return record(call_id, at, "", **{"spillPath": path, "spillBytes": 70_000, **f})


def chain(block: str, start: Any, final: Any, keys: Iterable[str] = (), **fields: Any) -> Json:
    """The payload of a chain entry; `keys` are the occurrence keys that it says it dropped."""
    keys = list(keys)
    defaults = {
        "blockId": block,
        "startUserTimestamp": start,
        "finalAssistantTimestamp": final,
        "droppedToolCallIds": [bare_id_of(key) for key in keys],
        "droppedOccurrenceKeys": keys,
        "toolRefs": [],
        "compressedAt": 9_000,
        "rangeSummaryText": f"body of {block}",
    }
    return _present(defaults | fields)


def _given(at: float | None) -> Any:
    return ABSENT if at is None else at


def _present(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not ABSENT}


def iso(ms: float) -> str:
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class SessionBuilder:
    """Every method adds an entry below the one before and returns the builder.

    `at` is a message's own time: by default a little later than the last one; None leaves it out.
    """

    def __init__(self, **header: Any) -> None:
        header = {"version": 3, "id": "s", "timestamp": iso(0), "cwd": "/work"} | header
        self._lines: list[str] = [json.dumps({"type": "session", **header})]
        self._leaf: str | None = None
        self._now_ms: float = 1_000

    # Entries

    def line(self, raw: str) -> Self:
        """A line as it is, on nobody's branch."""
        self._lines.append(raw)
        return self

    def entry(self, kind: str, **fields: Any) -> Self:
        """Any entry; its id counts the lines (`e1` is the first), unless one is given."""
        entry = {
            "type": kind,
            "id": f"e{len(self._lines)}",
            "parentId": self._leaf,
            "timestamp": iso(self._now_ms),
            **fields,
        }
        self._leaf = entry["id"]
        return self.line(json_text(_present(entry)))

    def back_to(self, entry_id: str | None) -> Self:
        """Go on from an earlier entry: a fork."""
        self._leaf = entry_id
        return self

    def custom(self, custom_type: str, payload: Any) -> Self:
        return self.entry("custom", customType=custom_type, data=payload)

    # Messages

    def message(self, role: str, content: Any, at: Any = NEXT, **fields: Any) -> Self:
        message = {"role": role, "content": content, **fields, "timestamp": self._time(at)}
        return self.entry("message", message=_present(message))

    def user(self, words: str = "a question", at: Any = NEXT) -> Self:
        return self.message("user", [text(words)], at)

    def assistant(self, *parts: Json, at: Any = NEXT, **fields: Any) -> Self:
        return self.message("assistant", list(parts), at, **fields)

    def answer(self, words: str = "an answer", at: Any = NEXT) -> Self:
        return self.assistant(text(words), at=at)

    def result(
        self,
        call_id: str,
        output: str = "output",
        at: Any = NEXT,
        *,
        tool: str = "bash",
        is_error: bool = False,
    ) -> Self:
        fields = {"toolCallId": call_id, "toolName": tool, "isError": is_error}
        return self.message("toolResult", [text(output)], at, **fields)

    def turn(self, call_id: str, output: str = "output", at: Any = NEXT, **kind: Any) -> Self:
        """One call and its result; `at` is the result's time."""
        asked = call(call_id, kind.get("tool", "bash"))
        return self.assistant(asked).result(call_id, output, at, **kind)

    def custom_message(self, custom_type: str = "note", content: Any = "a note", **f: Any) -> Self:
        self._time(NEXT)
        fields = {"customType": custom_type, "content": content, "display": True, **f}
        return self.entry("custom_message", **fields)

    # What the extension writes

    def index(self, *records: Json, **fields: Any) -> Self:
        return self.custom("context-prune-index", {"toolCalls": list(records), **fields})

    def summary(self, *refs: Json, content: Any = "a summary", **details: Any) -> Self:
        details = {"toolCallRefs": list(refs), "turnIndex": 0, "timestamp": 1} | details
        return self.custom_message("context-prune-summary", content, details=_present(details))

    def archive(self, short_ref: str, call_id: str, at: Any, output: str = "output") -> Self:
        """A summary of one call and its record."""
        self.summary(ref(short_ref, call_id, at), content=f"summary of {short_ref}")
        return self.index(record(call_id, at, output))

    def chain(self, *args: Any, **fields: Any) -> Self:
        return self.custom("context-prune-chain", chain(*args, **fields))

    def alias(self, new: tuple[str, Any], original: tuple[str, Any]) -> Self:
        """A duplicate; each side is an id and the time of its result, or None."""
        payload = {
            "newToolCallId": new[0],
            "newResultTimestamp": _given(new[1]),
            "originalToolCallId": original[0],
            "originalResultTimestamp": _given(original[1]),
        }
        return self.custom("context-prune-dedup-alias", _present(payload))

    def _time(self, at: Any) -> Any:
        if at is None:
            return ABSENT
        if at is NEXT:
            self._now_ms += STEP_MS
            return self._now_ms
        if type(at) in (int, float):
            self._now_ms = at
        return at

    # The session, read

    @property
    def raw(self) -> bytes:
        return "".join(f"{line}\n" for line in self._lines).encode()

    @property
    def session(self) -> Session:
        session = read_session(self.raw)
        assert not isinstance(session, Refusal), session.reason
        return session

    @property
    def branch(self) -> Branch:
        return default_branch(self.session)

    def inspect(self, leaf: str | None = None, **settings: Any) -> Inspection:
        branch = branch_to(self.session, leaf) if leaf else self.branch
        assert branch is not None
        return Inspection(branch, settings_from(settings or None))

    def plan(self, **settings: Any) -> RenderPlan:
        return self.inspect(**settings).plan


# Readings of a plan


def removed(plan: RenderPlan) -> list[int]:
    """The places that the model is sent nothing for."""
    return [slot.place for slot in plan.slots if slot.place is not None and slot.after is None]


def places(plan: RenderPlan, kind: FateKind) -> list[int | None]:
    """The places that this happened to."""
    return [slot.place for slot in plan.slots for fate in slot.fates if fate.kind is kind]


def pruned_texts(plan: RenderPlan, role: str) -> list[str]:
    """What the model reads of the messages with this role."""
    return [message.text for message in plan.pruned_messages if message.role == role]


def blocks(plan: RenderPlan) -> list[str]:
    """The texts of the inserted messages."""
    return [slot.message.text for slot in plan.slots if slot.before is None]


def diagnosed(plan: RenderPlan) -> list[tuple[str, str]]:
    """Kind and detail of each diagnostic."""
    return [(found.kind.value, found.detail) for found in plan.diagnostics]
