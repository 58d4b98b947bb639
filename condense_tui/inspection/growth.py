"""A look at a branch → a look at it when it has grown.

What was added is read and judged; what was known of the rest is handed on, as far as nothing that
was added changes it, and is neither decoded nor judged again.  Both ways, this and a fresh look,
give the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from condense_tui.inspection.findings import find_further
from condense_tui.inspection.inspection import Inspection, is_message, messages_of
from condense_tui.pruning.growth import further_plan, touches_boundaries
from condense_tui.pruning.pending import further_pending
from condense_tui.pruning.records import ARCHIVES, entry_type
from condense_tui.pruning.slots import KEPT, Slot
from condense_tui.session.branch import Branch
from condense_tui.session.context import Context, further_context
from condense_tui.session.entries import Entry
from condense_tui.session.messages import QUERY_TOOL, Message
from condense_tui.session.outlines import RESULT


def further(before: Inspection, branch: Branch) -> Inspection:
    """The same look at a branch that may go on from the one that was looked at."""
    after = Inspection(branch, before.settings, before.path)
    added = branch.added_to(before.branch)
    if added is not None:
        after.take_over(_read_on(before, branch, added))
        if any(entry_type(entry) in ARCHIVES for entry in added):
            builder = before.index_builder.copy()
            builder.add_all(added)
            after.take_over({"index_builder": builder})
        else:
            after.take_over({"index_builder": before.index_builder, "index": before.index})
            _plan_on(before, after)
    return after


def _read_on(before: Inspection, branch: Branch, added: tuple[Entry, ...]) -> dict[str, Any]:
    context = further_context(before.context, branch, added)
    messages = messages_of(added, _added_to(before.context, context) or context.messages)
    flushed = list(filter(is_message, messages))
    gauge, finder = before.gauge.copy(), before.chain_finder.copy()
    gauge.add_all(messages)
    finder.add_all(flushed)
    return {
        "context": context,
        "noted": [*before.noted, *(entry for entry in added if entry.custom_type is not None)],
        "branch_messages": [*before.branch_messages, *flushed],
        "measured_messages": [*before.measured_messages, *messages],
        "gauge": gauge,
        "chain_finder": finder,
        "of_entries": before.of_entries,
    }


def _plan_on(before: Inspection, after: Inspection) -> None:
    """Where nothing was recorded and what was added is only added."""
    index, settings = after.index, after.settings
    known = before.branch_messages
    flushed = after.branch_messages[len(known) :]
    pending = further_pending(before.pending, known, flushed, index, settings)
    after.take_over({"pending": pending})
    added = _added_to(before.context, after.context)
    if added is None:
        return
    plan = further_plan(before.plan, before.context.messages, added, index, settings)
    if plan is not None:
        after.take_over({"plan": plan, "named": before.named})
    if not touches_boundaries(added, index):
        after.take_over({"ranges": before.ranges})
    if quiet_tail(before, after) is not None:
        find_further(before, after)


def quiet_tail(before: Inspection, after: Inspection) -> Sequence[Slot] | None:
    """The slots that a look has after all of another's, if nobody else has to do with them.

    They are sent as they are, and nothing that was recorded names their calls: the tree, and
    what was found of it, stay as they were.
    """
    known, slots = before.plan.slots, after.plan.slots
    is_alike = after.index is before.index and after.settings == before.settings
    if not is_alike or after.index.failure or slots[: len(known)] != known:
        return None
    tail = slots[len(known) :]
    return tail if all(_is_quiet(slot, before.named) for slot in tail) else None


def _is_quiet(slot: Slot, named: Collection[str]) -> bool:
    message = slot.message
    if slot.fates is not KEPT or message.outline.opens_block or message.is_summary:
        return False
    if message.role == RESULT:
        return message.tool_call_id not in named and message.occurrence not in named
    return all(call.name != QUERY_TOOL for call in message.tool_calls)


def _added_to(before: Context, after: Context) -> Sequence[Message] | None:
    """What a context has after all of another one; None where that is not its beginning."""
    count = len(before.messages)
    is_further = after.messages[:count] == before.messages
    return after.messages[count:] if is_further else None
