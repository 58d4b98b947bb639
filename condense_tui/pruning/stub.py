"""Phase 1: finished tool results that are summarised become stubs.

Fail closed: a live result is never stubbed because an older call shared its id.
(Source: the pruning rules, section 3, phase 1.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.grace import Grace, KeyOf, in_grace
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import Fate, FateKind, Slot
from condense_tui.session.bodies import Body
from condense_tui.session.compact import Compact, changed
from condense_tui.session.jsontext import number_text
from condense_tui.session.messages import Message
from condense_tui.session.outlines import ContentForm, MessageShape

_KEPT_FIELDS = ("toolCallId", "toolName")


def stub_summarised(
    slots: Sequence[Slot],
    index: PruneIndex,
    settings: CondenseSettings,
    _sink: DiagnosticSink,
) -> Sequence[Slot]:
    """Replace every summarised, unprotected result that is not in grace."""
    return stub_by(attrgetter("occurrence"), slots, index, settings)


def stub_by(
    key_of: KeyOf, slots: Sequence[Slot], index: PruneIndex, settings: CondenseSettings
) -> Sequence[Slot]:
    """The same, where `key_of` says what a result is known by."""
    messages = [slot.after for slot in slots if slot.after]
    graces = in_grace(messages, settings.recovery_grace_turns, key_of)
    return [
        _stubbed(slot, slot.after, key_of(slot.after), index, settings, graces)
        if slot.after and slot.after.role == "toolResult"
        else slot
        for slot in slots
    ]


def _stubbed(
    slot: Slot,
    result: Message,
    occurrence: str,
    index: PruneIndex,
    settings: CondenseSettings,
    graces: Mapping[str, Grace],
) -> Slot:
    key = _summarised_key(occurrence, result.tool_call_id, index)
    if key is None:
        return slot
    record = index.record(key)
    source = record.entry if record else index.aliases[key].entry
    if record and is_protected(record.tool_name, record.path, settings):
        return slot.with_fate(_protected_fate(record, key), result)
    if grace := graces.get(occurrence):
        return slot.with_fate(_grace_fate(grace, record), result)
    ref = index.ref_of_key.get(key, result.tool_call_id)
    reason = f"stubbed as {ref}"
    if record and record.is_spilled:
        reason += ", its output spilled to a file"
    fate = Fate(FateKind.STUBBED, reason, ref=ref, key=key, source=source)
    return slot.with_fate(fate, _stub(result, record, ref))


def _summarised_key(occurrence: str, bare_id: str, index: PruneIndex) -> str | None:
    if index.is_summarized(occurrence):
        return occurrence
    return bare_id if index.has_legacy_bare_record(bare_id) else None


def _protected_fate(record: Record, key: str) -> Fate:
    what = f"the tool {record.tool_name}" if record.path is None else f"the path {record.path}"
    reason = f"kept: {what} is protected"
    return Fate(FateKind.PROTECTED, reason, key=key, source=record.entry)


def _grace_fate(grace: Grace, record: Record | None) -> Fate:
    turns = number_text(grace.turns_left)
    reason = f"kept: in grace, {turns} turn{'' if turns == '1' else 's'} left"
    source = record.entry if record else None
    return Fate(FateKind.IN_GRACE, reason, key=grace.key, source=source)


def _stub(result: Message, record: Record | None, ref: str) -> Message:
    """Its words are made when they are looked at: most of a session's messages are stubs."""
    outline = changed(result.outline, shape=_stub_shape(result.outline.shape))
    return Message(outline, result.entry, _StubBody(result, record, ref), (), outline.role)


@lru_cache(maxsize=256)
def _stub_shape(shape: MessageShape) -> MessageShape:
    return changed(shape, is_error=False, content=ContentForm.PARTS, custom_type=None)


class _StubBody(Compact, frozen=True, eq=False):
    """Makes the body of a stub."""

    result: Message
    record: Record | None
    ref: str

    def __call__(self) -> Body:
        record, ref = self.record, self.ref
        text = _spill_text(record, ref) if record and record.is_spilled else _stub_text(ref)
        return _said_instead(_kept_of(self.result), text)


def _kept_of(result: Message) -> Body:
    """What a stub keeps, from the outline where that tells it as it stands in the file."""
    outline = result.outline
    if result.made is not None or not outline.is_plain:
        return result.body
    return {
        "toolCallId": outline.tool_call_id,
        "toolName": outline.tool_name,
        "timestamp": outline.timestamp,
    }


def _said_instead(said: Body, text: str) -> Body:
    kept = {name: said[name] for name in _KEPT_FIELDS if name in said}
    body: dict[str, Any] = {
        "role": "toolResult",
        **kept,
        "content": [{"type": "text", "text": text}],
        "isError": False,
    }
    if "timestamp" in said:
        body["timestamp"] = said["timestamp"]
    return body


def _stub_text(ref: str) -> str:
    return (
        f"[Summarized in pruner summary, ref `{ref}`. "
        "Use context_tree_query to retrieve full output.]"
    )


def _spill_text(record: Record, ref: str) -> str:
    size = "?" if record.spill_bytes is None else number_text(record.spill_bytes)
    return "\n".join(
        (
            f"[Oversized output spilled to file — {size} bytes.]",
            f"Tool: {record.tool_name}",
            "Preview (head):",
            record.preview or "",
            f"Full output — read this file (offset/limit supported): {record.spill_path}",
            f"Or use context_tree_query with ref `{ref}`.",
        )
    )
