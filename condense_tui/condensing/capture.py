"""Before a summariser is asked: protection, spilling, frontier, duplicates.

(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from condense_tui.condensing.course import Course
from condense_tui.condensing.limits import Limits
from condense_tui.condensing.losses import archived_text
from condense_tui.condensing.notes import Notes
from condense_tui.condensing.outcomes import CallOutcome, CallReport, Report
from condense_tui.condensing.payloads import (
    Payload,
    alias_payload,
    record_payload,
    spilled_payload,
)
from condense_tui.condensing.spill import safe_name, spill_fields
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.pending import Batch, CapturedCall, calls_beyond, waiting_calls
from condense_tui.pruning.records import EntryType, Record
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import changed
from condense_tui.session.jsontext import utf16_length

_BODY_SUFFIX = ".txt"


@dataclass(slots=True)
class Desk:
    """What every step works with.

    `blobs_folder` is where spilled bodies will lie, as records name it, and `files` holds their
    texts by path.  A lossless run keeps what the extension would lose: duplicates are exact and
    nothing is dropped unarchived.  It leaves alone what is not among `shown_entries`, the
    indexes of the entries in the context: a summary of it would only add to the context.
    `whole_entries` are those of them that the model is sent as they are.
    """

    course: Course
    notes: Notes
    settings: CondenseSettings
    limits: Limits
    blobs_folder: str
    is_lossless: bool
    shown_entries: frozenset[int]
    whole_entries: frozenset[int]
    report: Report
    files: dict[str, str]

    def is_oversized(self, captured: CapturedCall) -> bool:
        """Whether a single result is long enough for a file, and a file can hold all of it."""
        text = captured.result_text
        if utf16_length(text) < self.limits.spill_threshold:
            return False
        return not self.is_lossless or utf8_bytes(text).decode() == text

    def why_not(self, captured: CapturedCall) -> CallOutcome | None:
        """Why a call is not taken up although it is pending, or None where it is."""
        if captured.key in self.course.unsafe_keys:
            return CallOutcome.UNSAFE
        entry = captured.result.entry if captured.result else None
        if self.is_lossless and entry and entry.index not in self.shown_entries:
            return CallOutcome.UNSEEN
        if self.is_lossless and self.course.is_beyond_text(captured.result):
            return CallOutcome.BEYOND_TEXT
        return None

    def spilled(self, record: Payload, captured: CapturedCall) -> Payload:
        """The record with its body moved to a file, which is to be written."""
        text = captured.result_text
        path = self._free_path(safe_name(captured.key), text)
        self.files[path] = text
        fields = spill_fields(text, path, self.limits.preview_bytes)
        return spilled_payload(record, fields, self.notes.digest(captured.call.name, text))

    def _free_path(self, name: str, text: str) -> str:
        """Two keys may come to one name; a name that holds another text is taken."""
        for number in count(1):
            suffix = f"_{number}" if number > 1 else ""
            path = f"{self.blobs_folder}/{name}{suffix}{_BODY_SUFFIX}"
            if self.files.get(path, text) == text:
                break
        return path

    def original_of(self, captured: CapturedCall) -> Record | None:
        """The record that already holds this output, if duplicates are looked for."""
        if not self.limits.finds_duplicates:
            return None
        index = self.notes.index
        digest = self.notes.digest(captured.call.name, captured.result_text)
        original = index.records.get(index.key_of_content_hash.get(digest, ""))
        if original and self.is_lossless and not self._is_same(original, captured):
            return None
        return original

    def _is_same(self, original: Record, captured: CapturedCall) -> bool:
        """Equal hashes leave blanks at line ends aside, and may be of a record that is gone.

        An older file cannot be looked into.
        """
        return archived_text(original, self.files) == captured.result_text

    def add_alias(self, turn: Batch, captured: CapturedCall, original: Record) -> None:
        """Write a duplicate, and tell it under its original's short ref, else its key."""
        payload = alias_payload(captured, original.tool_call_id, original.result_timestamp)
        self.notes.add(EntryType.ALIAS, payload)
        is_known = archived_text(original, self.files) is not None
        is_mistaken = is_known and not self._is_same(original, captured)
        what = CallOutcome.MISTAKEN if is_mistaken else CallOutcome.DUPLICATE
        name = self.notes.index.ref_of_key.get(original.key, original.key)
        self.tell(turn, captured, what, name)

    def tell(self, batch: Batch, captured: CapturedCall, what: CallOutcome, ref: str = "") -> None:
        """Note what becomes of a call."""
        self.report.calls.append(CallReport(batch.turn_index, captured, what, ref))


def spill_single_results(desk: Desk, turns: Iterable[Batch]) -> None:
    """Spill each oversized result by itself; one that equals an archived output is an alias."""
    for turn in turns:
        records = []
        beyond = calls_beyond(turn, desk.notes.frontier)
        for captured, is_protected in waiting_calls(beyond, desk.notes.index, desk.settings):
            if is_protected or not desk.is_oversized(captured) or desk.why_not(captured):
                continue
            if original := desk.original_of(captured):
                desk.add_alias(turn, captured, original)
            else:
                record = record_payload(captured, turn.turn_index, turn.timestamp)
                records.append(desk.spilled(record, captured))
                desk.tell(turn, captured, CallOutcome.SPILLED)
        desk.notes.settle()
        if records:
            desk.notes.add(EntryType.INDEX, {"toolCalls": records})


def pending_beyond_frontier(desk: Desk, turns: Iterable[Batch]) -> Iterator[Batch]:
    """What a flush takes up: the turns' pending calls that lie past the frontier."""
    for turn in turns:
        calls = []
        beyond = calls_beyond(turn, desk.notes.frontier)
        for captured, is_protected in waiting_calls(beyond, desk.notes.index, desk.settings):
            if is_protected:
                desk.tell(turn, captured, CallOutcome.PROTECTED)
            elif reason := desk.why_not(captured):
                desk.tell(turn, captured, reason)
            else:
                calls.append(captured)
        if calls:
            yield changed(turn, calls=tuple(calls))


def without_duplicates(desk: Desk, batches: Iterable[Batch]) -> list[Batch]:
    """The batches without the calls whose output is archived already, which become aliases.

    Only what was archived before this flush counts; a batch may end up without calls.
    """
    kept = []
    for batch in batches:
        calls = []
        for captured in batch.calls:
            original = desk.original_of(captured)
            if original is None:
                calls.append(captured)
                continue
            desk.add_alias(batch, captured, original)
        kept.append(changed(batch, calls=tuple(calls)))
    desk.notes.settle()
    return kept
