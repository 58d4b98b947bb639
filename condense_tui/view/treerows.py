"""`TreeNode`: a node of the foldable tree, and what its row says.

Where a row has no room, arguments are cut first, then counts and units go: sizes and words of
state stay.
"""

from __future__ import annotations

from collections.abc import Iterable

from condense_tui.inspection.calltree import CallNode, ChainNode, SummaryNode
from condense_tui.inspection.links import Target
from condense_tui.inspection.summarytree import output_size, size_unit
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import CapturedCall
from condense_tui.pruning.records import Record, Summary
from condense_tui.session.compact import Compact
from condense_tui.session.jsontext import Number, json_text, number_text, utf16_length
from condense_tui.view.lines import (
    Giving,
    Line,
    Span,
    Tone,
    accent,
    dim,
    going,
    line,
    shrinking,
    strong,
    text_of,
)
from condense_tui.view.refspans import ref_spans
from condense_tui.view.words import chars, counted

CALL_CHARS = 120
"""As much of what a call was asked is ever in a row."""
LOOSE_KEY = "group:loose"
WAITING_KEYS = ("group:waiting", "group:passed-over")
"""The keys of the groups of calls without a summary: the first one has the first, whichever it
is, because before all is read they are one group.
"""


def call_key(key: str) -> str:
    """The node's key of a call with this occurrence key."""
    return f"call:{key}"


def pending_key(key: str) -> str:
    """The node's key of a call that waits for a summary."""
    return f"pending:{key}"


def waiting_text(call: CapturedCall) -> str:
    """What a call that waits for a summary was asked."""
    return f"{call.call.name}({json_text(call.arguments)[1:-1]})"


def summary_key(summary: Summary) -> str:
    """The node's key of a summary."""
    return f"summary:{summary.entry.label}"


def chain_key(start: Number) -> str:
    """The node's key of the chain that starts at this time."""
    return f"chain:{number_text(start)}"


class TreeNode(Compact, frozen=True, eq=False):
    """One node; `key` is the same from one plan to the next, so that folds and cursor stay.

    Its line is made when it is looked at: of most nodes nobody sees it.
    """

    key: str
    target: Target | None = None
    size: int = 0
    moment: float = 0
    children: tuple[TreeNode, ...] = ()

    @property
    def line(self) -> Line:
        """What the row says."""
        raise NotImplementedError

    @property
    def search_text(self) -> str:
        """What a filter looks at, in lower case."""
        return text_of(self.line).lower()


class PlainNode(TreeNode, frozen=True, eq=False):
    """A node whose line is known."""

    spans: Line = ()

    @property
    def line(self) -> Line:
        """What it was given."""
        return self.spans


class ChainRow(TreeNode, frozen=True, eq=False, kw_only=True):
    """A compressed chain; `after` is the size of its block."""

    chain: ChainNode
    after: int

    @property
    def line(self) -> Line:
        """What the row says."""
        node, before = self.chain, compact_count(self.size)
        refs = ref_spans(node.chain.tool_refs or ())
        sizes = f" · {before} → {compact_count(self.after)}"
        return line(
            accent(node.chain.block_id),
            going(f" · {counted(node.call_count, 'call')}", Tone.PLAIN),
            going(f" · {refs}" if refs else "", Tone.PLAIN),
            dim(sizes if node.is_placed else f" · {before} · stays raw"),
        )


class SummaryRow(TreeNode, frozen=True, eq=False, kw_only=True):
    """A summary that stands for calls."""

    summary: SummaryNode

    @property
    def line(self) -> Line:
        """What the row says."""
        summary = self.summary.summary
        turn = "?" if summary.turn_index is None else number_text(summary.turn_index)
        return line(
            strong(f"Turn {turn} summary"),
            going(f" · {counted(len(self.summary.calls), 'tool')}", Tone.PLAIN),
            *_size(chars(utf16_length(summary.text))),
            dim(" · suppressed" * (not self.summary.is_in_context)),
        )


class CallRow(TreeNode, frozen=True, eq=False, kw_only=True):
    """An archived call; `shown` is what it was asked, and `original` what it repeats."""

    call: CallNode
    shown: str
    is_lost: bool
    recoveries: int
    original: str | None

    @property
    def line(self) -> Line:
        """What the row says."""
        call, record = self.call, self.call.record
        spans = [accent(f"{call.short_ref or '–':<4} "), shrinking(self.shown)]
        if record is None:
            missing = "no record" if call.short_ref else "not archived"
            return (*spans, dim(" · "), Span(missing, Tone.WARNING))
        spans += _size(f"{compact_count(output_size(record))} {size_unit(record)}")
        notes = self._notes(record)
        return (*spans, *(span for note in notes for span in (dim(" · "), *note)))

    def _notes(self, record: Record) -> Iterable[Line]:
        """The words of state, the worst first."""
        if record.is_error:
            yield line(Span("error", Tone.BAD))
        if self.original:
            yield line(dim(f"= {self.original}"))
        if self.call.occurrences > 1:
            words = Span(" occurrences", Tone.WARNING, Giving.LINGERS)
            yield line(Span(f"×{self.call.occurrences}", Tone.WARNING), words)
        if self.recoveries:
            yield line(Span(f"recovered {self.recoveries}×", Tone.GOOD))
        if record.is_spilled:
            yield line(Span("spilled, file missing", Tone.BAD) if self.is_lost else dim("spilled"))
        if record.is_backfilled:
            yield line(dim("backfilled"))
        if self.call.is_protected:
            yield line(Span("protected", Tone.GOOD))


class PendingRow(TreeNode, frozen=True, eq=False, kw_only=True):
    """A call that waits for a summary."""

    shown: str
    is_error: bool

    @property
    def line(self) -> Line:
        """What the row says."""
        return line(
            accent("–    "),
            shrinking(self.shown),
            *_size(chars(self.size)),
            dim(" · " * self.is_error),
            Span("error" * self.is_error, Tone.BAD),
        )


def _size(words: str) -> Line:
    """A count and its unit, which can be done without."""
    count, unit = words.split(" ", 1)
    return dim(f" · {count}"), going(f" {unit}")
