"""Condensing in tests: a summariser that answers what it is told, and replays of real sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from typing import Any

from condense_tui.condensing.capture import Desk
from condense_tui.condensing.condense import Condensed, Order, condense
from condense_tui.condensing.condenser import Condenser, FlushPoint
from condense_tui.condensing.course import lay_out
from condense_tui.condensing.limits import limits_from
from condense_tui.condensing.notes import Clerk, Notes
from condense_tui.condensing.outcomes import Report
from condense_tui.condensing.summariser import Answer, Summariser, Usage
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.pending import Batch
from condense_tui.pruning.records import EntryType, entry_type, payload_of, summary_from
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.entries import Entry, Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import message_from
from condense_tui.session.reading import read_session

Json = dict[str, Any]

NOW_MS = 1_800_000_000_000
BLOBS = "copy-blobs"
ONE_CALL = Usage(calls=1)
FOOTER = "\n\n---\n**Summarized tool refs**: "


@dataclass
class Told:
    """Answers by what it is asked; `asked` and `fused_texts` remember it."""

    answer: Callable[[Batch], Answer | None]
    fuse: Callable[[Sequence[str]], Answer | None] = lambda _texts: None
    asked: list[Batch] = field(default_factory=list)
    fused_texts: list[Sequence[str]] = field(default_factory=list)

    def summaries(self, batches: Sequence[Batch]) -> list[Answer | None]:
        self.asked += batches
        return [self.answer(batch) for batch in batches]

    def fused(self, texts: Sequence[str]) -> Answer | None:
        self.fused_texts.append(texts)
        return self.fuse(texts)


def clerk() -> Clerk:
    numbers = count(1)
    return Clerk(lambda: f"new{next(numbers)}", lambda: NOW_MS)


def desk_for(
    entries: Sequence[Entry],
    recorded: Sequence[Entry],
    settings: CondenseSettings,
    *,
    is_lossless: bool = False,
    blobs_folder: str = BLOBS,
) -> Desk:
    """A desk for these entries, of which `recorded` are known to the extension already."""
    return Desk(
        course=lay_out(entries),
        notes=Notes(recorded, entries[-1].id if entries else None, clerk()),
        settings=settings,
        limits=limits_from(settings),
        blobs_folder=blobs_folder,
        is_lossless=is_lossless,
        shown_entries=frozenset(),
        whole_entries=frozenset(),
        report=Report(),
        files={},
    )


def condensed(
    inspection: Inspection, summariser: Summariser | None = None, **order: Any
) -> Condensed:
    """What condensing this branch comes to."""
    chosen = Order(BLOBS, **order)
    found = condense(inspection, summariser or Told(bullets), clerk(), chosen)
    assert isinstance(found, Condensed), found.reason
    return found


def bullets(batch: Batch) -> Answer:
    """A short labelled bullet for each call."""
    named = enumerate((captured.call.name for captured in batch.calls), 1)
    return Answer("\n".join(f"- [[{number}:{name}]] done" for number, name in named), ONE_CALL)


def payloads(found: Condensed, kind: EntryType) -> list[Json]:
    """What was written of one kind."""
    return [dict(payload_of(entry)) for entry in found.entries if entry_type(entry) is kind]


def refs_of(found: Condensed) -> list[tuple[str, str]]:
    """Each ref that a summary names, and its key."""
    entries = [entry for entry in found.entries if entry_type(entry) is EntryType.SUMMARY]
    return [(ref.short_ref, ref.key) for entry in entries for ref in summary_from(entry).refs]


# What the extension wrote, run by run


@dataclass(frozen=True)
class Run:
    """Prune records that stand together; `place` is how many messages are before them."""

    place: int
    records: list[Entry]
    is_before_answer: bool

    def has(self, *kinds: EntryType) -> bool:
        return any(entry_type(entry) in kinds for entry in self.records)


def is_condensing_record(entry: Entry) -> bool:
    """Diagnostics are written by the render, whenever a request is made."""
    return entry_type(entry) not in (None, EntryType.DIAGNOSTIC)


def without_records(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry_type(entry) is None]


def runs_of(entries: Sequence[Entry]) -> Iterator[Run]:
    """The runs of a branch's prune records."""
    place = 0
    told = [entry for entry in entries if entry_type(entry) is not EntryType.DIAGNOSTIC]
    for is_record, group in groupby(told, is_condensing_record):
        found = list(group)
        if not is_record:
            place += sum(entry.type == "message" for entry in found)
            continue
        following = told[told.index(found[-1]) + 1 :]
        message = next((entry for entry in following if entry.type == "message"), None)
        yield Run(place, found, message is not None and _is_answer(message))


def _is_answer(entry: Entry) -> bool:
    message = message_from(entry.body["message"], entry)
    return message.role == "assistant" and not message.tool_calls


def recorded_answers(entries: Sequence[Entry]) -> Told:
    """A summariser that answers what the session's own summariser did.

    Where nothing of it was kept it answers too much, which is rejected.
    """
    texts: dict[str, str] = {}
    fused: list[str] = []
    for entry in entries:
        if entry_type(entry) is EntryType.SUMMARY:
            summary = summary_from(entry)
            texts[summary.refs[0].key] = summary.text.rpartition(FOOTER)[0]
        elif entry_type(entry) is EntryType.CHAIN and "bodySource" not in payload_of(entry):
            text = payload_of(entry).get("rangeSummaryText")
            fused += [text] if text is not None else []
    following = iter(fused)

    def answer(batch: Batch) -> Answer:
        text = texts.get(batch.calls[0].key, "x" * 1_000_000)
        return Answer(text, ONE_CALL)

    return Told(answer, lambda _texts: Answer(next(following), ONE_CALL))


def replay_runs(
    entries: Sequence[Entry], known: int, settings: CondenseSettings
) -> list[tuple[Run, list[Entry]]]:
    """Each run of the original with what is written at its place.

    The first `known` entries keep their records; all others are taken out and made anew.
    """
    base = [*entries[:known], *without_records(entries[known:])]
    desk = desk_for(base, entries[:known], settings, blobs_folder=blobs_folder_of(entries))
    desk.notes.parent_id = None
    condenser = Condenser(desk, recorded_answers(entries[known:]), lambda _chain: True)
    first = sum(entry.type == "message" for entry in entries[:known])
    replayed = []
    for run in runs_of(entries):
        if run.place < first:
            continue
        already = len(desk.notes.written)
        _replay(condenser, run)
        replayed.append((run, desk.notes.written[already:]))
    return replayed


def blobs_folder_of(entries: Sequence[Entry]) -> str:
    """The folder that the spilled records of a branch name."""
    calls = (call for entry in entries for call in payload_of(entry).get("toolCalls", ()))
    paths = [call["spillPath"] for call in calls if "spillPath" in call]
    return paths[-1].rpartition("/")[0] if paths else BLOBS


def _replay(condenser: Condenser, run: Run) -> None:
    kinds = [entry_type(entry) for entry in run.records]
    if EntryType.FLUSH_METRICS not in kinds:
        condenser.spill(run.place)
        return
    flushes = [e for e in run.records if entry_type(e) is EntryType.FLUSH_METRICS]
    trigger = payload_of(flushes[0])["trigger"]
    point = FlushPoint(run.place, run.is_before_answer, trigger, is_told_empty=True)
    condenser.flush(point)
    if kinds[-1] is not EntryType.FLUSH_METRICS:
        condenser.compress(FlushPoint(run.place, run.is_before_answer, ignores_window=True))


def rebuilt(entries: Sequence[Entry], replayed: Sequence[tuple[Run, list[Entry]]]) -> Session:
    """The branch with what was written anew in the place of what the extension wrote."""
    new_at = {run.records[0].index: written for run, written in replayed}
    replaced = {entry.index for run, _ in replayed for entry in run.records}
    lines: list[Json] = [{"type": "session", "version": 3, "id": "s", "cwd": "/w"}]
    parent = None
    for entry in entries:
        kept = [] if entry.index in replaced else [entry]
        for each in (*new_at.get(entry.index, []), *kept):
            lines.append({**each.body, "parentId": parent})
            parent = each.id
    raw = "\n".join(json_text(line) for line in lines).encode()
    session = read_session(raw)
    assert isinstance(session, Session)
    return session
