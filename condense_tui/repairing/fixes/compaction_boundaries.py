"""Compactions that keep from an entry which is not there, or from between a call and its result.

A boundary that is missing is put where its place is known: before the first entry that hung below
it.  Where it is not known nothing is changed, because nobody can tell how much was to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Key, Line, Note
from condense_tui.repairing.pairing import Pairing
from condense_tui.repairing.tree import NOBODY, Tree
from condense_tui.session.compact import changed


def mend_boundaries(draft: Draft) -> Outcome:
    """Every compaction; what could not be told is only said of those that count for a leaf."""
    tree = draft.tree
    compactions = [number for number in tree.order if tree.lines[number].type == "compaction"]
    if not compactions:
        return Outcome(draft)
    reply_above = _replies_above(tree, draft.pairing)
    mending = _Mending(draft, tree, _followers(draft, tree), _newest(tree))
    for number in compactions:
        boundary = mending.boundary(number)
        if boundary in reply_above:
            mending.keep(number, reply_above[boundary], "so that a result keeps its call")
    kept = {**draft.kept, **mending.kept}
    mended = changed(draft.with_lines(mending.changed), kept=kept)
    return Outcome(mended, tuple(mending.done), tuple(mending.left))


@dataclass(slots=True)
class _Mending:
    draft: Draft
    tree: Tree
    followers: dict[str, str]
    newest: set[int]
    changed: dict[int, Line] = field(default_factory=dict)
    kept: dict[Key, Key] = field(default_factory=dict)
    done: list[Note] = field(default_factory=list)
    left: list[Note] = field(default_factory=list)

    def boundary(self, number: int) -> int:
        """The boundary as it is, or as it can be found."""
        found = self.tree.boundary(number)
        line = self.tree.lines[number]
        missing = line.body.get("firstKeptEntryId") if self.draft.has_ids else None
        # Its own id is how a compaction says that it keeps nothing.
        if found != NOBODY or not isinstance(missing, str) or missing == line.id:
            return found
        follower = self.tree.number_of.get(self.followers.get(missing, ""), NOBODY)
        if follower != NOBODY and self.tree.is_above(follower, number):
            self.keep(number, follower, f"the first entry after {missing}, which is missing")
            return follower
        if number in self.newest:
            what = f"it keeps what follows {missing}, which is not on its branch: pi keeps nothing"
            self.left.append(line.note(what))
        return NOBODY

    def keep(self, number: int, boundary: int, why: str) -> None:
        """Let a compaction keep from this entry on."""
        line, kept = self.tree.lines[number], self.tree.lines[boundary]
        if self.draft.has_ids:
            place = self.tree.places[number]
            line = self.changed.get(place, line).with_fields(firstKeptEntryId=kept.id)
            self.changed[place] = line
        else:
            self.kept[line.key] = kept.key
        self.done.append(line.note(f"it now keeps from {kept.label} on, {why}"))


def _followers(draft: Draft, tree: Tree) -> dict[str, str]:
    """Missing id → the first entry that hung below it."""
    followers = dict(draft.followers)
    for number, line in enumerate(tree.lines):
        if line.parent_id and line.id and tree.parents[number] == NOBODY:
            followers.setdefault(line.parent_id, line.id)
    return followers


def _replies_above(tree: Tree, pairing: Pairing) -> dict[int, int]:
    """Entry → the reply above it that a result at or below it answers."""
    above: dict[int, int] = {}
    for result, answer in pairing.answers.items():
        step = result
        while step != answer.reply and above.get(step) != answer.reply:
            above[step] = answer.reply
            step = tree.parents[step]
    return above


def _newest(tree: Tree) -> set[int]:
    """The compactions from which a leaf can be reached without another one."""
    reaches = [False] * len(tree.lines)
    for number in reversed(tree.order):
        children = tree.children[number]
        reaches[number] = not children or any(
            reaches[child] and tree.lines[child].type != "compaction" for child in children
        )
    return {number for number, line in enumerate(tree.lines) if reaches[number]}
