"""Calls of one reply that share an id: from the second on each gets an id of its own.

Results are paired by position: the first result of the id answers the first call.
"""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.freshids import FreshIds
from condense_tui.repairing.pairing import Answer
from condense_tui.repairing.renaming import ids_in_use, rename_calls
from condense_tui.repairing.tree import Tree


def separate_doubled_ids(draft: Draft) -> Outcome:
    """Every reply that has an id twice."""
    tree = draft.tree
    doubled = [call for number in tree.order for call in _doubled(tree, number)]
    if not doubled:
        return Outcome(draft)
    fresh = FreshIds(ids_in_use(tree))
    renames = {call: fresh.numbered(name) for call, name in doubled}
    return rename_calls(draft, renames)


def _doubled(tree: Tree, number: int) -> list[tuple[Answer, str]]:
    message = tree.messages[number]
    seen: set[str] = set()
    found = []
    for call in message.tool_calls if message else ():
        if call.id in seen:
            found.append((Answer(number, call.part), call.id))
        seen.add(call.id)
    return found
