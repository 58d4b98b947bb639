"""A message → its passages: the stretches of text that are shown, searched and pointed at.

The detail shows them, the search looks through them, and both count them alike: a hit names a
passage by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.records import Record
from condense_tui.pruning.slots import Slot
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Body, Message, identifier


class PassageKind(StrEnum):
    """What a passage is, which decides how it is shown."""

    TEXT = "text"
    THINKING = "thinking"
    CALL = "call"
    OUTPUT = "output"
    COMMAND = "command"
    IMAGE = "image"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Passage:
    """`content` is a text, or for a call and a value what JSON holds; `name` and `call_id` are
    those of a call."""

    kind: PassageKind
    content: Any
    name: str = ""
    call_id: str = ""

    @property
    def is_json(self) -> bool:
        """Whether the text is JSON."""
        return self.kind in (PassageKind.CALL, PassageKind.VALUE)

    @property
    def text(self) -> str:
        """The text as it is shown and searched: exact, control characters included."""
        return json_text(self.content, indent=2) if self.is_json else str(self.content)

    def is_same(self, other: Passage) -> bool:
        """Whether it says the same; a JSON value is not compared, which may be nested deeply."""
        if self.is_json or other.is_json:
            return self.content is other.content and self.kind is other.kind
        return self == other


def message_passages(message: Message) -> list[Passage]:
    """Everything that a message says, in order; of an image its type and size."""
    return list(_WRITERS.get(message.role, _any_role)(message))


def slot_passages(slot: Slot) -> list[Passage]:
    """What pi built, then what only the model is sent; their places are their numbers."""
    passages = message_passages(slot.before) if slot.before else []
    if slot.after and slot.is_changed:
        built = tuple(passages)
        passages += [
            new for new in message_passages(slot.after) if not any(map(new.is_same, built))
        ]
    return passages


def call_passages(record: Record, output: str) -> list[Passage]:
    """What was asked of an archived call, and its output."""
    call = Passage(PassageKind.CALL, record.arguments, record.tool_name, record.tool_call_id)
    return [call, Passage(PassageKind.OUTPUT, output)]


def _any_role(message: Message) -> Iterator[Passage]:
    if "content" in message.body:
        yield from _content(message, PassageKind.TEXT)
    else:
        yield Passage(PassageKind.VALUE, dict(message.body))


def _tool_result(message: Message) -> Iterator[Passage]:
    return _content(message, PassageKind.OUTPUT)


def _bash(message: Message) -> Iterator[Passage]:
    yield Passage(PassageKind.COMMAND, identifier(message.body.get("command")))
    yield Passage(PassageKind.OUTPUT, identifier(message.body.get("output")))


def _summary(message: Message) -> Iterator[Passage]:
    yield Passage(PassageKind.TEXT, identifier(message.body.get("summary")))


_WRITERS: Mapping[str, Callable[[Message], Iterator[Passage]]] = {
    "toolResult": _tool_result,
    "bashExecution": _bash,
    "branchSummary": _summary,
    "compactionSummary": _summary,
}


def _content(message: Message, text_kind: PassageKind) -> Iterator[Passage]:
    content = message.body.get("content")
    if isinstance(content, str):
        yield Passage(text_kind, content)
    elif isinstance(content, list):
        yield from (_part(part, text_kind) for part in content)
    elif content is not None:
        yield Passage(PassageKind.VALUE, content)


def _part(part: Any, text_kind: PassageKind) -> Passage:
    if isinstance(part, dict):
        if part.get("type") == "text":
            return Passage(text_kind, identifier(part.get("text")))
        kind = part.get("type")
        reader = _PARTS.get(kind) if isinstance(kind, str) else None
        if reader:
            return reader(part)
    return Passage(PassageKind.VALUE, part)


def _thinking(part: Body) -> Passage:
    return Passage(PassageKind.THINKING, identifier(part.get("thinking")))


def _image(part: Body) -> Passage:
    encoded = part.get("data")
    size = len(encoded) * 3 // 4 if isinstance(encoded, str) else 0
    kind = identifier(part.get("mimeType")) or "of no type"
    return Passage(PassageKind.IMAGE, f"{kind}, {compact_count(size)} bytes")


def _call(part: Body) -> Passage:
    name, call_id = identifier(part.get("name")), identifier(part.get("id"))
    return Passage(PassageKind.CALL, part.get("arguments"), name, call_id)


_PARTS: Mapping[str, Callable[[Body], Passage]] = {
    "thinking": _thinking,
    "image": _image,
    "toolCall": _call,
}
