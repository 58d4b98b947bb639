"""`MessageOutline`: what the rules ask of a message, without what it says.

Made from a decoded message, or from one whose content was passed over in reading; both ways
give the same.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from sys import intern
from typing import Any

from condense_tui.session.bodies import Body
from condense_tui.session.compact import Compact
from condense_tui.session.jsontext import Number, as_number, number_text, trim_start
from condense_tui.session.occurrences import occurrence_key

RESULT = "toolResult"
BLOCK_START = "<compressed-chain"


class ContentForm(Enum):
    """The form of a message's content; a list with holes in it counts as another form."""

    ABSENT = "absent"
    TEXT = "text"
    PARTS = "parts"
    OTHER = "other"


class CallOutline(Compact, frozen=True):
    """One tool call part of an assistant message; `part` is its index in the content.

    `path` is the string argument of that name, where the extension looks for it when it asks
    whether the call is protected.
    """

    id: str
    name: str
    part: int
    has_arguments: bool
    path: str | None


class MessageShape(Compact, frozen=True):
    """What many messages of a session have in common, so that all of them share one.

    `is_plain` tells of a tool result that its id and name are texts and its time a number, so
    that they are known here just as they stand in the body.  `opens_block` tells of a user
    message that it begins as a block's own message does.
    """

    role: str
    tool_name: str = ""
    is_error: bool = False
    custom_type: str | None = None
    stop_reason: str | None = None
    is_excluded: bool = False
    content: ContentForm = ContentForm.ABSENT
    is_plain: bool = False
    opens_block: bool = False


shared_shape = lru_cache(maxsize=1024)(MessageShape)
"""The one shape with these fields."""


class MessageOutline(Compact, frozen=True, eq=False):
    """`text_time` is a timestamp that is no number but text; `calls` are an assistant's.

    `occurrence` is a tool result's key.
    """

    shape: MessageShape
    timestamp: Number | None = None
    text_time: str | None = None
    tool_call_id: str = ""
    occurrence: str = ""
    calls: tuple[CallOutline, ...] = ()

    @property
    def role(self) -> str:
        """Who speaks."""
        return self.shape.role

    @property
    def tool_name(self) -> str:
        """Of a tool result: the name of the tool."""
        return self.shape.tool_name

    @property
    def is_error(self) -> bool:
        """Of a tool result: whether the call failed."""
        return self.shape.is_error

    @property
    def custom_type(self) -> str | None:
        """Whose message it is, of one that an extension wrote."""
        return self.shape.custom_type

    @property
    def stop_reason(self) -> str | None:
        """Why a reply ended."""
        return self.shape.stop_reason

    @property
    def is_excluded(self) -> bool:
        """Whether the model is not to see it."""
        return self.shape.is_excluded

    @property
    def content(self) -> ContentForm:
        """The form of the content."""
        return self.shape.content

    @property
    def is_plain(self) -> bool:
        """See the shape."""
        return self.shape.is_plain

    @property
    def opens_block(self) -> bool:
        """See the shape."""
        return self.shape.opens_block


def outline_of(body: Body) -> MessageOutline:
    """The outline of a decoded message."""
    role, content, timestamp = body.get("role"), body.get("content"), body.get("timestamp")
    time, tool_call_id = as_number(timestamp), intern(identifier(body.get("toolCallId")))
    shape = shared_shape(
        intern(role) if isinstance(role, str) else "",
        identifier(body.get("toolName")),
        body.get("isError") is True,
        text_or_none(body.get("customType")),
        text_or_none(body.get("stopReason")),
        bool(body.get("excludeFromContext")),
        _form_of(content),
        _is_plain(body.get("toolCallId"), body.get("toolName"), timestamp),
        role == "user" and _opens_block(content),
    )
    return MessageOutline(
        shape,
        time,
        text_or_none(timestamp),
        tool_call_id,
        occurrence_key(tool_call_id, time) if role == RESULT else "",
        _calls_in(content) if role == "assistant" else (),
    )


def _is_plain(tool_call_id: Any, tool_name: Any, timestamp: Any) -> bool:
    is_named = isinstance(tool_call_id, str) and isinstance(tool_name, str)
    return is_named and as_number(timestamp) is not None


def _opens_block(content: Any) -> bool:
    """Its text may be a string or the first part."""
    if isinstance(content, list):
        first = content[0] if content and isinstance(content[0], dict) else {}
        content = first.get("text") if first.get("type") == "text" else None
    return isinstance(content, str) and trim_start(content).startswith(BLOCK_START)


def _form_of(content: Any) -> ContentForm:
    if content is None:
        return ContentForm.ABSENT
    if isinstance(content, str):
        return ContentForm.TEXT
    is_parts = isinstance(content, list) and None not in content
    return ContentForm.PARTS if is_parts else ContentForm.OTHER


def _calls_in(content: Any) -> tuple[CallOutline, ...]:
    if not isinstance(content, list):
        return ()
    return tuple(
        CallOutline(
            intern(identifier(part.get("id"))),
            intern(identifier(part.get("name"))),
            index,
            "arguments" in part,
            path_in(first_present(part, ("input", "arguments"))),
        )
        for index, part in enumerate(content)
        if isinstance(part, dict) and part.get("type") == "toolCall"
    )


def path_in(arguments: Any) -> str | None:
    """The string argument `path` of a call."""
    return name_or_none(arguments.get("path")) if isinstance(arguments, dict) else None


def first_present(body: Body, names: tuple[str, ...]) -> Any:
    """The first of these fields that is neither absent nor null, else None."""
    for name in names:
        if body.get(name) is not None:
            return body[name]
    return None


def text_or_none(value: Any) -> str | None:
    """A text, or None for anything else."""
    return value if isinstance(value, str) else None


def name_or_none(value: Any) -> str | None:
    """The same for a text that many entries have: all of them share one."""
    return intern(value) if isinstance(value, str) else None


def identifier(value: Any) -> str:
    """An id, name or text as JavaScript would put it into a template; no text is empty."""
    if isinstance(value, str):
        return value
    number = as_number(value)
    return "" if number is None else number_text(number)
