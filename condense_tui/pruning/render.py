"""`plan_render`: context + index + settings → `RenderPlan`.

The plan is decided once; what the model sees, what was taken away, why, sizes and counters are
readings of it.  (Source: the pruning rules, section 3.)
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from condense_tui.pruning.chains import compress_chains
from condense_tui.pruning.diagnostics import Diagnostic, DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.purge import purge_failed_arguments
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import (
    KEPT,
    SYSTEM,
    Fate,
    FateKind,
    Phase,
    RenderError,
    RenderFailure,
    Slot,
)
from condense_tui.pruning.slotsizes import SlotSizes
from condense_tui.pruning.stub import stub_summarised
from condense_tui.pruning.sweep import sweep_orphans
from condense_tui.session.compact import Value
from condense_tui.session.context import Context
from condense_tui.session.messages import Message

PHASES: tuple[Phase, ...] = (
    stub_summarised,
    purge_failed_arguments,
    compress_chains,
    sweep_orphans,
)


class RenderPlan(Value, frozen=True, dict=True):
    """Every place of the context, raw and inserted, with its message before and after.

    `failure` is set where the extension itself fails: nothing is pruned then, and the
    diagnostics are those that it raised before.
    """

    slots: tuple[Slot, ...]
    diagnostics: tuple[Diagnostic, ...]
    failure: RenderFailure | None

    @cached_property
    def raw_messages(self) -> list[Message]:
        """What pi built, without the system messages."""
        return [slot.before for slot in self._prunable if slot.before]

    @cached_property
    def pruned_messages(self) -> list[Message]:
        """What the extension hands back, without the system messages."""
        return [slot.after for slot in self._prunable if slot.after]

    @cached_property
    def is_pruned(self) -> bool:
        """Whether the extension says that it pruned: a chain applied in vain counts."""
        return any(
            slot.is_changed or any(fate.kind is FateKind.BLOCK_PRESENT for fate in slot.fates)
            for slot in self.slots
        )

    def fates_of(self, *kinds: FateKind) -> Iterator[tuple[int, Slot, Fate]]:
        """What happened, of some kinds: the number of the slot, the slot and the fate, in order."""
        for kind in kinds:
            for number in self._numbers_of_kind[kind]:
                slot = self.slots[number]
                yield from ((number, slot, fate) for fate in slot.fates if fate.kind is kind)

    def has(self, kind: FateKind) -> bool:
        """Whether that happened anywhere."""
        return bool(self._numbers_of_kind[kind])

    @cached_property
    def _numbers_of_kind(self) -> Mapping[FateKind, array[int]]:
        """What was merely sent as it is, or is a system message, is left out."""
        found = {kind: array("q") for kind in FateKind}
        _note_kinds(found, self.slots, 0)
        return found

    @cached_property
    def fate_counts(self) -> Counter[FateKind]:
        """How many messages came to what in the end: of a message with several fates the last."""
        return Counter(slot.fates[-1].kind for slot in self.slots)

    @cached_property
    def slot_chars(self) -> SlotSizes:
        """For each slot the JSON length of its message before and after, 0 for none."""
        return SlotSizes(self.slots)

    @property
    def raw_chars(self) -> int:
        """JSON length of the raw list, in UTF-16 code units."""
        return self.slot_chars.raw_chars

    @property
    def pruned_chars(self) -> int:
        """JSON length of the pruned list, in UTF-16 code units."""
        return self.slot_chars.pruned_chars

    @cached_property
    def failed_ids(self) -> frozenset[str]:
        """The ids of the calls that failed, by what pi built."""
        return _failed_ids(self.slots)

    def further(self, slots: Sequence[Slot]) -> RenderPlan:
        """This plan with more slots at its end, which change nothing of it and failed nowhere."""
        other = RenderPlan((*self.slots, *slots), self.diagnostics, self.failure)
        numbers = {kind: known[:] for kind, known in self._numbers_of_kind.items()}
        _note_kinds(numbers, slots, len(self.slots))
        other.__dict__.update(
            slot_chars=self.slot_chars.further(slots),
            failed_ids=self.failed_ids | _failed_ids(slots),
            _numbers_of_kind=numbers,
            fate_counts=self.fate_counts + Counter(slot.fates[-1].kind for slot in slots),
        )
        return other

    @property
    def _prunable(self) -> Iterable[Slot]:
        return (slot for slot in self.slots if slot.fates is not SYSTEM)


def _failed_ids(slots: Iterable[Slot]) -> frozenset[str]:
    results = (slot.before for slot in slots if slot.before and slot.before.is_error)
    return frozenset(result.tool_call_id for result in results)


def _note_kinds(numbers: Mapping[FateKind, array[int]], slots: Iterable[Slot], start: int) -> None:
    for number, slot in enumerate(slots, start):
        if slot.fates is not KEPT and slot.fates is not SYSTEM:
            for kind in dict.fromkeys(fate.kind for fate in slot.fates):
                numbers[kind].append(number)


def plan_render(
    context: Context,
    index: PruneIndex,
    settings: CondenseSettings,
    phases: tuple[Phase, ...] = PHASES,
) -> RenderPlan:
    """What the extension would do with this context."""
    prunable = context.prunable
    raw = [Slot(place, message, message) for place, message in enumerate(prunable)]
    sink = DiagnosticSink()
    in_force = phases if settings.is_enabled else ()
    slots, failure = _rendered(raw, in_force, index, settings, sink)
    return RenderPlan(tuple(_with_system(context, slots)), sink.collected, failure)


def _rendered(
    raw: list[Slot],
    phases: Sequence[Phase],
    index: PruneIndex,
    settings: CondenseSettings,
    sink: DiagnosticSink,
) -> tuple[Sequence[Slot], RenderFailure | None]:
    slots: Sequence[Slot] = raw
    try:
        for phase in phases:
            slots = phase(slots, index, settings, sink)
    except RenderError as error:
        return raw, error.failure
    return slots, None


def _with_system(context: Context, slots: Sequence[Slot]) -> Iterable[Slot]:
    """The slots with each system message put back before the message that follows it."""
    system_before: dict[int, list[Message]] = {}
    place = 0
    for message in context.messages:
        if message.role == "system":
            system_before.setdefault(place, []).append(message)
        else:
            place += 1
    if not system_before:
        yield from slots
        return
    for slot in slots:
        if slot.place is not None:
            yield from _system_slots(system_before.get(slot.place, ()))
        yield slot
    yield from _system_slots(system_before.get(place, ()))


def _system_slots(messages: Iterable[Message]) -> Iterable[Slot]:
    return (Slot(None, message, message, SYSTEM) for message in messages)
