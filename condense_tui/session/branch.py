"""`Session` + leaf → `Branch`: the entries from the root to the leaf.

No leaf is stored in a session: it is the last record, whatever its type.  A branch goes from
the leaf to parent after parent until there is none, or one that is not in the file.
(Source: the session format notes, section 6.)
"""

from __future__ import annotations

from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry, Problem, ProblemKind, Refusal, Session


class Branch(Value, frozen=True):
    """One line of entries through a session.

    `entries` is what extensions read; `context_entries` is what pi builds the context from.
    They differ only where the last record has no id: pi then finds no branch, but still falls
    back to that record for the context.
    """

    session: Session
    leaf: Entry | None
    entries: tuple[Entry, ...]
    context_entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    def added_to(self, before: Branch) -> tuple[Entry, ...] | None:
        """What this branch has after all of another one; None where that is not its beginning."""
        count = len(before.entries)
        is_further = self.entries[:count] == before.entries and count > 0
        return self.entries[count:] if is_further and self.is_whole and before.is_whole else None

    @property
    def is_whole(self) -> bool:
        """Whether pi builds the context from what extensions read."""
        has_way = self.leaf is None or bool(self.entries)
        return has_way and self.context_entries is self.entries

    @property
    def leaf_id(self) -> str | None:
        """The id of the leaf, if it has one."""
        return self.leaf.id if self.leaf else None


def default_branch(session: Session) -> Branch:
    """The branch that pi opens: the one of the last record."""
    return _branch(session, newest_leaf(session))


def newest_leaf(session: Session) -> Entry | None:
    """Where the branch that pi opens ends."""
    return session.entries[-1] if session.entries else None


def branch_to(session: Session, entry_id: str) -> Branch | None:
    """The branch that ends at the entry with this id, or None when there is no such entry."""
    entry = _by_id(session).get(entry_id)
    return _branch(session, entry) if entry else None


def branch_of(session: Session, leaf: str | None) -> Branch | Refusal:
    """The branch that ends at an entry, without one what pi opens; or why there is none."""
    branch = default_branch(session) if leaf is None else branch_to(session, leaf)
    return branch or Refusal(f"no entry has the id {leaf}")


class Continuation(Value, frozen=True):
    """A branch in a later reading of its file.

    `is_elsewhere`: the last record is on another one.  `is_torn`: it is the one that pi opens,
    which hangs on nothing that was there.
    """

    branch: Branch
    is_elsewhere: bool = False
    is_torn: bool = False


def carried_on(shown: Branch, session: Session, is_pinned: bool = False) -> Continuation:
    """The branch that was shown, as far as it goes on now; one that is pinned does not.

    Where its end is in the file no more, it is the branch that pi opens; so it is where what
    was added hangs on nothing that is there, for then nobody went back to another branch.
    """
    leaf = _entry_again(shown.leaf, session)
    if leaf is None:
        return Continuation(default_branch(session))
    if is_pinned:
        return Continuation(_branch(session, leaf))
    added: list[Entry] = []
    for entry in session.entries[leaf.index + 1 :]:
        if leaf.id is None or entry.parent_id == leaf.id:
            leaf = entry
            added.append(entry)
    if leaf is newest_leaf(session):
        return Continuation(_further(shown, session, added) or _branch(session, leaf))
    newest = default_branch(session)
    if _hangs_on_nothing(newest, leaf):
        return Continuation(newest, is_torn=True)
    return Continuation(_branch(session, leaf), is_elsewhere=True)


def _hangs_on_nothing(branch: Branch, before: Entry) -> bool:
    root = next(iter(branch.entries), None)
    return root is not None and root.index > before.index and root.parent_id is not None


def _further(shown: Branch, session: Session, added: list[Entry]) -> Branch | None:
    """The branch with more at its end, unless an id that came again may lead elsewhere."""
    if not shown.entries or not shown.is_whole or shown.problems:
        return None
    last = shown.entries[-1]
    if session.entries[last.index : last.index + 1] != (last,):
        return None
    doubtful = (problem.line for problem in session.problems if problem.kind in _OTHER_WAYS)
    if any(line > last.line for line in doubtful):
        return None
    path = (*shown.entries, *added)
    return Branch(session, path[-1], path, path, ())


_OTHER_WAYS = (ProblemKind.DUPLICATE_ID, ProblemKind.NO_ID)


def _entry_again(entry: Entry | None, session: Session) -> Entry | None:
    """What has its place, or else its id."""
    if entry is None:
        return None
    if entry.index < len(session.entries) and session.entries[entry.index].id == entry.id:
        return session.entries[entry.index]
    return _by_id(session).get(entry.id) if entry.id else None


def leaves(session: Session) -> tuple[Entry, ...]:
    """The entries that are nobody's parent, in file order: one for each branch.

    Where the last record closes a loop everyone is a parent; pi begins there all the same.
    """
    parents = {entry.parent_id for entry in session.entries if entry.parent_id != entry.id}
    by_id = _by_id(session)
    ends = [entry for entry in by_id.values() if entry.id not in parents]
    last = newest_leaf(session)
    if last and last.id in parents and _closes_loop(last, by_id):
        ends.append(last)
    return tuple(sorted(ends, key=lambda entry: entry.index))


def _closes_loop(entry: Entry, by_id: dict[str, Entry]) -> bool:
    path, problems = _path_to(entry, by_id)
    return bool(problems) and path[0].parent_id == entry.id != entry.parent_id


def _by_id(session: Session) -> dict[str, Entry]:
    """With duplicate ids the last record counts."""
    return {entry.id: entry for entry in session.entries if entry.id is not None}


def _branch(session: Session, leaf: Entry | None) -> Branch:
    if leaf is None:
        return Branch(session, None, (), (), ())
    by_id = _by_id(session)
    start = by_id.get(leaf.id, leaf) if leaf.id else leaf
    path, problems = _path_to(start, by_id)
    if leaf.id is None:
        context_path = () if leaf.has_null_id else path
        return Branch(session, leaf, (), context_path, tuple(problems))
    problems += _cut_off(session, path, by_id)
    return Branch(session, start, path, path, tuple(problems))


def _path_to(leaf: Entry, by_id: dict[str, Entry]) -> tuple[tuple[Entry, ...], list[Problem]]:
    path = [leaf]
    seen = {leaf.index}
    while (parent_id := path[-1].parent_id) and (parent := by_id.get(parent_id)):
        if parent.index in seen:
            reason = f"{parent.label} is its own ancestor: pi never ends here, we stop"
            return tuple(path[::-1]), [Problem(path[-1].line, ProblemKind.CYCLE, reason)]
        seen.add(parent.index)
        path.append(parent)
    return tuple(path[::-1]), []


def _cut_off(session: Session, path: tuple[Entry, ...], by_id: dict[str, Entry]) -> list[Problem]:
    """A missing parent ends the path without a word; say how much lies before it."""
    root = path[0]
    if root.parent_id is None or root.parent_id in by_id:
        return []
    count = _entries_before(session, root, by_id)
    reason = (
        f"{count} entr{'y is' if count == 1 else 'ies are'} not on this branch "
        f"because the parent {root.parent_id} of {root.label} is missing"
    )
    return [Problem(root.line, ProblemKind.MISSING_PARENT, reason)]


def _entries_before(session: Session, root: Entry, by_id: dict[str, Entry]) -> int:
    """Entries that stand before `root` in the file and do not descend from it."""
    roots = _roots(session, by_id)
    return sum(
        1
        for entry in session.entries
        if entry.line < root.line and roots[entry.index] != root.index
    )


def root_of_each(session: Session) -> list[int]:
    """For each entry the index of the entry that its path begins at; linear, cycles allowed."""
    return _roots(session, _by_id(session))


def _roots(session: Session, by_id: dict[str, Entry]) -> list[int]:
    roots = [-1] * len(session.entries)
    for entry in session.entries:
        trail: list[Entry] = []
        on_trail: set[int] = set()
        current: Entry | None = entry
        while current and roots[current.index] < 0 and current.index not in on_trail:
            trail.append(current)
            on_trail.add(current.index)
            current = by_id.get(current.parent_id) if current.parent_id else None
        root = roots[current.index] if current and roots[current.index] >= 0 else trail[-1].index
        for step in trail:
            roots[step.index] = root
    return roots
