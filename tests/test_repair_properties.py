"""What holds of every repair, on sessions that were damaged at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.codes import Severity
from condense_tui.inspection.concerns import concerns
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.repairing.draft import read_draft
from condense_tui.repairing.repair import Repair, repair
from condense_tui.repairing.setaside import SET_ASIDE_TYPE
from condense_tui.repairing.table import FIXES, USUAL_FIXES
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Entry, Refusal, Session
from condense_tui.session.reading import read_session
from tests.damage import damaged_sessions
from tests.vectors import COPIED, SHARED, mutated_sessions, vectors_in

PUBLIC = sorted((SHARED / "sessions").glob("*.jsonl"))
FILES = [vector.session for vector in (*vectors_in(COPIED), *vectors_in(SHARED))] + PUBLIC
# What they change is which entries are on a branch; the report says so.
RELINKING = {"duplicate-ids", "cycles", "missing-ids", "welded-lines", "bare-values"}


def mended(raw: bytes, fixes: Any = USUAL_FIXES) -> Repair:
    done = repair(raw, fixes)
    assert isinstance(done, Repair), done
    return done


def opened(raw: bytes) -> Session:
    session = read_session(raw)
    assert isinstance(session, Session), session
    return session


def errors_of(raw: bytes) -> Counter[str]:
    inspection = Inspection(default_branch(opened(raw)), settings_from(None))
    found = concerns(inspection, tuple(find(inspection)))
    return Counter(concern.kind for concern in found if concern.severity is Severity.ERROR)


def message_of(entry: Entry) -> Any:
    """The message of an entry, set aside or not, without the ids that a repair may change."""
    body = entry.body
    if body.get("customType") == SET_ASIDE_TYPE:
        body = body["data"]["entry"]
    message = body.get("message", body.get("content"))
    return message if isinstance(message, str | dict | list) and message else None


def words_in(value: Any) -> Iterator[str]:
    """Every text inside a message that a person could read."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending += [
                item[name]
                for name in ("message", "content", "text", "thinking", "summary")
                if name in item
            ]
        elif isinstance(item, list):
            pending += item
        elif isinstance(item, str) and item:
            yield item


def words_of(entries: Any) -> Counter[str]:
    return Counter(word for entry in entries for word in words_in(message_of(entry)))


def assert_sound(raw: bytes, fixes: Any) -> None:
    session = read_session(raw)
    done = repair(raw, fixes)
    if isinstance(done, Refusal):
        assert isinstance(session, Refusal)
        return
    copy = opened(done.raw)
    # Once is enough.
    again = mended(done.raw, fixes)
    assert again.raw == done.raw
    assert again.report.changes == ()
    # What is still wrong is said.
    assert errors_of(done.raw) <= Counter(remark.kind for remark in done.report.left)
    if isinstance(session, Refusal):
        return
    # Nothing that could be read is gone from the file, and nothing from the branch unsaid.
    assert not words_of(session.entries) - words_of(copy.entries)
    if not {change.kind for change in done.report.changes} & RELINKING:
        before, after = default_branch(session), default_branch(copy)
        assert not words_of(before.entries) - words_of(after.entries)
    untouched(raw, done)


def untouched(raw: bytes, done: Repair) -> None:
    """Lines of which nothing is said are there byte for byte."""
    if not done.report.changes:
        assert done.raw == raw
        return
    told = {change.line for change in done.report.changes}
    lines = set(done.raw.split(b"\n"))
    silent = [line for line in read_draft(raw).lines if line.number not in told]
    assert [line.number for line in silent if line.raw not in lines] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path)[-60:])
@pytest.mark.parametrize("fixes", [USUAL_FIXES, FIXES], ids=["usual", "all"])
def test_files(path: Any, fixes: Any) -> None:
    assert_sound(path.read_bytes(), fixes)


@given(mutated_sessions(), st.booleans())
def test_mutated(damaged: tuple[bytes, Any], is_all: bool) -> None:
    assert_sound(damaged[0], FIXES if is_all else USUAL_FIXES)


@given(damaged_sessions(), st.booleans())
def test_damaged(raw: bytes, is_all: bool) -> None:
    assert_sound(raw, FIXES if is_all else USUAL_FIXES)


@given(damaged_sessions(), st.sets(st.sampled_from(FIXES)))
def test_some_fixes_alone(raw: bytes, fixes: Any) -> None:
    done = repair(raw, fixes)
    if isinstance(done, Repair):
        assert opened(done.raw)
        assert mended(done.raw, fixes).raw == done.raw
        untouched(raw, done)
