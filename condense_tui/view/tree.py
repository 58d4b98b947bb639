"""`CallTree` → lines: chains, summaries and calls, with what the extension's tree hides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from condense_tui.inspection.calltree import CallNode, CallTree, ChainNode, SummaryNode
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.summarytree import call_text, output_size, size_unit
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.pending import Batch
from condense_tui.pruning.records import Record
from condense_tui.session.jsontext import number_text, utf16_length
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line, strong
from condense_tui.view.printable import one_line
from condense_tui.view.refspans import ref_spans
from condense_tui.view.words import PASSED_OVER, chars, counted, shortened

_CALL_WIDTH = 60

HasSidecar = Callable[[Record], bool]


def tree_lines(tree: CallTree, inspection: Inspection, has_sidecar: HasSidecar) -> Iterator[Line]:
    """The whole tree, unfolded."""
    if not (tree.roots or tree.loose or inspection.pending):
        yield line(dim("nothing was archived on this branch, and nothing waits for it"))
    for root in tree.roots:
        if isinstance(root, ChainNode):
            yield from _chain_lines(root, has_sidecar)
        else:
            yield from _summary_lines(root, "", has_sidecar)
    if tree.loose:
        yield line(strong("Without a summary"), dim(f" · {counted(len(tree.loose), 'call')}"))
        yield from _call_lines(tree.loose, "  ", has_sidecar)
    yield from _pending_lines("Pending", "not yet summarised", inspection.due)
    yield from _pending_lines(PASSED_OVER, "that a flush has tried", inspection.passed_over)


def _chain_lines(node: ChainNode, has_sidecar: HasSidecar) -> Iterator[Line]:
    chain = node.chain
    refs = ref_spans(chain.tool_refs or ())
    span = f" · {refs}" if refs else ""
    state = "" if node.is_placed else " · not applied: nothing dropped or inserted"
    calls = counted(node.call_count, "call")
    yield line(accent(chain.block_id), strong(" chain"), f" · {calls}{span}", dim(state))
    for summary in node.summaries:
        yield from _summary_lines(summary, "  ", has_sidecar)
    yield from _call_lines(node.calls, "  ", has_sidecar)


def _summary_lines(node: SummaryNode, margin: str, has_sidecar: HasSidecar) -> Iterator[Line]:
    summary = node.summary
    turn = "?" if summary.turn_index is None else number_text(summary.turn_index)
    size = chars(utf16_length(summary.text))
    state = "" if node.is_in_context else " · no longer in the context"
    tools = counted(len(node.calls), "tool")
    yield line(margin, strong(f"Turn {turn} summary"), f" · {tools} · {size}", dim(state))
    yield from _call_lines(node.calls, margin + "  ", has_sidecar)


def _call_lines(calls: Iterable[CallNode], margin: str, has_sidecar: HasSidecar) -> Iterator[Line]:
    for call in calls:
        yield line(margin, *_call_spans(call, has_sidecar))


def _call_spans(call: CallNode, has_sidecar: HasSidecar) -> Iterator[Span]:
    yield accent(f"{call.short_ref or '–':<5} ")
    record = call.record
    if record is None:
        yield Span(one_line(call.key))
        is_missing = call.short_ref is not None
        yield Span(" · no record", Tone.WARNING) if is_missing else dim(" · not archived")
        return
    yield Span(shortened(one_line(call_text(record)), _CALL_WIDTH))
    yield dim(f" · {compact_count(output_size(record))} {size_unit(record)}")
    for note, tone in _notes(call, record, has_sidecar):
        yield Span(f" · {note}", tone)


def _notes(call: CallNode, record: Record, has_sidecar: HasSidecar) -> Iterator[tuple[str, Tone]]:
    if record.is_error:
        yield "error", Tone.BAD
    if call.alias_of:
        yield f"same output as {call.alias_of}", Tone.DIM
    if call.occurrences > 1:
        yield f"×{call.occurrences} occurrences of {record.tool_call_id}", Tone.WARNING
    if record.is_spilled:
        is_there = has_sidecar(record)
        yield (
            "spilled" if is_there else "spilled, its file is missing",
            (Tone.DIM if is_there else Tone.BAD),
        )
    if record.is_backfilled:
        yield "backfilled", Tone.DIM
    if call.is_protected:
        yield "protected, kept in the context", Tone.GOOD
    if record.result_timestamp is None:
        yield "legacy, no time", Tone.DIM


def _pending_lines(title: str, words: str, batches: list[Batch]) -> Iterator[Line]:
    if not batches:
        return
    total = sum(len(batch.calls) for batch in batches)
    yield line(strong(title), dim(f" · {counted(total, 'call')} {words}"))
    for batch in batches:
        for captured in batch.calls:
            call = f"{captured.call.name} {captured.key}"
            size = chars(utf16_length(captured.result_text))
            yield line("  ", accent("–     "), one_line(call), dim(f" · {size}"))
