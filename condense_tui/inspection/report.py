"""`Inspection` → one JSON object, key by key, in the names and shapes of the extension.

The table at the end is the whole vocabulary of `inspect --format json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.summarytree import summary_tree
from condense_tui.pruning.detection import Chain, protected_ids
from condense_tui.pruning.diagnostics import Diagnostic, counts
from condense_tui.pruning.pending import Batch
from condense_tui.pruning.ranges import Range, Unresolved
from condense_tui.pruning.records import Record
from condense_tui.pruning.slots import Fate, Slot
from condense_tui.session.entries import Problem
from condense_tui.session.jsontext import utf16_length
from condense_tui.session.messages import Message

JsonObject = dict[str, Any]


def report(inspection: Inspection, keys: Iterable[str] | None = None) -> JsonObject:
    """The object, limited to `keys` if given.  Raises KeyError for a key that does not exist."""
    wanted = list(REPORT_KEYS) if keys is None else list(keys)
    return {key: REPORT_KEYS[key](inspection) for key in wanted}


def _bodies(messages: Iterable[Message]) -> list[Any]:
    return [message.body for message in messages]


def _diagnostic(diagnostic: Diagnostic) -> JsonObject:
    return {"kind": diagnostic.kind.value, "detail": diagnostic.detail}


def _diagnostic_counts(diagnostics: Iterable[Diagnostic]) -> JsonObject:
    return {kind.value: count for kind, count in counts(diagnostics).items()}


def _range(outcome: Range | Unresolved) -> JsonObject:
    found = (
        {"startIndex": outcome.start, "endIndex": outcome.end}
        if isinstance(outcome, Range)
        else None
    )
    return {
        "blockId": outcome.chain.block_id,
        "startUserTimestamp": outcome.chain.start_timestamp,
        "finalAssistantTimestamp": outcome.chain.final_timestamp,
        "range": found,
    }


def _chain(chain: Chain, seen: Inspection) -> JsonObject:
    kept = protected_ids(chain, seen.branch_messages, seen.settings)
    return {
        "startUserTimestamp": chain.start_timestamp,
        "middleToolCallIds": list(chain.middle_ids),
        "middleOccurrenceKeys": list(chain.middle_keys),
        "protectedToolCallIds": list(kept),
        "finalAssistantTimestamp": chain.final_timestamp,
    }


def _batch(batch: Batch) -> JsonObject:
    return {
        "turnIndex": batch.turn_index,
        "timestamp": batch.timestamp,
        "userTurnGroup": batch.user_turn_group,
        "assistantText": batch.assistant_text,
        "toolCalls": [
            [
                captured.call.id,
                captured.call.name,
                captured.result_timestamp,
                utf16_length(captured.result_text),
                captured.is_error,
            ]
            for captured in batch.calls
        ],
    }


def _record(key: str, record: Record, short_ref: str | None) -> JsonObject:
    return {
        "key": key,
        "shortRef": short_ref,
        "toolCallId": record.tool_call_id,
        "toolName": record.tool_name,
        "isError": record.is_error,
        "turnIndex": record.turn_index,
        "timestamp": record.timestamp,
        "resultTimestamp": record.result_timestamp,
        "resultChars": record.result_chars,
        "spillPath": record.spill_path,
        "spillBytes": record.spill_bytes,
        "contentHash": record.content_hash,
    }


def _records(inspection: Inspection) -> list[JsonObject]:
    index = inspection.index
    return [
        _record(key, record, index.ref_of_key.get(key)) for key, record in index.records.items()
    ]


def _metrics(inspection: Inspection) -> JsonObject:
    return {
        "openCycleThinkingTokens": inspection.metrics.open_cycle_thinking_tokens,
        "largestChainSharePct": inspection.metrics.largest_chain_share_pct,
        "frontierGapTokens": inspection.metrics.frontier_gap_tokens,
    }


def _slot(slot: Slot, chars: tuple[int, int]) -> JsonObject:
    entry = slot.message.entry
    return {
        "place": slot.place,
        "entry": entry.id if entry else None,
        "line": entry.line if entry else None,
        "role": slot.message.role,
        "charsBefore": chars[0],
        "charsAfter": chars[1],
        "fates": [_fate(fate) for fate in slot.fates],
        "ref": next((fate.ref for fate in slot.fates if fate.ref), None),
        "block": next((fate.block for fate in slot.fates if fate.block), None),
    }


def _fate(fate: Fate) -> JsonObject:
    source = fate.source.id if fate.source else None
    return {"kind": fate.kind.value, "reason": fate.reason, "source": source}


def _slots(inspection: Inspection) -> list[JsonObject]:
    plan = inspection.plan
    return [_slot(slot, chars) for slot, chars in zip(plan.slots, plan.slot_chars, strict=True)]


def _recorded(diagnostics: Iterable[Diagnostic]) -> JsonObject:
    listed = list(diagnostics)
    return {"counts": _diagnostic_counts(listed), "entries": [_diagnostic(d) for d in listed]}


def _problem(problem: Problem) -> JsonObject:
    return {
        "line": problem.line,
        "kind": problem.kind.value,
        "reason": problem.reason,
        "recoverable": problem.recoverable,
    }


def _finding(finding: Finding) -> JsonObject:
    code = finding.row
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "what": finding.what,
        "why": code.why,
        "advice": code.advice,
        "slot": finding.slot,
        "entry": finding.entry.id if finding.entry else None,
        "line": finding.entry.line if finding.entry else None,
    }


def _session(inspection: Inspection) -> JsonObject:
    branch, session = inspection.branch, inspection.branch.session
    return {
        "path": inspection.path,
        "id": session.header.id,
        "version": session.header.version,
        "cwd": session.header.cwd,
        "name": session.name,
        "leaf": branch.leaf_id,
        "leaves": len(inspection.ends),
        "entries": len(session.entries),
        "branchLength": len(branch.entries),
    }


REPORT_KEYS: Mapping[str, Callable[[Inspection], Any]] = {
    "session": _session,
    "status_line": lambda seen: seen.status_line,
    "messages_raw": lambda seen: _bodies(seen.plan.raw_messages),
    "messages_pruned": lambda seen: _bodies(seen.plan.pruned_messages),
    "pruned": lambda seen: seen.plan.is_pruned,
    "prune_error": lambda seen: seen.plan.failure is not None,
    "reconstruct": lambda seen: "error" if seen.index.failure else "ok",
    "beforeChars": lambda seen: seen.plan.raw_chars if seen.plan.is_pruned else 0,
    "afterChars": lambda seen: seen.plan.pruned_chars if seen.plan.is_pruned else 0,
    "sizeRaw": lambda seen: seen.plan.raw_chars,
    "sizePruned": lambda seen: seen.plan.pruned_chars,
    "diagnostics": lambda seen: _diagnostic_counts(seen.plan.diagnostics),
    "diagnostic_entries": lambda seen: [_diagnostic(found) for found in seen.plan.diagnostics],
    "resolved_ranges": lambda seen: [_range(outcome) for outcome in seen.ranges],
    "tree": lambda seen: summary_tree(seen.branch.entries, seen.index),
    "chains": lambda seen: [_chain(chain, seen) for chain in seen.chains],
    "eligible": lambda seen: [chain.start_timestamp for chain in seen.eligible],
    "in_grace": lambda seen: seen.keys_in_grace,
    "metrics": _metrics,
    "frontier": lambda seen: seen.ledger.frontier,
    "stats": lambda seen: seen.ledger.stats,
    "pending": lambda seen: [_batch(batch) for batch in seen.pending],
    "records": _records,
    "dedup_aliases": lambda seen: [
        [alias.key, alias.original_key] for alias in seen.index.aliases.values()
    ],
    "short_refs": lambda seen: [[ref, key] for ref, key in seen.index.key_of_ref.items()],
    "next_short_ref": lambda seen: seen.index.next_ref_number,
    "content_hashes": lambda seen: [
        [digest, key] for digest, key in seen.index.key_of_content_hash.items()
    ],
    "summary_bodies": lambda seen: [
        [ref.key for ref in summary.refs] for summary in seen.index.summaries
    ],
    "chain_registry": lambda seen: [
        [chain.block_id, chain.start_timestamp] for chain in seen.index.chains
    ],
    "config": lambda seen: seen.settings.merged,
    "slots": _slots,
    "recorded_diagnostics": lambda seen: _recorded(seen.ledger.recorded),
    "recorded_distinct": lambda seen: _recorded(seen.ledger.recorded_distinct),
    "problems": lambda seen: [_problem(problem) for problem in seen.problems],
    "findings": lambda seen: [_finding(finding) for finding in find(seen)],
}
