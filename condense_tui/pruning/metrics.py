"""What the extension measures at a flush, and its status line.

(Source: the pruning rules, sections 4 and 10.)
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import partial
from typing import Any

from condense_tui.pruning.detection import Chain, ChainFinder, time_of
from condense_tui.pruning.diagnostics import Diagnostic, counts
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count, rounded, tokens
from condense_tui.pruning.pending import Frontier
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Compact, Value
from condense_tui.session.jsontext import as_number, json_length
from condense_tui.session.messages import Message
from condense_tui.session.outlines import CallOutline


class Metrics(Value, frozen=True):
    """Three estimates: tokens, per cent, tokens."""

    open_cycle_thinking_tokens: int
    largest_chain_share_pct: int
    frontier_gap_tokens: int


def gauge_of(messages: Iterable[Message]) -> Gauge:
    """What measures a branch's messages, `custom_message` entries among them."""
    gauge = Gauge()
    gauge.add_all(messages)
    return gauge


class Gauge:
    """Measures a branch message by message; to read it costs what lies past the frontier."""

    def __init__(self) -> None:
        self._sizes = _Sizes()
        self._gap = _Gap()
        # Exchanged as one: a copy may be made while somebody reads.
        self._thinking: tuple[int, list[Message]] = (0, [])

    def add_all(self, messages: Iterable[Message]) -> None:
        """Take in the next messages."""
        for message in messages:
            self.add(message)

    def add(self, message: Message) -> None:
        """Take in the next message."""
        self._sizes.add(message)
        self._gap.add(message)
        if message.role != "assistant":
            return
        if message.tool_calls:
            self._thinking[1].append(message)
        else:
            self._thinking = (0, [])

    def read(
        self, frontier: Frontier | None, index: PruneIndex, settings: CondenseSettings
    ) -> Metrics:
        """The metrics of what was taken in so far."""
        known, unmeasured = self._thinking
        thinking = known + sum(map(_thinking, unmeasured))
        self._thinking = (thinking, [])
        is_settled = partial(_is_settled, index=index, settings=settings)
        return Metrics(
            open_cycle_thinking_tokens=tokens(thinking),
            largest_chain_share_pct=self._sizes.largest_share,
            frontier_gap_tokens=self._gap.tokens_beyond(frontier, is_settled),
        )

    def copy(self) -> Gauge:
        """Another gauge that goes on from here."""
        other = copy(self)
        other._sizes, other._gap = self._sizes.copy(), self._gap.copy()
        chars, unmeasured = self._thinking
        other._thinking = (chars, [*unmeasured])
        return other

    def forget_settled(
        self, frontier: Frontier | None, index: PruneIndex, settings: CondenseSettings
    ) -> None:
        """What is settled stays so while an index grows under the same settings."""
        is_settled = partial(_is_settled, index=index, settings=settings)
        self._gap.forget_settled(frontier, is_settled)


def _thinking(assistant: Message) -> int:
    return sum(json_length(part) for part in assistant.parts if part.get("type") == "thinking")


class _Sizes:
    """Sizes of the whole, of each chain, and of the open tail after the last answer.

    A chain begins at the first user message with its time and ends at the first assistant
    message with its final time from there on, or where the next user message interrupts it.
    """

    def __init__(self) -> None:
        self._finder = ChainFinder()
        self._sums = array("q", [0])
        self._open_from = 0
        self._largest_chain = 0
        self._user_places: list[int] = []
        self._first_user: dict[Any, int] = {}
        self._first_assistant: dict[Any, int] = {}
        self._later_assistants: dict[Any, list[int]] = {}

    def copy(self) -> _Sizes:
        other = copy(self)
        other._finder, other._sums = self._finder.copy(), self._sums[:]
        other._user_places, other._first_user = [*self._user_places], dict(self._first_user)
        other._first_assistant = dict(self._first_assistant)
        other._later_assistants = {
            time: [*places] for time, places in self._later_assistants.items()
        }
        return other

    def add(self, message: Message) -> None:
        """Take in the next message."""
        place, chars = len(self._sums) - 1, message.chars
        self._sums.append(self._sums[-1] + chars)
        if message.role == "user":
            self._user_places.append(place)
            self._first_user.setdefault(time_of(message), place)
        elif message.role == "assistant":
            if self._first_assistant.setdefault(time_of(message), place) != place:
                self._later_assistants.setdefault(time_of(message), []).append(place)
            if not message.tool_calls:
                self._open_from = place + 1
        if chain := self._finder.add(message):
            start, end = self._segment(chain)
            self._largest_chain = max(self._largest_chain, self._sums[end] - self._sums[start])

    def _segment(self, chain: Chain) -> tuple[int, int]:
        start = self._first_user[chain.start_timestamp]
        if not chain.is_closed:
            return start, self._user_places[bisect_right(self._user_places, start)]
        final = self._first_assistant[chain.final_timestamp]
        if final < start:
            later = self._later_assistants[chain.final_timestamp]
            final = later[bisect_left(later, start)]
        return start, final + 1

    @property
    def largest_share(self) -> int:
        """Per cent of the whole that the largest chain, or the open tail, takes."""
        whole = self._sums[-1]
        largest = max(self._largest_chain, whole - self._sums[self._open_from])
        return rounded(100 * largest / whole) if whole else 0


class _GapResult(Compact, frozen=True):
    """A result, and the latest call before it that has its id."""

    message: Message
    call: CallOutline | None


IsSettled = Callable[[_GapResult], bool]


class _Gap:
    """The results of a branch by turn."""

    def __init__(self) -> None:
        self._assistants: list[Message] = []
        self._latest_calls: dict[str, CallOutline] = {}
        self._results: list[_GapResult] = []
        self._turns = array("q")

    def copy(self) -> _Gap:
        other = copy(self)
        other._assistants, other._latest_calls = [*self._assistants], dict(self._latest_calls)
        other._results, other._turns = [*self._results], self._turns[:]
        return other

    def add(self, message: Message) -> None:
        if message.role == "assistant":
            self._assistants.append(message)
            self._latest_calls.update((call.id, call) for call in reversed(message.outline.calls))
        elif message.role == "toolResult":
            call = self._latest_calls.get(message.tool_call_id)
            self._results.append(_GapResult(message, call))
            self._turns.append(len(self._assistants) - 1)

    def tokens_beyond(self, frontier: Frontier | None, is_settled: IsSettled) -> int:
        """Of the unsettled results past the frontier; in its turn those after its call."""
        turn = self._settled_turn(frontier)
        settled_ids = self._settled_ids(turn, frontier)
        return sum(
            tokens(result.message.chars)
            for own, result in self._unsettled(bisect_left(self._turns, turn), is_settled)
            if own > turn or result.message.tool_call_id not in settled_ids
        )

    def forget_settled(self, frontier: Frontier | None, is_settled: IsSettled) -> None:
        start = bisect_left(self._turns, self._settled_turn(frontier))
        unsettled = list(self._unsettled(start, is_settled))
        self._turns[start:] = array("q", [own for own, _ in unsettled])
        self._results[start:] = [result for _, result in unsettled]

    def _unsettled(self, start: int, is_settled: IsSettled) -> Iterator[tuple[int, _GapResult]]:
        beyond = zip(self._turns[start:], self._results[start:], strict=True)
        return ((own, result) for own, result in beyond if not is_settled(result))

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
    message, call = result.message, result.call
    if index.is_summarized(message.occurrence):
        return True
    return is_protected(message.tool_name, call.path if call else None, settings)


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
