"""Results without an open call, which providers refuse.

Where only messages that are no replies came between, the result is put back behind its call:
the entries before and after it are linked anew, and nothing else moves.  Otherwise it is set
aside.
"""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line, Note
from condense_tui.repairing.pairing import Orphan, Stray
from condense_tui.repairing.setaside import set_aside
from condense_tui.repairing.tree import NOBODY, Tree
from condense_tui.session.compact import changed


def mend_orphan_results(draft: Draft) -> Outcome:
    """All but those of replies that were cut short."""
    tree = draft.tree
    orphans = draft.pairing.orphans
    moved = {
        orphan.result: orphan.barrier
        for orphan in orphans
        if orphan.barrier != NOBODY and tree.can_be_named(orphan.result)
    }
    strays = {tree.places[orphan.result]: orphan for orphan in orphans if _is_stray(orphan)}
    lines = {place: draft.lines[place] for place in sorted(strays)}
    aside = set_aside(draft, lines, lambda place: f"a result, but {strays[place].stray}")
    if not moved:
        return aside
    return changed(_moved(aside.draft, tree, moved), done=(*aside.done, *_notes(tree, moved)))


def _is_stray(orphan: Orphan) -> bool:
    return orphan.barrier == NOBODY and orphan.stray is not Stray.CUT_SHORT_REPLY


def _notes(tree: Tree, moved: dict[int, int]) -> list[Note]:
    return [
        tree.lines[result].note(f"put back behind its call, before {tree.lines[barrier].label}")
        for result, barrier in moved.items()
    ]


def _moved(draft: Draft, tree: Tree, moved: dict[int, int]) -> Outcome:
    if not draft.has_ids:
        return Outcome(_reordered(draft, tree, moved))
    parents = _parents(tree, moved)
    changed = {}
    for number, parent in parents.items():
        line = draft.lines[tree.places[number]]
        name = None if parent == NOBODY else tree.lines[parent].id
        changed[tree.places[number]] = line.with_fields(parentId=name)
    return Outcome(_with_same_leaf(draft.with_lines(changed), tree, moved))


def _parents(tree: Tree, moved: dict[int, int]) -> dict[int, int]:
    """The new parents: of the moved results, of the messages they are put before, and of the
    entries that followed them."""
    parents: dict[int, int] = {}
    last_before: dict[int, int] = {}
    for result, barrier in moved.items():
        parents[result] = last_before.get(barrier, tree.parents[barrier])
        last_before[barrier] = result
        for child in tree.children[result]:
            if child not in moved:
                parents[child] = _unmoved(tree, moved, result)
    return {**parents, **last_before}


def _unmoved(tree: Tree, moved: dict[int, int], number: int) -> int:
    while number in moved:
        number = tree.parents[number]
    return number


def _with_same_leaf(draft: Draft, tree: Tree, moved: dict[int, int]) -> Draft:
    """The branch that pi opens ends in the last line: where that was moved, what came before it."""
    last = len(tree.lines) - 1
    if last not in moved:
        return draft
    place = tree.places[_unmoved(tree, moved, last)]
    lines = [*draft.lines[:place], *draft.lines[place + 1 :], draft.lines[place]]
    return changed(draft, lines=tuple(lines))


def _reordered(draft: Draft, tree: Tree, moved: dict[int, int]) -> Draft:
    """Before version 2 the order of the lines is the path."""
    places = {tree.places[result] for result in moved}
    put_before: dict[int, list[Line]] = {}
    for result, barrier in moved.items():
        line = draft.lines[tree.places[result]]
        put_before.setdefault(tree.places[barrier], []).append(line)
    lines: list[Line] = []
    for place, line in enumerate(draft.lines):
        lines += put_before.get(place, [])
        if place not in places:
            lines.append(line)
    return changed(draft, lines=tuple(lines))
