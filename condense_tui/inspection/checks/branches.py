"""What the way from the leaf to the root does not reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.leaves import leaf_paths
from condense_tui.pruning.records import ARCHIVES, entry_type
from condense_tui.session.branch import Branch, root_of_each
from condense_tui.session.context import lost_boundary

# A branch hides another when that is at least so many times as long, and by so many entries.
_TIMES_LONGER = 2
_ENTRIES_LONGER = 10


def find_unreached(inspection: Inspection) -> Iterator[Finding]:
    """Entries, branches and records that this branch leaves aside."""
    yield from _cut_off(inspection.branch)
    yield from _longer_branches(inspection.branch)
    yield from _records_elsewhere(inspection.branch)
    yield from _lost_boundaries(inspection.branch)


def _cut_off(branch: Branch) -> Iterator[Finding]:
    """Other beginnings than this branch's whose parent is not in the file."""
    entries = branch.session.entries
    known = {None, *(entry.id for entry in entries)}
    orphans = [entry for entry in entries if entry.parent_id not in known]
    below = Counter(root_of_each(branch.session)) if orphans else Counter()
    own = branch.entries[0] if branch.entries else None
    for entry in orphans:
        if entry is not own and below[entry.index]:
            what = (
                f"the parent {entry.parent_id} of {entry.label} is not in the file; "
                f"entries that are cut off with it: {below[entry.index]}"
            )
            yield Finding("entries-cut-off", what, entry=entry)


def _longer_branches(branch: Branch) -> Iterator[Finding]:
    own = len(branch.entries)
    enough = max(own * _TIMES_LONGER, own + _ENTRIES_LONGER)
    if len(branch.session.entries) < enough:
        return
    longer = [path for path in leaf_paths(branch.session) if path.entries >= enough]
    if branch.leaf and longer:
        longest = max(longer, key=lambda path: path.entries)
        what = (
            f"this branch has {own} entries, the one that ends at {longest.leaf.label} "
            f"has {longest.entries}"
        )
        yield Finding("longer-branch", what, entry=longest.leaf)


def _records_elsewhere(branch: Branch) -> Iterator[Finding]:
    if len(branch.entries) == len(branch.session.entries):
        return
    here = {entry.index for entry in branch.entries}
    elsewhere = [
        entry
        for entry in branch.session.entries
        if entry.index not in here and entry_type(entry) in ARCHIVES
    ]
    if elsewhere:
        what = f"records of the extension on other branches than this one: {len(elsewhere)}"
        yield Finding("records-elsewhere", what, entry=elsewhere[0])


def _lost_boundaries(branch: Branch) -> Iterator[Finding]:
    if compaction := lost_boundary(branch.context_entries):
        boundary = compaction.body["firstKeptEntryId"]
        what = f"the compaction keeps what follows {boundary}, which is not on the branch"
        yield Finding("compaction-boundary-missing", what, entry=compaction)
