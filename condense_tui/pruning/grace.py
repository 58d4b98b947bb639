"""Recoveries that are still in grace: what the model fetched back is not stubbed at once.

(Source: the pruning rules, phase 1.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from condense_tui.pruning.occurrences import occurrence_of
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import Message


class Grace(Value, frozen=True):
    """A `context_tree_query` result in grace, and for how many more user messages."""

    key: str
    turns_left: Number


KeyOf = Callable[[Message], str]


def in_grace(
    messages: Sequence[Message], grace_turns: Number, key_of: KeyOf = occurrence_of
) -> dict[str, Grace]:
    """Occurrence key → grace, in the order of the messages; empty when the grace is off."""
    if grace_turns <= 0:
        return {}
    users_after = sum(message.role == "user" for message in messages)
    graces: dict[str, Grace] = {}
    for message in messages:
        if message.role == "user":
            users_after -= 1
        elif message.is_recovery and users_after <= grace_turns:
            key = key_of(message)
            graces[key] = Grace(key, grace_turns - users_after)
    return graces
