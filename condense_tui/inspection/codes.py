"""The stable codes of everything that can be said of a session: how bad, why, what to do.

One row a code.  `FINDING_CODES` are those of this program, `PROBLEM_CODES` those of lines that
could not be read, `DIAGNOSTIC_CODES` those of the extension's own reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.session.compact import Value
from condense_tui.session.entries import ProblemKind


class Severity(StrEnum):
    """How bad it is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Code(Value, frozen=True):
    """What is the same for every finding of a kind."""

    severity: Severity
    why: str
    advice: str


RAW_PREFIX = "raw-"
_REPAIR = "Write a mended copy with `condense-tui repair`."
# A harmless skip is reported as an unresolved range; it is told apart here.
OVERLAP_KIND = "overlap"
# What the provider layer would be handed, of the context that is sent.  (Source: the pruning
# rules, section 9.)
PAIRING_CODES: Mapping[str, Code] = {
    "request-failed": Code(
        Severity.ERROR,
        "pi's provider layer fails on a reply whose content is no list, so nothing is sent.",
        "Leave the reply out in a copy of the session, or go on from an entry before it.",
    ),
    "orphan-result": Code(
        Severity.ERROR,
        "Providers refuse a result whose call is not open, so the session cannot go on.",
        "Write a mended copy with `condense-tui repair`, or go on from an entry before it.",
    ),
    "second-result": Code(
        Severity.ERROR,
        "A call may have one result; providers refuse a request with a second one.",
        _REPAIR,
    ),
    "result-after-barrier": Code(
        Severity.ERROR,
        "pi sends an invented result before the message and the real one after it.",
        "Write a mended copy with `condense-tui repair`, and find out who wrote the message.",
    ),
    "result-of-cut-short-reply": Code(
        Severity.ERROR,
        "pi leaves out a reply that failed or was aborted, but sends the results of its calls.",
        _REPAIR,
    ),
    "doubled-call-id": Code(
        Severity.ERROR,
        "Two calls of one reply have the same id: providers refuse it, or mix up the results.",
        _REPAIR,
    ),
    "unanswered-call": Code(
        Severity.WARNING,
        'pi invents the result "No result provided", so the model takes the call for failed.',
        "Nothing, if the work was interrupted there; else look for the result in the file.",
    ),
    "reply-left-out": Code(
        Severity.NOTE,
        "pi leaves out a reply that failed or was aborted: the model does not see it.",
        "Nothing: providers refuse half a reply.",
    ),
}
# Only where the session is looked at as version 2.5.0 of the extension.
LEGACY_CODES: Mapping[str, Code] = {
    "legacy-render-failed": Code(
        Severity.ERROR,
        "Version 2.5.0 fails on this context, so pi would send everything raw.",
        "Nothing, if a later version is in use.",
    ),
    "legacy-message-deleted": Code(
        Severity.ERROR,
        "Version 2.5.0 drops by call id alone: repeated ids go too, and chains that now stay raw.",
        "Do not open the session with a version before 2.6.0.",
    ),
    "legacy-result-orphaned": Code(
        Severity.ERROR,
        "Version 2.5.0 leaves the result without its call, and providers refuse that.",
        "Do not open the session with a version before 2.6.0.",
    ),
    "legacy-result-stubbed": Code(
        Severity.WARNING,
        "Version 2.5.0 takes the result for an older one of the same id and hides it.",
        "Do not open the session with a version before 2.6.0.",
    ),
}
FINDING_CODES: Mapping[str, Code] = {
    **PAIRING_CODES,
    **LEGACY_CODES,
    **{
        RAW_PREFIX + code: Code(
            Severity.NOTE, f"Before pruning only: {row.why}", "Nothing while pruning is on."
        )
        for code, row in PAIRING_CODES.items()
    },
    "render-failed": Code(
        Severity.ERROR,
        "The extension fails on this context, so pi sends everything raw.",
        "Write a mended copy with `condense-tui repair`; until then nothing is pruned.",
    ),
    "rebuild-failed": Code(
        Severity.ERROR,
        "The extension stops reading its records here: later ones and all aliases do not count.",
        "Write a mended copy with `condense-tui repair`; until then later outputs are sent raw.",
    ),
    "result-swept": Code(
        Severity.ERROR,
        "The provider layer will tell the model that this call failed, which is not true.",
        "`condense-tui repair` puts it back in a copy; find out which extension writes in between.",
    ),
    "ref-without-record": Code(
        Severity.WARNING,
        "The model is told of an output that `context_tree_query` will not find.",
        "Look for the record on another branch or in an older copy of the file.",
    ),
    "alias-without-original": Code(
        Severity.WARNING,
        "The output was not archived because it repeats another, and that one has no record.",
        "Look for the result in the raw context; it cannot be queried.",
    ),
    "sidecar-missing": Code(
        Severity.WARNING,
        "The whole output cannot be recovered any more, neither by the model nor here.",
        "Put the `-blobs` folder back beside the session, or name it with `--follow-paths`.",
    ),
    "record-without-result": Code(
        Severity.NOTE,
        "The output can be queried, but the call that it came from is not on this branch.",
        "Nothing, if entries were cut off or the session is a fork; else compare the file.",
    ),
    "reused-id": Code(
        Severity.NOTE,
        "Providers repeat call ids, so the bare id alone does not say which output is meant.",
        "Query the id to see each occurrence with its time.",
    ),
    "legacy-record-of-reused-id": Code(
        Severity.WARNING,
        "The record can shadow a live result: nobody can tell whose output it holds.",
        "Query the id and compare the outputs.",
    ),
    "entries-cut-off": Code(
        Severity.WARNING,
        "They can be seen as a branch of their own, but lead back to no beginning.",
        _REPAIR,
    ),
    "longer-branch": Code(
        Severity.WARNING,
        "pi goes on at the last record of the file, so the long conversation is out of sight.",
        "Choose its leaf with `--leaf`, in the browser with the branches key, or in pi's tree.",
    ),
    "records-elsewhere": Code(
        Severity.NOTE,
        "The extension reads the branch of the leaf only, so there they do not count.",
        "Nothing, if the other branches were abandoned.",
    ),
    "compaction-boundary-missing": Code(
        Severity.WARNING,
        "pi keeps nothing from before the compaction, only its summary.",
        _REPAIR,
    ),
    "purged-other-occurrence": Code(
        Severity.WARNING,
        "Purging goes by bare id, so a call that did not fail lost its arguments.",
        "Query the id to see each occurrence.",
    ),
    "error-looks-successful": Code(
        Severity.WARNING,
        "The stub says that the call did not fail, and no summary in the context says that it did.",
        "Query the ref to see the error.",
    ),
    "summary-lost-live-calls": Code(
        Severity.WARNING,
        "The model no longer sees the summary of calls that were not dropped.",
        "Query the refs that are named.",
    ),
    "body-missing": Code(
        Severity.WARNING,
        "The extension takes a typed tag for its own block, and the chain's text is lost.",
        "Query the block's refs, or edit the message that begins with the tag.",
    ),
    "ambiguous-stub": Code(
        Severity.WARNING,
        "The record has no time, so the stub may name the output of another call.",
        "Query the id and compare the outputs.",
    ),
    "same-millisecond-boundary": Code(
        Severity.WARNING,
        "Two messages share the boundary's time, so the extension leaves the chain raw.",
        "Nothing is lost; the chain only costs its full size.",
    ),
    "settings-partial": Code(
        Severity.WARNING,
        "The extension merges settings shallowly: a given part replaces the whole default.",
        "Write all values of the part into the settings.",
    ),
    "settings-ignored": Code(
        Severity.NOTE,
        "The extension falls back to its default without a word.",
        "Mend the value in the settings.",
    ),
    "pruner-off": Code(
        Severity.NOTE,
        "The settings switch the extension off, so nothing is pruned.",
        "Set `enabled` to true to see what it would do.",
    ),
}
_LOST_LINE = "Every record on the line is missing from what pi and this program show."
PROBLEM_CODES: Mapping[ProblemKind, Code] = {
    ProblemKind.UNREADABLE: Code(
        Severity.WARNING,
        f"pi skips the line. {_LOST_LINE}",
        "Look at the line; `condense-tui repair` writes a copy without it.",
    ),
    ProblemKind.WELDED: Code(
        Severity.WARNING,
        f"Two writers wrote at once, and pi skips the line. {_LOST_LINE}",
        _REPAIR,
    ),
    ProblemKind.TORN_END: Code(
        Severity.WARNING,
        "The writing stopped in the middle of a record, which is lost.",
        "Nothing, if the session is being written; else `condense-tui repair` ends the line.",
    ),
    ProblemKind.NOT_AN_OBJECT: Code(
        Severity.WARNING,
        "pi cannot use a record that is no object.",
        _REPAIR,
    ),
    ProblemKind.SECOND_HEADER: Code(
        Severity.NOTE,
        "pi goes by the first header.",
        _REPAIR,
    ),
    ProblemKind.NO_ID: Code(
        Severity.WARNING,
        "Nothing can hang below a record without an id.",
        _REPAIR,
    ),
    ProblemKind.DUPLICATE_ID: Code(
        Severity.WARNING,
        "pi keeps the last record with an id, so the earlier one is on no branch.",
        _REPAIR,
    ),
    ProblemKind.NO_MESSAGE: Code(
        Severity.ERROR,
        "pi fails when it builds the context of this branch.",
        _REPAIR,
    ),
    ProblemKind.CYCLE: Code(
        Severity.ERROR,
        "The parents go round in a circle, so the branch has no beginning.",
        "Choose another branch, or write a mended copy with `condense-tui repair`.",
    ),
    ProblemKind.MISSING_PARENT: Code(
        Severity.ERROR,
        "The branch begins in the middle: what came before is not sent to the model.",
        "Write a mended copy with `condense-tui repair`, or look for an older copy of the file.",
    ),
    ProblemKind.UNKNOWN_VERSION: Code(
        Severity.NOTE,
        "The file is of a version that this program does not know.",
        "Take what is shown with care.",
    ),
}
DIAGNOSTIC_CODES: Mapping[str, Code] = {
    DiagnosticKind.UNRESOLVED_RANGE: Code(
        Severity.WARNING,
        "A boundary of the chain is not in the context, or not exactly once: the chain stays raw.",
        "Nothing is lost; the chain only costs its full size.",
    ),
    OVERLAP_KIND: Code(
        Severity.NOTE,
        "Harmless: the chain lies in one that is compressed already, so it is skipped.",
        "Nothing.",
    ),
    DiagnosticKind.RANGE_ID_MISMATCH: Code(
        Severity.WARNING,
        "The calls in the range are not those that were recorded; the range decides.",
        "Look at the chain: a call may be gone without being in its summary.",
    ),
    DiagnosticKind.ORPHAN_SWEEP: Code(
        Severity.WARNING,
        "Results without an open call were taken out, because providers refuse such a request.",
        "Look at the swept results: something was written between a call and its result.",
    ),
    DiagnosticKind.BACKFILL_EMPTY: Code(
        Severity.NOTE,
        "A chain that no summary covers held nothing that could be archived.",
        "Nothing: the chain stays as it is.",
    ),
}
CODES: Mapping[str, Code] = {
    **FINDING_CODES,
    **{kind.value: row for kind, row in PROBLEM_CODES.items()},
    **DIAGNOSTIC_CODES,
}
