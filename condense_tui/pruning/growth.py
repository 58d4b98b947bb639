"""A plan → the plan of the same context with more messages, where these change nothing before.

Most of what an agent writes is such a message: then nothing that is known is judged again, only
copied.  Where a message may reach back (a boundary of a chain, a failed call, a recovery), or what
is recorded has changed, the plan is made anew by `plan_render`.  Both ways give the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.grace import in_grace
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import FateKind, RenderError, Slot
from condense_tui.pruning.stub import stub_summarised
from condense_tui.pruning.sweep import sweep_orphans
from condense_tui.session.messages import Message


def further_plan(
    before: RenderPlan,
    known: Sequence[Message],
    added: Sequence[Message],
    index: PruneIndex,
    settings: CondenseSettings,
) -> RenderPlan | None:
    """The plan of `known` and `added`, given that of `known` under the same index and settings.

    None where that cannot be told from what was added.
    """
    if before.failure or any(message.role == "system" for message in added):
        return None
    slots = _raw_slots(before, added)
    if not settings.is_enabled:
        return before.further(slots)
    reaches_back = (
        _changes_grace(known, added, settings)
        or _changes_purges(before, known, added, settings)
        or _changes_blocks(added, index, settings)
    )
    return None if reaches_back else _with_tail(before, slots, index, settings)


def _raw_slots(before: RenderPlan, added: Iterable[Message]) -> list[Slot]:
    places = (slot.place for slot in reversed(before.slots) if slot.place is not None)
    start = next(places, -1) + 1
    return [Slot(place, message, message) for place, message in zip(count(start), added)]


def _with_tail(
    before: RenderPlan, slots: Sequence[Slot], index: PruneIndex, settings: CondenseSettings
) -> RenderPlan | None:
    sink = DiagnosticSink()
    stubbed = stub_summarised(slots, index, settings, sink)
    tail = [*_last_turn(before.slots), *stubbed]
    try:
        is_swept = sweep_orphans(tail, index, settings, sink) is not tail
    except RenderError:
        return None
    return None if is_swept else before.further(stubbed)


def _last_turn(slots: Sequence[Slot]) -> Sequence[Slot]:
    """From the last reply that is sent: what stands before it, no result can answer."""
    numbers = range(len(slots) - 1, -1, -1)
    replies = (n for n in numbers if (sent := slots[n].after) and sent.role == "assistant")
    return slots[next(replies, 0) :]


def _changes_grace(
    known: Sequence[Message], added: Sequence[Message], settings: CondenseSettings
) -> bool:
    graces = in_grace(known, settings.recovery_grace_turns)
    if in_grace([*known, *added], settings.recovery_grace_turns) != graces:
        return True
    return any(message.role == "toolResult" and message.occurrence in graces for message in added)


def _changes_purges(
    before: RenderPlan,
    known: Sequence[Message],
    added: Sequence[Message],
    settings: CondenseSettings,
) -> bool:
    """A failure marks its id wherever it stands, and with each reply the marks are a turn older."""
    if not settings.purge_errors.is_enabled:
        return False
    if any(message.role == "toolResult" and message.is_error for message in added):
        return True
    replies = [message for message in added if message.role == "assistant"]
    if not replies or not before.failed_ids:
        return False
    return (
        before.has(FateKind.PURGED)
        or any(call.id in before.failed_ids for reply in replies for call in reply.tool_calls)
        or _has_cooling(known, settings.purge_errors.cooldown_turns or 0)
    )


def _has_cooling(known: Sequence[Message], cooldown: float) -> bool:
    """Whether a call failed so few turns ago that it is still spared."""
    turns = 0
    for message in reversed(known):
        if turns >= cooldown:
            return False
        if message.role == "assistant":
            turns += 1
        elif message.role == "toolResult" and message.is_error:
            return True
    return False


def _changes_blocks(
    added: Sequence[Message], index: PruneIndex, settings: CondenseSettings
) -> bool:
    if not settings.chain_compression.is_enabled or not index.chains:
        return False
    is_other = any(message.is_summary or message.outline.opens_block for message in added)
    return is_other or touches_boundaries(added, index)


def touches_boundaries(added: Iterable[Message], index: PruneIndex) -> bool:
    """Whether a message has the time of a chain's first or last one, wherever that lies."""
    times = {chain.start_timestamp for chain in index.chains}
    times |= {chain.final_timestamp for chain in index.chains if chain.final_timestamp is not None}
    ends = (message for message in added if message.role in ("user", "assistant"))
    return any(message.timestamp in times for message in ends)
