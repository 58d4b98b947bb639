"""`RenderPlan` → Markdown: the context as a document that people read outside the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from condense_tui.inspection.passages import Passage, PassageKind, message_passages
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.view.messages import message_title
from condense_tui.view.printable import one_line
from condense_tui.view.words import counted, place_text, role_word

_BACKQUOTES = re.compile("`+")


def context_markdown(plan: RenderPlan, title: str) -> str:
    """What the model is sent, message by message, and under each what was done to it."""
    return "\n\n".join(_blocks(plan, title)) + "\n"


def _blocks(plan: RenderPlan, title: str) -> Iterator[str]:
    sent = [slot for slot in plan.slots if slot.after]
    size = compact_count(plan.pruned_chars)
    yield f"# {one_line(title)}"
    yield f"What the model is sent: {counted(len(sent), 'message')}, {size} chars."
    for slot in sent:
        yield _heading(slot)
        reasons = [fate.reason for fate in slot.fates if fate.kind is not FateKind.KEPT]
        if reasons:
            yield f"*{one_line('; '.join(reasons))}*"
        if slot.after:
            yield from (_block(passage) for passage in message_passages(slot.after))


def _heading(slot: Slot) -> str:
    title = one_line(message_title(slot.message))
    return f"## {place_text(slot)} · {role_word(slot.message.role)}{f' · {title}' if title else ''}"


def _block(passage: Passage) -> str:
    """Who writes Markdown is shown as it is; what programs print and read is fenced."""
    writer = _WRITERS.get(passage.kind)
    return writer(passage) if writer else fenced(passage.text)


def _thinking(passage: Passage) -> str:
    text = passage.text or "thinking, not readable"
    return "\n".join(f"> {row}" for row in text.split("\n"))


def _call(passage: Passage) -> str:
    head = f"**{one_line(passage.name)}** {one_line(passage.call_id)}"
    return f"{head}\n\n{fenced(passage.text, 'json')}"


_WRITERS: Mapping[PassageKind, Callable[[Passage], str]] = {
    PassageKind.TEXT: lambda passage: passage.text,
    PassageKind.THINKING: _thinking,
    PassageKind.CALL: _call,
    PassageKind.COMMAND: lambda passage: fenced(passage.text, "sh"),
    PassageKind.IMAGE: lambda passage: f"*image {one_line(passage.text)}*",
    PassageKind.VALUE: lambda passage: fenced(passage.text, "json"),
}


def fenced(text: str, language: str = "text") -> str:
    """A code block; its fence is longer than any run of backquotes in the text."""
    longest = max((len(run) for run in _BACKQUOTES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
