"""The same session under version 2.5.0: against the vectors, and each code of it."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.pruning.legacy import legacy_index
from tests.build import SessionBuilder, call, record
from tests.looks import Look
from tests.test_checks_pairing import told
from tests.vectors import COPIED, SHARED, Vector, vectors_in

# The older pi under that version put an earlier compaction's summary into the context as well.
OTHER_CONTEXT = "two_compactions"


def answered() -> list[Vector]:
    every = vectors_in(COPIED) + vectors_in(SHARED)
    return [each for each in every if "legacy_2_5_0" in each.expected]


@pytest.mark.parametrize("vector", answered(), ids=str)
def test_renders_as_that_version_does(vector: Vector) -> None:
    expected, plan = vector.expected["legacy_2_5_0"], vector.inspect().legacy_plan
    if OTHER_CONTEXT in str(vector):
        assert expected["messages_pruned"] != [each.body for each in plan.pruned_messages]
        return
    assert [each.body for each in plan.pruned_messages] == expected["messages_pruned"]
    assert plan.is_pruned == expected["pruned"]
    assert (plan.failure is not None) == expected["prune_error"]
    assert (plan.pruned_chars if plan.is_pruned else 0) == expected["afterChars"]
    assert told(plan.pruned_messages) == expected["llm"]


def chain_and_a_live_call(live: str) -> SessionBuilder:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.chain("b1", 1000, 1200, ["x@1150"]).user(at=2000)
    return session.assistant(call(live), call("z")).result(live).result("z")


def live_call_of_a_dropped_id() -> SessionBuilder:
    return chain_and_a_live_call("x")


def live_call_of_its_own_id() -> SessionBuilder:
    return chain_and_a_live_call("y")


def live_result_of_a_summarised_id() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=1150).archive("t1", "x", 1150)
    return session.user().turn("x", at=3000)


def live_result_of_its_own_id() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=1150).archive("t1", "x", 1150)
    return session.user().turn("y", at=3000)


def failed_call_without_arguments() -> SessionBuilder:
    session = SessionBuilder().user().assistant({"type": "toolCall", "id": "x", "name": "bash"})
    return session.result("x", is_error=True).answer().answer()


FIRES = [
    Look("legacy-message-deleted", live_call_of_a_dropped_id, (8, 9)),
    Look("legacy-result-orphaned", live_call_of_a_dropped_id, (10,)),
    Look("legacy-result-stubbed", live_result_of_a_summarised_id, (9,)),
    Look("legacy-render-failed", failed_call_without_arguments),
]
SILENT = [
    Look("legacy-message-deleted", live_call_of_its_own_id),
    Look("legacy-result-orphaned", live_call_of_its_own_id),
    Look("legacy-result-stubbed", live_result_of_its_own_id),
    Look("legacy-render-failed", live_call_of_a_dropped_id),
]


def test_is_only_said_when_asked_for() -> None:
    found: list[Finding] = find(live_call_of_a_dropped_id().inspect())
    assert not [each.code for each in found if each.code.startswith("legacy-message")]


def test_fields_of_a_calls_own_arguments_are_left_alone() -> None:
    arguments: dict[str, Any] = {"resultTimestamp": 7, "backfilled": True}
    session = SessionBuilder().user().turn("x", at=2000)
    session.index(record("x", 2000, args=arguments))

    assert legacy_index(session.branch.entries).records["x"].arguments == arguments


def test_a_deep_value_in_a_record_is_left_alone() -> None:
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    session = SessionBuilder().user().custom("context-prune-stats", {"x": deep})
    assert session.inspect().legacy_plan.failure is None
