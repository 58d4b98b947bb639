"""Properties that hold for any input: nothing raises, nothing is lost, nothing is made up."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.report import report
from condense_tui.pruning.globs import glob_matches
from condense_tui.pruning.query import query, tool_answer
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import Branch, branch_to, default_branch, leaves
from condense_tui.session.entries import Entry, ProblemKind, Refusal, Session
from condense_tui.session.jsontext import (
    json_length,
    json_text,
    number_text,
    parse_json,
    utf16_length,
)
from condense_tui.session.occurrences import bare_id_of, occurrence_key, parse_key
from condense_tui.session.reading import read_session
from tests.accounts import assert_accounts
from tests.build import ABSENT, SessionBuilder
from tests.vectors import ODD_VALUES, mutated_sessions

HEADER = b'{"type":"session","version":3,"id":"s"}\n'

thorough = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def everything_about(session: Session, config: Any = None) -> Inspection:
    """Ask for all that there is to know."""
    inspection = Inspection(default_branch(session), settings_from(config))
    assert parse_json(json_text(report(inspection)).encode())
    index = inspection.index
    asked = [*index.keys_of_id, *index.key_of_ref, *index.aliases_of_id, *index.records]
    query(index, asked, lambda _: None)
    tool_answer(index, asked, lambda _: None)
    return inspection


# JSON

words = st.text(st.characters(exclude_categories=())).map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_json_length_is_the_length_of_the_json_text(value: Any) -> None:
    assert json_length(value) == utf16_length(json_text(value))


@given(json_values)
def test_json_text_reads_back_as_the_same_text(value: Any) -> None:
    whole = json_text(value)
    assert json_text(parse_json(whole.encode())) == whole
    assert json_text(json.loads(json_text(value, indent=2))) == whole


@given(
    st.recursive(
        words | st.none(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
        max_leaves=12,
    )
)
def test_json_without_numbers_reads_back_as_the_same_value(value: Any) -> None:
    assert parse_json(json_text(value).encode()) == value


@given(st.integers(-(10**21) + 1, 10**21 - 1) | st.integers(2**53, 10**16))
def test_a_whole_number_is_written_without_a_point(number: int) -> None:
    written = number_text(number)
    assert re.fullmatch("-?[0-9]+", written)
    assert float(written) == float(number)


# Keys and globs


@given(st.text(min_size=1), st.integers(0, 2**53) | st.none())
def test_occurrence_keys_round_trip(bare_id: str, timestamp: int | None) -> None:
    key = occurrence_key(bare_id, timestamp)
    if timestamp is not None:
        assert (parse_key(key).bare_id, parse_key(key).timestamp) == (bare_id, timestamp)
    elif not re.search("(?s).@[0-9]+$", bare_id):
        assert (parse_key(key).bare_id, parse_key(key).timestamp) == (bare_id, None)
    assert key.startswith(bare_id_of(key))


GLOB_PATTERNS = {"**/": "(?:{any}*/)?", "**": "{any}*", "*": "[^/]*", "?": "[^/]"}
ANY = "[^\n\r\u2028\u2029]"


def as_pattern(glob: str) -> str:
    tokens = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    return "".join(
        GLOB_PATTERNS.get(token, re.escape(token)).replace("{any}", ANY) for token in tokens
    )


@settings(max_examples=400)
@given(st.text("a./*?", max_size=7), st.text("a./b\n", max_size=9))
def test_globs_match_like_their_translation(glob: str, path: str) -> None:
    assert glob_matches(glob, path) == bool(re.fullmatch(as_pattern(glob), path))


# Any bytes

entry_types = st.sampled_from(
    ["message", "custom", "custom_message", "compaction", "branch_summary", "context_edit", "label"]
)
loose_lines = st.binary(max_size=40) | json_values.map(lambda value: json_text(value).encode())
entry_lines = st.fixed_dictionaries(
    {"type": entry_types},
    optional={
        "id": st.sampled_from(["a", "b", "c", None, 5]),
        "parentId": st.sampled_from(["a", "b", "c", None, 5]),
        "timestamp": json_values,
        "message": json_values
        | st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant", "toolResult", "system", "?"])},
            optional={"content": json_values, "timestamp": json_values, "toolCallId": json_values},
        ),
        "customType": st.sampled_from(["context-prune-index", "context-prune-chain", "note"]),
        "data": json_values,
        "content": json_values,
        "details": json_values,
        "targetId": json_values,
        "replacement": json_values,
        "firstKeptEntryId": json_values,
        "summary": json_values,
    },
).map(lambda value: json_text(value).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_a_session_or_refused(raw: bytes) -> None:
    assert isinstance(read_session(raw), (Session, Refusal))


@thorough
@given(st.lists(loose_lines | entry_lines, max_size=8))
def test_any_lines_after_a_header_load(lines: list[bytes]) -> None:
    session = read_session(HEADER + b"\n".join(lines))
    assert isinstance(session, Session)
    assert_accounts(everything_about(session))


# Mutated sessions


@thorough
@given(mutated_sessions())
def test_a_mutated_session_loads_and_adds_up(mutated: tuple[bytes, Any]) -> None:
    raw, config = mutated
    session = read_session(raw)
    assert isinstance(session, Session)
    inspection = everything_about(session, config)
    assert_accounts(inspection)
    assert bodies(session) == bodies(read_session(raw)), "looking must not change what was read"


def bodies(session: Session | Refusal) -> str:
    assert isinstance(session, Session)
    return json_text([entry.body for entry in session.entries])


@pytest.mark.parametrize("role", ODD_VALUES, ids=repr)
def test_a_role_may_be_anything(role: Any) -> None:
    """Also where the content is missing, or an edit replaces it."""
    session = SessionBuilder().message(role, ABSENT).message(role, [])
    session.entry("context_edit", targetId="e2", replacement={"content": "edited"})
    inspection = everything_about(session.session)
    read = [message.body.get("role") for message in inspection.context.messages]
    assert json_text(read) == json_text([role, role])


# Trees

ids = st.sampled_from(["a", "b", "c", "d", "e", None])
parents = st.sampled_from(["a", "b", "c", "d", "e", "missing", None])


@settings(max_examples=300)
@given(st.lists(st.tuples(ids, parents), max_size=9))
def test_any_parent_graph_has_an_end(links: list[tuple[str | None, str | None]]) -> None:
    """Cycles, self-parents, duplicates, missing parents, records without ids."""
    lines = [json.dumps({"type": "note", "id": a, "parentId": b}) for a, b in links]
    session = read_session(HEADER + "\n".join(lines).encode())
    assert isinstance(session, Session)
    by_id = {entry.id: entry for entry in session.entries if entry.id is not None}
    for branch in [default_branch(session), *(branch_to(session, key) for key in by_id)]:
        assert branch is not None
        assert_is_path(branch, by_id)
    with_child = {entry.parent_id for entry in session.entries if entry.parent_id != entry.id}
    newest = [entry for entry in session.entries if by_id.get(entry.id or "") is entry]
    expected = [
        entry
        for entry in newest
        if entry.id not in with_child
        or (entry is session.entries[-1] and is_in_a_loop(entry, by_id))
    ]
    assert list(leaves(session)) == expected
    everything_about(session)


def is_in_a_loop(entry: Entry, by_id: dict[str, Entry]) -> bool:
    here = by_id.get(entry.parent_id or "")
    for _ in by_id:
        if here is None or here is entry:
            break
        here = by_id.get(here.parent_id or "")
    return here is entry and entry.parent_id != entry.id


def assert_is_path(branch: Branch, by_id: dict[str, Entry]) -> None:
    path = branch.entries
    assert len(set(path)) == len(path)
    for parent, child in pairwise(path):
        assert by_id[child.parent_id or ""] is parent
    if not path:
        return
    assert path[-1] is branch.leaf
    kinds = [problem.kind for problem in branch.problems]
    parent_id = path[0].parent_id
    if parent_id is None:
        assert kinds == []
    else:
        is_cycle = parent_id in by_id
        assert kinds == [ProblemKind.CYCLE if is_cycle else ProblemKind.MISSING_PARENT]


def test_a_chain_of_twenty_thousand_entries_needs_no_recursion() -> None:
    session = SessionBuilder()
    for _ in range(10_000):
        session.user().answer()
    inspection = session.inspect()
    assert len(inspection.branch.entries) == 20_000
    assert len(inspection.plan.pruned_messages) == 20_000
    assert len(leaves(session.session)) == 1
    assert report(inspection, ["chains", "problems"])


def test_a_deeply_nested_value_is_a_line_of_its_own() -> None:
    """What cannot be held is a problem; what can be held is written without recursion."""
    nested = b'{"type":"note","id":"a","deep":' + b"[" * 500 + b"]" * 500 + b"}\n"
    beyond = b'{"type":"note","id":"b","deep":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    session = read_session(HEADER + nested + beyond)
    assert isinstance(session, Session)
    assert [entry.id for entry in session.entries] == ["a"]
    assert [problem.line for problem in session.problems] == [3]
    assert json_length(session.entries[0].body) == len(nested) - 1
