"""Our answers and the extension's, key by key, on the vectors; and pi's on public sessions."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest

from condense_tui.inspection.report import report
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.query import tool_answer
from condense_tui.pruning.render import RenderPlan, plan_render
from condense_tui.session.branch import default_branch
from condense_tui.session.context import Context, build_context
from condense_tui.session.entries import Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.messages import Message
from condense_tui.store import sidecar_reader
from condense_tui.store_open import open_session
from tests.orphans import assert_no_orphans
from tests.vectors import COPIED, SHARED, Case, Vector, public_expectations, vectors_in

VECTORS = vectors_in(COPIED) + vectors_in(SHARED)

KEYS = (
    *("messages_raw", "messages_pruned", "pruned", "prune_error", "reconstruct"),
    *("beforeChars", "afterChars", "sizeRaw", "sizePruned", "metrics"),
    *("diagnostics", "diagnostic_entries", "resolved_ranges", "chain_registry"),
    *("tree", "chains", "eligible", "in_grace", "pending", "frontier", "stats"),
    *("records", "dedup_aliases", "short_refs", "next_short_ref", "content_hashes"),
    *("summary_bodies", "config"),
)


@pytest.fixture(scope="module", params=VECTORS, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def first_difference(expected: Any, got: Any, path: str = "") -> str:
    """Where two JSON values differ first, in words; empty where they are equal."""
    if type(expected) is not type(got):
        return f"{path}: {expected!r} became {got!r}"
    if isinstance(expected, dict):
        if expected.keys() != got.keys():
            return f"{path}: the keys {sorted(expected)} became {sorted(got)}"
        pairs = [(f"{path}.{key}", expected[key], got[key]) for key in expected]
    elif isinstance(expected, list) and len(expected) == len(got):
        pairs = [(f"{path}[{n}]", *pair) for n, pair in enumerate(zip(expected, got, strict=True))]
    else:
        return "" if expected == got else f"{path}: {expected!r} became {got!r}"
    return next((found for at, a, b in pairs if (found := first_difference(a, b, at))), "")


def as_read_back(value: Any) -> Any:
    """What a program that reads our JSON sees."""
    return json.loads(json_text(value))


def test_the_copied_selection_is_there() -> None:
    kinds = Counter(vector.session.relative_to(COPIED).parts[1] for vector in vectors_in(COPIED))
    assert kinds.keys() == {"seeded", "special", "pi-written"}
    assert sum(kinds.values()) > 60


def test_every_key(case: Case) -> None:
    expected = {key: case.expected[key] for key in KEYS}
    got = as_read_back(report(case.inspection, KEYS))
    assert first_difference(expected, got) == ""


@pytest.mark.parametrize("key", ["messages_raw", "messages_pruned"])
def test_messages_to_the_letter(case: Case, key: str) -> None:
    """The order of the keys counts too: it is the text that is sent."""
    assert json_text(as_read_back(report(case.inspection, [key])[key])) == json_text(
        case.expected[key]
    )


def test_branch(case: Case) -> None:
    entries = case.inspection.branch.entries
    assert [entry.id for entry in entries] == case.expected["session"]["branchIds"]


def test_queries(case: Case) -> None:
    index, read_sidecar = case.inspection.index, sidecar_reader(case.vector.session)
    for asked in case.expected["queries"]:
        records = index.records_for(asked["input"])
        labels = [asked["input"]] if len(records) == 1 else [record.key for record in records]
        ordered = [
            [label, record.result_timestamp, record.turn_index]
            for label, record in zip(labels, records, strict=True)
        ]
        assert as_read_back(ordered) == asked["ordered"], asked["input"]
        answer = tool_answer(index, [asked["input"]], read_sidecar)
        assert as_read_back(answer) == asked["text"], asked["input"]


def test_rendering_again_changes_nothing_where_the_extension_changes_nothing(case: Case) -> None:
    first = case.inspection.plan
    pruned = Context((), tuple(first.pruned_messages), None)
    second = plan_render(pruned, case.inspection.index, case.inspection.settings)
    is_same = bodies(second.pruned_messages) == bodies(first.pruned_messages)
    assert is_same is (case.expected["idempotent"] is not False)


def test_nothing_pruned_means_the_same_objects(case: Case) -> None:
    plan = case.inspection.plan
    raw = list(case.inspection.context.prunable)
    is_same = len(raw) == len(plan.pruned_messages) and all(
        before is after for before, after in zip(raw, plan.pruned_messages, strict=True)
    )
    assert is_same is case.expected["same_reference"]


def test_o12_no_orphan_is_sent(case: Case) -> None:
    if not case.expected["prune_error"]:
        assert_no_orphans(case.inspection.plan)


def bodies(messages: list[Message]) -> list[Any]:
    return [message.body for message in messages]


def digest(messages: list[Message]) -> str:
    return sha1(utf8_bytes(json_text(bodies(messages)))).hexdigest()[:12]


LIVE = [
    pytest.param(vector, row, id=f"{vector}-{row['call']}")
    for vector in VECTORS
    for row in vector.live_rows
    if row["liveEqSession"]
]


@pytest.mark.parametrize(("vector", "row"), LIVE)
def test_what_the_running_agent_sent(vector: Vector, row: dict[str, Any]) -> None:
    """Any earlier moment is the branch that ends at its leaf."""
    inspection = vector.inspect(row["leaf"])
    plan = inspection.plan
    raw = plan.raw_messages
    assert row["branchEntries"] == len(inspection.branch.entries)
    assert row["session"] == len(raw)
    assert row["sessSummaries"] == sum(message.is_summary for message in raw)
    assert (row["preChars"], row["preSha"]) == (plan.raw_chars, digest(raw))
    assert row["out"] == len(plan.pruned_messages)
    if not has_spill_path(plan):
        sent = plan.pruned_messages
        assert (row["postChars"], row["postSha"]) == (plan.pruned_chars, digest(sent))


def has_spill_path(plan: RenderPlan) -> bool:
    """The paths in these files are not those that the agent wrote: folders were renamed."""
    return any("\nFull output — read this file" in message.text for message in plan.pruned_messages)


LLM_LETTERS = {"system": "s", "assistant": "a", "toolResult": "r"}


@pytest.mark.parametrize("path", public_expectations(), ids=lambda path: path.stem)
def test_public_session(path: Path) -> None:
    expected = json.loads(path.read_bytes())
    session = open_session(SHARED / "sessions" / expected["file"])
    assert isinstance(session, Session)
    branch = default_branch(session)
    context = build_context(branch)
    ids = {entry.id for entry in session.entries}
    assert branch.leaf is not None
    got = {
        "sessionId": session.header.id,
        "cwd": session.header.cwd,
        "entryCount": len(session.entries),
        "byId": len(ids),
        "leafIndex": branch.leaf.index,
        "leafType": branch.leaf.type,
        "treeRoots": sum(entry.parent_id not in ids for entry in session.entries),
        "branchLength": len(branch.entries),
        "contextEntries": len(context.entries),
        "contextFirstIndex": context.entries[0].index,
        "contextEntryIndexes": [entry.index for entry in context.entries],
        "contextMessages": len(context.messages),
        "roles": dict(Counter(message.role for message in context.messages)),
        "llmRoleSeq": "".join(LLM_LETTERS.get(message.role, "u") for message in context.messages),
        "model": context.model
        and {"provider": context.model.provider, "modelId": context.model.id},
        "sessionName": session.name,
    }
    assert got == {key: expected[key] for key in got}
