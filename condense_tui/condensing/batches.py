"""Batches as a summariser is given them: merged as the settings say, and as a text.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections.abc import Iterable

from condense_tui.pruning.pending import Batch, CapturedCall
from condense_tui.session.compact import changed
from condense_tui.session.jsontext import json_text, utf16_head, utf16_length

AGENT_MESSAGE = "agent-message"
_MAX_RESULT_CHARS = 2000


def merged(batches: Iterable[Batch], mode: str) -> list[Batch]:
    """One batch per assistant message, or in `agent-message` mode per user message.

    A merged batch has the turn and the time of its last one.
    """
    groups: list[Batch] = []
    for batch in batches:
        last = groups[-1] if groups else None
        is_same = last and last.user_turn_group == batch.user_turn_group
        if last and is_same and mode == AGENT_MESSAGE:
            groups[-1] = _joined(last, batch)
        else:
            groups.append(batch)
    return groups


def _joined(first: Batch, second: Batch) -> Batch:
    return changed(
        second,
        assistants=first.assistants + second.assistants,
        calls=first.calls + second.calls,
    )


def raw_chars(batch: Batch) -> int:
    """How long the batch's results are together, in UTF-16 code units."""
    return sum(utf16_length(call.result_text) for call in batch.calls)


def batch_text(batch: Batch) -> str:
    """The batch as a text, each call under the label that its bullet is to bear."""
    lead = f"Assistant said: {batch.assistant_text}\n\n" if batch.assistant_text else ""
    return lead + "\n---\n".join(
        _call_text(number, captured) for number, captured in enumerate(batch.calls, 1)
    )


def _call_text(number: int, captured: CapturedCall) -> str:
    name, status = captured.call.name, "ERROR" if captured.is_error else "OK"
    arguments = json_text(captured.arguments, indent=2)
    result = _shortened(captured.result_text)
    return f"[[{number}:{name}]] Tool: {name}({arguments})\nResult ({status}): {result}"


def _shortened(text: str) -> str:
    beyond = utf16_length(text) - _MAX_RESULT_CHARS
    if beyond <= 0:
        return text
    return f"{utf16_head(text, _MAX_RESULT_CHARS)} ...[{beyond} chars truncated]"
