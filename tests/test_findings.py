"""Findings: for each code one small session where it fires, and one where it must not."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.inspection.codes import FINDING_CODES, RAW_PREFIX, Severity
from condense_tui.inspection.findings import find
from tests import test_checks_branches as branches
from tests import test_checks_legacy as legacy
from tests import test_checks_pairing as pairing
from tests import test_checks_records as records
from tests.build import SessionBuilder, call, record, ref, text
from tests.looks import Look

LONG = "#" * 600


def chained(**fields: Any) -> SessionBuilder:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    return session.chain("b1", 1000, 1200, ["x@1150"], **fields)


def unreadable_assistant() -> SessionBuilder:
    return SessionBuilder().user().message("assistant", "a plain string")


def unreadable_user() -> SessionBuilder:
    return SessionBuilder().message("user", "a plain string").answer()


def index_without_data() -> SessionBuilder:
    return SessionBuilder().user().custom("context-prune-index", None)


def foreign_custom_without_data() -> SessionBuilder:
    return SessionBuilder().user().custom("notes", None)


def barrier() -> SessionBuilder:
    return SessionBuilder().user().assistant(call("x")).custom_message().result("x")


def orphan_without_any_call() -> SessionBuilder:
    """Nothing is invented for a call that is not there."""
    return SessionBuilder().user().result("x")


def failure_of_another_occurrence() -> SessionBuilder:
    session = SessionBuilder().user().assistant(call("x", script=LONG)).result("x")
    return session.turn("x", is_error=True).answer().answer()


def failure_of_its_own() -> SessionBuilder:
    session = SessionBuilder().user().assistant(call("x", script=LONG), call("y"))
    return session.result("y").result("x", is_error=True).answer().answer()


def failures_of_both_occurrences() -> SessionBuilder:
    """The mark is that of the second, but the first one failed as well."""
    session = SessionBuilder().user().assistant(call("x", script=LONG)).result("x", is_error=True)
    return session.turn("x", is_error=True).answer().answer()


def barrier_after_an_aborted_reply() -> SessionBuilder:
    """The provider layer leaves such a reply out, so it invents no result for its calls."""
    session = SessionBuilder().user().assistant(call("x"), stopReason="aborted")
    return session.custom_message().result("x")


def stubbed_failure() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=2000, is_error=True)
    return session.archive("t1", "x", 2000)


def stubbed_success() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=2000).turn("y", is_error=True)
    return session.archive("t1", "x", 2000)


def stubbed_failure_that_was_dropped() -> SessionBuilder:
    """What is no longer in the context looks like nothing."""
    session = SessionBuilder().user(at=1000).turn("x", at=1100, is_error=True).answer(at=1200)
    return session.archive("t1", "x", 1100).chain("b1", 1000, 1200, ["x@1100"])


def stubbed_failure_of_which_a_summary_tells() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=2000, is_error=True).index(record("x", 2000))
    return session.summary(ref("t1", "x", 2000), content="- `t1` bash `ls`: failed, 1 line")


def summary_of_dropped_and_live_calls() -> SessionBuilder:
    session = chained().user().turn("y", at=2000)
    return session.summary(ref("t1", "x", 1150), ref("t2", "y", 2000))


def summary_of_dropped_calls() -> SessionBuilder:
    """A live call that shares the id is another occurrence."""
    return chained().user().turn("x", at=2000).summary(ref("t1", "x", 1150))


def typed_tag() -> SessionBuilder:
    return chained().user('<compressed-chain id="b1" tools="">what I pasted')


def typed_tag_of_no_block() -> SessionBuilder:
    return (
        chained()
        .user('<compressed-chain id="b9" tools="">')
        .answer('<compressed-chain id="b1" tools="">')
    )


def legacy_record_and_two_calls() -> SessionBuilder:
    session = SessionBuilder().user().turn("x").answer().archive("t1", "x", None)
    return session.user().turn("x")


def legacy_record_and_two_results_without_a_time() -> SessionBuilder:
    session = SessionBuilder().user().turn("x", at=None).archive("t1", "x", None)
    return session.user().turn("x", at=None)


def legacy_record_and_one_call() -> SessionBuilder:
    return SessionBuilder().user().turn("x").answer().archive("t1", "x", None).turn("y")


def two_finals_in_one_millisecond() -> SessionBuilder:
    return chained().answer(at=1200)


def no_final_at_all() -> SessionBuilder:
    return SessionBuilder().user(at=1000).turn("x").chain("b1", 1000, 1200)


def anything() -> SessionBuilder:
    return SessionBuilder().user().answer()


FIRES = [
    Look("render-failed", unreadable_assistant, lines=(3,)),
    Look("rebuild-failed", index_without_data, lines=(3,)),
    Look("result-swept", barrier, lines=(5,)),
    Look("purged-other-occurrence", failure_of_another_occurrence, lines=(3,)),
    Look("error-looks-successful", stubbed_failure, lines=(4,)),
    Look("summary-lost-live-calls", summary_of_dropped_and_live_calls, lines=(10,)),
    Look("body-missing", typed_tag, lines=(7,)),
    Look("ambiguous-stub", legacy_record_and_two_calls, lines=(4, 10)),
    Look("ambiguous-stub", legacy_record_and_two_results_without_a_time, lines=(4, 9)),
    Look("same-millisecond-boundary", two_finals_in_one_millisecond, lines=(6,)),
    Look("settings-partial", anything, settings={"chainCompression": {"rollingWindow": 1}}),
    Look("settings-ignored", anything, settings={"minBatchChars": "many"}),
    Look("pruner-off", anything, settings={"enabled": False}),
]

COMPLETE = {
    "enabled": True,
    "rollingWindow": 1,
    "stripFinalAssistantThinking": True,
    "fuseRangeSummary": False,
}

SILENT = [
    Look("render-failed", unreadable_user),
    Look("rebuild-failed", foreign_custom_without_data),
    Look("result-swept", orphan_without_any_call),
    Look("result-swept", barrier_after_an_aborted_reply),
    Look("purged-other-occurrence", failure_of_its_own),
    Look("purged-other-occurrence", failures_of_both_occurrences),
    Look("error-looks-successful", stubbed_success),
    Look("error-looks-successful", stubbed_failure_that_was_dropped),
    Look("error-looks-successful", stubbed_failure_of_which_a_summary_tells),
    Look("summary-lost-live-calls", summary_of_dropped_calls),
    Look("body-missing", typed_tag_of_no_block),
    Look("ambiguous-stub", legacy_record_and_one_call),
    Look("same-millisecond-boundary", no_final_at_all),
    Look("same-millisecond-boundary", two_finals_in_one_millisecond, settings={"enabled": False}),
    Look("settings-partial", anything, settings={"chainCompression": COMPLETE}),
    Look("settings-ignored", anything, settings={"minBatchChars": 7.5, "thinkingStrip": {}}),
    Look("pruner-off", anything, settings={"enabled": True}),
]


ROOMS = (pairing, records, branches, legacy)
ALL_FIRES = [*FIRES, *(look for room in ROOMS for look in room.FIRES)]
ALL_SILENT = [*SILENT, *(look for room in ROOMS for look in room.SILENT)]


def test_every_code_is_shown_firing_and_silent() -> None:
    """The twins of the raw context are the same checks; those that can stand alone do fire."""
    own = {code for code in FINDING_CODES if not code.startswith(RAW_PREFIX)}
    assert {look.code for look in ALL_FIRES} >= own
    assert {look.code for look in ALL_SILENT} >= own


@pytest.mark.parametrize("look", ALL_FIRES, ids=str)
def test_fires(look: Look) -> None:
    look.check_fires()


@pytest.mark.parametrize("look", ALL_SILENT, ids=str)
def test_is_silent(look: Look) -> None:
    look.check_silent()


def test_a_finding_points_at_its_slot() -> None:
    session = barrier().turn("y", at=4000, is_error=True).archive("t1", "y", 4000)
    inspection = session.inspect()
    for found in find(inspection):
        assert found.slot is not None
        assert inspection.plan.slots[found.slot].message.entry is found.entry


def test_the_worst_comes_first_then_the_order_of_the_context() -> None:
    session = stubbed_failure().turn("z", at=4000, is_error=True).archive("t2", "z", 4000)
    session.assistant(call("x")).custom_message().result("x")
    inspection = session.inspect(minBatchChars=-1)
    assert [(found.code, found.slot) for found in find(inspection)] == [
        ("result-swept", 9),
        ("error-looks-successful", 2),
        ("error-looks-successful", 5),
        ("reused-id", None),
        ("settings-ignored", None),
        ("raw-result-after-barrier", 9),
    ]
    severities = [found.severity for found in find(inspection)]
    assert severities == sorted(severities, key=list(Severity).index)


@pytest.mark.parametrize(
    ("session", "what"),
    [
        (chained().answer(at=1200), "b1 stays raw: 2 messages could be its end"),
        (chained().user(at=1000).user(at=1000), "b1 stays raw: 3 messages could be its start"),
    ],
)
def test_a_boundary_says_which_end_is_ambiguous(session: SessionBuilder, what: str) -> None:
    assert [found.what for found in find(session.inspect())] == [what]


def test_a_summary_inside_a_range_loses_live_calls_too() -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150)
    session.summary(ref("t1", "x", 1150), ref("t2", "y", 2000)).answer(at=1300)
    session.chain("b1", 1000, 1300, ["x@1150"]).user().assistant(call("y"))
    session.result("y", at=2000).index(record("x", 1150), record("y", 2000))
    findings = find(session.inspect())
    assert [(found.code, found.what) for found in findings] == [
        (
            "summary-lost-live-calls",
            "a summary was removed that also covers live calls: t2",
        )
    ]


def test_a_clean_session_has_none() -> None:
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.archive("t1", "x", 1150).user().turn("y", at=2000).archive("t2", "y", 2000)
    session.message("assistant", [text("done")])
    plan = session.chain("b1", 1000, 1200, ["x@1150"]).inspect()
    assert plan.plan.is_pruned
    assert find(plan) == []
