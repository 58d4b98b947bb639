"""Batches of calls that the extension has still to summarise.

Pairing is positional: a call's result stands between its assistant message and the next one.
(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Compact, changed
from condense_tui.session.dates import time_ms
from condense_tui.session.jsontext import Number, as_number, trim
from condense_tui.session.messages import Message, ToolCall

_NO_RESULT = "(no result)"
Frontier = Mapping[str, Any]


class CapturedCall(Compact, frozen=True):
    """A call with the result that stands in its own turn, if there is one."""

    call: ToolCall
    result: Message | None

    @property
    def arguments(self) -> Any:
        """What is archived as the arguments."""
        arguments = self.call.captured_arguments
        return {} if arguments is None else arguments

    @property
    def result_text(self) -> str:
        """What is archived as the output."""
        return self.result.text if self.result else _NO_RESULT

    @property
    def result_timestamp(self) -> Number | None:
        """The result's own time, which makes the occurrence."""
        return self.result.timestamp if self.result else None

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.result is not None and self.result.is_error

    @property
    def key(self) -> str:
        """The occurrence key."""
        return self.result.occurrence if self.result else self.call.id


class Batch(Compact, frozen=True):
    """The calls of one assistant message, or several; turn and user group are running counts."""

    turn_index: int
    user_turn_group: int
    calls: tuple[CapturedCall, ...]
    assistants: tuple[Message, ...]

    @property
    def timestamp(self) -> Number | None:
        """When the last of the messages was stored, in milliseconds."""
        entry = self.assistants[-1].entry
        return time_ms(entry.timestamp) if entry else None

    @property
    def assistant_text(self) -> str:
        """What was said before the calls."""
        texts = (trim(assistant.text) for assistant in self.assistants)
        return "\n\n".join(text for text in texts if text)


class _Turn(Compact, frozen=True):
    """An assistant message and the first result of each id that stands in its turn."""

    index: int
    user_group: int
    assistant: Message
    results: dict[str, Message]

    def calls(self) -> tuple[CapturedCall, ...]:
        """All its calls."""
        results = self.results
        return tuple(CapturedCall(call, results.get(call.id)) for call in self.assistant.tool_calls)

    def batch(self, calls: tuple[CapturedCall, ...]) -> Batch:
        """A batch of some of its calls."""
        return Batch(
            turn_index=self.index,
            user_turn_group=self.user_group,
            calls=calls,
            assistants=(self.assistant,),
        )


def turns_of(messages: Sequence[Message]) -> Iterator[Batch]:
    """One batch per assistant message, with all its calls."""
    return (turn.batch(turn.calls()) for turn in _turns(messages))


def _turns(messages: Iterable[Message], first: int = 0, user_group: int = 0) -> list[_Turn]:
    """`first` and `user_group` are the counts of what stands before these messages."""
    turns: list[_Turn] = []
    results: dict[str, Message] = {}
    for message in messages:
        role = message.role
        if role == "user":
            user_group += 1
        elif role == "assistant":
            results = {}
            turns.append(_Turn(first + len(turns), user_group, message, results))
        elif role == "toolResult":
            results.setdefault(message.tool_call_id, message)
    return turns


def pending_batches(
    messages: Sequence[Message], index: PruneIndex, settings: CondenseSettings
) -> list[Batch]:
    """The batches that are not summarised, without the calls that are or never will be."""
    return _pending_of(_turns(messages), index, settings)


def further_pending(
    before: Iterable[Batch],
    known: Sequence[Message],
    added: Sequence[Message],
    index: PruneIndex,
    settings: CondenseSettings,
) -> list[Batch]:
    """The same for `known` and `added`, given that of `known` under this index and settings."""
    roles = [message.role for message in known]
    replies = roles.count("assistant")
    last = len(roles) - 1 - roles[::-1].index("assistant") if replies else len(roles)
    counts = max(replies - 1, 0), roles[:last].count("user")
    turns = _turns((*known[last:], *added), *counts)
    kept = (batch for batch in before if batch.turn_index < counts[0])
    return [*kept, *_pending_of(turns, index, settings)]


def _pending_of(
    turns: Iterable[_Turn], index: PruneIndex, settings: CondenseSettings
) -> list[Batch]:
    return [
        turn.batch(calls)
        for turn in turns
        if turn.results and (calls := tuple(_pending_calls(turn.calls(), index, settings)))
    ]


def _pending_calls(
    calls: Sequence[CapturedCall], index: PruneIndex, settings: CondenseSettings
) -> Iterator[CapturedCall]:
    waiting = waiting_calls(calls, index, settings)
    return (captured for captured, is_kept in waiting if not is_kept)


def waiting_calls(
    calls: Sequence[CapturedCall], index: PruneIndex, settings: CondenseSettings
) -> Iterator[tuple[CapturedCall, bool]]:
    """The calls of one turn that have a result and no record, and whether each is protected.

    Of a doubled id the first call's arguments decide on protection.
    """
    first: dict[str, ToolCall] = {}
    for captured in calls:
        result = captured.result
        if result and not index.is_summarized(result.occurrence):
            first = first or {other.call.id: other.call for other in reversed(calls)}
            path = first[captured.call.id].outline.path
            yield captured, is_protected(captured.call.name, path, settings)


def settled_turn(frontier: Frontier | None) -> Number:
    """The turn of the frontier's call; -1 where there is no frontier."""
    turn = as_number(frontier.get("lastAttemptedTurnIndex")) if frontier else None
    return -1 if turn is None else turn


def calls_beyond(turn: Batch, frontier: Frontier | None) -> tuple[CapturedCall, ...]:
    """The calls of a turn, or of what is left of it, that no flush has tried yet.

    A frontier that the turn does not hold is none.
    """
    settled = settled_turn(frontier)
    if turn.turn_index != settled or frontier is None:
        return turn.calls if turn.turn_index > settled else ()
    calls = turn.assistants[-1].tool_calls
    last_id = frontier.get("lastAttemptedToolCallId")
    places = [at for at, call in enumerate(calls) if call.id == last_id]
    tried = {id(call) for call in calls[: places[-1] + 1]} if places else ()
    return tuple(captured for captured in turn.calls if id(captured.call) not in tried)


def parted(batches: Iterable[Batch], frontier: Frontier | None) -> tuple[list[Batch], list[Batch]]:
    """What lies past the frontier, and what a flush has tried and left, each without the rest."""
    due, passed_over = [], []
    for batch in batches:
        beyond = calls_beyond(batch, frontier)
        before = batch.calls[: len(batch.calls) - len(beyond)]
        due += [changed(batch, calls=beyond)] if beyond else []
        passed_over += [changed(batch, calls=before)] if before else []
    return due, passed_over
