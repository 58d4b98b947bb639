"""The tree of what was pruned: chains, their summaries, and the calls under each.

Unlike the extension's own tree it also holds refs without a record, aliases, calls that no
summary covers, and chains as groups.
"""

from __future__ import annotations

from collections.abc import Iterable

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.ranges import Range
from condense_tui.pruning.records import (
    ChainEntry,
    EntryType,
    Record,
    Summary,
)
from condense_tui.pruning.slots import FateKind
from condense_tui.session.compact import Compact, Value
from condense_tui.session.occurrences import parse_key


class CallNode(Compact, frozen=True):
    """One occurrence of a call; `record` is None where the file has none for this key.

    `occurrences` counts every occurrence known under the call's bare id.
    """

    key: str
    short_ref: str | None
    record: Record | None
    alias_of: str | None
    occurrences: int
    is_protected: bool


class SummaryNode(Compact, frozen=True):
    """A summary and its calls, in the order of its refs."""

    summary: Summary
    calls: tuple[CallNode, ...]
    is_in_context: bool


class ChainNode(Value, frozen=True):
    """A compressed chain; `is_placed` tells whether its range was found and used."""

    chain: ChainEntry
    is_placed: bool
    summaries: tuple[SummaryNode, ...]
    calls: tuple[CallNode, ...]

    @property
    def call_count(self) -> int:
        """How many calls hang under it, whatever its entry recorded."""
        return len(self.calls) + sum(len(summary.calls) for summary in self.summaries)


class CallTree(Value, frozen=True):
    """`roots` in file order; `loose` are calls that hang under none of them."""

    roots: tuple[ChainNode | SummaryNode, ...]
    loose: tuple[CallNode, ...]


def build_call_tree(inspection: Inspection) -> CallTree:
    """The tree of an inspection; linear in its records, refs and chains."""
    return _TreeBuilder(inspection).tree()


class _TreeBuilder:
    """Knows for each key its chain, and which keys have found their place."""

    def __init__(self, inspection: Inspection) -> None:
        self._index: PruneIndex = inspection.index
        self._summary_entries = inspection.noted_as(EntryType.SUMMARY)
        plan = inspection.plan
        self._protected = {fate.key for _, _, fate in plan.fates_of(FateKind.PROTECTED)}
        self._sent = {slot.before.entry for slot in plan.slots if slot.before and slot.after}
        resolved = (found.chain for found in inspection.ranges if isinstance(found, Range))
        inserted = {fate.block for _, slot, fate in plan.fates_of(*FateKind) if slot.is_changed}
        self._placed = {chain.start_timestamp for chain in resolved if chain.block_id in inserted}
        self._chain_of_key = {
            key: chain for chain in self._index.chains for key in chain.covered_keys or ()
        }
        self._hung: set[str] = set()

    def tree(self) -> CallTree:
        in_chain: dict[float, list[SummaryNode]] = {}
        positioned: list[tuple[int, ChainNode | SummaryNode]] = []
        for summary in self._summaries():
            node = self._summary_node(summary)
            chain = self._chain_of(summary)
            if chain is None:
                positioned.append((summary.entry.index, node))
            else:
                in_chain.setdefault(chain.start_timestamp, []).append(node)
        for chain in self._index.chains:
            chain_node = self._chain_node(chain, in_chain.get(chain.start_timestamp, []))
            positioned.append((_position(chain_node), chain_node))
        roots = tuple(node for _, node in sorted(positioned, key=lambda pair: pair[0]))
        return CallTree(roots, tuple(self._calls(self._loose_keys())))

    def _summaries(self) -> Iterable[Summary]:
        return map(self._index.summary_at, self._summary_entries)

    def _chain_of(self, summary: Summary) -> ChainEntry | None:
        chains = (self._chain_of_key.get(ref.key) for ref in summary.refs)
        return next((chain for chain in chains if chain), None)

    def _summary_node(self, summary: Summary) -> SummaryNode:
        calls = tuple(self._call(ref.key, ref.short_ref) for ref in summary.refs)
        return SummaryNode(summary, calls, summary.entry in self._sent)

    def _chain_node(self, chain: ChainEntry, summaries: list[SummaryNode]) -> ChainNode:
        uncovered = [key for key in chain.covered_keys or () if key not in self._hung]
        is_placed = chain.start_timestamp in self._placed
        return ChainNode(chain, is_placed, tuple(summaries), tuple(self._calls(uncovered)))

    def _loose_keys(self) -> list[str]:
        known = [*self._index.records, *self._index.aliases]
        return [key for key in dict.fromkeys(known) if key not in self._hung]

    def _calls(self, keys: Iterable[str]) -> Iterable[CallNode]:
        return (self._call(key, self._index.ref_of_key.get(key)) for key in keys)

    def _call(self, key: str, short_ref: str | None) -> CallNode:
        self._hung.add(key)
        index = self._index
        record, alias = index.record(key), index.aliases.get(key)
        bare_id = record.tool_call_id if record and not alias else parse_key(key).bare_id
        return CallNode(
            key=key,
            short_ref=short_ref,
            record=record,
            alias_of=alias.original_key if alias and key not in index.records else None,
            occurrences=_occurrences(index, bare_id),
            is_protected=key in self._protected,
        )


def _occurrences(index: PruneIndex, bare_id: str) -> int:
    return len(index.keys_of_id.get(bare_id, ())) + len(index.aliases_of_id.get(bare_id, ()))


def _position(node: ChainNode) -> int:
    """A chain stands where its first summary stands, else where it was written."""
    entries = [node.chain.entry, *(summary.summary.entry for summary in node.summaries)]
    return min(entry.index for entry in entries)
