"""What the model is shown whole now, and then neither it nor a query gives back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.records import Record
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message, message_of
from condense_tui.session.outlines import RESULT


class Losses(Value, frozen=True):
    """Outputs of the context: how many no query will find, and how many with another text."""

    unfound: int = 0
    altered: int = 0


def losses(before: Inspection, after: Inspection, files: Mapping[str, str]) -> Losses:
    """What the look `after` loses of that `before` it; `files` are the new spilled bodies."""
    unfound = altered = 0
    for result in _hidden(before, after):
        record = after.index.record(result.occurrence)
        if record is None:
            unfound += 1
        elif not _gives_back(record, result, files):
            altered += 1
    return Losses(unfound, altered)


def archived_text(record: Record, files: Mapping[str, str]) -> str | None:
    """The output that a record gives back; None where that lies in a file not among these."""
    return files.get(record.spill_path or "") if record.is_spilled else record.result_text


def _gives_back(record: Record, result: Message, files: Mapping[str, str]) -> bool:
    stored = message_of(result.entry) if result.entry else None
    if stored is None or not stored.is_all_text:
        return False
    text = archived_text(record, files)
    # Nobody can look into an older file here.
    return text is None or text == stored.text


def _hidden(before: Inspection, after: Inspection) -> Iterator[Message]:
    """The results that are sent as they are before, and after neither so nor in a block."""
    shown = {slot.before.entry for slot in before.plan.slots if slot.before and not slot.is_changed}
    kept_ids = {chain.entry: chain.protected_ids for chain in after.index.chains}
    for slot in after.plan.slots:
        result = slot.before
        if result is None or result.role != RESULT or result.entry not in shown:
            continue
        if slot.is_changed and not _is_relocated(slot, result, kept_ids):
            yield result


def _is_relocated(slot: Slot, result: Message, kept_ids: Mapping[Entry, frozenset[str]]) -> bool:
    """Whether a block holds the whole of it, as those that are protected."""
    fate = slot.fates[-1]
    is_stub = any(earlier.kind is FateKind.STUBBED for earlier in slot.fates)
    if fate.kind is not FateKind.DROPPED or fate.source is None or is_stub:
        return False
    is_protected = result.tool_call_id in kept_ids.get(fate.source, ())
    return is_protected and result.is_all_text
