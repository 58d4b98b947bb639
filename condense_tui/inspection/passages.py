"""A message → its passages: the stretches of text that are shown, searched and pointed at.

The detail shows them, the search looks through them, and both count them alike: a hit names a
passage by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import count
from typing import Any

from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.records import Record
from condense_tui.pruning.slots import Slot
from condense_tui.session.bodies import Body
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Message
from condense_tui.session.outlines import identifier


class PassageKind(StrEnum):
    """What a passage is, which decides how it is shown."""

    TEXT = "text"
    THINKING = "thinking"
    CALL = "call"
    OUTPUT = "output"
    COMMAND = "command"
    IMAGE = "image"
    VALUE = "value"


class Passage(Value, frozen=True):
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

    @property
    def identity(self) -> tuple[str, ...]:
        """Equal for passages that say the same."""
        is_text = isinstance(self.content, str)
        content = self.content if is_text else json_text(self.content)
        return (self.kind.value, "text" if is_text else "JSON", content, self.name, self.call_id)


def message_passages(message: Message) -> list[Passage]:
    """Everything that a message says, in order; of an image its type and size."""
    return list(_WRITERS.get(message.role, _any_role)(message))


Numbered = list[tuple[int, Passage]]


def numbered_passages(slot: Slot) -> tuple[Numbered, Numbered]:
    """What pi built, and what the model is sent instead if it is something else.

    What the model is sent has the number of the first passage that says the same, if one does.
    """
    before = list(enumerate(message_passages(slot.before) if slot.before else ()))
    after = message_passages(slot.after) if slot.after and slot.is_changed else []
    known = {passage.identity: number for number, passage in reversed(before)} if after else {}
    new = count(len(before))
    numbers = (known.get(passage.identity) for passage in after)
    return before, [
        (next(new) if number is None else number, passage)
        for number, passage in zip(numbers, after, strict=True)
    ]


def slot_passages(slot: Slot) -> list[Passage]:
    """What pi built, then what only the model is sent; their places are their numbers."""
    if slot.before and not (slot.after and slot.is_changed):
        return message_passages(slot.before)
    before, after = numbered_passages(slot)
    new = [passage for number, passage in after if number >= len(before)]
    return [*(passage for _, passage in before), *new]


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
