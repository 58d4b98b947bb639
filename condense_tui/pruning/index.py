"""Records of a branch → `PruneIndex`: exact look-ups by key, ref and bare id.

Built in one walk over the branch, aliases last; the same file always gives the same index.
(Source: the pruning rules, "The index built from them".)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from msgspec import field

from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.occurrences import parse_key
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
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Entry

_NUMBERED_REF = re.compile("t([0-9]+)")
# A ref is untrusted text: a number of any length must not cost or fail.
_MAX_REF_DIGITS = 15


class RebuildFailure(Value, frozen=True):
    """Where the extension's own rebuild stops; nothing after this entry counts."""

    entry: Entry
    reason: str


class PruneIndex(Value, frozen=True):
    """What the extension knows about a branch.  Every mapping keeps the order of the file."""

    records: dict[str, Record] = field(default_factory=dict)
    keys_of_id: dict[str, list[str]] = field(default_factory=dict)
    key_of_ref: dict[str, str] = field(default_factory=dict)
    ref_of_key: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, Alias] = field(default_factory=dict)
    aliases_of_id: dict[str, dict[str, Alias]] = field(default_factory=dict)
    summaries: list[Summary] = field(default_factory=list)
    summary_of_entry: dict[int, Summary] = field(default_factory=dict)
    summaries_of_key: dict[str, list[int]] = field(default_factory=dict)
    chains: tuple[ChainEntry, ...] = ()
    chain_of_block: dict[str, ChainEntry] = field(default_factory=dict)
    key_of_content_hash: dict[str, str] = field(default_factory=dict)
    next_ref_number: int = 1
    failure: RebuildFailure | None = None

    def is_summarized(self, key: str) -> bool:
        """Exact: a record or an alias under this very key, never by the bare id."""
        return key in self.records or key in self.aliases

    def has_legacy_bare_record(self, bare_id: str) -> bool:
        """A record without timestamp, and no other occurrence of its id."""
        return bare_id in self.records and len(self.keys_of_id.get(bare_id, ())) == 1

    def resolve(self, text: str) -> str | None:
        """The record key that a key, alias, short ref or unambiguous bare id names.

        The first rung that applies decides, even when the record it names is missing.
        """
        if text in self.records:
            return text
        if text in self.aliases:
            return self.aliases[text].original_key
        if text in self.key_of_ref:
            return self.key_of_ref[text]
        keys = self.keys_of_id.get(text, ())
        return keys[0] if len(keys) == 1 else None

    def record(self, text: str) -> Record | None:
        """The record that `text` resolves to."""
        key = self.resolve(text)
        return None if key is None else self.records.get(key)

    def records_for(self, text: str) -> list[Record]:
        """Every occurrence that `text` names, oldest first.

        An alias counts as an occurrence: the original's record under the alias's own id.
        """
        found = [self.records[key] for key in self.keys_of_id.get(text, ())]
        found += [
            _as_occurrence(original, alias)
            for alias in self.aliases_of_id.get(text, {}).values()
            if (original := self.records.get(alias.original_key))
        ]
        if not found:
            single = self.record(text)
            found = [single] if single else []
        return sorted(found, key=_chronological)

    @property
    def all_keys(self) -> list[str]:
        """The key of every occurrence whose output is known, aliases after records."""
        known = (key for key, alias in self.aliases.items() if alias.original_key in self.records)
        return list(dict.fromkeys((*self.records, *known)))

    def alias_record(self, key: str) -> Record | None:
        """The original's record under the id and the time of the alias with this key."""
        alias = self.aliases.get(key)
        original = self.records.get(alias.original_key) if alias else None
        return _as_occurrence(original, alias) if original and alias else None

    def is_shadowed(self, record: Record) -> bool:
        """Whether it is an alias's occurrence whose key a record has as well."""
        return self.records.get(record.key, record) is not record

    def occurrences_for(self, text: str) -> list[Record]:
        """Like `records_for`, but an alias's own key names its own occurrence.

        The extension's tool answers that key with the original's record, time included.
        """
        if text in self.records or text not in self.aliases:
            return self.records_for(text)
        record = self.alias_record(text)
        return [record] if record else []

    def summary_at(self, entry: Entry) -> Summary:
        """The summary of a summary entry, be it one after the place where a rebuild fails."""
        return self.summary_of_entry.get(entry.index) or summary_from(entry)

    def summary_texts(self, keys: Iterable[str]) -> list[str]:
        """The distinct texts of the summaries that cover any of these keys, in file order."""
        numbers = {number for key in keys for number in self.summaries_of_key.get(key, ())}
        return list(dict.fromkeys(self.summaries[number].text for number in sorted(numbers)))


def _as_occurrence(original: Record, alias: Alias) -> Record:
    occurrence = parse_key(alias.key)
    return changed(original, tool_call_id=occurrence.bare_id, result_timestamp=occurrence.timestamp)


def _chronological(record: Record) -> float:
    moment = record.timestamp if record.result_timestamp is None else record.result_timestamp
    return 0 if moment is None else moment


def build_index(entries: Iterable[Entry]) -> PruneIndex:
    """The index of a branch's entries, root first."""
    builder = IndexBuilder()
    for entry in entries:
        builder.add(entry)
        if builder.failure:
            break
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

    def settle(self) -> None:
        """Apply the aliases that wait; none where the extension's rebuild stops."""
        if not self.failure:
            for alias in self._aliases:
                self._add_alias(alias)
        self._aliases.clear()

    def finished(self) -> PruneIndex:
        """The whole index."""
        self.settle()
        chains = tuple(chain for _, chain in sorted(self._chain_of_start.items()))
        return changed(
            self._index,
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
