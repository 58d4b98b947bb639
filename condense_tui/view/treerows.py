"""`CallTree` → nodes of the foldable tree: a line, what it is about, and what filters look at.

Where a row has no room, arguments are cut first, then counts and units go: sizes and words of
state stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from condense_tui.inspection.calltree import CallNode, CallTree, ChainNode, SummaryNode
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    Links,
    SlotTarget,
    SummaryTarget,
    Target,
    calls_below,
)
from condense_tui.inspection.summarytree import call_text, output_size, size_unit
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import CapturedCall
from condense_tui.pruning.records import Record, Summary
from condense_tui.session.compact import Compact, Value
from condense_tui.session.jsontext import Number, json_text, number_text, utf16_length
from condense_tui.session.messages import Message
from condense_tui.view.blocksizes import BlockSizes, block_sizes
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
from condense_tui.view.words import PASSED_OVER, chars, counted, shortened

_CALL_CHARS = 120

HasSidecar = Callable[[Record], bool]


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


class _ChainNode(TreeNode, frozen=True, eq=False, kw_only=True):
    chain: ChainNode
    after: int

    @property
    def line(self) -> Line:
        node, before = self.chain, compact_count(self.size)
        refs = ref_spans(node.chain.tool_refs or ())
        sizes = f" · {before} → {compact_count(self.after)}"
        return line(
            accent(node.chain.block_id),
            going(f" · {counted(node.call_count, 'call')}", Tone.PLAIN),
            going(f" · {refs}" if refs else "", Tone.PLAIN),
            dim(sizes if node.is_placed else f" · {before} · stays raw"),
        )


class _SummaryNode(TreeNode, frozen=True, eq=False, kw_only=True):
    summary: SummaryNode

    @property
    def line(self) -> Line:
        summary = self.summary.summary
        turn = "?" if summary.turn_index is None else number_text(summary.turn_index)
        return line(
            strong(f"Turn {turn} summary"),
            going(f" · {counted(len(self.summary.calls), 'tool')}", Tone.PLAIN),
            *_size(chars(utf16_length(summary.text))),
            dim(" · suppressed" * (not self.summary.is_in_context)),
        )


class _CallNode(TreeNode, frozen=True, eq=False, kw_only=True):
    call: CallNode
    shown: str
    is_lost: bool
    recoveries: int
    original: str | None

    @property
    def line(self) -> Line:
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


class _PendingNode(TreeNode, frozen=True, eq=False, kw_only=True):
    shown: str
    is_error: bool

    @property
    def line(self) -> Line:
        return line(
            accent("–    "),
            shrinking(self.shown),
            *_size(chars(self.size)),
            dim(" · " * self.is_error),
            Span("error" * self.is_error, Tone.BAD),
        )


class _Words:
    """What calls were asked, cut to the length of a row: a row may not look into the file.

    Made once for a branch, whatever it and the settings become.
    """

    def __init__(self) -> None:
        self._of_entry: dict[int, list[str]] = {}
        self._of_call: dict[tuple[int, int], tuple[str, int]] = {}

    def of_record(self, record: Record) -> str:
        """An archived call."""
        texts = self._of_entry.setdefault(record.entry.index, [])
        texts += [""] * (record.number + 1 - len(texts))
        found = texts[record.number]
        if not found:
            found = texts[record.number] = shortened(call_text(record), _CALL_CHARS)
        return found

    def of_call(self, call: CapturedCall, assistant: Message) -> tuple[str, int]:
        """A call that waits, and the length of its output in UTF-16 code units."""
        place = assistant.entry.index if assistant.entry else -1, call.call.part
        found = self._of_call.get(place)
        if found is None:
            said = f"{call.call.name}({json_text(call.arguments)[1:-1]})"
            found = shortened(said, _CALL_CHARS), utf16_length(call.result_text)
            self._of_call[place] = found
        return found


def node_key(target: Target | None, links: Links) -> str | None:
    """The key of the node that is about a target, where there is one."""
    match target:
        case CallTarget(key, is_alias=False) if key in links.node_of_key:
            return _call_key(key)
        case SummaryTarget(index) if index in links.summary_of_entry:
            return _summary_key(links.summary_of_entry[index].summary)
        case ChainTarget(start) if start in links.node_of_start:
            return _chain_key(start)
    return None


def _call_key(key: str) -> str:
    return f"call:{key}"


def _summary_key(summary: Summary) -> str:
    return f"summary:{summary.entry.label}"


def _chain_key(start: Number) -> str:
    return f"chain:{number_text(start)}"


class _NodeMaker(Value, frozen=True):
    """Makes nodes for one look at a session."""

    inspection: Inspection
    links: Links
    has_sidecar: HasSidecar
    words: _Words
    block_sizes: BlockSizes

    def chain(self, node: ChainNode) -> TreeNode:
        """Its size is that of all it drops, and where it drops nothing that of its outputs."""
        chain = node.chain
        before, after = self.block_sizes.get(chain.block_id, (0, 0))
        if not node.is_placed:
            before = sum(map(self._raw_chars, calls_below(node)))
        children = (*map(self.summary, node.summaries), *map(self.call, node.calls))
        return _ChainNode(
            key=_chain_key(chain.start_timestamp),
            target=ChainTarget(chain.start_timestamp),
            size=before,
            moment=chain.start_timestamp,
            children=children,
            chain=node,
            after=after,
        )

    def _raw_chars(self, call: CallNode) -> int:
        number = self.links.slot_of_result.get(call.key)
        if number is not None:
            return self.inspection.plan.slot_chars[number][0]
        return int(output_size(call.record)) if call.record else 0

    def summary(self, node: SummaryNode) -> TreeNode:
        summary = node.summary
        return _SummaryNode(
            key=_summary_key(summary),
            target=SummaryTarget(summary.entry.index),
            size=sum(self._raw_chars(call) for call in node.calls),
            moment=summary.timestamp or 0,
            children=tuple(map(self.call, node.calls)),
            summary=node,
        )

    def call(self, node: CallNode) -> TreeNode:
        """The disk is asked here, for a row may not."""
        record = node.record
        shown = self.words.of_record(record) if record else node.key
        is_lost = record is not None and record.is_spilled and not self.has_sidecar(record)
        moment = record.result_timestamp or record.timestamp if record else 0
        return _CallNode(
            key=_call_key(node.key),
            target=CallTarget(node.key),
            size=self._raw_chars(node),
            moment=moment or 0,
            call=node,
            shown=shown,
            is_lost=is_lost,
            recoveries=len(self.links.recoveries_of_key.get(node.key, ())),
            original=self._name_of(node.alias_of),
        )

    def _name_of(self, key: str | None) -> str | None:
        return self.inspection.index.ref_of_key.get(key, key) if key else None

    def captured(self, call: CapturedCall, assistant: Message) -> TreeNode:
        number = self.links.slot_of_result.get(call.key)
        shown, text_chars = self.words.of_call(call, assistant)
        return _PendingNode(
            key=f"pending:{call.key}",
            target=None if number is None else SlotTarget(number),
            size=text_chars,
            moment=call.result_timestamp or 0,
            shown=shown,
            is_error=call.is_error,
        )


def _size(words: str) -> Line:
    """A count and its unit, which can be done without."""
    count, unit = words.split(" ", 1)
    return dim(f" · {count}"), going(f" {unit}")


def tree_nodes(
    inspection: Inspection, tree: CallTree, links: Links, has_sidecar: HasSidecar
) -> tuple[TreeNode, ...]:
    """The roots: chains and summaries in file order, then groups of what hangs under none."""
    words, sizes = inspection.for_good(_Words), block_sizes(inspection.plan)
    maker = _NodeMaker(inspection, links, has_sidecar, words, sizes)
    roots = [
        maker.chain(root) if isinstance(root, ChainNode) else maker.summary(root)
        for root in tree.roots
    ]
    loose = tuple(maker.call(call) for call in tree.loose)
    due, passed_over = (
        tuple(
            maker.captured(call, batch.assistants[0]) for batch in batches for call in batch.calls
        )
        for batches in (inspection.due, inspection.passed_over)
    )
    groups = (
        _group("Without a summary", loose),
        _group("Pending", due),
        _group(PASSED_OVER, passed_over),
    )
    return tuple(roots + [group for group in groups if group])


def _group(title: str, children: tuple[TreeNode, ...]) -> TreeNode | None:
    if not children:
        return None
    return PlainNode(
        key=f"group:{title}",
        size=sum(child.size for child in children),
        moment=children[-1].moment,
        children=children,
        spans=line(strong(title), dim(f" · {counted(len(children), 'call')}")),
    )
