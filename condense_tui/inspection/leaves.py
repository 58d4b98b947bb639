"""The branches of a session, one a leaf: what was last asked on each, and how long it is.

Which leaves there are is `branch`'s to say; all paths together are walked once.
"""

from __future__ import annotations

from collections.abc import Mapping

from condense_tui.session.branch import leaves, newest_leaf
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry, Session
from condense_tui.session.heads import prompt_of


class LeafPath(Value, frozen=True):
    """A branch in short: `entries` from its root to its leaf.

    The active one ends at the file's last record, which is where pi goes on; the others were
    abandoned.  An entry within a branch is no leaf, and neither active nor abandoned.
    """

    leaf: Entry
    entries: int
    last_prompt: str | None
    is_active: bool
    is_leaf: bool


def leaf_paths(session: Session, shown: str | None = None) -> tuple[LeafPath, ...]:
    """Every branch, the last written first, and the path to `shown` where that is no leaf."""
    active = newest_leaf(session)
    ends = {entry.index: entry for entry in leaves(session)}
    by_id = {entry.id: entry for entry in session.entries if entry.id is not None}
    inner = [by_id[shown]] if shown in by_id else []
    asked = ends | {entry.index: entry for entry in (*inner, *([active] if active else []))}
    known: dict[int, _Way] = {}
    return tuple(
        _leaf_path(entry, _way_to(entry, by_id, known), active, entry.index in ends)
        for _, entry in sorted(asked.items(), reverse=True)
    )


class _Way(Value, frozen=True):
    entries: int = 0
    last_prompt: str | None = None

    def to(self, entry: Entry) -> _Way:
        return _Way(self.entries + 1, prompt_of(entry) or self.last_prompt)


def _leaf_path(entry: Entry, way: _Way, active: Entry | None, is_leaf: bool) -> LeafPath:
    return LeafPath(entry, way.entries, way.last_prompt, entry is active, is_leaf)


def _way_to(entry: Entry, by_id: Mapping[str, Entry], known: dict[int, _Way]) -> _Way:
    """The way from the root; what an earlier way went through is not walked again."""
    trail: list[Entry] = []
    on_trail: set[int] = set()
    step: Entry | None = entry
    while step and step.index not in known and step.index not in on_trail:
        trail.append(step)
        on_trail.add(step.index)
        step = by_id.get(step.parent_id) if step.parent_id else None
    around: list[Entry] = []
    if step and step.index not in known:
        around = trail[trail.index(step) :]
        _go_around(around, known)
    way = known[step.index] if step else _Way()
    for passed in reversed(trail[: len(trail) - len(around)]):
        way = known[passed.index] = way.to(passed)
    return known[entry.index]


def _go_around(cycle: list[Entry], known: dict[int, _Way]) -> None:
    """Wherever a cycle is entered, the way goes round it once."""
    prompts = [prompt_of(entry) for entry in cycle]
    nearest = next(filter(None, prompts), None)
    for entry, prompt in zip(reversed(cycle), reversed(prompts), strict=True):
        nearest = prompt or nearest
        known[entry.index] = _Way(len(cycle), nearest)
