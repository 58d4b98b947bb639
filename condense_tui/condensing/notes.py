"""`Notes`: what the extension knows of a branch.  To write an entry is to know it.

What is written is read back by the very code that reads a session, so that a rebuild from the
file cannot tell anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from condense_tui.condensing.blocks import BlockNumbers
from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.indexbuilder import IndexBuilder
from condense_tui.pruning.ledger import read_ledger
from condense_tui.pruning.pending import settled_turn
from condense_tui.pruning.records import EntryType
from condense_tui.session.compact import Value
from condense_tui.session.dates import iso_text
from condense_tui.session.entries import Entry, entry_of
from condense_tui.session.jsontext import Number

Body = dict[str, Any]


class Clerk(Value, frozen=True):
    """Gives new entries their ids and times; `now_ms` is asked anew for each."""

    new_id: Callable[[], str]
    now_ms: Callable[[], int]


class Notes:
    """The index, frontier and totals of a branch, and what is added to it below `parent_id`."""

    def __init__(
        self,
        entries: Iterable[Entry],
        parent_id: str | None,
        clerk: Clerk,
        first: tuple[int, int] = (0, 0),
    ) -> None:
        """`first` is the index and the line that the first new entry will have."""
        entries = tuple(entries)
        self._first = first
        self.parent_id = parent_id
        self.written: list[Entry] = []
        self._clerk = clerk
        self._digests: dict[tuple[str, str], str] = {}
        self._builder = IndexBuilder(self.digest)
        self._builder.add_all(entries)
        self._builder.settle()
        ledger = read_ledger(entries)
        self.frontier: Mapping[str, Any] | None = ledger.frontier
        self.stats: Mapping[str, Any] = ledger.stats
        self.reported = {diagnostic.detail for diagnostic in ledger.recorded}
        blocks = (chain.block_id for chain in self._builder.chain_of_start.values())
        self.block_numbers = BlockNumbers(blocks)

    @property
    def is_readable(self) -> bool:
        """Whether the extension would read what is added: its rebuild ends at a broken entry."""
        return self._builder.failure is None

    @property
    def index(self) -> PruneIndex:
        """Records, refs, aliases and summaries; what a flush adds counts from its end on."""
        return self._builder.index

    @property
    def settled_turn(self) -> Number:
        """The turn of the frontier's call; -1 where there is no frontier."""
        return settled_turn(self.frontier)

    @property
    def compressed_starts(self) -> Mapping[float, Any]:
        """The times of the user messages that begin a compressed chain."""
        return self._builder.chain_of_start

    def digest(self, tool_name: str, text: str) -> str:
        """The content hash, worked out once for each body."""
        known = self._digests.get((tool_name, text))
        if known is None:
            known = self._digests[tool_name, text] = content_hash(tool_name, text)
        return known

    def next_refs(self, count: int) -> list[str]:
        """So many free short refs; they are taken by the entry that names them."""
        first = self._builder.next_ref_number
        return [f"t{number}" for number in range(first, first + count)]

    def now_ms(self) -> int:
        """The time, as the clerk has it."""
        return self._clerk.now_ms()

    def add(self, kind: EntryType, payload: Body) -> None:
        """Write an entry that only the extension reads."""
        self._write({"type": "custom", "customType": kind.value, "data": payload})
        if kind is EntryType.FRONTIER:
            self.frontier = payload
        elif kind is EntryType.STATS:
            self.stats = payload

    def add_summary(self, content: str, details: Body) -> None:
        """Write a summary message."""
        self._write(
            {
                "type": "custom_message",
                "customType": EntryType.SUMMARY.value,
                "content": content,
                "display": False,
                "details": details,
            }
        )

    def settle(self) -> None:
        """Let aliases count, as the extension does at once."""
        self._builder.settle()

    def _write(self, fields: Body) -> None:
        entry_id = self._clerk.new_id()
        stamp = iso_text(self._clerk.now_ms())
        body = {**fields, "id": entry_id, "parentId": self.parent_id, "timestamp": stamp}
        index, line = (number + len(self.written) for number in self._first)
        entry = entry_of(index, line, body)
        self._builder.add(entry)
        self.written.append(entry)
        self.parent_id = entry_id
