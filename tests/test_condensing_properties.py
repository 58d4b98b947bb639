"""What holds for a condensed copy of whatever a session may be, mutated ones included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.condensing.condense import Condensed, Mode, Order, condense
from condense_tui.condensing.copying import CopyHeader, copy_pieces
from condense_tui.condensing.extract import Extract
from condense_tui.condensing.losses import Losses
from condense_tui.condensing.outcomes import CallOutcome
from condense_tui.condensing.summariser import Summariser
from condense_tui.inspection.codes import Severity
from condense_tui.inspection.concerns import concerns
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.query import query
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Message, message_of, parts_of
from condense_tui.session.occurrences import occurrence_key
from condense_tui.session.reading import read_session
from tests.condensing import BLOBS, NOW_MS, Told, bullets, clerk
from tests.orphans import assert_no_orphans
from tests.vectors import lines_of, mutated_sessions

SETTINGS: list[Any] = [
    {},
    {"minBatchChars": 0},
    {"minBatchChars": 0, "spillThreshold": 60},
    {"minBatchChars": 300, "dedupByContentHash": False, "protectedTools": ["read"]},
]
CHAINS: list[Any] = [
    {},
    {
        "chainCompression": {
            "enabled": True,
            "rollingWindow": 0,
            "stripFinalAssistantThinking": True,
        }
    },
    {"recoveryGraceTurns": 0, "chainCompression": {"enabled": True, "rollingWindow": 1}},
]
SUMMARISERS: list[Summariser] = [Extract(), Told(bullets)]


def with_longer_outputs(raw: bytes, times: int) -> bytes:
    """Most outputs of the small sessions are shorter than any summary of them."""
    lines = lines_of(raw)
    for line in lines:
        message = line.get("message") if isinstance(line, dict) else None
        if isinstance(message, dict) and message.get("role") == "toolResult":
            for part in parts_of(message.get("content")):
                if isinstance(part.get("text"), str):
                    part["text"] *= times
    return b"\n".join(
        line if isinstance(line, bytes) else utf8_bytes(json_text(line)) for line in lines
    )


@st.composite
def condensed_sessions(draw: Any, mode: Mode) -> tuple[bytes, Session, Condensed]:
    """A mutated session that can be condensed, and what that comes to."""
    while True:
        raw, config = draw(mutated_sessions())
        raw = with_longer_outputs(raw, draw(st.sampled_from([1, 60])))
        session = read_session(raw)
        if not isinstance(session, Session):
            continue
        own = config if isinstance(config, dict) else {}
        chosen = own | draw(st.sampled_from(SETTINGS)) | draw(st.sampled_from(CHAINS))
        inspection = Inspection(default_branch(session), settings_from(chosen))
        order = Order(BLOBS, mode, draw(st.booleans()), draw(st.sampled_from(BATCHINGS)))
        found = condense(inspection, draw(st.sampled_from(SUMMARISERS)), clerk(), order)
        if isinstance(found, Condensed):
            return raw, session, found


BATCHINGS = ["turn", "agent-message"]
EVERY = pytest.mark.parametrize("mode", list(Mode))


def body_reader(found: Condensed) -> Any:
    """The spilled bodies, as they will lie in files; an older one is not there."""

    def read(record: Record) -> bytes | None:
        text = found.files.get(record.spill_path or "")
        return None if text is None else utf8_bytes(text)

    return read


@given(condensed_sessions(Mode.NOW))
def test_no_byte_of_an_output_is_lost(case: tuple[bytes, Session, Condensed]) -> None:
    """What the model saw it still sees, or a query gives back."""
    _, _, found = case
    read = body_reader(found)
    sent = found.after.plan.pruned_messages
    shown = {message.entry: message.text for message in sent if message.entry}
    blocks = "\n".join(message.text for message in sent if not message.entry)
    assert found.losses == Losses()
    assert CallOutcome.MISTAKEN not in {told.outcome for told in found.report.calls}
    for result in visible_results(found.before):
        if not stored(result).is_all_text:
            assert result.entry in {m.entry for m in sent if m.body == result.body}
        if shown.get(result.entry) == result.text or is_relocated(result, blocks):
            continue
        key = occurrence_key(result.tool_call_id, result.timestamp)
        (answer,) = query(found.after.index, [key], read)
        assert utf8_bytes(stored(result).text) in [match.raw for match in answer.matches]


def stored(result: Message) -> Message:
    """The output itself, where a context edit shows another text."""
    assert result.entry
    found = message_of(result.entry)
    assert found
    return found


def is_relocated(result: Message, blocks: str) -> bool:
    return f'<protected-output tool="{result.tool_name}">\n{result.text}\n' in blocks


def visible_results(inspection: Inspection) -> Iterator[Message]:
    for slot in inspection.plan.slots:
        result = slot.before
        if result and slot.after and result.role == "toolResult" and slot.after.text == result.text:
            yield result


@EVERY
@given(data=st.data())
def test_no_orphans(mode: Mode, data: st.DataObject) -> None:
    _, _, found = data.draw(condensed_sessions(mode))
    if not found.after.plan.failure:
        assert_no_orphans(found.after.plan)


@EVERY
@given(data=st.data())
def test_doing_it_again_adds_nothing(mode: Mode, data: st.DataObject) -> None:
    _, _, found = data.draw(condensed_sessions(mode))
    again = condense(found.after, Told(bullets), clerk(), Order(BLOBS, mode))
    assert isinstance(again, Condensed)
    assert [entry.body for entry in again.entries] == []


@EVERY
@given(data=st.data())
def test_the_copy_reads_back(mode: Mode, data: st.DataObject) -> None:
    raw, session, found = data.draw(condensed_sessions(mode))
    header = CopyHeader("copy", NOW_MS, "/original.jsonl")
    copy = read_session(b"".join(copy_pieces(raw, session, header, found.entries)))
    assert isinstance(copy, Session)
    assert (copy.header.id, copy.header.parent_session) == ("copy", "/original.jsonl")
    assert len(copy.entries) == len(session.entries) + len(found.entries)
    if not found.entries:
        return
    read_back = Inspection(default_branch(copy), found.after.settings)
    assert bodies(read_back) == bodies(found.after)
    assert read_back.index.key_of_ref == found.after.index.key_of_ref
    assert list(read_back.index.records) == list(found.after.index.records)


def bodies(inspection: Inspection) -> list[Any]:
    return [message.body for message in inspection.plan.pruned_messages]


@EVERY
@given(data=st.data())
def test_check_finds_no_new_error(mode: Mode, data: st.DataObject) -> None:
    _, _, found = data.draw(condensed_sessions(mode))
    read = body_reader(found)
    assert errors(found.after, read) <= errors(found.before, lambda _record: None)


def errors(inspection: Inspection, read: Any) -> set[str]:
    findings = find(inspection, lambda record: read(record) is not None, False)
    return {
        concern.kind
        for concern in concerns(inspection, tuple(findings))
        if concern.severity is Severity.ERROR
    }
