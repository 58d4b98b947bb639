"""Payloads of `context-prune-*` entries → frozen, typed records.

This is the border for what the extension wrote: past it nothing looks into untrusted JSON.
(Source: the pruning rules, section 2.)
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from sys import intern
from typing import Any

from condense_tui.session.bodies import Body
from condense_tui.session.compact import Compact, Value, changed
from condense_tui.session.entries import Entry
from condense_tui.session.jsontext import Number, as_number, utf16_length
from condense_tui.session.messages import Message, content_text
from condense_tui.session.occurrences import occurrence_key
from condense_tui.session.outlines import identifier, path_in, text_or_none


class EntryType(StrEnum):
    """The `customType` of every entry that the extension writes."""

    INDEX = "context-prune-index"
    SUMMARY = "context-prune-summary"
    ALIAS = "context-prune-dedup-alias"
    CHAIN = "context-prune-chain"
    FRONTIER = "context-prune-frontier"
    STATS = "context-prune-stats"
    DIAGNOSTIC = "context-prune-diagnostic"
    FLUSH_METRICS = "context-prune-flush-metrics"


ARCHIVES = frozenset({EntryType.INDEX, EntryType.SUMMARY, EntryType.ALIAS, EntryType.CHAIN})
"""The records that an index is built from."""


def entry_type(entry: Entry) -> EntryType | None:
    """Which of the extension's records this entry is, if any."""
    kind = _ENTRY_TYPES.get(entry.custom_type) if entry.custom_type else None
    expected = "custom_message" if kind is EntryType.SUMMARY else "custom"
    return kind if entry.type == expected else None


_ENTRY_TYPES = {kind.value: kind for kind in EntryType}


class Record(Compact, frozen=True):
    """One archived tool call, the one of this `number` in its entry.

    What can be long stays in the file: the arguments, the output and its preview.  `path` is
    the string argument of that name, `result_chars` the length of the output in UTF-16 code
    units, `key` the occurrence key.  `payload` is set where these are something else than the
    entry says.
    """

    tool_call_id: str
    tool_name: str
    path: str | None
    result_chars: int
    is_error: bool
    turn_index: Number | None
    timestamp: Number | None
    result_timestamp: Number | None
    spill_path: str | None
    spill_bytes: Number | None
    content_hash: str | None
    is_backfilled: bool
    entry: Entry
    number: int
    key: str
    payload: Body | None = None

    @property
    def is_spilled(self) -> bool:
        """Whether the body lies in a sidecar file."""
        return self.spill_path is not None

    @property
    def arguments(self) -> Any:
        """What the call was asked."""
        return self._said.get("args")

    @property
    def result_text(self) -> str:
        """The archived output; empty where it was spilled."""
        return text_or_none(self._said.get("resultText")) or ""

    @property
    def preview(self) -> str | None:
        """The beginning of a spilled output."""
        return text_or_none(self._said.get("resultPreview"))

    @property
    def _said(self) -> Body:
        return calls_in(self.entry)[self.number] if self.payload is None else self.payload

    def with_arguments(self, arguments: Any) -> Record:
        """The same record, asked something else."""
        return changed(self, payload={**self._said, "args": arguments})


class SummaryRef(Compact, frozen=True):
    """One call that a summary covers; `key` is its occurrence key."""

    short_ref: str
    tool_call_id: str
    result_timestamp: Number | None
    key: str


class Summary(Compact, frozen=True):
    """A summary entry: a message that is in the model's context.

    `has_all_refs`: its details hold a list of refs, and `refs` is all of that.
    """

    refs: tuple[SummaryRef, ...]
    text: str
    turn_index: Number | None
    timestamp: Number | None
    has_plain_text: bool
    has_all_refs: bool
    entry: Entry


class Alias(Compact, frozen=True):
    """A call whose output equals an earlier one's."""

    key: str
    original_key: str
    entry: Entry


class ChainEntry(Value, frozen=True):
    """A chain that the extension compressed into a block.

    A list is None where the entry has none: the extension fails when it then needs it.
    """

    block_id: str
    start_timestamp: Number
    final_timestamp: Number | None
    dropped_ids: tuple[str, ...] | None
    dropped_keys: tuple[str, ...] | None
    protected_ids: frozenset[str]
    tool_refs: tuple[str, ...] | None
    compressed_at: Any
    has_compressed_at: bool
    range_summary: str | None
    entry: Entry

    @property
    def covered_keys(self) -> tuple[str, ...] | None:
        """Where the body is looked up: the occurrence keys, and only without them the ids."""
        return self.dropped_ids if self.dropped_keys is None else self.dropped_keys


def calls_in(entry: Entry) -> list[Any]:
    """The elements of an index entry's `toolCalls`, of whatever kind."""
    calls = payload_of(entry).get("toolCalls")
    return calls if isinstance(calls, list) else []


def record_from(payload: Body, entry: Entry, number: int, is_backfilled: bool) -> Record:
    """The typed record of the element with this number of an index entry's `toolCalls`."""
    bare_id = intern(identifier(payload.get("toolCallId")))
    result_timestamp = as_number(payload.get("resultTimestamp"))
    return Record(
        tool_call_id=bare_id,
        tool_name=intern(identifier(payload.get("toolName"))),
        path=path_in(payload.get("args")),
        result_chars=utf16_length(text_or_none(payload.get("resultText")) or ""),
        is_error=payload.get("isError") is True,
        turn_index=as_number(payload.get("turnIndex")),
        timestamp=as_number(payload.get("timestamp")),
        result_timestamp=result_timestamp,
        spill_path=text_or_none(payload.get("spillPath")) or None,
        spill_bytes=as_number(payload.get("spillBytes")),
        content_hash=text_or_none(payload.get("contentHash")),
        is_backfilled=is_backfilled,
        entry=entry,
        number=number,
        key=occurrence_key(bare_id, result_timestamp),
    )


def summary_from(entry: Entry) -> Summary:
    """The typed summary of a `custom_message` entry; wrong parts of it are left out."""
    details = entry.body.get("details")
    details = details if isinstance(details, dict) else {}
    content, listed = entry.body.get("content"), details.get("toolCallRefs")
    refs = summary_refs(details)
    return Summary(
        refs=refs,
        text=content_text(content),
        turn_index=as_number(details.get("turnIndex")),
        timestamp=as_number(details.get("timestamp")),
        has_plain_text=isinstance(content, str),
        has_all_refs=isinstance(listed, list) and len(listed) == len(refs),
        entry=entry,
    )


def is_as_written(summary: Message) -> bool:
    """Whether a summary message says what its entry does, and no edit has given it other words."""
    entry = summary.entry
    return summary.made is None and entry is not None and entry.type == "custom_message"


def summary_refs(details: Any) -> tuple[SummaryRef, ...]:
    """The refs of a summary's details; in old files plain ids, each its own short ref."""
    if not isinstance(details, dict):
        return ()
    if isinstance(details.get("toolCallRefs"), list):
        return refs_from(details["toolCallRefs"])
    ids = details.get("toolCallIds")
    texts = ids if isinstance(ids, list) else []
    return tuple(_ref(text, text, None) for text in texts if isinstance(text, str))


def refs_from(value: Any) -> tuple[SummaryRef, ...]:
    """The elements that have a short ref and an id; the others are left out."""
    elements = value if isinstance(value, list) else []
    return tuple(
        _ref(
            intern(element["shortId"]),
            intern(element["toolCallId"]),
            as_number(element.get("resultTimestamp")),
        )
        for element in elements
        if isinstance(element, dict)
        and isinstance(element.get("shortId"), str)
        and isinstance(element.get("toolCallId"), str)
    )


def _ref(short_ref: str, tool_call_id: str, result_timestamp: Number | None) -> SummaryRef:
    key = occurrence_key(tool_call_id, result_timestamp)
    return SummaryRef(short_ref, tool_call_id, result_timestamp, key)


def alias_from(entry: Entry) -> Alias | None:
    """The typed alias of an entry, or None when it has not both ids."""
    payload = payload_of(entry)
    new, original = (
        text_or_none(payload.get("newToolCallId")),
        text_or_none(payload.get("originalToolCallId")),
    )
    if not new or not original:
        return None
    return Alias(
        occurrence_key(new, as_number(payload.get("newResultTimestamp"))),
        occurrence_key(original, as_number(payload.get("originalResultTimestamp"))),
        entry,
    )


def chain_from(entry: Entry) -> ChainEntry | None:
    """The typed chain of an entry, or None without a block id or a numeric start."""
    payload = payload_of(entry)
    block_id, start = (
        text_or_none(payload.get("blockId")),
        as_number(payload.get("startUserTimestamp")),
    )
    if not block_id or start is None:
        return None
    return ChainEntry(
        block_id=block_id,
        start_timestamp=start,
        final_timestamp=as_number(payload.get("finalAssistantTimestamp")),
        dropped_ids=_texts(payload.get("droppedToolCallIds")),
        dropped_keys=_texts(payload.get("droppedOccurrenceKeys")),
        protected_ids=frozenset(_texts(payload.get("protectedToolCallIds")) or ()),
        tool_refs=_texts(payload.get("toolRefs")),
        compressed_at=payload.get("compressedAt"),
        has_compressed_at="compressedAt" in payload,
        range_summary=text_or_none(payload.get("rangeSummaryText")),
        entry=entry,
    )


def payload_of(entry: Entry) -> Mapping[str, Any]:
    """The `data` of an entry, empty when it is no object."""
    payload = entry.body.get("data")
    return payload if isinstance(payload, dict) else {}


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(identifier(item) for item in value)
