"""Chains as the extension finds them, and which of them it would compress next.

A chain goes from a user message through turns of calls and results to an assistant message
without calls.  (Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message


class Chain(Value, frozen=True):
    """A detected chain; one that a user interrupted is not closed and has no final time.

    The two times are the messages' own, numbers or not; the two places are those of the user
    message that began it and of the message that ended it, among the messages given.
    """

    start_timestamp: Any
    middle_ids: tuple[str, ...]
    middle_keys: tuple[str, ...]
    is_closed: bool
    final_timestamp: Any
    start_place: int = -1
    end_place: int = -1


@dataclass(slots=True)
class _OpenChain:
    """A chain being walked; the dicts keep order and leave repeats out."""

    start_timestamp: Any
    start_place: int
    ids: dict[str, None] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)

    def add_calls(self, message: Message) -> None:
        self.ids.update((call.id, None) for call in message.tool_calls if call.id)

    def add_result(self, message: Message) -> None:
        if message.tool_call_id:
            self.ids[message.tool_call_id] = None
            self.keys[message.occurrence] = None

    def copy(self) -> _OpenChain:
        return replace(self, ids=dict(self.ids), keys=dict(self.keys))

    def ended(self, place: int, final: Message | None) -> Chain:
        return Chain(
            self.start_timestamp,
            tuple(self.ids),
            tuple(self.keys),
            final is not None,
            time_of(final) if final else None,
            self.start_place,
            place,
        )


class ChainFinder:
    """Finds chains message by message; one that is still open is none yet."""

    def __init__(self) -> None:
        self.found: list[Chain] = []
        self._chain: _OpenChain | None = None
        self._place = -1

    def add(self, message: Message) -> Chain | None:
        """Take in the next message: the chain that it ends, if any."""
        self._place += 1
        if message.role == "user":
            return None if message.outline.opens_block else self._begun(message)
        if self._chain is None:
            return None
        if message.role == "assistant" and not message.tool_calls:
            return self._ended(message)
        if message.role == "assistant":
            self._chain.add_calls(message)
        elif message.role == "toolResult":
            self._chain.add_result(message)
        return None

    def add_all(self, messages: Iterable[Message]) -> None:
        """Take in the next messages; the chains that they end are among those `found`."""
        chains = (self.add(message) for message in messages)
        self.found += [chain for chain in chains if chain]

    def copy(self) -> ChainFinder:
        """Another finder that goes on from here."""
        other = copy(self)
        other.found = [*self.found]
        other._chain = self._chain.copy() if self._chain else None
        return other

    def _begun(self, message: Message) -> Chain | None:
        interrupted = self._ended(None)
        self._chain = _OpenChain(time_of(message), self._place)
        return interrupted

    def _ended(self, final: Message | None) -> Chain | None:
        chain, self._chain = self._chain, None
        return chain.ended(self._place, final) if chain else None


def detect_chains(messages: Iterable[Message]) -> list[Chain]:
    """Every chain of these messages in order; one still open at the end is none."""
    finder = ChainFinder()
    finder.add_all(messages)
    return finder.found


def protected_ids(
    chain: Chain, messages: Sequence[Message], settings: CondenseSettings
) -> tuple[str, ...]:
    """The ids of a chain of these messages whose calls are protected, each once, in order."""
    found: dict[str, None] = {}
    for message in messages[chain.start_place + 1 : chain.end_place]:
        for call in message.tool_calls:
            if call.id and is_protected(call.name, call.outline.path, settings):
                found[call.id] = None
        bare_id = message.tool_call_id if message.role == "toolResult" else ""
        if bare_id and is_protected(message.tool_name, None, settings):
            found[bare_id] = None
    return tuple(found)


def time_of(message: Message) -> Any:
    """The message's own timestamp, a number or not, as chains are known by."""
    return message.outline.text_time if message.timestamp is None else message.timestamp


def eligible_chains(
    chains: Iterable[Chain],
    rolling_window: Number | None,
    compressed_starts: Collection[Number],
    keys_in_grace: Collection[str],
) -> list[Chain]:
    """The chains that a flush would compress now: filter, then window, then grace."""
    closed = [
        chain
        for chain in chains
        if chain.is_closed and chain.middle_ids and chain.start_timestamp not in compressed_starts
    ]
    if rolling_window is None:
        return []
    outside = closed[: int(max(len(closed) - rolling_window, 0))]
    graced = set(keys_in_grace)
    return [
        chain
        for chain in outside
        if graced.isdisjoint(chain.middle_keys) and graced.isdisjoint(chain.middle_ids)
    ]
