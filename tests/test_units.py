"""The extension's small functions, by its own answers.  `FUNCTIONS` maps its names to ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from condense_tui.pruning.bodies import substitute_block_refs
from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.detection import Chain, eligible_chains
from condense_tui.pruning.globs import glob_matches
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.occurrences import bare_id_of, occurrence_key, parse_key
from condense_tui.pruning.pending import CapturedCall, turns_of
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.query import cut
from condense_tui.pruning.records import SummaryRef, summary_refs
from condense_tui.pruning.settings import settings_from
from condense_tui.session.jsontext import json_length
from condense_tui.session.messages import message_from
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
            protected_ids=tuple(chain["protectedToolCallIds"]),
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


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "bareToolCallId": bare_id_of,
    "captureBatch": captured,
    "formatCompactCount": compact_count,
    "globTest": glob_matches,
    "hashToolResult": content_hash,
    "isProtected": lambda name, arguments, config: is_protected(
        name, arguments, settings_from(config)
    ),
    "normalizeSummaryToolCallRefs": normalised_refs,
    "occKey": occurrence_key,
    "parseOccKey": parsed_key,
    "selectEligible": eligible,
    "sizeMessages": json_length,
    "substituteBlockRefs": lambda text, bodies, own: substitute_block_refs(text, bodies.get, own),
    "truncateHead": truncated,
}

UNITS = list(units())


def test_every_function_is_asked_about() -> None:
    assert {unit["fn"] for unit in UNITS} == set(FUNCTIONS)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["fn"])
def test_unit(unit: Json) -> None:
    got = FUNCTIONS[unit["fn"]](*unit["args"])
    expected = unit["result"]
    if unit["fn"] == "truncateHead":
        expected = {name: expected[name] for name in got}
    assert got == expected
