"""Chains as the extension finds them, and which of them it would compress next.

A chain goes from a user message through turns of calls and results to an assistant message
without calls.  (Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from condense_tui.pruning.occurrences import occurrence_of
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number, trim_start
from condense_tui.session.messages import Message

_SYNTHETIC_START = "<compressed-chain"

IsProtected = Callable[[str, str | None], bool]


class Chain(Value, frozen=True):
    """A detected chain; one that a user interrupted is not closed and has no final time.

    The two times are the messages' own, numbers or not; the two places are those of the user
    message that began it and of the message that ended it, among the messages given.
    """

    start_timestamp: Any
    middle_ids: tuple[str, ...]
    middle_keys: tuple[str, ...]
    protected_ids: tuple[str, ...]
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
    protected: dict[str, None] = field(default_factory=dict)

    def add_calls(self, message: Message, is_protected: IsProtected) -> None:
        for call in message.tool_calls:
            if not call.id:
                continue
            self.ids[call.id] = None
            if is_protected(call.name, call.outline.path):
                self.protected[call.id] = None

    def add_result(self, message: Message, is_protected: IsProtected) -> None:
        if not message.tool_call_id:
            return
        self.ids[message.tool_call_id] = None
        self.keys[occurrence_of(message)] = None
        if is_protected(message.tool_name, None):
            self.protected[message.tool_call_id] = None

    def ended(self, place: int, final: Message | None) -> Chain:
        return Chain(
            self.start_timestamp,
            tuple(self.ids),
            tuple(self.keys),
            tuple(self.protected),
            final is not None,
            time_of(final) if final else None,
            self.start_place,
            place,
        )


class ChainFinder:
    """Finds chains message by message; one that is still open is none yet."""

    def __init__(self, is_protected: IsProtected) -> None:
        self._is_protected = is_protected
        self._chain: _OpenChain | None = None
        self._place = -1

    def add(self, message: Message) -> Chain | None:
        """Take in the next message: the chain that it ends, if any."""
        self._place += 1
        if message.role == "user":
            return None if _is_synthetic(message) else self._begun(message)
        if self._chain is None:
            return None
        if message.role == "assistant" and not message.tool_calls:
            return self._ended(message)
        if message.role == "assistant":
            self._chain.add_calls(message, self._is_protected)
        elif message.role == "toolResult":
            self._chain.add_result(message, self._is_protected)
        return None

    def _begun(self, message: Message) -> Chain | None:
        interrupted = self._ended(None)
        self._chain = _OpenChain(time_of(message), self._place)
        return interrupted

    def _ended(self, final: Message | None) -> Chain | None:
        chain, self._chain = self._chain, None
        return chain.ended(self._place, final) if chain else None


def detect_chains(messages: Iterable[Message], is_protected: IsProtected) -> Iterator[Chain]:
    """Every chain of these messages in order; one still open at the end is none."""
    finder = ChainFinder(is_protected)
    return (chain for message in messages if (chain := finder.add(message)))


def time_of(message: Message) -> Any:
    """The message's own timestamp, a number or not, as chains are known by."""
    return message.outline.text_time if message.timestamp is None else message.timestamp


def _is_synthetic(message: Message) -> bool:
    """A block's own message starts no chain; its text may be a string or the first part."""
    content = message.body.get("content")
    if isinstance(content, list):
        first = content[0] if content and isinstance(content[0], dict) else {}
        content = first.get("text") if first.get("type") == "text" else None
    return isinstance(content, str) and trim_start(content).startswith(_SYNTHETIC_START)


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
