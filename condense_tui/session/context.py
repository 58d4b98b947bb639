"""`Branch` → `Context`: the messages that pi would send, before any extension sees them.

Compactions, context edits and the messages that are made from other entries follow pi 1.6.
(Source: the session format notes, section 7.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from condense_tui.session.bodies import Body
from condense_tui.session.branch import Branch
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.messages import (
    Message,
    made_body,
    message_body,
    message_from,
    message_of,
)
from condense_tui.session.outlines import ContentForm, identifier

_EDITABLE_ROLES = frozenset({"user", "assistant", "toolResult", "custom"})
_CHANGING_TYPES = frozenset({"compaction", "context_edit"})
_LISTED_ROLES = frozenset({"user", "assistant", "toolResult"})
_PARTS_ONLY_ROLES = frozenset({"assistant", "toolResult"})


class Model(Value, frozen=True):
    """Which model the branch last spoke to."""

    provider: str
    id: str


class Context(Value, frozen=True):
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


def further_context(before: Context, branch: Branch, added: tuple[Entry, ...]) -> Context:
    """The context of a branch that was looked at before it had its last entries.

    A compaction or an edit among them changes what was there, and so does an edit that names
    what was not there yet.
    """
    is_edited = any(entry.type == "context_edit" for entry in before.entries)
    if is_edited or any(entry.type in _CHANGING_TYPES for entry in added):
        return build_context(branch)
    messages = tuple(message for entry in added for message in _edited(entry, None))
    return Context(
        (*before.entries, *added),
        (*before.messages, *messages),
        _model(added) or before.model,
    )


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
    return entry.type == "message" and entry.message is not None and entry.message.role == "system"


def _edits(selected: tuple[Entry, ...]) -> dict[str | None, Any]:
    """Target id → replacement; the newest edit of a target counts."""
    return {
        target: entry
        for entry in selected
        if entry.type == "context_edit" and isinstance(target := entry.body.get("targetId"), str)
    }


def _edited(entry: Entry, edit: Entry | None) -> Iterator[Message]:
    for message in _MESSAGE_BUILDERS.get(entry.type, _no_message)(entry):
        role = message.role
        if message.outline.content is ContentForm.ABSENT and role in _LISTED_ROLES:
            message = message_from({**message.body, "content": []}, entry)
        if edit is None or role not in _EDITABLE_ROLES:
            yield message
            continue
        body = message.body
        replaced = _replaced(body, edit.body)
        if replaced is body:
            yield message
        elif replaced is not None:
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


def _no_message(_entry: Entry) -> tuple[Message, ...]:
    return ()


def _stored_message(entry: Entry) -> tuple[Message, ...]:
    message = message_of(entry)
    return (message,) if message else ()


def _branch_summary(entry: Entry) -> tuple[Message, ...]:
    if not entry.body.get("summary"):
        return ()
    return (_made(entry, "branchSummary", ("summary", "fromId")),)


def _compaction(entry: Entry) -> tuple[Message, ...]:
    summary = _made(entry, "compactionSummary", ("summary", "tokensBefore"))
    system = entry.body.get("systemMessage")
    return (message_from(system, entry), summary) if isinstance(system, dict) else (summary,)


def _made(entry: Entry, role: str, names: tuple[str, ...]) -> Message:
    return message_from(made_body(entry, role, names), entry)


_MESSAGE_BUILDERS: Mapping[str, Callable[[Entry], tuple[Message, ...]]] = {
    "message": _stored_message,
    "custom_message": _stored_message,
    "branch_summary": _branch_summary,
    "compaction": _compaction,
}


def _model(path: tuple[Entry, ...]) -> Model | None:
    for entry in reversed(path):
        if entry.type == "message" and entry.message and entry.message.role == "assistant":
            body, name = message_body(entry), "model"
        elif entry.type == "model_change":
            body, name = entry.body, "modelId"
        else:
            continue
        return Model(identifier(body.get("provider")), identifier(body.get(name)))
    return None
