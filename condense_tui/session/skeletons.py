"""A line → its `Entry`, without decoding what is only looked at later.

Most of a session's bytes are outputs.  A typed decoder passes over them, at about half the cost
of decoding them.  It is strict: a line that is not just as pi writes it is left to
`entry_of`, which takes anything and says the same of what both can read.
"""

from __future__ import annotations

from sys import intern
from typing import Annotated

import msgspec

from condense_tui.session.bodies import Bodies
from condense_tui.session.entries import Entry, custom_outline, entry_id
from condense_tui.session.jsontext import MAX_EXACT_INTEGER, as_number
from condense_tui.session.occurrences import occurrence_key
from condense_tui.session.outlines import (
    BLOCK_START,
    RESULT,
    CallOutline,
    ContentForm,
    MessageOutline,
    name_or_none,
    shared_shape,
)

_Absent = msgspec.UnsetType
_ABSENT = msgspec.UNSET
_ExactInteger = Annotated[int, msgspec.Meta(ge=-MAX_EXACT_INTEGER, le=MAX_EXACT_INTEGER)]


class _Arguments(msgspec.Struct, gc=False):
    path: str | None = None


class _Part(msgspec.Struct, gc=False):
    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: _Arguments | None = None
    arguments: _Arguments | _Absent | None = _ABSENT


class _Message(msgspec.Struct, rename="camel", gc=False):
    role: str | None = None
    timestamp: _ExactInteger | float | str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool | None = None
    custom_type: str | None = None
    stop_reason: str | None = None
    exclude_from_context: bool | None = None
    content: list[_Part] | str | None = None


class _Entry(msgspec.Struct, rename="camel", gc=False):
    type: str | None = None
    id: str | _Absent | None = _ABSENT
    parent_id: str | None = None
    timestamp: _ExactInteger | float | str | None = None
    custom_type: str | None = None
    message: _Message | None = None


_BLOCK_START = BLOCK_START.encode()
_NO_ARGUMENTS = _Arguments()
_DECODER = msgspec.json.Decoder(_Entry)


def skeleton_of(index: int, line: int, raw: bytes, bodies: Bodies) -> Entry | None:
    """The entry on a line, or None where the strict decoder cannot say."""
    try:
        found = _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    message = found.message
    if message is not None and message.role == "user" and _may_open_block(raw):
        return None
    kind = intern(found.type or "")
    return Entry(
        index=index,
        lines_ahead=line - index,
        type=kind,
        id=entry_id(found.id),
        parent_id=entry_id(found.parent_id),
        bodies=bodies,
        custom_type=name_or_none(found.custom_type),
        message=_outline(kind, found),
        has_null_id=found.id is None,
    )


def _may_open_block(raw: bytes) -> bool:
    """What would open a block may be written with escapes."""
    return _BLOCK_START in raw or b"\\u" in raw


def _outline(kind: str, found: _Entry) -> MessageOutline | None:
    if kind == "custom_message":
        return custom_outline(found.timestamp, found.custom_type)
    message = found.message
    if kind != "message" or message is None:
        return None
    timestamp, content = message.timestamp, message.content
    time, tool_call_id = as_number(timestamp), intern(message.tool_call_id or "")
    shape = shared_shape(
        intern(message.role or ""),
        message.tool_name or "",
        message.is_error is True,
        message.custom_type,
        message.stop_reason,
        message.exclude_from_context is True,
        _FORMS[type(content)],
        message.tool_call_id is not None and message.tool_name is not None and time is not None,
    )
    return MessageOutline(
        shape,
        time,
        timestamp if isinstance(timestamp, str) else None,
        tool_call_id,
        occurrence_key(tool_call_id, time) if message.role == RESULT else "",
        _calls(content) if message.role == "assistant" and isinstance(content, list) else (),
    )


_FORMS = {type(None): ContentForm.ABSENT, str: ContentForm.TEXT, list: ContentForm.PARTS}


def _calls(parts: list[_Part]) -> tuple[CallOutline, ...]:
    return tuple(
        CallOutline(
            intern(part.id or ""),
            intern(part.name or ""),
            index,
            part.arguments is not _ABSENT,
            name_or_none((part.input or part.arguments or _NO_ARGUMENTS).path),
        )
        for index, part in enumerate(parts)
        if part.type == "toolCall"
    )
