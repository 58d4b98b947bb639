"""Call ids that several replies use: from the second reply on each call gets an id of its own.

Providers may reuse ids, so this is no damage; it is done only when asked for.
"""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.freshids import FreshIds
from condense_tui.repairing.pairing import Answer
from condense_tui.repairing.renaming import ids_in_use, rename_calls


def separate_reused_ids(draft: Draft) -> Outcome:
    """In file order: the first reply that uses an id keeps it."""
    tree = draft.tree
    fresh = FreshIds(ids_in_use(tree))
    first_reply: dict[str, int] = {}
    renames: dict[Answer, str] = {}
    for number, message in enumerate(tree.messages):
        for call in message.tool_calls if message else ():
            if first_reply.setdefault(call.id, number) != number:
                renames[Answer(number, call.part)] = fresh.numbered(call.id)
    return rename_calls(draft, renames)
