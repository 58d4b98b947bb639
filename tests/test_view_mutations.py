"""Whatever a value of a session becomes, everything about it can still be shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.export import plan_export
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.report import report
from condense_tui.pruning.query import query
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import json_text
from condense_tui.session.reading import read_session
from condense_tui.view.context import View, context_lines, context_objects
from condense_tui.view.lines import exact_text, printable_line
from condense_tui.view.overview import overview
from condense_tui.view.query import answer_lines, answer_object
from condense_tui.view.tree import tree_lines
from tests.build import SessionBuilder, call, record, ref, spilled, text, thinking

Path = tuple[int | str, ...]


def whole() -> SessionBuilder:
    """A little of everything, since each value of it is going to be spoiled."""
    session = SessionBuilder().message("system", "prompt").entry("session_info", name="name")
    session.user(at=1000).assistant(thinking(), call("a", path="x"), at=1010)
    session.result("a", at=1100, is_error=True).answer(at=1200)
    session.summary(ref("t1", "a", 1100)).index(record("a", 1100), spilled("s", 5))
    session.alias(("b", 7), ("a", 1100)).chain("b1", 1000, 1200, ["a@1100"], toolRefs=["t1"])
    session.user(at=2000).turn("q", at=2100, tool="context_tree_query")
    session.assistant(call("c"), text(), at=2200).custom_message().result("c", at=2300)
    session.message("bashExecution", None, command="ls", output="x")
    session.entry("branch_summary", summary="s", fromId="e1").entry("label", targetId="e3")
    session.entry("context_edit", targetId="e3", replacement={"content": "new"})
    session.custom("context-prune-frontier", {"lastAttemptedToolCallId": "a"})
    session.custom("context-prune-stats", {"callCount": 1})
    session.custom("context-prune-diagnostic", {"kind": "orphan-sweep", "detail": "x"})
    session.entry("compaction", summary="k", firstKeptEntryId="e3", tokensBefore=1)
    return session.user(at=3000).turn("d", at=3100)


RECORDS: list[Any] = [json.loads(line) for line in whole().raw.decode().split("\n")[:-1]]


def paths_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to every value within, by keys and indexes."""
    steps = value.items() if isinstance(value, dict) else ()
    steps = enumerate(value) if isinstance(value, list) else steps
    for step, inner in steps:
        yield (*path, step)
        yield from paths_in(inner, (*path, step))


PLACES = [path for path in paths_in(RECORDS) if len(path) > 1]
ODD: list[Any] = [None, True, 0, -1, 1.5, 10**30, float("inf"), "", "x", "@", "a@1", "t1", "b1"]
ODD += ["\ud800", "a\nb", "\x1b[31m", "\0", [], {}, [None], [[]], [1], {"a": None}, "../../x"]
ODD += [[{"type": "toolCall"}], [{"type": ["text"]}], [{"type": "text", "text": 5}], "9" * 30]


def spoiled(changes: list[tuple[Path, Any]]) -> bytes:
    records = json.loads(json.dumps(RECORDS))
    for (*way, last), value in changes:
        inside = records
        for step in way:
            inside = inside[step]
        inside[last] = value
    lines = (json.dumps(each).replace("Infinity", "1e999") for each in records)
    return "\n".join(lines).encode()


def inspect(raw: bytes) -> Inspection | None:
    session = read_session(raw)
    if isinstance(session, Refusal):
        return None
    return Inspection(default_branch(session), settings_from(None))


def show_everything(inspection: Inspection) -> Iterator[str]:
    """All that any command shows, as text."""
    index = inspection.index
    asked = [*index.records, *index.aliases, *index.key_of_ref, *index.keys_of_id, "b1"]
    answers = query(index, asked, lambda _record: None)
    yield json_text(report(inspection))
    yield json_text([answer_object(answer, index) for answer in answers])
    yield from map(json_text, context_objects(inspection.plan, View.DIFF))
    matches = (match for answer in answers for match in answer.matches)
    yield from plan_export(matches, index, "s").files
    rows = [*overview(inspection), *context_lines(inspection.plan, View.DIFF)]
    rows += tree_lines(build_call_tree(inspection), inspection, lambda _record: False)
    rows += answer_lines(answers, index)
    for row in rows:
        assert "\n" not in exact_text(row)
        yield exact_text(printable_line(row))


CHANGES = st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(ODD)), min_size=1, max_size=1)


@given(CHANGES)
@settings(max_examples=150)
def test_one_value_may_be_anything(changes: list[tuple[Path, Any]]) -> None:
    inspection = inspect(spoiled(changes))
    if inspection is not None:
        assert all(isinstance(words, str) for words in show_everything(inspection))


@given(st.sets(st.integers(0, len(RECORDS) - 1), max_size=6), st.randoms())
def test_lines_may_be_missing_or_in_any_order(gone: set[int], random: Any) -> None:
    records = [record for number, record in enumerate(RECORDS) if number not in gone]
    body = records[1:]
    random.shuffle(body)
    raw = "\n".join(map(json.dumps, [*records[:1], *body])).encode()
    inspection = inspect(raw)
    if inspection is not None:
        assert all(isinstance(words, str) for words in show_everything(inspection))


def test_nothing_spoiled_everything_shown() -> None:
    """Else the tests above prove little."""
    inspection = inspect(spoiled([]))
    assert inspection is not None
    words = "\n".join(show_everything(inspection))
    for expected in ("stubbed as t1", "compaction", "b1", "same output as a@1100", "in grace"):
        assert expected in words
