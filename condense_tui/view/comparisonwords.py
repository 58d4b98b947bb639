"""A `Comparison` in a sentence."""

from __future__ import annotations

from condense_tui.inspection.comparison import Comparison
from condense_tui.inspection.provider import plan_request
from condense_tui.view.words import counted


def comparison_words(comparison: Comparison) -> str:
    """How many messages go, come and differ, and whether the request would be refused."""
    plan = comparison.plan
    if plan.failure:
        return f"It fails on this context, so pi would send all of it raw: {plan.failure.reason}"
    gone = sum(slot.after is None for slot in plan.slots)
    come = sum(slot.before is None for slot in plan.slots)
    other = sum(slot.is_changed for slot in plan.slots) - gone - come
    if not gone + come + other:
        return "Both send the same."
    words = (
        f"{counted(gone, 'message')} of now would not be sent, {come} more would be, "
        f"{other} would be another"
    )
    request = plan_request(plan.pruned_messages)
    orphans = len(request.orphans) if request else 0
    refused = f"; {counted(orphans, 'result')} would stand without a call, which providers refuse"
    return words + (refused if orphans else "") + "."
