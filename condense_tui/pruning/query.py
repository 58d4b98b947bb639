"""`context_tree_query`: refs, bare ids or occurrence keys → every occurrence, oldest first.

People get whole outputs; the tool's own answer, cut as the model sees it, is a reading of the
same matches.  (Source: the pruning rules, section 5.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.records import Record
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import json_text, number_text
from condense_tui.session.occurrences import occurrence_key

_MAX_LINES = 2000
_MAX_BYTES = 51_200
_BLOCK_DIVIDER = "\n\n---\n\n"
_NO_SIDECAR = "(spilled output unavailable — sidecar file missing)"
_NOT_FOUND = "(not found in index — may not have been summarized yet)"

ReadSidecar = Callable[[Record], bytes | None]
"""The bytes of a spilled record's sidecar file, or None when there is none to be had."""


class BodySource(StrEnum):
    """Where a recovered output comes from."""

    RECORD = "record"
    SIDECAR = "sidecar"
    PREVIEW = "preview only"
    NONE = "unavailable"


class Match(Value, frozen=True):
    """One occurrence; `label` is how the tool names it in its answer.

    `raw` is the recovered output byte by byte: empty where there is none.
    """

    label: str
    record: Record
    raw: bytes
    source: BodySource

    @property
    def output(self) -> str:
        """The output as the tool reads it."""
        if self.source is BodySource.SIDECAR:
            return self.raw.decode("utf-8", "replace")
        if self.source is BodySource.PREVIEW:
            return self.record.preview or ""
        return self.record.result_text if self.source is BodySource.RECORD else _NO_SIDECAR

    @property
    def is_legacy(self) -> bool:
        """A record from before occurrences had times."""
        return self.record.result_timestamp is None

    @property
    def key(self) -> str:
        """The occurrence key: for an alias its own."""
        return occurrence_key(self.record.tool_call_id, self.record.result_timestamp)


class Answer(Value, frozen=True):
    """All occurrences that one asked-for text names; none when it names nothing."""

    asked: str
    matches: tuple[Match, ...]


def query(index: PruneIndex, asked: Iterable[str], read_sidecar: ReadSidecar) -> list[Answer]:
    """The answers for people, in the order asked."""
    return [_answer(text, index.occurrences_for(text), read_sidecar) for text in asked]


def _answer(asked: str, records: list[Record], read_sidecar: ReadSidecar) -> Answer:
    if len(records) == 1:
        return Answer(asked, (match_of(records[0], asked, read_sidecar),))
    matches = (match_of(record, record.key, read_sidecar) for record in records)
    return Answer(asked, tuple(matches))


def match_of(record: Record, label: str, read_sidecar: ReadSidecar) -> Match:
    """The record with its recovered output."""
    if not record.is_spilled:
        return Match(label, record, utf8_bytes(record.result_text), BodySource.RECORD)
    raw = read_sidecar(record)
    if raw is not None:
        return Match(label, record, raw, BodySource.SIDECAR)
    if record.preview:
        return Match(label, record, utf8_bytes(record.preview), BodySource.PREVIEW)
    return Match(label, record, b"", BodySource.NONE)


def tool_answer(index: PruneIndex, asked: Iterable[str], read_sidecar: ReadSidecar) -> str:
    """Exactly what the model's tool answers, cut included."""
    blocks: list[str] = []
    for text in asked:
        answer = _answer(text, index.records_for(text), read_sidecar)
        if not answer.matches:
            blocks.append(f"## toolRef: {answer.asked}\n{_NOT_FOUND}")
        is_several = len(answer.matches) > 1
        blocks += [_block(match, is_several) for match in answer.matches]
    return _BLOCK_DIVIDER.join(blocks)


def _block(match: Match, is_several: bool) -> str:
    record = match.record
    lines = [f"## toolRef: {match.label}"]
    if is_several and match.is_legacy:
        lines.append("Occurrence: legacy (no resultTimestamp)")
    turn = "undefined" if record.turn_index is None else number_text(record.turn_index)
    lines += [
        f"Tool: {record.tool_name}",
        f"Args: {json_text(record.arguments, indent=2)}",
        f"Status: {'ERROR' if record.is_error else 'OK'}",
        f"Turn: {turn}",
        "",
        cut(match.output),
    ]
    return "\n".join(lines)


def cut(text: str) -> str:
    """Whole lines up to 2,000 or 51,200 bytes and a note; a text within both as it is."""
    lines = text.split("\n")
    total = len(lines) - (lines[-1] == "" and len(lines) > 1)
    if total <= _MAX_LINES and len(utf8_bytes(text)) <= _MAX_BYTES:
        return text
    shown: list[str] = []
    size = 0
    for line in lines[: min(total, _MAX_LINES)]:
        size += len(utf8_bytes(line)) + (1 if shown else 0)
        if size > _MAX_BYTES:
            break
        shown.append(line)
    note = f"\n[Output truncated: {len(shown)}/{total} lines shown]"
    return "\n".join(shown) + note
