"""What belongs to what: calls, their places in the context, summaries, chains, recoveries.

Every front end follows these links; none of them looks for anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import field

from condense_tui.inspection.calltree import CallNode, CallTree, ChainNode, SummaryNode
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.numbertable import NumberTable
from condense_tui.pruning.records import ChainEntry
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.compact import Compact, Value, changed
from condense_tui.session.jsontext import Number
from condense_tui.session.messages import QUERY_TOOL, Message
from condense_tui.session.outlines import RESULT


class SlotTarget(Compact, frozen=True):
    """A place of the plan, by its number among the slots."""

    number: int


class CallTarget(Compact, frozen=True):
    """One occurrence of a tool call, by its key.

    Where a record and an alias have the same key, it is the record's unless `is_alias`.
    """

    key: str
    is_alias: bool = False


class SummaryTarget(Compact, frozen=True):
    """A summary, by the index of its entry."""

    entry_index: int


class ChainTarget(Value, frozen=True):
    """A compressed chain, by its start, which is what the registry knows it by."""

    start: Number


class FindingTarget(Value, frozen=True):
    """A finding, by its number in the list of findings."""

    number: int


class ProblemTarget(Value, frozen=True):
    """A problem, by its number in the list of problems."""

    number: int


Target = SlotTarget | CallTarget | SummaryTarget | ChainTarget | FindingTarget | ProblemTarget


class Links(Value, frozen=True):
    """Key, entry or start → where it is found; of several the first one, or all in a list."""

    slot_of_result: dict[str, int] = field(default_factory=dict)
    slot_of_place: NumberTable = field(default_factory=NumberTable)
    aliases_of_key: dict[str, list[str]] = field(default_factory=dict)
    slot_of_entry: NumberTable = field(default_factory=NumberTable)
    slot_of_block: dict[str, int] = field(default_factory=dict)
    summary_of_key: dict[str, SummaryNode] = field(default_factory=dict)
    summary_of_entry: dict[int, SummaryNode] = field(default_factory=dict)
    chain_of_key: dict[str, ChainEntry] = field(default_factory=dict)
    node_of_start: dict[Number, ChainNode] = field(default_factory=dict)
    node_of_key: dict[str, CallNode] = field(default_factory=dict)
    recoveries_of_key: dict[str, list[int]] = field(default_factory=dict)


def build_links(inspection: Inspection, tree: CallTree) -> Links:
    """The links of one look at a session; linear in what they hold."""
    links = further_links(Links(), inspection.plan.slots, 0)
    _link_tree(tree, links)
    for alias in inspection.index.aliases.values():
        links.aliases_of_key.setdefault(alias.original_key, []).append(alias.key)
    asked_in: dict[str, list[int]] = {}
    for number, asked in _recoveries(inspection.plan.slots):
        asked_in.setdefault(asked, []).append(number)
    for asked, numbers in asked_in.items():
        for record in inspection.index.records_for(asked):
            links.recoveries_of_key.setdefault(record.key, []).extend(numbers)
    return links


def further_links(links: Links, slots: Sequence[Slot], start: int) -> Links:
    """These links and those to the slots from `start` on, to which nothing recorded leads.

    (`growth.quiet_tail` tells where that is so.)
    """
    new = list(enumerate(slots[start:], start))
    places = ((slot.place, number) for number, slot in new if slot.place is not None)
    entries = [(entry.index, number) for number, slot in new if (entry := slot.message.entry)]
    size = 1 + max((index for index, _ in entries), default=-1)
    slot_of_result, slot_of_block = dict(links.slot_of_result), dict(links.slot_of_block)
    for number, slot in new:
        message, fate = slot.message, slot.fates[-1]
        if message.role == RESULT:
            slot_of_result.setdefault(message.outline.occurrence, number)
        elif fate.kind is FateKind.INSERTED and fate.block:
            slot_of_block.setdefault(fate.block, number)
    return changed(
        links,
        slot_of_result=slot_of_result,
        slot_of_place=links.slot_of_place.further(places, len(slots)),
        slot_of_entry=links.slot_of_entry.further(entries, size),
        slot_of_block=slot_of_block,
    )


def caller_of(slots: Sequence[Slot], number: int) -> int | None:
    """The slot of the reply that made the call which a result answers, if it is the last one."""
    bare_id = slots[number].message.tool_call_id
    for earlier in range(number - 1, -1, -1):
        message = slots[earlier].message
        if message.role == "assistant":
            return earlier if any(call.id == bare_id for call in message.tool_calls) else None
    return None


def answers_to(slots: Sequence[Slot], number: int) -> Iterator[Message]:
    """The results of a reply's calls that stand before the next reply."""
    ids = {call.id for call in slots[number].message.tool_calls}
    for later in range(number + 1, len(slots) if ids else 0):
        message = slots[later].message
        if message.role == "assistant":
            return
        if message.role == RESULT and message.tool_call_id in ids:
            yield message


def _link_tree(tree: CallTree, links: Links) -> None:
    for root in tree.roots:
        if isinstance(root, ChainNode):
            links.node_of_start[root.chain.start_timestamp] = root
            for call in calls_below(root):
                links.chain_of_key.setdefault(call.key, root.chain)
        for summary in root.summaries if isinstance(root, ChainNode) else (root,):
            links.summary_of_entry[summary.summary.entry.index] = summary
            for call in summary.calls:
                links.summary_of_key.setdefault(call.key, summary)
        for call in calls_below(root):
            links.node_of_key.setdefault(call.key, call)
    for call in tree.loose:
        links.node_of_key.setdefault(call.key, call)


def calls_below(node: ChainNode | SummaryNode) -> Iterator[CallNode]:
    """Every call under a node, in order."""
    if isinstance(node, ChainNode):
        for summary in node.summaries:
            yield from summary.calls
    yield from node.calls


def _recoveries(slots: tuple[Slot, ...]) -> Iterator[tuple[int, str]]:
    """Each `context_tree_query` in the context and each text that it asked for."""
    for number, slot in enumerate(slots):
        for call in slot.message.tool_calls:
            arguments = call.arguments if call.name == QUERY_TOOL else None
            asked = arguments.get("toolCallIds") if isinstance(arguments, dict) else None
            if isinstance(asked, list):
                yield from ((number, text) for text in asked if isinstance(text, str))
