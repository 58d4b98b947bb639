"""The end of a branch → nodes of a tree that says nothing which a whole reading takes back.

The keys are those of `treerows`, so that a node is found again.  Left out is what hangs on what
lies before: sizes of ranges, what stays raw, is suppressed, was used twice, has no summary, and
whether a flush has tried a call, because the frontier counts turns from the root.
"""

from __future__ import annotations

from condense_tui.inspection.calltree import CallNode, ChainNode, SummaryNode, build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.summarytree import call_text, output_size, size_unit
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import CapturedCall
from condense_tui.session.jsontext import number_text, utf16_length
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line, strong
from condense_tui.view.treerows import (
    CALL_CHARS,
    WAITING_KEYS,
    PlainNode,
    TreeNode,
    call_key,
    chain_key,
    pending_key,
    summary_key,
    waiting_text,
)
from condense_tui.view.words import counted, shortened

_NO_REF = "–"


def tail_nodes(inspection: Inspection) -> tuple[TreeNode, ...]:
    """Chains and summaries, then calls under neither, then those that have no summary."""
    tree = build_call_tree(inspection)
    waiting = tuple(_captured(call) for batch in inspection.pending for call in batch.calls)
    title = (strong("Not summarised"),)
    pending = (_node(WAITING_KEYS[0], title, waiting),) if waiting else ()
    return (*map(_root, tree.roots), *map(_call, tree.loose), *pending)


def _node(key: str, spans: Line, children: tuple[TreeNode, ...] = ()) -> TreeNode:
    return PlainNode(key, children=children, spans=spans)


def _root(node: ChainNode | SummaryNode) -> TreeNode:
    if isinstance(node, SummaryNode):
        return _summary(node)
    spans = line(accent(node.chain.block_id), f" · {counted(node.call_count, 'call')}")
    children = (*map(_summary, node.summaries), *map(_call, node.calls))
    return _node(chain_key(node.chain.start_timestamp), spans, children)


def _summary(node: SummaryNode) -> TreeNode:
    summary = node.summary
    turn = "?" if summary.turn_index is None else number_text(summary.turn_index)
    chars = compact_count(utf16_length(summary.text))
    tools = counted(len(node.calls), "tool")
    spans = line(strong(f"Turn {turn} summary"), f" · {tools}", dim(f" · {chars} chars"))
    return _node(summary_key(summary), spans, tuple(map(_call, node.calls)))


def _call(node: CallNode) -> TreeNode:
    record = node.record
    if record is None:
        return _node(call_key(node.key), (_ref(node.short_ref), Span(node.key)))
    size = f"{compact_count(output_size(record))} {size_unit(record)}"
    spans = _call_line(node.short_ref, call_text(record), size, record.is_error)
    return _node(call_key(node.key), spans)


def _captured(call: CapturedCall) -> TreeNode:
    size = f"{compact_count(utf16_length(call.result_text))} chars"
    return _node(pending_key(call.key), _call_line(None, waiting_text(call), size, call.is_error))


def _ref(short_ref: str | None) -> Span:
    return accent(f"{short_ref or _NO_REF:<4} ")


def _call_line(short_ref: str | None, shown: str, size: str, is_error: bool) -> Line:
    error = Span(" · error" * is_error, Tone.BAD)
    return line(_ref(short_ref), shortened(shown, CALL_CHARS), dim(f" · {size}"), error)
