"""A message → the text that a person reads: parts in order, nothing left out but image data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from condense_tui.pruning.numbers import compact_count
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Body, Message, identifier


def message_text(message: Message) -> str:
    """The whole message as text, exact: control characters are the front end's business."""
    return "\n".join(_PIECES.get(message.role, _unknown)(message))


def _content(message: Message) -> Iterator[str]:
    content = message.body.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield _part_text(part) if isinstance(part, dict) else json_text(part)
    elif content is not None:
        yield json_text(content)


def _part_text(part: Body) -> str:
    kind = part.get("type")
    writer = _PARTS.get(kind) if isinstance(kind, str) else None
    return writer(part) if writer else json_text(part)


def _thinking(part: Body) -> str:
    text = identifier(part.get("thinking"))
    return f"(thinking) {text}" if text else "(thinking, not readable)"


def _image(part: Body) -> str:
    encoded = part.get("data")
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    return (
        f"[image {identifier(part.get('mimeType')) or 'of no type'}, {compact_count(size)} bytes]"
    )


def _tool_call(part: Body) -> str:
    arguments = json_text(part.get("arguments"))
    return f"-> {identifier(part.get('name'))}({arguments})  {identifier(part.get('id'))}"


_PARTS: Mapping[str, Callable[[Body], str]] = {
    "text": lambda part: identifier(part.get("text")),
    "thinking": _thinking,
    "image": _image,
    "toolCall": _tool_call,
}


def _bash(message: Message) -> Iterator[str]:
    yield f"$ {identifier(message.body.get('command'))}"
    yield identifier(message.body.get("output"))


def _summary(message: Message) -> Iterator[str]:
    yield identifier(message.body.get("summary"))


def _unknown(message: Message) -> Iterator[str]:
    if "content" in message.body:
        yield from _content(message)
    else:
        yield json_text(dict(message.body))


_PIECES: Mapping[str, Callable[[Message], Iterator[str]]] = {
    "bashExecution": _bash,
    "branchSummary": _summary,
    "compactionSummary": _summary,
}


def message_title(message: Message) -> str:
    """What the message is about, in a few words: a tool's name and id, a custom type."""
    titles: Mapping[str, Any] = {
        "toolResult": f"{message.tool_name} {message.tool_call_id}".strip(),
        "custom": identifier(message.body.get("customType")),
        "assistant": ", ".join(call.name for call in message.tool_calls),
    }
    return identifier(titles.get(message.role))
