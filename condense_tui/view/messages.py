"""A message → the text that a person reads: parts in order, nothing left out but image data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from condense_tui.inspection.passages import Passage, PassageKind, message_passages
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Message
from condense_tui.session.outlines import identifier


def message_text(message: Message) -> str:
    """The whole message as text, exact: control characters are the front end's business."""
    return "\n".join(_passage_text(passage) for passage in message_passages(message))


def _passage_text(passage: Passage) -> str:
    writer = _WRITERS.get(passage.kind)
    return writer(passage) if writer else str(passage.content)


def _thinking(passage: Passage) -> str:
    return f"(thinking) {passage.content}" if passage.content else "(thinking, not readable)"


_WRITERS: Mapping[PassageKind, Callable[[Passage], str]] = {
    PassageKind.THINKING: _thinking,
    PassageKind.IMAGE: lambda image: f"[image {image.content}]",
    PassageKind.CALL: lambda call: f"-> {call.name}({json_text(call.content)})  {call.call_id}",
    PassageKind.COMMAND: lambda command: f"$ {command.content}",
    PassageKind.VALUE: lambda value: json_text(value.content),
}


def message_title(message: Message) -> str:
    """What the message is about, in a few words: a tool's name and id, a custom type."""
    titles: Mapping[str, Any] = {
        "toolResult": f"{message.tool_name} {message.tool_call_id}".strip(),
        "custom": identifier(message.body.get("customType")),
        "assistant": ", ".join(call.name for call in message.tool_calls),
    }
    return identifier(titles.get(message.role))
