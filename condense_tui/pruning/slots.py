"""`Slot` and `Fate`: what the four phases share.

A slot is one place of the context, raw or inserted: the message that pi built, the message
that the model is sent, and why they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Compact, Value
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message


class FateKind(StrEnum):
    """What can happen to a place of the context."""

    KEPT = "kept"
    PROTECTED = "kept-protected"
    IN_GRACE = "kept-in-grace"
    SYSTEM = "system"
    STUBBED = "stubbed"
    PURGED = "arguments-purged"
    DROPPED = "dropped"
    SUPPRESSED = "suppressed"
    THINKING_STRIPPED = "thinking-stripped"
    SWEPT = "swept"
    INSERTED = "inserted"
    BLOCK_PRESENT = "block-present"


class Fate(Compact, frozen=True):
    """One thing that happened to a slot.

    `key` is the occurrence key that decided it, `bare_ids` the calls it hit, `place` the raw
    index of the message that caused it, `source` the entry that it comes from.
    """

    kind: FateKind
    reason: str
    ref: str | None = None
    block: str | None = None
    key: str | None = None
    bare_ids: tuple[str, ...] = ()
    place: int | None = None
    source: Entry | None = None


KEPT = (Fate(FateKind.KEPT, "sent as it is"),)
SYSTEM = (Fate(FateKind.SYSTEM, "a system message: pi keeps it from the pruner"),)


class Slot(Compact, frozen=True, eq=False):
    """`place` is the index in the raw list: none for an inserted or a system message."""

    place: int | None
    before: Message | None
    after: Message | None
    fates: tuple[Fate, ...] = KEPT

    @property
    def message(self) -> Message:
        """The raw message, or the inserted one."""
        message = self.before or self.after
        if message is None:
            raise ValueError("a slot without any message")
        return message

    @property
    def is_changed(self) -> bool:
        """Whether the model is sent something else than pi built."""
        return self.before is not self.after

    def with_fate(self, fate: Fate, after: Message | None) -> Slot:
        """This slot after one more thing happened to it."""
        fates = (fate,) if self.fates is KEPT else (*self.fates, fate)
        return Slot(self.place, self.before, after, fates)


Phase = Callable[[Sequence[Slot], PruneIndex, CondenseSettings, DiagnosticSink], Sequence[Slot]]


class RenderFailure(Value, frozen=True):
    """Why the extension itself fails on this input; pi then sends the raw list."""

    reason: str
    place: int | None


class RenderError(Exception):
    """Carries a `RenderFailure` out of a phase; `plan_render` turns it into a value."""

    def __init__(self, reason: str, place: int | None = None) -> None:
        super().__init__(reason)
        self.failure = RenderFailure(reason, place)


def require_parts(message: Message, place: int | None) -> None:
    """Raise where the extension fails: an assistant's content that is no list of parts."""
    if not message.has_part_list:
        raise RenderError("an assistant message whose content is not a list of parts", place)
