"""`CallTree` → the nodes of the foldable tree: what there is, below what, and how large.

What a node's row says is `treerows`' to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
from condense_tui.inspection.summarytree import call_text, output_size
from condense_tui.pruning.pending import CapturedCall
from condense_tui.pruning.records import Record
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import utf16_length
from condense_tui.session.messages import Message
from condense_tui.view.blocksizes import BlockSizes, block_sizes
from condense_tui.view.lines import dim, line, strong
from condense_tui.view.treerows import (
    CALL_CHARS,
    LOOSE_KEY,
    WAITING_KEYS,
    CallRow,
    ChainRow,
    PendingRow,
    PlainNode,
    SummaryRow,
    TreeNode,
    call_key,
    chain_key,
    pending_key,
    summary_key,
    waiting_text,
)
from condense_tui.view.words import PASSED_OVER, counted, shortened

HasSidecar = Callable[[Record], bool]


class _Words:
    """What calls were asked, cut to the length of a row: a row may not look into the file.

    Made once for a branch, whatever it and the settings become.
    """

    def __init__(self) -> None:
        self._of_entry: dict[int, list[str]] = {}
        self._of_call: dict[tuple[int, ...], tuple[str, int]] = {}

    def of_record(self, record: Record) -> str:
        """An archived call."""
        texts = self._of_entry.setdefault(record.entry.index, [])
        texts += [""] * (record.number + 1 - len(texts))
        found = texts[record.number]
        if not found:
            found = texts[record.number] = shortened(call_text(record), CALL_CHARS)
        return found

    def of_call(self, call: CapturedCall, assistant: Message) -> tuple[str, int]:
        """A call that waits, and the length of its output in UTF-16 code units."""
        entries = assistant.entry, call.result.entry if call.result else None
        place = (*(entry.index if entry else -1 for entry in entries), call.call.part)
        found = self._of_call.get(place)
        if found is None:
            found = shortened(waiting_text(call), CALL_CHARS), utf16_length(call.result_text)
            self._of_call[place] = found
        return found


def node_key(target: Target | None, links: Links) -> str | None:
    """The key of the node that is about a target, where there is one."""
    match target:
        case CallTarget(key, is_alias=False) if key in links.node_of_key:
            return call_key(key)
        case SummaryTarget(index) if index in links.summary_of_entry:
            return summary_key(links.summary_of_entry[index].summary)
        case ChainTarget(start) if start in links.node_of_start:
            return chain_key(start)
    return None


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
        return ChainRow(
            key=chain_key(chain.start_timestamp),
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
        return SummaryRow(
            key=summary_key(summary),
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
        return CallRow(
            key=call_key(node.key),
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
        return PendingRow(
            key=pending_key(call.key),
            target=None if number is None else SlotTarget(number),
            size=text_chars,
            moment=call.result_timestamp or 0,
            shown=shown,
            is_error=call.is_error,
        )


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
    groups = (_group(LOOSE_KEY, "Without a summary", loose),) if loose else ()
    return (*roots, *groups, *_waiting(maker))


def further_nodes(
    before: Iterable[TreeNode], inspection: Inspection, links: Links, has_sidecar: HasSidecar
) -> tuple[TreeNode, ...]:
    """The same of a look that begins as another one, where only calls that wait are new."""
    maker = _NodeMaker(inspection, links, has_sidecar, inspection.for_good(_Words), {})
    return (*(root for root in before if root.key not in WAITING_KEYS), *_waiting(maker))


def _waiting(maker: _NodeMaker) -> Iterator[TreeNode]:
    inspection = maker.inspection
    due, passed_over = (
        tuple(
            maker.captured(call, batch.assistants[0]) for batch in batches for call in batch.calls
        )
        for batches in (inspection.due, inspection.passed_over)
    )
    groups = (("Pending", due), (PASSED_OVER, passed_over))
    filled = ((title, calls) for title, calls in groups if calls)
    return (_group(key, *group) for key, group in zip(WAITING_KEYS, filled, strict=False))


def _group(key: str, title: str, children: tuple[TreeNode, ...]) -> TreeNode:
    return PlainNode(
        key=key,
        size=sum(child.size for child in children),
        moment=children[-1].moment,
        children=children,
        spans=line(strong(title), dim(f" · {counted(len(children), 'call')}")),
    )
