"""`Course`: a branch's messages laid out once, so that each flush looks at what is new to it.

Places are indexes into the `message` entries of the branch, which is what a flush looks at.
(Source: the pruning rules, sections 3 and 6.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from condense_tui.pruning.detection import Chain, detect_chains
from condense_tui.pruning.grace import in_grace
from condense_tui.pruning.pending import Batch, turns_of
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message, message_of
from condense_tui.session.occurrences import occurrence_key


class Course(Value, frozen=True):
    """`turns` and `turn_places` go together; `gauged` has the `custom_message` entries too.

    `gauged_ends[place]` is how many messages of `gauged` stand before that place.  A key in
    `unsafe_keys` names several results with different texts, or might come to: archiving one
    of them would hide another.
    """

    messages: tuple[Message, ...]
    turns: tuple[Batch, ...]
    turn_places: tuple[int, ...]
    user_places: tuple[int, ...]
    chains: tuple[Chain, ...]
    gauged: tuple[Message, ...]
    gauged_ends: tuple[int, ...]
    unsafe_keys: frozenset[str]

    def keys_in_grace(self, upto: int, grace_turns: Number) -> frozenset[str]:
        """The recoveries in grace where only the messages before `upto` are there."""
        users = bisect_left(self.user_places, upto)
        oldest = users - 1 - int(grace_turns)
        start = self.user_places[oldest] if oldest >= 0 else 0
        return frozenset(in_grace(self.messages[start:upto], grace_turns))


def lay_out(entries: Iterable[Entry]) -> Course:
    """The course of a branch's entries, root first."""
    gauged: list[Message] = []
    messages: list[Message] = []
    ends: list[int] = []
    for entry in entries:
        if entry.type not in ("message", "custom_message"):
            continue
        message = message_of(entry)
        if message is None:
            continue
        if entry.type == "message":
            messages.append(message)
            ends.append(len(gauged))
        gauged.append(message)
    return Course(
        messages=tuple(messages),
        turns=tuple(turns_of(messages)),
        turn_places=_places(messages, "assistant"),
        user_places=_places(messages, "user"),
        chains=tuple(detect_chains(messages)),
        gauged=tuple(gauged),
        gauged_ends=(*ends, len(gauged)),
        unsafe_keys=_unsafe_keys(messages),
    )


def _places(messages: Sequence[Message], role: str) -> tuple[int, ...]:
    return tuple(place for place, message in enumerate(messages) if message.role == role)


def _unsafe_keys(messages: Sequence[Message]) -> frozenset[str]:
    text_of_key: dict[str, str] = {}
    results_of_id: dict[str, int] = {}
    unsafe: set[str] = set()
    results = [message for message in messages if message.role == "toolResult"]
    for result in results:
        bare_id, text = result.tool_call_id, result.text
        key = occurrence_key(bare_id, result.timestamp)
        if text_of_key.setdefault(key, text) != text:
            unsafe.add(key)
        results_of_id[bare_id] = results_of_id.get(bare_id, 0) + 1
    # A record under a bare id speaks for every result of that id that has no other.
    unsafe |= {bare_id for bare_id, count in results_of_id.items() if count > 1}
    return frozenset(unsafe)
