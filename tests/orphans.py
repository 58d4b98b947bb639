"""The one orphan checker: which tool results of a rendered list have no open call.

Written from the rule and not from the sweep: it looks back from each result, the sweep walks
forward.  A call is open for a result when the nearest message before the run of results that
it stands in is an assistant message with that call, and no result of the run answered it yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from condense_tui.pruning.render import RenderPlan
from condense_tui.session.outlines import identifier


def orphans(messages: Sequence[Mapping[str, Any]]) -> list[int]:
    """The indexes of the results without an open call."""
    return [
        index
        for index, message in enumerate(messages)
        if message.get("role") == "toolResult" and not _is_answer(messages, index)
    ]


def _is_answer(messages: Sequence[Mapping[str, Any]], index: int) -> bool:
    wanted = identifier(messages[index].get("toolCallId"))
    for earlier in reversed(messages[:index]):
        if earlier.get("role") != "toolResult":
            return earlier.get("role") == "assistant" and wanted in _call_ids(earlier)
        if identifier(earlier.get("toolCallId")) == wanted:
            return False
    return False


def _call_ids(assistant: Mapping[str, Any]) -> list[str]:
    parts = [part for part in assistant["content"] if isinstance(part, dict)]
    return [identifier(part.get("id")) for part in parts if part.get("type") == "toolCall"]


def assert_no_orphans(plan: RenderPlan) -> None:
    """What the model is sent holds no orphan."""
    assert orphans([message.body for message in plan.pruned_messages]) == []
