"""A look at a branch → a look at it when it has grown, with work in proportion to what was added.

What was added is read; what was known of the rest is handed on, as far as nothing that was added
changes it.  Both ways, this and a fresh look, give the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from condense_tui.inspection.inspection import Inspection, is_message, messages_of
from condense_tui.pruning.growth import further_plan
from condense_tui.pruning.pending import further_pending
from condense_tui.pruning.records import EntryType, entry_type
from condense_tui.session.branch import Branch
from condense_tui.session.context import Context, further_context
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message

_ARCHIVES = frozenset({EntryType.INDEX, EntryType.SUMMARY, EntryType.ALIAS, EntryType.CHAIN})


def further(before: Inspection, branch: Branch) -> Inspection:
    """The same look at a branch that may go on from the one that was looked at."""
    after = Inspection(branch, before.settings, before.path)
    added = branch.added_to(before.branch)
    if added is not None:
        after.take_over(_read_on(before, branch, added))
        if not any(entry_type(entry) in _ARCHIVES for entry in added):
            after.take_over({"index_builder": before.index_builder, "index": before.index})
            _plan_on(before, after)
    return after


def _read_on(before: Inspection, branch: Branch, added: tuple[Entry, ...]) -> dict[str, Any]:
    context = further_context(before.context, branch, added)
    messages = messages_of(added, _added_to(before.context, context) or context.messages)
    flushed = list(filter(is_message, messages))
    builder, gauge, finder = (
        before.index_builder.copy(),
        before.gauge.copy(),
        before.chain_finder.copy(),
    )
    builder.add_all(added)
    gauge.add_all(messages)
    finder.add_all(flushed)
    return {
        "context": context,
        "noted": [*before.noted, *(entry for entry in added if entry.custom_type is not None)],
        "branch_messages": [*before.branch_messages, *flushed],
        "measured_messages": [*before.measured_messages, *messages],
        "gauge": gauge,
        "index_builder": builder,
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
        after.take_over({"plan": plan})


def _added_to(before: Context, after: Context) -> Sequence[Message] | None:
    """What a context has after all of another one; None where that is not its beginning."""
    count = len(before.messages)
    is_further = after.messages[:count] == before.messages
    return after.messages[count:] if is_further else None
