"""Two plans of one context, slot by slot: what is sent now, and what would be sent then.

The comparison is itself a plan, so that every view of a plan can show it: a slot's message
before is that of the one plan, its message after that of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.slots import KEPT, SYSTEM, Fate, FateKind, Slot
from condense_tui.session.compact import Value


class Comparison(Value, frozen=True):
    """What neither plan sends is left out.

    `numbers` are those of the slots in the plan of now; None for what only then is inserted.
    """

    plan: RenderPlan
    numbers: tuple[int | None, ...]


def compare(now: RenderPlan, then: RenderPlan) -> Comparison:
    """Plans of the same context: they share their places and differ in what they insert."""
    pairs = [pair for pair in _pairs(now.slots, then.slots) if _is_sent(*pair[1:])]
    slots = tuple(_compared(here, there) for _, here, there in pairs)
    plan = RenderPlan(slots, then.diagnostics, then.failure)
    return Comparison(plan, tuple(number for number, _, _ in pairs))


_Pair = tuple[int | None, Slot | None, Slot | None]


def _pairs(now: tuple[Slot, ...], then: tuple[Slot, ...]) -> Iterator[_Pair]:
    """Slots of one place or of one block side by side; the others stand alone."""
    others = _Runs(then)
    for number, slot in enumerate(now):
        if _is_inserted(slot):
            yield number, slot, others.take_inserted(slot)
        else:
            yield from ((None, None, left) for left in others.inserted_left())
            yield number, slot, others.take_fixed()
    yield from ((None, None, left) for left in others.inserted_left())


def _is_sent(now: Slot | None, then: Slot | None) -> bool:
    """Now or then; what neither sends is no difference."""
    return any(slot and slot.after for slot in (now, then))


def _is_inserted(slot: Slot) -> bool:
    return slot.before is None


class _Runs:
    """The slots of the other plan, taken in order; the inserted ones of a run by their block."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._slots = iter(slots)
        self._inserted: list[Slot] = []
        self._fixed: Slot | None = None
        self._read_run()

    def _read_run(self) -> None:
        for slot in self._slots:
            if not _is_inserted(slot):
                self._fixed = slot
                return
            self._inserted.append(slot)
        self._fixed = None

    def take_fixed(self) -> Slot | None:
        taken = self._fixed
        self._read_run()
        return taken

    def take_inserted(self, like: Slot) -> Slot | None:
        block = like.fates[-1].block
        found = next((slot for slot in self._inserted if slot.fates[-1].block == block), None)
        if found:
            self._inserted.remove(found)
        return found

    def inserted_left(self) -> list[Slot]:
        left, self._inserted = self._inserted, []
        return left


def _compared(now: Slot | None, then: Slot | None) -> Slot:
    before = now.after if now else None
    after = then.after if then else None
    if before is not None and after is not None and before.body == after.body:
        after = before
    place = next((slot.place for slot in (now, then) if slot), None)
    fates = now.fates if now and now.fates is SYSTEM else (_fate(now, then, before is after),)
    return Slot(place, before, after, fates)


def _fate(now: Slot | None, then: Slot | None, is_same: bool) -> Fate:
    if is_same:
        return KEPT[0]
    if now and now.after is None:
        return Fate(FateKind.INSERTED, f"sent then; now {now.fates[-1].reason}")
    if then is None or then.after is None:
        reason = then.fates[-1].reason if then else "not inserted then"
        return Fate(FateKind.DROPPED, f"not sent then: {reason}")
    if then.fates[-1].kind is FateKind.KEPT and now:
        return Fate(FateKind.INSERTED, f"sent whole then; now {now.fates[-1].reason}")
    return then.fates[-1]
