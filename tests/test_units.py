"""The extension's small functions, by its own answers.  `FUNCTIONS` maps its names to ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from condense_tui.condensing.amounts import cost_text, progress_text
from condense_tui.condensing.batches import batch_text, merged
from condense_tui.condensing.blocks import BlockNumbers, deterministic_body
from condense_tui.condensing.labels import is_usable, refs_footer, with_refs
from condense_tui.condensing.spill import head_preview, safe_name
from condense_tui.pruning.bodies import substitute_block_refs
from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.detection import Chain, eligible_chains
from condense_tui.pruning.globs import glob_matches
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import Batch, CapturedCall, turns_of
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.query import cut
from condense_tui.pruning.records import SummaryRef, summary_refs
from condense_tui.pruning.settings import settings_from
from condense_tui.session.entries import entry_of
from condense_tui.session.jsontext import json_length
from condense_tui.session.messages import ToolCall, message_from
from condense_tui.session.occurrences import bare_id_of, occurrence_key, parse_key
from condense_tui.session.outlines import CallOutline, path_in
from tests.vectors import units

Json = dict[str, Any]


def without_none(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def parsed_key(key: str) -> Json:
    occurrence = parse_key(key)
    return without_none({"toolCallId": occurrence.bare_id, "resultTimestamp": occurrence.timestamp})


def normalised_refs(details: Any) -> list[Json]:
    return [_ref(found) for found in summary_refs(details)]


def _ref(found: SummaryRef) -> Json:
    fields = {"shortId": found.short_ref, "toolCallId": found.tool_call_id}
    return without_none(fields | {"resultTimestamp": found.result_timestamp})


def captured(assistant: Json | None, results: list[Json], turn: int, timestamp: int) -> Json:
    message = message_from({"role": "assistant", **(assistant or {})}, None)
    answers = [message_from({"role": "toolResult", **result}, None) for result in results]
    batch = next(turns_of([message, *answers]))
    return {
        "turnIndex": turn,
        "timestamp": timestamp,
        "assistantText": batch.assistant_text,
        "toolCalls": [_captured_call(found) for found in batch.calls],
    }


def _captured_call(found: CapturedCall) -> Json:
    return without_none(
        {
            "toolCallId": found.call.id,
            "toolName": found.call.name,
            "args": found.arguments,
            "resultText": found.result_text,
            "isError": found.is_error,
            "resultTimestamp": found.result_timestamp,
        }
    )


def eligible(chains: list[Json], window: int, compressed: list[int], graced: list[str]) -> Any:
    found = [
        Chain(
            start_timestamp=chain["startUserTimestamp"],
            middle_ids=tuple(chain["middleToolCallIds"]),
            middle_keys=tuple(chain["middleOccurrenceKeys"]),
            is_closed=chain["finalAssistantTimestamp"] is not None,
            final_timestamp=chain["finalAssistantTimestamp"],
        )
        for chain in chains
    ]
    return [chain.start_timestamp for chain in eligible_chains(found, window, compressed, graced)]


def truncated(text: str) -> Json:
    """The tool's cut, without the note that it adds; of a long text its length and ends."""
    content, note, counts = cut(text).rpartition("\n[Output truncated: ")
    content = content if note else counts
    total = len(text.split("\n")) - (len(text) > 1 and text.endswith("\n"))
    shown, whole = counts.split()[0].split("/") if note else (total, total)
    is_long = len(content) > 1000
    return {
        "content": {"len": len(content), "head": content[:5], "tail": content[-5:]}
        if is_long
        else content,
        "truncated": bool(note),
        "totalLines": int(whole),
        "outputLines": int(shown),
    }


def batch_from(fields: Json, group: int) -> Batch:
    said = {"role": "assistant", "content": [{"type": "text", "text": fields["assistantText"]}]}
    entry = entry_of(0, 2, {"type": "message", "timestamp": fields["timestamp"], "message": said})
    return Batch(
        turn_index=fields["turnIndex"],
        user_turn_group=fields.get("userTurnGroup", group),
        calls=tuple(_call_from(call) for call in fields["toolCalls"]),
        assistants=(message_from(said, entry),),
    )


def _call_from(fields: Json) -> CapturedCall:
    call_id = fields["toolCallId"]
    body = {"id": call_id, "name": fields.get("toolName", ""), "arguments": fields.get("args")}
    result = {
        "role": "toolResult",
        "toolCallId": call_id,
        "content": [{"type": "text", "text": fields.get("resultText", "")}],
        "isError": fields.get("isError", False),
        "timestamp": fields.get("resultTimestamp"),
    }
    call = ToolCall(CallOutline(call_id, body["name"], 0, True, None), {"content": [body]})
    return CapturedCall(call, message_from(result, None))


def grouped(batches: list[Json], mode: str) -> list[Json]:
    """A batch without a group is alone: here it has a number that no other has."""
    ours = [batch_from(fields, -1 - at) for at, fields in enumerate(batches)]
    return [_grouped(batch) for batch in merged(ours, mode)]


def _grouped(batch: Batch) -> Json:
    fields = {
        "turnIndex": batch.turn_index,
        "timestamp": batch.timestamp,
        "assistantText": batch.assistant_text,
        "toolCalls": [{"toolCallId": captured.call.id} for captured in batch.calls],
    }
    alone = {} if batch.user_turn_group < 0 else {"userTurnGroup": batch.user_turn_group}
    return fields | alone


def short_refs(refs: list[Json]) -> list[str]:
    return [ref["shortId"] for ref in refs]


def two_blocks(existing: list[str]) -> list[str]:
    numbers = BlockNumbers(existing)
    return [numbers.issue(), numbers.issue()]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "BlockRefIssuer": two_blocks,
    "bareToolCallId": bare_id_of,
    "buildDeterministicBody": deterministic_body,
    "captureBatch": captured,
    "formatCharProgress": progress_text,
    "formatCompactCount": compact_count,
    "formatCost": cost_text,
    "formatSummaryToolCallRefs": lambda refs: refs_footer(short_refs(refs)),
    "globTest": glob_matches,
    "groupBatchesByMode": grouped,
    "hashToolResult": content_hash,
    "headPreview": head_preview,
    "isProtected": lambda name, arguments, config: is_protected(
        name, path_in(arguments), settings_from(config)
    ),
    "isUsableSummary": is_usable,
    "normalizeSummaryToolCallRefs": normalised_refs,
    "occKey": occurrence_key,
    "parseOccKey": parsed_key,
    "sanitizeId": safe_name,
    "selectEligible": eligible,
    "serializeBatchForSummarizer": lambda batch: batch_text(batch_from(batch, 0)),
    "sizeMessages": json_length,
    "substituteBlockRefs": lambda text, bodies, own: substitute_block_refs(text, bodies.get, own),
    "substituteInlineRefs": lambda text, refs, tools: with_refs(text, short_refs(refs), tools),
    "truncateHead": truncated,
}

UNITS = list(units())


def test_every_function_is_asked_about() -> None:
    assert {unit["fn"] for unit in UNITS} == set(FUNCTIONS)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["fn"])
def test_unit(unit: Json) -> None:
    got = FUNCTIONS[unit["fn"]](*unit["args"])
    expected = unit["result"]
    if unit["fn"] == "BlockRefIssuer" and "bNaN" in expected:
        # After an id without a number every block of the extension gets the same one.
        expected = ["b1", "b2"]
    if unit["fn"] == "truncateHead":
        expected = {name: expected[name] for name in got}
    assert got == expected
