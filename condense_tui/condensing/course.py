"""`Course`: a branch's messages laid out once, so that each flush looks at what is new to it.

Places are indexes into the `message` entries of the branch, which is what a flush looks at.
(Source: the pruning rules, sections 3 and 6.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

from condense_tui.pruning.detection import Chain, detect_chains
from condense_tui.pruning.grace import in_grace
from condense_tui.pruning.pending import Batch, turns_of
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message, message_of
from condense_tui.session.occurrences import occurrence_key
from condense_tui.session.outlines import RESULT


class Course(Value, frozen=True):
    """`turns` and `turn_places` go together; `gauged` has the `custom_message` entries too.

    `gauged_ends[place]` is how many messages of `gauged` stand before that place.  A key in
    `unsafe_keys` names several results with different texts, or might come to: archiving one
    of them would hide another.  `beyond_text` are the indexes of the entries whose results say
    more than a record can hold, which is their text.
    """

    messages: tuple[Message, ...]
    turns: tuple[Batch, ...]
    turn_places: tuple[int, ...]
    user_places: tuple[int, ...]
    chains: tuple[Chain, ...]
    gauged: tuple[Message, ...]
    gauged_ends: tuple[int, ...]
    unsafe_keys: frozenset[str]
    beyond_text: frozenset[int]

    def is_beyond_text(self, result: Message | None) -> bool:
        """Whether archiving a result would lose some of it."""
        entry = result.entry if result else None
        return entry is not None and entry.index in self.beyond_text

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
    results = _Results(messages)
    return Course(
        messages=tuple(messages),
        turns=tuple(turns_of(messages)),
        turn_places=_places(messages, "assistant"),
        user_places=_places(messages, "user"),
        chains=tuple(detect_chains(messages)),
        gauged=tuple(gauged),
        gauged_ends=(*ends, len(gauged)),
        unsafe_keys=frozenset(results.unsafe_keys),
        beyond_text=frozenset(results.beyond_text),
    )


def _places(messages: Sequence[Message], role: str) -> tuple[int, ...]:
    return tuple(place for place, message in enumerate(messages) if message.role == role)


class _Results:
    """What can be known of results only by reading what each of them says, which is done once."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.unsafe_keys: set[str] = set()
        self.beyond_text: set[int] = set()
        self._said_of_key: dict[str, object] = {}
        self._count_of_id: Counter[str] = Counter()
        for message in messages:
            if message.role == RESULT:
                self._read(message)
        # A record under a bare id speaks for every result of that id that has no other.
        self.unsafe_keys.update(
            bare_id for bare_id, count in self._count_of_id.items() if count > 1
        )

    def _read(self, result: Message) -> None:
        said: object = result.text
        if result.entry and not result.is_all_text:
            self.beyond_text.add(result.entry.index)
            # What says more than its text is like nothing else.
            said = result
        key = occurrence_key(result.tool_call_id, result.timestamp)
        if self._said_of_key.setdefault(key, said) != said:
            self.unsafe_keys.add(key)
        self._count_of_id[result.tool_call_id] += 1
