"""What the way from the leaf to the root does not reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.leaves import leaf_paths
from condense_tui.pruning.records import EntryType, entry_type
from condense_tui.session.branch import Branch, root_of_each
from condense_tui.session.entries import Entry

# A branch hides another when that is at least so many times as long, and by so many entries.
_TIMES_LONGER = 2
_ENTRIES_LONGER = 10
_ARCHIVES = frozenset(
    {EntryType.INDEX, EntryType.SUMMARY, EntryType.ALIAS, EntryType.CHAIN},
)


def find_unreached(inspection: Inspection) -> Iterator[Finding]:
    """Entries, branches and records that this branch leaves aside."""
    yield from _cut_off(inspection.branch)
    yield from _longer_branches(inspection.branch)
    yield from _records_elsewhere(inspection.branch)
    yield from _lost_boundaries(inspection.branch)


def _cut_off(branch: Branch) -> Iterator[Finding]:
    """Other beginnings than this branch's whose parent is not in the file."""
    entries = branch.session.entries
    known = {entry.id for entry in entries}
    below = Counter(root_of_each(branch.session))
    own = branch.entries[0] if branch.entries else None
    for entry in entries:
        if entry is own or not below[entry.index]:
            continue
        if entry.parent_id is not None and entry.parent_id not in known:
            what = f"{below[entry.index]} entries hang below {entry.label}, whose parent is missing"
            yield Finding("entries-cut-off", what, entry=entry)


def _longer_branches(branch: Branch) -> Iterator[Finding]:
    own = len(branch.entries)
    enough = max(own * _TIMES_LONGER, own + _ENTRIES_LONGER)
    longer = [path for path in leaf_paths(branch.session) if path.entries >= enough]
    if branch.leaf and longer:
        longest = max(longer, key=lambda path: path.entries)
        what = (
            f"this branch has {own} entries, the one that ends at {longest.leaf.label} "
            f"has {longest.entries}"
        )
        yield Finding("longer-branch", what, entry=longest.leaf)


def _records_elsewhere(branch: Branch) -> Iterator[Finding]:
    here = {entry.index for entry in branch.entries}
    elsewhere = [
        entry
        for entry in branch.session.entries
        if entry.index not in here and entry_type(entry) in _ARCHIVES
    ]
    if elsewhere:
        what = f"{len(elsewhere)} of the extension's records are on other branches than this one"
        yield Finding("records-elsewhere", what, entry=elsewhere[0])


def _lost_boundaries(branch: Branch) -> Iterator[Finding]:
    """Only the newest compaction counts; one whose boundary is itself keeps nothing on purpose."""
    newest = next((e for e in reversed(branch.context_entries) if e.type == "compaction"), None)
    if newest is None:
        return
    boundary = newest.body.get("firstKeptEntryId")
    if boundary == newest.id:
        return
    if isinstance(boundary, str) and not _is_before(branch, newest, boundary):
        what = f"the compaction keeps what follows {boundary}, which is not on the branch"
        yield Finding("compaction-boundary-missing", what, entry=newest)


def _is_before(branch: Branch, compaction: Entry, entry_id: str) -> bool:
    for entry in branch.context_entries:
        if entry is compaction:
            return False
        if entry.id == entry_id:
            return True
    return False
