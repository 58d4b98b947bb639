"""Every fix: its name, what it does and why.  The order is the order in which they are applied.

First the lines, then how entries hang together, then what a context is made of.
"""

from __future__ import annotations

from condense_tui.repairing.draft import Mend
from condense_tui.repairing.fixes.bare_values import leave_out_bare_values
from condense_tui.repairing.fixes.compaction_boundaries import mend_boundaries
from condense_tui.repairing.fixes.cut_short_results import set_aside_cut_short_results
from condense_tui.repairing.fixes.cycles import cut_cycles
from condense_tui.repairing.fixes.doubled_ids import separate_doubled_ids
from condense_tui.repairing.fixes.duplicate_ids import give_own_ids
from condense_tui.repairing.fixes.edited_replies import set_aside_results_of_edited_replies
from condense_tui.repairing.fixes.missing_ids import give_missing_ids
from condense_tui.repairing.fixes.missing_messages import set_aside_missing_messages
from condense_tui.repairing.fixes.missing_parents import link_missing_parents
from condense_tui.repairing.fixes.orphan_results import mend_orphan_results
from condense_tui.repairing.fixes.prune_records import mend_prune_records
from condense_tui.repairing.fixes.reply_contents import list_reply_contents
from condense_tui.repairing.fixes.reused_ids import separate_reused_ids
from condense_tui.repairing.fixes.second_headers import leave_out_second_headers
from condense_tui.repairing.fixes.torn_ends import end_last_line
from condense_tui.repairing.fixes.unreadable_lines import leave_out_unreadable_lines
from condense_tui.repairing.fixes.welded_lines import split_welded_lines
from condense_tui.session.compact import Value


class Fix(Value, frozen=True):
    """One row of the table; one that `must_be_named` mends no damage."""

    name: str
    what: str
    why: str
    mend: Mend
    must_be_named: bool = False


FIXES = (
    Fix(
        "welded-lines",
        "puts each complete record of a line that is not JSON on a line of its own",
        "pi passes over the whole line, and everything on it is lost",
        split_welded_lines,
    ),
    Fix(
        "torn-end",
        "leaves half a record at the end out, and ends the last line",
        "the next record that is written would be welded to it",
        end_last_line,
    ),
    Fix(
        "unreadable-lines",
        "leaves out lines that hold no whole record",
        "pi passes over them",
        leave_out_unreadable_lines,
    ),
    Fix(
        "bare-values",
        "leaves out lines that are JSON, but no object",
        "pi takes some of them for entries, and the last one for the end of the branch",
        leave_out_bare_values,
    ),
    Fix(
        "second-header",
        "leaves out every header but the first",
        "pi goes by the first one",
        leave_out_second_headers,
    ),
    Fix(
        "missing-ids",
        "gives an id to entries without one; without a parent they follow the entry before",
        "nothing can hang below them, and as the last record one leaves pi without a branch",
        give_missing_ids,
    ),
    Fix(
        "duplicate-ids",
        "gives later entries with the same id one of their own; what names it later follows",
        "pi keeps the last entry with an id, and the others are on no branch",
        give_own_ids,
    ),
    Fix(
        "cycles",
        "links an entry that is its own ancestor to the entry before it",
        "pi follows the parents until its memory is full",
        cut_cycles,
    ),
    Fix(
        "missing-parents",
        "links an entry whose parent is missing to the nearest entry that can have been before it",
        "pi does not send what lies before it",
        link_missing_parents,
    ),
    Fix(
        "missing-messages",
        "sets message entries without a message aside",
        "pi fails on them",
        set_aside_missing_messages,
    ),
    Fix(
        "reply-contents",
        "makes a list of parts of a reply's content that is none",
        "pi's provider layer fails on it, and nothing is sent",
        list_reply_contents,
    ),
    Fix(
        "prune-records",
        "completes records of the extension on which it fails",
        "it prunes nothing, or forgets all later records",
        mend_prune_records,
    ),
    Fix(
        "doubled-ids",
        "gives the second call with an id in one reply an id of its own, and so its result",
        "providers refuse the reply, or mix up the results",
        separate_doubled_ids,
    ),
    Fix(
        "compaction-boundary",
        "lets a compaction keep from an entry that is there, and not from between call and result",
        "pi keeps nothing, or sends a result without its call",
        mend_boundaries,
    ),
    Fix(
        "orphan-results",
        "puts a result back behind its call where only other messages came between, "
        "and sets any other result without an open call aside",
        "providers refuse it",
        mend_orphan_results,
    ),
    Fix(
        "cut-short-results",
        "sets the results of failed and aborted replies aside",
        "pi leaves the reply out and sends its results, which providers refuse",
        set_aside_cut_short_results,
    ),
    Fix(
        "edited-replies",
        "sets the results aside whose call a context edit takes away",
        "pi sends them without their call, which providers refuse",
        set_aside_results_of_edited_replies,
    ),
    Fix(
        "reused-ids",
        "gives calls whose id an earlier reply has used an id of their own",
        "not damage: providers reuse ids. With ids of their own no two outputs share a name",
        separate_reused_ids,
        must_be_named=True,
    ),
)
FIX_OF_NAME = {fix.name: fix for fix in FIXES}
USUAL_FIXES = tuple(fix for fix in FIXES if not fix.must_be_named)
