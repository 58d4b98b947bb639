"""Records of a branch → `PruneIndex`: exact look-ups by key, ref and bare id.

Built in one walk over the branch, aliases last; the same file always gives the same index.
(Source: the pruning rules, "The index built from them".)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import field

from condense_tui.pruning.records import (
    Alias,
    ChainEntry,
    Record,
    Summary,
    summary_from,
)
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Entry
from condense_tui.session.occurrences import occurrence_key, parse_key


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
    return changed(
        original,
        tool_call_id=occurrence.bare_id,
        result_timestamp=occurrence.timestamp,
        key=occurrence_key(occurrence.bare_id, occurrence.timestamp),
    )


def _chronological(record: Record) -> float:
    moment = record.timestamp if record.result_timestamp is None else record.result_timestamp
    return 0 if moment is None else moment
