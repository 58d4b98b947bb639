"""Entries that are their own ancestors, on which pi never ends, are linked to what came before.

A loop is cut at the entry that stands first in the file: its parent was written after it, which
no honest writer does.
"""

from __future__ import annotations

from condense_tui.repairing.components import Components
from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line, Note
from condense_tui.repairing.tree import NOBODY, Tree


def cut_cycles(draft: Draft) -> Outcome:
    """Every loop once; the entry that is cut follows the last one before it, if there is one."""
    tree = draft.tree
    cuts = _first_of_each_loop(tree)
    if not cuts:
        return Outcome(draft)
    parents = list(tree.parents)
    for number in cuts:
        parents[number] = NOBODY
    components = Components(tree, parents)
    changed: dict[int, Line] = {}
    notes: list[Note] = []
    for number in cuts:
        line, before = tree.lines[number], components.last_before(number)
        parent = None if before == NOBODY else tree.lines[before].id
        if before != NOBODY:
            components.link(number, before)
        changed[tree.places[number]] = line.with_fields(parentId=parent)
        now = f"it now follows {parent}" if parent else "it is now a beginning"
        notes.append(line.note(f"its parent {line.parent_id} led back to itself: {now}"))
    return Outcome(draft.with_lines(changed), tuple(notes))


def _first_of_each_loop(tree: Tree) -> list[int]:
    """In file order."""
    walk_of = [NOBODY] * len(tree.lines)
    firsts = []
    for start in range(len(tree.lines)):
        number = start
        while number != NOBODY and walk_of[number] == NOBODY:
            walk_of[number] = start
            number = tree.parents[number]
        if number != NOBODY and walk_of[number] == start:
            firsts.append(min(_loop(tree, number)))
    return sorted(firsts)


def _loop(tree: Tree, member: int) -> list[int]:
    loop = [member]
    while (number := tree.parents[loop[-1]]) != member:
        loop.append(number)
    return loop
