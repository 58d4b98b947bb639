"""Entries that share an id: the later ones get ids of their own.

Whoever names the id meant the entry that had it when the name was written, so a child and a
reference go to the nearest one before them in the file; pi would give all of them to the last.
A compaction and an edit look along their own branch first.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.freshids import FreshIds
from condense_tui.repairing.lines import Line, Note, entry_id
from condense_tui.repairing.tree import NOBODY, Tree

_REFERENCES = ("targetId", "fromId", "firstKeptEntryId")
_ON_BRANCH = frozenset({"compaction", "context_edit"})


def give_own_ids(draft: Draft) -> Outcome:
    """Later entries with an id that was used before, and all that refers to them."""
    tree = draft.tree
    users: dict[str, list[int]] = {}
    for number, line in enumerate(tree.lines):
        if line.id and draft.has_ids:
            users.setdefault(line.id, []).append(number)
    shared = {name: numbers for name, numbers in users.items() if len(numbers) > 1}
    if not shared:
        return Outcome(draft)
    fresh = FreshIds(users)
    renamed = {
        number: fresh.entry_id(tree.lines[number])
        for numbers in shared.values()
        for number in numbers[1:]
    }
    separation = _Separation(tree, shared, dict(sorted(renamed.items())))
    separation.run()
    return Outcome(draft.with_lines(separation.changed), tuple(separation.notes))


@dataclass(slots=True)
class _Separation:
    tree: Tree
    shared: dict[str, list[int]]
    renamed: dict[int, str]
    changed: dict[int, Line] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    def run(self) -> None:
        lines = self.tree.lines
        self.parents = [
            self._meant(line.parent_id, number)
            if line.parent_id in self.shared
            else self.tree.parents[number]
            for number, line in enumerate(lines)
        ]
        for number, line in enumerate(lines):
            if fields := self._fields(number, line):
                self.changed[self.tree.places[number]] = line.with_fields(**fields)
        for number, name in self.renamed.items():
            self.notes.append(lines[number].note(f"the id was used before: it is now {name}"))

    def _fields(self, number: int, line: Line) -> dict[str, str]:
        fields = {"id": self.renamed[number]} if number in self.renamed else {}
        if line.parent_id in self.shared and self.parents[number] in self.renamed:
            fields["parentId"] = self.renamed[self.parents[number]]
        for name in _REFERENCES:
            wanted = entry_id(line.body.get(name))
            if wanted in self.shared:
                target = self._referred(wanted, number, line)
                if target in self.renamed:
                    fields[name] = self.renamed[target]
        return fields

    def _referred(self, wanted: str, number: int, line: Line) -> int:
        if line.type in _ON_BRANCH:
            users = set(self.shared[wanted])
            seen: set[int] = set()
            step = self.parents[number]
            while step != NOBODY and step not in seen:
                if step in users:
                    return step
                seen.add(step)
                step = self.parents[step]
        return self._meant(wanted, number)

    def _meant(self, wanted: str | None, number: int) -> int:
        """The nearest user of the id before this entry, else the first one after it."""
        users = self.shared[wanted or ""]
        before = bisect_left(users, number)
        return users[before - 1] if before else users[0]
