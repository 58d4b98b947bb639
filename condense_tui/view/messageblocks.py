"""A slot → the blocks that show its message: what the model is sent, and what it was before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from condense_tui.inspection.links import Target
from condense_tui.inspection.passages import (
    Numbered,
    Passage,
    PassageKind,
    numbered_passages,
)
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.messages import Message
from condense_tui.view.document import Block, Form
from condense_tui.view.lines import dim, line, strong

TargetOfCall = Callable[[str], Target | None]

_MARKDOWN_ROLES = frozenset({"assistant", "branchSummary", "compactionSummary"})
_FORMS: Mapping[PassageKind, Form] = {
    PassageKind.CALL: Form.JSON,
    PassageKind.VALUE: Form.JSON,
    PassageKind.OUTPUT: Form.OUTPUT,
    PassageKind.COMMAND: Form.OUTPUT,
}
_HEADINGS: Mapping[PassageKind, str] = {
    PassageKind.THINKING: "Thinking",
    PassageKind.COMMAND: "Command",
    PassageKind.IMAGE: "Image",
}


def message_blocks(slot: Slot, target_of_call: TargetOfCall) -> Iterator[Block]:
    """The message once where it is sent as it is; else both, and the sent one first."""
    before, after = numbered_passages(slot)

    def blocks_of(message: Message, passages: Numbered) -> Iterator[Block]:
        form = Form.MARKDOWN if _is_markdown(slot, message) else Form.PROSE
        return _passages_blocks(passages, form, target_of_call)

    if slot.after and slot.is_changed:
        yield Block(line(strong("What the model is sent")))
        yield from blocks_of(slot.after, after)
        yield Block()
    if slot.before and slot.is_changed:
        yield Block(line(strong("What it was" if slot.after else "What was taken away")))
    if slot.before:
        yield from blocks_of(slot.before, before)


def _is_markdown(slot: Slot, message: Message) -> bool:
    is_block = any(fate.kind is FateKind.INSERTED for fate in slot.fates)
    return is_block or message.is_summary or message.role in _MARKDOWN_ROLES


def _passages_blocks(
    passages: Numbered, text_form: Form, target_of_call: TargetOfCall
) -> Iterator[Block]:
    for nth, (number, passage) in enumerate(passages):
        if nth:
            yield Block()
        form = _FORMS.get(
            passage.kind, text_form if passage.kind is PassageKind.TEXT else Form.PROSE
        )
        yield from _heading(passage, target_of_call)
        yield Block(text=passage.text, form=form, passage=number)


def _heading(passage: Passage, target_of_call: TargetOfCall) -> Iterator[Block]:
    if passage.kind is PassageKind.CALL:
        title = line(strong(f"→ {passage.name}"), dim(f"  {passage.call_id}"))
        yield Block(title, target=target_of_call(passage.call_id))
    elif passage.kind is PassageKind.THINKING and not passage.content:
        yield Block(line(dim("Thinking, not readable")))
    elif passage.kind in _HEADINGS:
        yield Block(line(dim(_HEADINGS[passage.kind])))
