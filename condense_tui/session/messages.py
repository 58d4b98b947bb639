"""`Message`: one message as pi holds it in memory, with what the rules ask of it made typed.

What it says stays in the file and comes out untouched as `body`, because sizes and the model's
view depend on every byte of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from condense_tui.session.bodies import NO_BODY, UNKNOWN_SIZE, Body
from condense_tui.session.compact import Compact
from condense_tui.session.dates import time_ms
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number, json_length
from condense_tui.session.outlines import (
    CallOutline,
    ContentForm,
    MessageOutline,
    first_present,
    identifier,
    outline_of,
)

SUMMARY_TYPE = "context-prune-summary"
QUERY_TOOL = "context_tree_query"


Made = Body | Callable[[], Body] | None


class ToolCall(Compact, frozen=True, eq=False):
    """One tool call part of an assistant message."""

    outline: CallOutline
    _holder: Entry | Body

    @property
    def id(self) -> str:
        """The bare id, which names the call within its own message only."""
        return self.outline.id

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.outline.name

    @property
    def part(self) -> int:
        """Its index in the content."""
        return self.outline.part

    @property
    def body(self) -> Body:
        """The part as written."""
        content, place = content_in(self._holder), self.part
        part = content[place] if isinstance(content, list) and place < len(content) else NO_BODY
        return part if isinstance(part, dict) else NO_BODY

    @property
    def arguments(self) -> Any:
        """The arguments as written, or None."""
        return self.body.get("arguments")

    @property
    def captured_arguments(self) -> Any:
        """What the extension archives as the call's arguments."""
        return first_present(self.body, ("input", "args", "arguments"))


class Message(Compact, frozen=True, eq=False):
    """A message of the context.

    `entry` is where the message was read from; a synthetic message has none.  `made` is what it
    says, or makes that, unless it is just what the entry says.  `tool_calls` is empty but for
    assistant messages.  `role` is the outline's, at hand because every pass asks for it.
    """

    outline: MessageOutline
    entry: Entry | None
    made: Made
    tool_calls: tuple[ToolCall, ...]
    role: str

    @property
    def timestamp(self) -> Number | None:
        """Its own time, unless that is no JSON number."""
        return self.outline.timestamp

    @property
    def body(self) -> Body:
        """The JSON object; nothing here or elsewhere changes one in place."""
        made = self.made
        if made is None:
            return message_body(self.entry) if self.entry else NO_BODY
        return made() if callable(made) else made

    @property
    def chars(self) -> int:
        """Its length as JSON, in UTF-16 code units; worked out once for what is stored."""
        entry = self.entry
        if self.made is not None or entry is None:
            return json_length(self.body)
        known = entry.bodies.size_at(entry.index)
        if known == UNKNOWN_SIZE:
            known = json_length(self.body)
            entry.bodies.remember_size(entry.index, known)
        return known

    @property
    def parts(self) -> tuple[Body, ...]:
        """The content's parts; none for a string, for null and where content is absent."""
        return parts_of(self.body.get("content"))

    @property
    def has_part_list(self) -> bool:
        """Whether the content is a list without holes; null and absent read as an empty one."""
        return self.outline.content in (ContentForm.PARTS, ContentForm.ABSENT)

    @property
    def text(self) -> str:
        """The text parts, joined by newline; a plain string counts as none."""
        return joined_text(self.parts)

    @property
    def is_all_text(self) -> bool:
        """Whether its text is all that it says: no plain string, and no part of another kind."""
        content = self.body.get("content")
        if isinstance(content, list):
            return all(map(_is_text_part, content))
        return not content

    @property
    def tool_call_id(self) -> str:
        """Of a tool result: the bare id of its call."""
        return self.outline.tool_call_id

    @property
    def occurrence(self) -> str:
        """Of a tool result: its occurrence key."""
        return self.outline.occurrence

    @property
    def tool_name(self) -> str:
        """Of a tool result: the name of the tool."""
        return self.outline.tool_name

    @property
    def is_error(self) -> bool:
        """Of a tool result: whether the call failed."""
        return self.outline.is_error

    @property
    def is_summary(self) -> bool:
        """Whether this is the extension's own summary message."""
        return self.outline.role == "custom" and self.outline.custom_type == SUMMARY_TYPE

    @property
    def is_recovery(self) -> bool:
        """Whether this is the result of a `context_tree_query`."""
        return self.outline.role == "toolResult" and self.outline.tool_name == QUERY_TOOL


def message_from(body: Body, entry: Entry | None) -> Message:
    """The typed message of a JSON object that is made here, for an entry or for none."""
    outline = outline_of(body)
    return Message(outline, entry, body, _tool_calls(outline, body), outline.role)


def message_of(entry: Entry) -> Message | None:
    """The message of a `message` or `custom_message` entry as stored, edits not applied."""
    outline = entry.message
    if outline is None:
        return None
    return Message(outline, entry, None, _tool_calls(outline, entry), outline.role)


def _tool_calls(outline: MessageOutline, holder: Entry | Body) -> tuple[ToolCall, ...]:
    if not outline.calls:
        return ()
    return tuple(ToolCall(call, holder) for call in outline.calls)


def content_in(holder: Entry | Body) -> Any:
    """The content of an entry's stored message, or of a message's body."""
    body = message_body(holder) if isinstance(holder, Entry) else holder
    return body.get("content")


def message_body(entry: Entry) -> Body:
    """The JSON object of an entry's message, in pi's order of keys where pi makes it."""
    body = entry.body
    if entry.type == "message":
        message = body.get("message")
        return message if isinstance(message, dict) else NO_BODY
    return made_body(entry, "custom", ("customType", "content", "display", "details"))


def made_body(entry: Entry, role: str, names: tuple[str, ...]) -> Body:
    """A message made from an entry's own fields; its order of keys is pi's."""
    body = entry.body
    fields = {name: body[name] for name in names if name in body}
    return {"role": role, **fields, "timestamp": time_ms(body.get("timestamp"))}


def parts_of(content: Any) -> tuple[Body, ...]:
    """The parts of a message content that are objects."""
    if not isinstance(content, list):
        return ()
    return tuple(part for part in content if isinstance(part, dict))


def _is_text_part(part: Any) -> bool:
    is_text = isinstance(part, dict) and part.get("type") == "text"
    return is_text and isinstance(part.get("text"), str)


def joined_text(parts: Iterable[Body]) -> str:
    """The text of the text parts, joined by newline."""
    return "\n".join(identifier(part.get("text")) for part in parts if part.get("type") == "text")


def content_text(content: Any) -> str:
    """A content that is text, or the text of its parts."""
    return content if isinstance(content, str) else joined_text(parts_of(content))
