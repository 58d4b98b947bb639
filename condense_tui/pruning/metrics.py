"""What the extension measures at a flush, and its status line.

(Source: the pruning rules, sections 4 and 10.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from condense_tui.pruning.detection import Chain, time_of
from condense_tui.pruning.diagnostics import Diagnostic, counts
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count, rounded, tokens
from condense_tui.pruning.occurrences import occurrence_key
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.jsontext import as_number, json_length
from condense_tui.session.messages import Message, ToolCall, first_calls


@dataclass(frozen=True, slots=True)
class Metrics:
    """Three estimates: tokens, per cent, tokens."""

    open_cycle_thinking_tokens: int
    largest_chain_share_pct: int
    frontier_gap_tokens: int


def measure(
    messages: Sequence[Message],
    chains: Iterable[Chain],
    frontier: Mapping[str, Any] | None,
    index: PruneIndex,
    settings: CondenseSettings,
) -> Metrics:
    """The metrics of a branch's messages, `custom_message` entries among them."""
    open_from = _open_cycle_start(messages)
    return Metrics(
        open_cycle_thinking_tokens=tokens(_thinking_chars(messages[open_from:])),
        largest_chain_share_pct=_largest_share(messages, chains, open_from),
        frontier_gap_tokens=sum(
            tokens(json_length(result.body))
            for result in _beyond_frontier(messages, frontier)
            if not _is_settled(result, index, settings)
        ),
    )


def _open_cycle_start(messages: Sequence[Message]) -> int:
    """Just after the last assistant message without calls."""
    for position in reversed(range(len(messages))):
        message = messages[position]
        if message.role == "assistant" and not message.tool_calls:
            return position + 1
    return 0


def _thinking_chars(messages: Iterable[Message]) -> int:
    return sum(
        json_length(part)
        for message in messages
        if message.role == "assistant"
        for part in message.parts
        if part.get("type") == "thinking"
    )


def _largest_share(messages: Sequence[Message], chains: Iterable[Chain], open_from: int) -> int:
    """Per cent of the whole that the largest chain, or the open tail, takes."""
    sums = [0]
    for message in messages:
        sums.append(sums[-1] + json_length(message.body))
    if sums[-1] == 0:
        return 0
    segments = [*_segments(messages, chains), (open_from, len(messages))]
    largest = max(sums[end] - sums[start] for start, end in segments)
    return rounded(100 * largest / sums[-1])


def _segments(messages: Sequence[Message], chains: Iterable[Chain]) -> Iterator[tuple[int, int]]:
    """Half-open index ranges of the chains.

    A chain begins at the first user message with its time and ends at the first assistant
    message with its final time from there on.
    """
    users, assistants = _positions(messages, "user"), _positions(messages, "assistant")
    next_user = _next_users(messages)
    for chain in chains:
        starts = users.get(chain.start_timestamp)
        if not starts:
            continue
        start = starts[0]
        if not chain.is_closed:
            yield start, next_user[start]
            continue
        finals = assistants.get(chain.final_timestamp, [])
        after_start = bisect_left(finals, start)
        if after_start < len(finals):
            yield start, finals[after_start] + 1


def _positions(messages: Sequence[Message], role: str) -> dict[Any, list[int]]:
    positions: dict[Any, list[int]] = {}
    for position, message in enumerate(messages):
        if message.role == role:
            positions.setdefault(time_of(message), []).append(position)
    return positions


def _next_users(messages: Sequence[Message]) -> list[int]:
    """For each position that of the next user message after it, or the end."""
    following = [len(messages)] * len(messages)
    upcoming = len(messages)
    for position in reversed(range(len(messages))):
        following[position] = upcoming
        if messages[position].role == "user":
            upcoming = position
    return following


@dataclass(frozen=True, slots=True)
class _GapResult:
    """A result beyond the frontier and the latest call before it that has its id."""

    body: Mapping[str, Any]
    key: str
    tool_name: str
    call: ToolCall | None


def _beyond_frontier(
    messages: Sequence[Message], frontier: Mapping[str, Any] | None
) -> Iterator[_GapResult]:
    turn, settled_turn = -1, _frontier_turn(messages, frontier)
    latest_calls: dict[str, ToolCall] = {}
    settled_ids: set[str] = set()
    for message in messages:
        if message.role == "assistant":
            turn += 1
            latest_calls.update(first_calls(message))
            settled_ids = _settled_ids(message, frontier) if turn == settled_turn else set()
        elif message.role == "toolResult" and turn >= settled_turn:
            bare_id = message.tool_call_id
            if bare_id not in settled_ids:
                key = occurrence_key(bare_id, message.timestamp)
                yield _GapResult(message.body, key, message.tool_name, latest_calls.get(bare_id))


def _frontier_turn(messages: Sequence[Message], frontier: Mapping[str, Any] | None) -> int:
    """The frontier's turn, or -1 when that turn does not hold the frontier's call."""
    if frontier is None:
        return -1
    turn = as_number(frontier.get("lastAttemptedTurnIndex"))
    assistants = [message for message in messages if message.role == "assistant"]
    if not isinstance(turn, int) or not 0 <= turn < len(assistants):
        return -1
    last_id = frontier.get("lastAttemptedToolCallId")
    return turn if any(call.id == last_id for call in assistants[turn].tool_calls) else -1


def _settled_ids(assistant: Message, frontier: Mapping[str, Any] | None) -> set[str]:
    """The ids of the turn's calls up to and including the frontier's."""
    last_id = frontier.get("lastAttemptedToolCallId") if frontier else None
    settled: set[str] = set()
    for call in assistant.tool_calls:
        settled.add(call.id)
        if call.id == last_id:
            break
    return settled


def _is_settled(result: _GapResult, index: PruneIndex, settings: CondenseSettings) -> bool:
    if index.is_summarized(result.key):
        return True
    arguments = result.call.protection_arguments if result.call else None
    return is_protected(result.tool_name, arguments, settings)


def status_line(
    is_enabled: bool,
    chars: tuple[int, int] | None,
    diagnostics: Iterable[Diagnostic],
    metrics: Metrics,
) -> str:
    """The extension's own status line; `chars` is the size before and after, if pruned."""
    if not is_enabled:
        return "prune: OFF"
    parts = ["prune: ON"]
    if chars and chars[0]:
        parts.append(_reclaim(*chars))
    letters = [f"{kind.letter}{count}" for kind, count in counts(diagnostics).items() if count]
    if letters:
        parts.append(f"diag {'/'.join(letters)}")
    if metrics.frontier_gap_tokens > 0:
        parts.append(f"think {compact_count(metrics.open_cycle_thinking_tokens)}")
        parts.append(f"gap {compact_count(metrics.frontier_gap_tokens)}")
        parts.append(f"chain {metrics.largest_chain_share_pct}%")
    return " · ".join(parts)


def _reclaim(before: int, after: int) -> str:
    """A context that grew is shown as one that lost nothing."""
    tokens_before, tokens_after = tokens(before), tokens(after)
    share = 1 - tokens_after / tokens_before if tokens_before else 0
    reduction = max(0, rounded(100 * share))
    return f"{compact_count(tokens_before)}->{compact_count(tokens_after)} (-{reduction}%)"
