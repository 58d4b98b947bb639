"""Recoveries that are still in grace: what the model fetched back is not stubbed at once.

(Source: the pruning rules, phase 1.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message


class Grace(Value, frozen=True):
    """A `context_tree_query` result in grace, and for how many more user messages."""

    key: str
    turns_left: Number


KeyOf = Callable[[Message], str]


def in_grace(
    messages: Sequence[Message], grace_turns: Number, key_of: KeyOf = attrgetter("occurrence")
) -> dict[str, Grace]:
    """Occurrence key → grace, in the order of the messages; empty when the grace is off."""
    if grace_turns <= 0:
        return {}
    newest_first: list[Grace] = []
    users_after = 0
    for message in reversed(messages):
        if message.role == "user":
            users_after += 1
            if users_after > grace_turns:
                break
        elif message.is_recovery:
            newest_first.append(Grace(key_of(message), grace_turns - users_after))
    return {grace.key: grace for grace in reversed(newest_first)}
