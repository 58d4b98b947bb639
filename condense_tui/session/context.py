"""`Branch` → `Context`: the messages that pi would send, before any extension sees them.

Compactions, context edits and the messages that are made from other entries follow pi 1.6.
(Source: the session format notes, section 7.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from condense_tui.session.branch import Branch
from condense_tui.session.dates import time_ms
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Body, Message, identifier, message_from

_EDITABLE_ROLES = frozenset({"user", "assistant", "toolResult", "custom"})
_LISTED_ROLES = frozenset({"user", "assistant", "toolResult"})
_PARTS_ONLY_ROLES = frozenset({"assistant", "toolResult"})


@dataclass(frozen=True, slots=True)
class Model:
    """Which model the branch last spoke to."""

    provider: str
    id: str


@dataclass(frozen=True, slots=True)
class Context:
    """The messages of a branch in order, system messages included.

    `entries` are the entries that were asked for a message, many of which have none.
    """

    entries: tuple[Entry, ...]
    messages: tuple[Message, ...]
    model: Model | None

    @property
    def prunable(self) -> tuple[Message, ...]:
        """What extensions are handed: everything but the system messages."""
        return tuple(message for message in self.messages if message.role != "system")


def build_context(branch: Branch) -> Context:
    """The context of a branch; a pure function of it."""
    path = branch.context_entries
    selected = _selected(path)
    edits = _edits(selected)
    messages = tuple(
        message for entry in selected for message in _edited(entry, edits.get(entry.id))
    )
    return Context(selected, messages, _model(path))


def message_of(entry: Entry) -> Message | None:
    """The message of a `message` or `custom_message` entry as stored, edits not applied."""
    bodies = _MESSAGE_BUILDERS.get(entry.type, _no_message)(entry)
    return message_from(bodies[0], entry) if bodies else None


def _selected(path: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The newest compaction, what it kept, and everything after it; without one, all."""
    newest = _newest_compaction(path)
    if newest is None:
        return path
    kept = tuple(entry for entry in _kept(path, newest) if not _is_system(entry))
    return (path[newest], *kept, *path[newest + 1 :])


def _newest_compaction(path: tuple[Entry, ...]) -> int | None:
    return next((i for i in reversed(range(len(path))) if path[i].type == "compaction"), None)


def _kept(path: tuple[Entry, ...], newest: int) -> tuple[Entry, ...]:
    first = _first_kept(path, newest)
    return tuple(entry for entry in path[first:newest] if entry.type != "compaction")


def _first_kept(path: tuple[Entry, ...], newest: int) -> int:
    boundary = path[newest].body.get("firstKeptEntryId")
    return next((i for i in range(newest) if path[i].id == boundary is not None), newest)


def lost_boundary(path: tuple[Entry, ...]) -> Entry | None:
    """The newest compaction, if what it says it keeps is not on the path before it.

    One that names itself keeps nothing on purpose.
    """
    newest = _newest_compaction(path)
    if newest is None or _first_kept(path, newest) < newest:
        return None
    boundary = path[newest].body.get("firstKeptEntryId")
    return path[newest] if isinstance(boundary, str) and boundary != path[newest].id else None


def without_gap(path: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The end of a path that was not read from its root, as far as no message is missing in it.

    What the newest compaction kept may begin before: then only what follows it is certain.
    """
    newest = _newest_compaction(path)
    if newest is None or _first_kept(path, newest) < newest:
        return path
    return path[newest + 1 :]


def _is_system(entry: Entry) -> bool:
    message = entry.body.get("message")
    return entry.type == "message" and isinstance(message, dict) and message.get("role") == "system"


def _edits(selected: tuple[Entry, ...]) -> dict[str | None, Any]:
    """Target id → replacement; the newest edit of a target counts."""
    return {
        entry.body["targetId"]: entry
        for entry in selected
        if entry.type == "context_edit" and isinstance(entry.body.get("targetId"), str)
    }


def _edited(entry: Entry, edit: Entry | None) -> Iterator[Message]:
    for body in _MESSAGE_BUILDERS.get(entry.type, _no_message)(entry):
        role = body.get("role")
        role = role if isinstance(role, str) else ""
        if body.get("content") is None and role in _LISTED_ROLES:
            body = {**body, "content": []}
        if edit is None or role not in _EDITABLE_ROLES:
            yield message_from(body, entry)
            continue
        replaced = _replaced(body, edit.body)
        if replaced is not None:
            yield message_from(replaced, entry)


def _replaced(body: Body, edit: Body) -> Body | None:
    """The message after an edit: None when the edit leaves it out."""
    replacement = edit.get("replacement", _UNCHANGED)
    if replacement is None:
        return None
    if not isinstance(replacement, dict) or "content" not in replacement:
        return body
    content = replacement["content"]
    if isinstance(content, str) and body.get("role") in _PARTS_ONLY_ROLES:
        content = [{"type": "text", "text": content}]
    return {**body, "content": content}


_UNCHANGED = object()


def _no_message(_entry: Entry) -> tuple[Body, ...]:
    return ()


def _stored_message(entry: Entry) -> tuple[Body, ...]:
    message = entry.body.get("message")
    return (message,) if isinstance(message, dict) else ()


def _custom_message(entry: Entry) -> tuple[Body, ...]:
    return (_made(entry, "custom", ("customType", "content", "display", "details")),)


def _branch_summary(entry: Entry) -> tuple[Body, ...]:
    if not entry.body.get("summary"):
        return ()
    return (_made(entry, "branchSummary", ("summary", "fromId")),)


def _compaction(entry: Entry) -> tuple[Body, ...]:
    summary = _made(entry, "compactionSummary", ("summary", "tokensBefore"))
    system = entry.body.get("systemMessage")
    return (system, summary) if isinstance(system, dict) else (summary,)


def _made(entry: Entry, role: str, names: tuple[str, ...]) -> Body:
    """A message made from an entry's own fields; its order of keys is pi's."""
    fields = {name: entry.body[name] for name in names if name in entry.body}
    return {"role": role, **fields, "timestamp": time_ms(entry.timestamp)}


_MESSAGE_BUILDERS: Mapping[str, Callable[[Entry], tuple[Body, ...]]] = {
    "message": _stored_message,
    "custom_message": _custom_message,
    "branch_summary": _branch_summary,
    "compaction": _compaction,
}


def _model(path: tuple[Entry, ...]) -> Model | None:
    for entry in reversed(path):
        body, name = entry.body, "modelId"
        if entry.type == "message" and isinstance(body.get("message"), dict):
            body, name = body["message"], "model"
            if body.get("role") != "assistant":
                continue
        elif entry.type != "model_change":
            continue
        return Model(identifier(body.get("provider")), identifier(body.get(name)))
    return None
