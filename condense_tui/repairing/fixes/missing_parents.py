"""Branches that begin in the middle are linked to what came before, by the shortest honest link.

That is, in this order: the parent of the lost record, where its beginning can still be read;
the place that another child of the same missing entry was given; the last entry before it in the
file.  What was between is gone, and the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from condense_tui.repairing.components import Components
from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import TOO_DEEP, Line, Note
from condense_tui.repairing.remains import lost_parents
from condense_tui.repairing.tree import NOBODY, Tree
from condense_tui.session.compact import changed


def link_missing_parents(draft: Draft) -> Outcome:
    """In file order, so that a link leads to what has been linked already."""
    tree = draft.tree
    unread = _unread_ids(draft)
    cut_off = [
        number
        for number, line in enumerate(tree.lines)
        if line.parent_id and tree.parents[number] == NOBODY and line.parent_id not in unread
    ]
    if not draft.has_ids or not cut_off:
        return Outcome(draft)
    linking = _Linking(draft, tree, Components(tree, tree.parents))
    for number in cut_off:
        linking.link(number)
    followers = {**draft.followers, **linking.followers}
    linked = changed(draft.with_lines(linking.changed), followers=followers)
    return Outcome(linked, tuple(linking.notes))


def _unread_ids(draft: Draft) -> set[str]:
    """Ids on lines that pi can read and this program cannot: they are not missing."""
    deep = (line.raw.decode("utf-8", "replace") for line in draft.lines if line.value is TOO_DEEP)
    return set(lost_parents(deep))


@dataclass(slots=True)
class _Linking:
    draft: Draft
    tree: Tree
    components: Components
    changed: dict[int, Line] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    followers: dict[str, str] = field(default_factory=dict)
    link_of_missing: dict[str, int] = field(default_factory=dict)

    def link(self, number: int) -> None:
        line = self.tree.lines[number]
        missing = line.parent_id or ""
        self.followers.setdefault(missing, line.id or "")
        target, how = self._target(number, missing)
        self.link_of_missing.setdefault(missing, target)
        if target != NOBODY:
            self.components.link(number, target)
        parent = None if target == NOBODY else self.tree.lines[target].id
        self.changed[self.tree.places[number]] = line.with_fields(parentId=parent)
        now = f"it now follows {parent}, {how}" if parent else "it is now a beginning"
        self.notes.append(line.note(f"its parent {missing} is missing: {now}"))

    def _target(self, number: int, missing: str) -> tuple[int, str]:
        readable = self._parent_of_lost(missing)
        if readable is not None and self._may_link(number, readable):
            return readable, "which the missing entry followed"
        earlier = self.link_of_missing.get(missing)
        if earlier is not None and self._may_link(number, earlier):
            return earlier, "as the others below that entry"
        return self.components.last_before(number), "the last entry before it"

    def _may_link(self, number: int, target: int) -> bool:
        return target == NOBODY or self.components.root(target) != number

    def _parent_of_lost(self, missing: str) -> int | None:
        """Up through records that are lost to the first that is there; None where unknown."""
        seen: set[str] = set()
        wanted: str | None = missing
        while wanted and wanted in self.draft.lost_parents and wanted not in seen:
            seen.add(wanted)
            wanted = self.draft.lost_parents[wanted]
        if not seen or wanted in seen:
            return None
        return NOBODY if wanted is None else self.tree.number_of.get(wanted)
