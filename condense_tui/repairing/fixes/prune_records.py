"""Records of the extension on which it fails, so that it prunes nothing or forgets the rest.

They get the empty value where theirs is missing; a record without an output is taken out of its
index, because the call's own result is still in the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from condense_tui.pruning.records import EntryType
from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line, Note
from condense_tui.session.outlines import identifier

Json = dict[str, Any]


def mend_prune_records(draft: Draft) -> Outcome:
    """Index entries, chains and summaries."""
    changed: dict[int, Line] = {}
    notes: list[Note] = []
    for place, line in draft.entries:
        rule = _RULES.get(identifier(line.body.get("customType")))
        if rule is None or rule[0] != line.type:
            continue
        _, name, mended = rule
        fields = mended(line.body.get(name))
        if fields is not None:
            changed[place] = line.with_fields(**{name: fields[0]})
            notes.append(line.note(fields[1]))
    return Outcome(draft.with_lines(changed), tuple(notes))


Mended = tuple[Json, str] | None


def _index(held: Any) -> Mended:
    if held is None:
        return {"toolCalls": []}, "an index entry without data: it is now an empty one"
    calls = held.get("toolCalls") if isinstance(held, dict) else None
    if not isinstance(calls, list):
        return None
    is_backfilled = held.get("backfilled") is True
    sound = [_with_text(call) for call in calls if _is_sound(call, is_backfilled)]
    if sound == calls:
        return None
    left_out = len(calls) - len(sound)
    return {**held, "toolCalls": sound}, f"{left_out} records without an output left out"


def _is_sound(call: Any, is_backfilled: bool) -> bool:
    if not isinstance(call, dict):
        return False
    is_spilled = isinstance(call.get("spillPath"), str) and bool(call["spillPath"])
    has_output = isinstance(call.get("resultText"), str) or isinstance(call.get("contentHash"), str)
    return is_backfilled or has_output or is_spilled


def _with_text(call: Json) -> Json:
    """A spilled record has an empty text."""
    has_output = isinstance(call.get("resultText"), str) or isinstance(call.get("contentHash"), str)
    is_spilled = isinstance(call.get("spillPath"), str)
    return call if has_output or not is_spilled else {**call, "resultText": ""}


def _chain(held: Any) -> Mended:
    if not isinstance(held, dict) or not held.get("blockId"):
        return None
    fields: Json = {}
    if not isinstance(held.get("toolRefs"), list):
        fields["toolRefs"] = []
    has_keys = isinstance(held.get("droppedOccurrenceKeys"), list)
    has_ids = isinstance(held.get("droppedToolCallIds"), list)
    if not (isinstance(held.get("rangeSummaryText"), str) or has_keys or has_ids):
        fields["droppedToolCallIds"] = []
    if not fields:
        return None
    return {**held, **fields}, f"a chain without {', '.join(fields)}: it is now empty there"


def _summary(details: Any) -> Mended:
    refs = details.get("toolCallRefs") if isinstance(details, dict) else None
    if refs is None:
        return None
    elements = refs if isinstance(refs, list) else []
    sound = [element for element in elements if isinstance(element, dict)]
    if sound == refs:
        return None
    return {**details, "toolCallRefs": sound}, "a summary whose refs are no list of refs"


_RULES: Mapping[str, tuple[str, str, Callable[[Any], Mended]]] = {
    EntryType.INDEX: ("custom", "data", _index),
    EntryType.CHAIN: ("custom", "data", _chain),
    EntryType.SUMMARY: ("custom_message", "details", _summary),
}
