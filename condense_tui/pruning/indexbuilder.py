"""`IndexBuilder`: entries of a branch → `PruneIndex`, in one walk, aliases last.

The same file always gives the same index.  (Source: the pruning rules, "The index built from
them".)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.index import PruneIndex, RebuildFailure
from condense_tui.pruning.records import (
    Alias,
    ChainEntry,
    EntryType,
    Record,
    Summary,
    SummaryRef,
    alias_from,
    calls_in,
    chain_from,
    entry_type,
    payload_of,
    record_from,
    refs_from,
    summary_from,
)
from condense_tui.session.compact import changed
from condense_tui.session.entries import Entry
from condense_tui.session.occurrences import parse_key

_NUMBERED_REF = re.compile("t([0-9]+)")
# A ref is untrusted text: a number of any length must not cost or fail.
_MAX_REF_DIGITS = 15


def build_index(entries: Iterable[Entry]) -> PruneIndex:
    """The index of a branch's entries, root first."""
    builder = IndexBuilder()
    builder.add_all(entries)
    return builder.finished()


def _first_by_block(chains: Iterable[ChainEntry]) -> dict[str, ChainEntry]:
    """Of a block id that was given twice the first one in the file counts."""
    by_block: dict[str, ChainEntry] = {}
    for chain in chains:
        by_block.setdefault(chain.block_id, chain)
    return by_block


HashOf = Callable[[str, str], str]


class IndexBuilder:
    """The only place where an index grows: entry by entry, and a settling in between or at last.

    A rebuild settles once, after the last entry; who goes on writing settles after each flush.
    `hash_of` is asked for the content hash of a record that does not hold its own.
    """

    def __init__(self, hash_of: HashOf = content_hash) -> None:
        self._index = PruneIndex()
        self._hash_of = hash_of
        self._chain_of_start: dict[float, ChainEntry] = {}
        self._aliases: list[Alias] = []
        self._highest_ref = 0
        self.failure: RebuildFailure | None = None

    @property
    def index(self) -> PruneIndex:
        """The index so far, without its chains; it goes on growing."""
        return self._index

    @property
    def chain_of_start(self) -> Mapping[float, ChainEntry]:
        """The chains so far, by when they start."""
        return self._chain_of_start

    @property
    def next_ref_number(self) -> int:
        """The next free short ref."""
        return self._highest_ref + 1

    def add(self, entry: Entry) -> None:
        """Take in what this entry records, if anything."""
        match entry_type(entry):
            case EntryType.INDEX:
                self._add_index_entry(entry)
            case EntryType.SUMMARY:
                self._add_summary(summary_from(entry))
            case EntryType.CHAIN:
                if chain := chain_from(entry):
                    self._chain_of_start[chain.start_timestamp] = chain
            case EntryType.ALIAS:
                if alias := alias_from(entry):
                    self._aliases.append(alias)

    def add_all(self, entries: Iterable[Entry]) -> None:
        """Take in entries up to where the extension's rebuild stops."""
        for entry in entries:
            if self.failure:
                return
            self.add(entry)

    def copy(self) -> IndexBuilder:
        """Another builder that goes on from here; neither knows what the other takes in."""
        other = IndexBuilder(self._hash_of)
        other._index = _copy_of(self._index)
        other._chain_of_start = dict(self._chain_of_start)
        other._aliases = [*self._aliases]
        other._highest_ref = self._highest_ref
        other.failure = self.failure
        return other

    def settle(self) -> None:
        """Apply the aliases that wait; none where the extension's rebuild stops."""
        if not self.failure:
            for alias in self._aliases:
                self._add_alias(alias)
        self._aliases.clear()

    def finished(self) -> PruneIndex:
        """The whole index; what was taken in is as unsettled afterwards as before."""
        settled = self.copy() if self._aliases else self
        settled.settle()
        chains = tuple(chain for _, chain in sorted(self._chain_of_start.items()))
        return changed(
            settled._index,
            chains=chains,
            chain_of_block=_first_by_block(self._chain_of_start.values()),
            next_ref_number=self.next_ref_number,
            failure=self.failure,
        )

    def _add_index_entry(self, entry: Entry) -> None:
        if entry.body.get("data") is None:
            self.failure = RebuildFailure(entry, "an index entry without data")
            return
        payload = payload_of(entry)
        is_backfilled = payload.get("backfilled") is True
        for number, call in enumerate(calls_in(entry)):
            self._add_record(call, entry, number, is_backfilled)
            if self.failure:
                return
        if is_backfilled:
            self._add_refs(refs_from(payload.get("refs")))

    def _add_record(self, call: object, entry: Entry, number: int, is_backfilled: bool) -> None:
        if not isinstance(call, dict):
            self.failure = RebuildFailure(entry, "a record that is no object")
            return
        record = record_from(call, entry, number, is_backfilled)
        self._note_key(record)
        self._index.records[record.key] = record
        if is_backfilled:
            return
        digest = record.content_hash
        if digest is None:
            if not isinstance(call.get("resultText"), str):
                reason = f"the record of {record.key} has neither a text nor a content hash"
                self.failure = RebuildFailure(entry, reason)
                return
            digest = self._hash_of(record.tool_name, record.result_text)
        self._index.key_of_content_hash.setdefault(digest, record.key)

    def _note_key(self, record: Record) -> None:
        """Two ids can come to one key, where one of them ends like a time."""
        keys = self._index.keys_of_id.setdefault(record.tool_call_id, [])
        known = self._index.records.get(record.key)
        is_own = known is not None and known.tool_call_id == record.tool_call_id
        if not is_own and record.key not in keys:
            keys.append(record.key)

    def _add_summary(self, summary: Summary) -> None:
        self._add_refs(summary.refs)
        self._index.summary_of_entry[summary.entry.index] = summary
        if not summary.text:
            return
        number = len(self._index.summaries)
        self._index.summaries.append(summary)
        for ref in summary.refs:
            self._index.summaries_of_key.setdefault(ref.key, []).append(number)

    def _add_refs(self, refs: tuple[SummaryRef, ...]) -> None:
        for ref in refs:
            if not ref.short_ref or not ref.tool_call_id:
                continue
            if ref.short_ref != ref.key:
                self._index.key_of_ref[ref.short_ref] = ref.key
                self._index.ref_of_key[ref.key] = ref.short_ref
            if numbered := _NUMBERED_REF.fullmatch(ref.short_ref):
                number = int(numbered[1][:_MAX_REF_DIGITS])
                self._highest_ref = max(self._highest_ref, number)

    def _add_alias(self, alias: Alias) -> None:
        self._index.aliases[alias.key] = alias
        self._index.aliases_of_id.setdefault(parse_key(alias.key).bare_id, {})[alias.key] = alias
        if ref := self._index.ref_of_key.get(alias.original_key):
            self._index.ref_of_key[alias.key] = ref


def _copy_of(index: PruneIndex) -> PruneIndex:
    return changed(
        index,
        records=dict(index.records),
        keys_of_id={bare_id: [*keys] for bare_id, keys in index.keys_of_id.items()},
        key_of_ref=dict(index.key_of_ref),
        ref_of_key=dict(index.ref_of_key),
        aliases=dict(index.aliases),
        aliases_of_id={bare_id: dict(known) for bare_id, known in index.aliases_of_id.items()},
        summaries=[*index.summaries],
        summary_of_entry=dict(index.summary_of_entry),
        summaries_of_key={key: [*numbers] for key, numbers in index.summaries_of_key.items()},
        key_of_content_hash=dict(index.key_of_content_hash),
    )
