"""`Message`: one message as pi holds it in memory, with what the rules ask of it made typed.

The JSON object stays untouched in `body`, because sizes and the model's view depend on every
byte of it; nothing here or elsewhere changes a body in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number, as_number, number_text

Body = Mapping[str, Any]

SUMMARY_TYPE = "context-prune-summary"
QUERY_TOOL = "context_tree_query"


@dataclass(frozen=True, slots=True, eq=False)
class ToolCall:
    """One tool call part of an assistant message; `part` is its index in the content."""

    id: str
    name: str
    part: int
    body: Body

    @property
    def has_arguments(self) -> bool:
        """Whether the call has the field that pi writes; other writers use other names."""
        return "arguments" in self.body

    @property
    def arguments(self) -> Any:
        """The arguments as written, or None."""
        return self.body.get("arguments")

    @property
    def captured_arguments(self) -> Any:
        """What the extension archives as the call's arguments."""
        return first_present(self.body, ("input", "args", "arguments"))

    @property
    def protection_arguments(self) -> Any:
        """What the extension looks at when it asks whether the call is protected."""
        return first_present(self.body, ("input", "arguments"))


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message of the context.

    `timestamp` is None unless it is a JSON number.  `entry` is where the message was read from;
    a synthetic message has none.  `tool_calls` is empty but for assistant messages.
    """

    role: str
    timestamp: Number | None
    body: Body
    entry: Entry | None
    tool_calls: tuple[ToolCall, ...] = ()

    @property
    def parts(self) -> tuple[Body, ...]:
        """The content's parts; none for a string, for null and where content is absent."""
        return parts_of(self.body.get("content"))

    @property
    def has_part_list(self) -> bool:
        """Whether the content is a list without holes; null and absent read as an empty one."""
        content = self.body.get("content")
        return content is None or (isinstance(content, list) and None not in content)

    @property
    def text(self) -> str:
        """The text parts, joined by newline; a plain string counts as none."""
        return joined_text(self.parts)

    @property
    def tool_call_id(self) -> str:
        """Of a tool result: the bare id of its call."""
        return identifier(self.body.get("toolCallId"))

    @property
    def tool_name(self) -> str:
        """Of a tool result: the name of the tool."""
        return identifier(self.body.get("toolName"))

    @property
    def is_error(self) -> bool:
        """Of a tool result: whether the call failed."""
        return self.body.get("isError") is True

    @property
    def is_summary(self) -> bool:
        """Whether this is the extension's own summary message."""
        return self.role == "custom" and self.body.get("customType") == SUMMARY_TYPE

    @property
    def is_recovery(self) -> bool:
        """Whether this is the result of a `context_tree_query`."""
        return self.role == "toolResult" and self.body.get("toolName") == QUERY_TOOL


def message_from(body: Body, entry: Entry | None) -> Message:
    """The typed message of a JSON object."""
    role = body.get("role")
    calls = _tool_calls(body.get("content")) if role == "assistant" else ()
    return Message(
        role if isinstance(role, str) else "", as_number(body.get("timestamp")), body, entry, calls
    )


def _tool_calls(content: Any) -> tuple[ToolCall, ...]:
    if not isinstance(content, list):
        return ()
    return tuple(
        ToolCall(identifier(part.get("id")), identifier(part.get("name")), index, part)
        for index, part in enumerate(content)
        if isinstance(part, dict) and part.get("type") == "toolCall"
    )


def first_calls(message: Message) -> dict[str, ToolCall]:
    """The calls of an assistant message by id; of a doubled id the first one."""
    return {call.id: call for call in reversed(message.tool_calls)}


def parts_of(content: Any) -> tuple[Body, ...]:
    """The parts of a message content that are objects."""
    if not isinstance(content, list):
        return ()
    return tuple(part for part in content if isinstance(part, dict))


def joined_text(parts: Iterable[Body]) -> str:
    """The text of the text parts, joined by newline."""
    return "\n".join(identifier(part.get("text")) for part in parts if part.get("type") == "text")


def content_text(content: Any) -> str:
    """A content that is text, or the text of its parts."""
    return content if isinstance(content, str) else joined_text(parts_of(content))


def identifier(value: Any) -> str:
    """An id, name or text as JavaScript would put it into a template; no text is empty."""
    if isinstance(value, str):
        return value
    number = as_number(value)
    return "" if number is None else number_text(number)


def first_present(body: Body, names: tuple[str, ...]) -> Any:
    """The first of these fields that is neither absent nor null, else None."""
    for name in names:
        if body.get(name) is not None:
            return body[name]
    return None
