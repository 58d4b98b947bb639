"""Phase 2: the arguments of calls that failed some turns ago are purged.

Keyed by bare id, as the extension does it: a purge can hit another occurrence of a reused id.
(Source: the pruning rules, section 3, phase 2.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.settings import CondenseSettings, PurgeErrors
from condense_tui.pruning.slots import Fate, FateKind, RenderError, Slot, require_parts
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import json_length
from condense_tui.session.messages import Message, ToolCall, message_from


class _Mark(Value, frozen=True):
    """The newest failure of an id: in which turn (one assistant message), and where."""

    turn: int
    place: int | None


class _Purge(Value, frozen=True):
    call: ToolCall
    chars: int
    age: int
    place: int | None


def purge_failed_arguments(
    slots: Sequence[Slot],
    _index: PruneIndex,
    settings: CondenseSettings,
    _sink: DiagnosticSink,
) -> Sequence[Slot]:
    """Replace the long arguments of calls whose failure has cooled down."""
    purge_errors = settings.purge_errors
    if not purge_errors.is_enabled:
        return slots
    marks, turns = _marks(slots)
    if not marks:
        return slots
    return [_purged(slot, marks, turns, purge_errors) for slot in slots]


def _marks(slots: Sequence[Slot]) -> tuple[dict[str, _Mark], int]:
    marks: dict[str, _Mark] = {}
    turns = 0
    for slot in slots:
        message = slot.after
        if message is None:
            continue
        if message.role == "assistant":
            turns += 1
        elif message.role == "toolResult" and message.is_error:
            marks[message.tool_call_id] = _Mark(turns, slot.place)
    return marks, turns


def _purged(slot: Slot, marks: dict[str, _Mark], turns: int, settings: PurgeErrors) -> Slot:
    message = slot.after
    if message is None or message.role != "assistant":
        return slot
    require_parts(message, slot.place)
    purges = [
        purge
        for call in message.tool_calls
        if (mark := marks.get(call.id))
        and (purge := _purge_of(call, mark, turns - mark.turn, settings, slot.place))
    ]
    if not purges:
        return slot
    fates = [_fate(purge, slot) for purge in purges]
    after = _without_arguments(message, purges)
    for fate in fates:
        slot = slot.with_fate(fate, after)
    return slot


def _purge_of(
    call: ToolCall, mark: _Mark, age: int, settings: PurgeErrors, place: int | None
) -> _Purge | None:
    if settings.cooldown_turns is not None and age < settings.cooldown_turns:
        return None
    if not call.outline.has_arguments:
        raise RenderError(f"the failed call {call.id} has no arguments to measure", place)
    chars = json_length(call.arguments)
    if settings.min_arg_chars is not None and chars < settings.min_arg_chars:
        return None
    return _Purge(call, chars, age, mark.place)


def _fate(purge: _Purge, slot: Slot) -> Fate:
    turns = f"{purge.age} turn{'' if purge.age == 1 else 's'}"
    return Fate(
        FateKind.PURGED,
        f"arguments of {purge.call.name} purged, {purge.chars} characters, failed {turns} ago",
        bare_ids=(purge.call.id,),
        place=purge.place,
        source=slot.before.entry if slot.before else None,
    )


def _without_arguments(message: Message, purges: Iterable[_Purge]) -> Message:
    content = list(message.body["content"])
    for purge in purges:
        stub = {"_purged": f'<purged-errored-args size="{purge.chars}"/>'}
        content[purge.call.part] = {**purge.call.body, "arguments": stub}
    return message_from({**message.body, "content": content}, message.entry)
