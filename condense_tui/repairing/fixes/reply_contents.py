"""Replies whose content is no list of parts, on which pi's provider layer fails."""

from __future__ import annotations

from typing import Any

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import message_from


def list_reply_contents(draft: Draft) -> Outcome:
    """A text becomes a text part, a part a list of one; holes are closed, all else is shown."""
    broken = {place: line for place, line in draft.entries if _is_broken(line)}
    changed = {place: _listed(line) for place, line in broken.items()}
    notes = (line.note("the reply's content was no list of parts") for line in broken.values())
    return Outcome(draft.with_lines(changed), tuple(notes))


def _is_broken(line: Line) -> bool:
    if line.message is None or line.message.get("role") != "assistant":
        return False
    return not message_from(line.message, None).has_part_list


def _listed(line: Line) -> Line:
    message = line.message or {}
    return line.with_fields(message={**message, "content": _parts(message.get("content"))})


def _parts(content: Any) -> list[Any]:
    if isinstance(content, list):
        return [part for part in content if part is not None]
    if isinstance(content, dict) and isinstance(content.get("type"), str):
        return [content]
    words = content if isinstance(content, str) else json_text(content)
    return [{"type": "text", "text": words}]
