"""What the way from the leaf to the root leaves aside."""

from __future__ import annotations

from tests.build import SessionBuilder
from tests.looks import Look


def one_branch() -> SessionBuilder:
    return SessionBuilder().user().turn("x").answer()


def two_short_branches() -> SessionBuilder:
    return one_branch().back_to("e1").answer()


def long_branch_behind_a_short_one() -> SessionBuilder:
    session = SessionBuilder().user()
    for _ in range(12):
        session.answer()
    return session.back_to("e1").answer()


def beginning_that_hangs_in_the_air() -> SessionBuilder:
    session = one_branch().back_to("gone").user().answer()
    return session.back_to("e4").user()


def second_root() -> SessionBuilder:
    return one_branch().back_to(None).user().back_to("e4").user()


def records_on_an_abandoned_branch() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=2000).archive("t1", "x", 2000)
    return session.back_to("e1").answer()


def frontier_on_an_abandoned_branch() -> SessionBuilder:
    """Only what can be recovered counts."""
    session = SessionBuilder().user().custom("context-prune-frontier", {})
    return session.back_to("e1").answer()


def compaction(boundary: str) -> SessionBuilder:
    session = one_branch().entry("compaction", summary="S", firstKeptEntryId=boundary)
    return session.user()


def compaction_that_keeps_nothing() -> SessionBuilder:
    return compaction("gone")


def compaction_that_keeps_the_rest() -> SessionBuilder:
    return compaction("e3")


def compaction_that_keeps_nothing_on_purpose() -> SessionBuilder:
    return compaction("e5")


FIRES = [
    Look("entries-cut-off", beginning_that_hangs_in_the_air, (6,)),
    Look("longer-branch", long_branch_behind_a_short_one, (14,)),
    Look("records-elsewhere", records_on_an_abandoned_branch, (5,)),
    Look("compaction-boundary-missing", compaction_that_keeps_nothing, (6,)),
]
SILENT = [
    Look("entries-cut-off", one_branch),
    Look("entries-cut-off", second_root),
    Look("longer-branch", one_branch),
    Look("longer-branch", two_short_branches),
    Look("records-elsewhere", frontier_on_an_abandoned_branch),
    Look("compaction-boundary-missing", compaction_that_keeps_the_rest),
    Look("compaction-boundary-missing", compaction_that_keeps_nothing_on_purpose),
    Look("compaction-boundary-missing", one_branch),
]
