"""What the extension measures at a flush, and its status line.

(Source: the pruning rules, sections 4 and 10.)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from condense_tui.pruning.detection import Chain, ChainFinder, IsProtected, time_of
from condense_tui.pruning.diagnostics import Diagnostic, counts
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count, rounded, tokens
from condense_tui.pruning.occurrences import occurrence_of
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Compact, Value
from condense_tui.session.jsontext import as_number, json_length
from condense_tui.session.messages import Message
from condense_tui.session.outlines import CallOutline

Frontier = Mapping[str, Any]


class Metrics(Value, frozen=True):
    """Three estimates: tokens, per cent, tokens."""

    open_cycle_thinking_tokens: int
    largest_chain_share_pct: int
    frontier_gap_tokens: int


def measure(
    messages: Iterable[Message],
    frontier: Frontier | None,
    index: PruneIndex,
    settings: CondenseSettings,
) -> Metrics:
    """The metrics of a branch's messages, `custom_message` entries among them."""
    gauge = Gauge(settings)
    for message in messages:
        gauge.add(message)
    return gauge.read(frontier, index)


class Gauge:
    """Measures a branch message by message; to read it costs what lies past the frontier."""

    def __init__(self, settings: CondenseSettings) -> None:
        self._settings = settings
        self._sizes = _Sizes(partial(is_protected, settings=settings))
        self._gap = _Gap()
        self._thinking_chars = 0
        self._unmeasured: list[Message] = []

    def add(self, message: Message) -> None:
        """Take in the next message."""
        chars = self._sizes.add(message)
        self._gap.add(message, chars)
        if message.role != "assistant":
            return
        if message.tool_calls:
            self._unmeasured.append(message)
        else:
            self._thinking_chars = 0
            self._unmeasured.clear()

    def read(self, frontier: Frontier | None, index: PruneIndex) -> Metrics:
        """The metrics of what was taken in so far; from one reading to the next the index grows."""
        self._thinking_chars += sum(map(_thinking, self._unmeasured))
        self._unmeasured.clear()
        is_settled = partial(_is_settled, index=index, settings=self._settings)
        return Metrics(
            open_cycle_thinking_tokens=tokens(self._thinking_chars),
            largest_chain_share_pct=self._sizes.largest_share,
            frontier_gap_tokens=self._gap.tokens_beyond(frontier, is_settled),
        )


def _thinking(assistant: Message) -> int:
    return sum(json_length(part) for part in assistant.parts if part.get("type") == "thinking")


class _Sizes:
    """Sizes of the whole, of each chain, and of the open tail after the last answer.

    A chain begins at the first user message with its time and ends at the first assistant
    message with its final time from there on, or where the next user message interrupts it.
    """

    def __init__(self, is_protected: IsProtected) -> None:
        self._finder = ChainFinder(is_protected)
        self._sums = [0]
        self._open_from = 0
        self._largest_chain = 0
        self._user_places: list[int] = []
        self._first_user: dict[Any, int] = {}
        self._assistants: dict[Any, list[int]] = {}

    def add(self, message: Message) -> int:
        """Take in the next message; its size."""
        place, chars = len(self._sums) - 1, message.chars
        self._sums.append(self._sums[-1] + chars)
        if message.role == "user":
            self._user_places.append(place)
            self._first_user.setdefault(time_of(message), place)
        elif message.role == "assistant":
            self._assistants.setdefault(time_of(message), []).append(place)
            if not message.tool_calls:
                self._open_from = place + 1
        if chain := self._finder.add(message):
            start, end = self._segment(chain)
            self._largest_chain = max(self._largest_chain, self._sums[end] - self._sums[start])
        return chars

    def _segment(self, chain: Chain) -> tuple[int, int]:
        start = self._first_user[chain.start_timestamp]
        if not chain.is_closed:
            return start, self._user_places[bisect_right(self._user_places, start)]
        finals = self._assistants[chain.final_timestamp]
        return start, finals[bisect_left(finals, start)] + 1

    @property
    def largest_share(self) -> int:
        """Per cent of the whole that the largest chain, or the open tail, takes."""
        whole = self._sums[-1]
        largest = max(self._largest_chain, whole - self._sums[self._open_from])
        return rounded(100 * largest / whole) if whole else 0


class _GapResult(Compact, frozen=True):
    """A result, and the latest call before it that has its id."""

    chars: int
    bare_id: str
    key: str
    tool_name: str
    call: CallOutline | None


IsSettled = Callable[[_GapResult], bool]


class _Gap:
    """The results of a branch by turn."""

    def __init__(self) -> None:
        self._assistants: list[Message] = []
        self._latest_calls: dict[str, CallOutline] = {}
        self._results: list[_GapResult] = []
        self._turns: list[int] = []

    def add(self, message: Message, chars: int) -> None:
        if message.role == "assistant":
            self._assistants.append(message)
            self._latest_calls.update((call.id, call) for call in reversed(message.outline.calls))
        elif message.role == "toolResult":
            bare_id = message.tool_call_id
            key = occurrence_of(message)
            call = self._latest_calls.get(bare_id)
            self._results.append(_GapResult(chars, bare_id, key, message.tool_name, call))
            self._turns.append(len(self._assistants) - 1)

    def tokens_beyond(self, frontier: Frontier | None, is_settled: IsSettled) -> int:
        """Of the unsettled results past the frontier; in its turn those after its call.

        What is settled once stays so and is forgotten.
        """
        turn = self._settled_turn(frontier)
        start = bisect_left(self._turns, turn)
        beyond = zip(self._turns[start:], self._results[start:], strict=True)
        unsettled = [(own, result) for own, result in beyond if not is_settled(result)]
        self._turns[start:] = [own for own, _ in unsettled]
        self._results[start:] = [result for _, result in unsettled]
        settled_ids = self._settled_ids(turn, frontier)
        return sum(
            tokens(result.chars)
            for own, result in unsettled
            if own > turn or result.bare_id not in settled_ids
        )

    def _settled_turn(self, frontier: Frontier | None) -> int:
        """The frontier's turn, or -1 when that turn does not hold the frontier's call."""
        turn = as_number(frontier.get("lastAttemptedTurnIndex")) if frontier else None
        if frontier is None or not isinstance(turn, int) or not 0 <= turn < len(self._assistants):
            return -1
        last_id = frontier.get("lastAttemptedToolCallId")
        return turn if any(call.id == last_id for call in self._assistants[turn].tool_calls) else -1

    def _settled_ids(self, turn: int, frontier: Frontier | None) -> set[str]:
        """The ids of the turn's calls up to and including the frontier's."""
        settled: set[str] = set()
        for call in self._assistants[turn].tool_calls if turn >= 0 else ():
            settled.add(call.id)
            if frontier and call.id == frontier.get("lastAttemptedToolCallId"):
                break
        return settled


def _is_settled(result: _GapResult, index: PruneIndex, settings: CondenseSettings) -> bool:
    if index.is_summarized(result.key):
        return True
    path = result.call.path if result.call else None
    return is_protected(result.tool_name, path, settings)


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
