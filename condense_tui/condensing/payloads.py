"""The extension's records as it writes them: fields and their order are part of the format.

(Source: the pruning rules, section 2, and what the extension itself wrote.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from condense_tui.condensing.summariser import Usage
from condense_tui.pruning.detection import Chain
from condense_tui.pruning.metrics import Metrics
from condense_tui.pruning.pending import Batch, CapturedCall
from condense_tui.session.jsontext import Number, as_number

Payload = dict[str, Any]

BACKFILLED_TURN = -1


def record_payload(captured: CapturedCall, turn_index: int, timestamp: Number | None) -> Payload:
    """An archived call with its text."""
    return {
        "toolCallId": captured.call.id,
        "toolName": captured.call.name,
        "args": captured.arguments,
        "resultText": captured.result_text,
        "isError": captured.is_error,
        "turnIndex": turn_index,
        "timestamp": timestamp,
        **_timestamp("resultTimestamp", captured.result_timestamp),
    }


def spilled_payload(record: Payload, spill: Payload, digest: str) -> Payload:
    """The same call with its text in a file."""
    return {**record, "resultText": "", **spill, "contentHash": digest}


def alias_payload(
    captured: CapturedCall, original_id: str, original_timestamp: Number | None
) -> Payload:
    """A call whose output equals an earlier one's."""
    return {
        "newToolCallId": captured.call.id,
        "originalToolCallId": original_id,
        **_timestamp("newResultTimestamp", captured.result_timestamp),
        **_timestamp("originalResultTimestamp", original_timestamp),
    }


def ref_payload(ref: str, captured: CapturedCall) -> Payload:
    """A short ref and the occurrence that it names."""
    return {
        "shortId": ref,
        "toolCallId": captured.call.id,
        **_timestamp("resultTimestamp", captured.result_timestamp),
    }


def summary_details(batch: Batch, refs: Sequence[str]) -> Payload:
    """The details of a summary message."""
    named = zip(refs, batch.calls, strict=True)
    return {
        "toolCallRefs": [ref_payload(ref, captured) for ref, captured in named],
        "toolNames": [captured.call.name for captured in batch.calls],
        "turnIndex": batch.turn_index,
        "timestamp": batch.timestamp,
    }


def frontier_payload(
    batches: Sequence[Batch], last: CapturedCall, chars: tuple[int, int], outcome: str
) -> Payload:
    """The boundary of an attempt; `last` is its last call, `chars` raw and summarised."""
    return {
        "lastAttemptedToolCallId": last.call.id,
        "lastAttemptedToolName": last.call.name,
        "lastAttemptedTurnIndex": batches[-1].turn_index,
        "lastAttemptedTimestamp": batches[-1].timestamp,
        "attemptedBatchCount": len(batches),
        "attemptedToolCallCount": sum(len(batch.calls) for batch in batches),
        "rawCharCount": chars[0],
        "summaryCharCount": chars[1],
        "outcome": outcome,
    }


def stats_payload(before: Mapping[str, Any], usage: Usage, chains: int, fused: int) -> Payload:
    """The next snapshot of the totals; what is no number counts as nothing.

    The extension knows no fallbacks; it lets the field be.
    """
    added: dict[str, float] = {
        "totalInputTokens": usage.input_tokens,
        "totalOutputTokens": usage.output_tokens,
        "totalCost": usage.cost,
        "callCount": usage.calls,
        "chainsCompressed": chains,
        "rangesSummarized": fused,
    }
    if usage.fallbacks:
        added["extractFallbacks"] = usage.fallbacks
    return {name: (as_number(before.get(name)) or 0) + more for name, more in added.items()}


def chain_payload(
    chain: Chain, block_id: str, refs: Sequence[str], compressed_at: int, body: Payload
) -> Payload:
    """A compressed chain; `body` holds what only some chains have."""
    return {
        "blockId": block_id,
        "startUserTimestamp": chain.start_timestamp,
        "droppedToolCallIds": list(chain.middle_ids),
        "finalAssistantTimestamp": chain.final_timestamp,
        "toolRefs": list(refs),
        "compressedAt": compressed_at,
        **body,
        "droppedOccurrenceKeys": list(chain.middle_keys),
    }


def flush_payload(
    trigger: str, at_ms: int, counts: tuple[int, int], outcome: str, metrics: Metrics
) -> Payload:
    """One flush attempt; `counts` are the batches captured and processed."""
    return {
        "ts": at_ms,
        "trigger": trigger,
        "capturedBatches": counts[0],
        "processedBatches": counts[1],
        "outcome": outcome,
        "metrics": {
            "openCycleThinkingTokens": metrics.open_cycle_thinking_tokens,
            "largestChainSharePct": metrics.largest_chain_share_pct,
            "frontierGapTokens": metrics.frontier_gap_tokens,
        },
    }


def _timestamp(name: str, timestamp: Number | None) -> Payload:
    return {} if timestamp is None else {name: timestamp}
