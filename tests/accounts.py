"""What adds up in every render, whatever the session."""

from __future__ import annotations

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.render import RenderPlan
from condense_tui.session.jsontext import json_length
from tests.orphans import assert_no_orphans


def assert_accounts(inspection: Inspection) -> None:
    """Every message is in one slot; unchanged ones are the same objects; no orphan is sent."""
    plan: RenderPlan = inspection.plan
    context = inspection.context
    assert [slot.before for slot in plan.slots if slot.before] == list(context.messages)
    assert plan.raw_messages == list(context.prunable)
    placed = [slot.place for slot in plan.slots if slot.place is not None]
    assert placed == list(range(len(context.prunable)))
    sent = [slot.after for slot in plan.slots if slot.after and slot.after.role != "system"]
    assert plan.pruned_messages == sent
    assert all(slot.fates for slot in plan.slots)
    if not plan.is_pruned:
        assert plan.pruned_messages == plan.raw_messages
        assert plan.pruned_chars == plan.raw_chars
    assert plan.pruned_chars == json_length([message.body for message in plan.pruned_messages])
    if plan.failure is None and inspection.settings.is_enabled:
        assert_no_orphans(plan)
