"""Where chains lie: chain entry + messages → range, and which ranges are accepted.

A range needs exactly one user message at its start and one assistant message at its end; there
is no fallback to ids or time windows, ever.  (Source: the pruning rules, section 3, phase 3.)
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from condense_tui.pruning.diagnostics import OVERLAP_MARK, OVERLAP_PREFIX
from condense_tui.pruning.records import ChainEntry
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number, number_text
from condense_tui.session.messages import Message


class Range(Value, frozen=True):
    """A resolved chain: indexes of its first user and its final assistant message."""

    chain: ChainEntry
    start: int
    end: int


class Unresolved(Value, frozen=True):
    """A chain that stays raw; `matches` is how many messages each boundary found."""

    chain: ChainEntry
    start_matches: int
    final_matches: int

    @property
    def detail(self) -> str:
        """The extension's own words."""
        chain = self.chain
        final = chain.final_timestamp
        return (
            f"blockId={chain.block_id} start={number_text(chain.start_timestamp)} "
            f"final={'null' if final is None else number_text(final)}"
        )

    @property
    def is_ambiguous(self) -> bool:
        """Whether only this keeps it raw: two messages share a boundary's millisecond."""
        return (
            max(self.start_matches, self.final_matches)
            > 1
            <= min(self.start_matches, self.final_matches)
        )


class Overlap(Value, frozen=True):
    """A resolved chain that is skipped because another holds or claims its start."""

    range: Range
    claimed_by: Range | None

    @property
    def detail(self) -> str:
        """The extension's own words."""
        skipped = f"blockId={self.range.chain.block_id}{OVERLAP_MARK}"
        if self.claimed_by is None:
            return f"{skipped}range duplicates startIndex={self.range.start} already claimed"
        return f"{skipped}range nests inside blockId={self.claimed_by.chain.block_id}"

    @property
    def dedup_key(self) -> str:
        """Names the benign skip, apart from a chain that cannot be placed."""
        return OVERLAP_PREFIX + self.range.chain.block_id


Boundaries = Mapping[Number, list[int]]


def resolve_ranges(
    chains: Iterable[ChainEntry], messages: Sequence[Message | None]
) -> list[Range | Unresolved]:
    """Each chain entry's range in these messages, in the order of the entries."""
    known = tuple(chains)
    starts = {chain.start_timestamp for chain in known}
    finals = {chain.final_timestamp for chain in known} - {None}
    users = _positions(messages, "user", starts)
    assistants = _positions(messages, "assistant", finals)
    return [_resolved(chain, users, assistants) for chain in known]


def _positions(
    messages: Sequence[Message | None], role: str, times: Collection[Number | None]
) -> Boundaries:
    """Where the messages with these times are."""
    positions: dict[Number, list[int]] = {}
    for position, message in enumerate(messages):
        if message and message.role == role:
            time = message.outline.timestamp
            if time is not None and time in times:
                positions.setdefault(time, []).append(position)
    return positions


def _resolved(chain: ChainEntry, users: Boundaries, assistants: Boundaries) -> Range | Unresolved:
    starts = users.get(chain.start_timestamp, [])
    final = chain.final_timestamp
    ends = [] if final is None else assistants.get(final, [])
    if len(starts) == len(ends) == 1 and starts[0] < ends[0]:
        return Range(chain, starts[0], ends[0])
    return Unresolved(chain, len(starts), len(ends))


def accepted_ranges(ranges: Sequence[Range]) -> Iterator[Range | Overlap]:
    """For each range, itself or why it is skipped; the accepted ones do not overlap."""
    holders = _holders(ranges)
    claimed: set[int] = set()
    for number, candidate in enumerate(ranges):
        holder = holders.get(number)
        if holder is not None:
            yield Overlap(candidate, ranges[holder])
        elif candidate.start in claimed:
            yield Overlap(candidate, None)
        else:
            claimed.add(candidate.start)
            yield candidate


def _holders(ranges: Sequence[Range]) -> dict[int, int]:
    """For each range whose start lies strictly inside others, the first of those in order.

    One sweep over the starts; the heap holds the ranges that may still be open, so the cost is
    that of sorting and not the number of pairs.
    """
    holders: dict[int, int] = {}
    open_numbers: list[int] = []
    waiting: list[int] = []
    for number in sorted(range(len(ranges)), key=lambda number: ranges[number].start):
        start = ranges[number].start
        while waiting and ranges[waiting[-1]].start < start:
            heapq.heappush(open_numbers, waiting.pop())
        while open_numbers and ranges[open_numbers[0]].end <= start:
            heapq.heappop(open_numbers)
        if open_numbers:
            holders[number] = open_numbers[0]
        waiting.append(number)
    return holders
