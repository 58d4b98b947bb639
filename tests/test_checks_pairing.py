"""What the provider layer makes of a context: against the vectors, and each code of it."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.inspection.findings import find
from condense_tui.inspection.provider import plan_request
from condense_tui.session.messages import Message
from tests.build import SessionBuilder, call, text
from tests.looks import Look
from tests.orphans import orphans
from tests.vectors import COPIED, SHARED, Vector, vectors_in

VECTORS = vectors_in(COPIED) + vectors_in(SHARED)


def told(messages: list[Message]) -> dict[str, Any] | None:
    """Our request in the words of the vectors."""
    request = plan_request(messages)
    if request is None:
        return None
    invented = [(index, sent.invented) for index, sent in request.invented if sent.invented]
    return {
        "synthetic": [
            {"index": index, "toolCallId": call.id, "toolName": call.name}
            for index, call in invented
        ],
        "orphan": [
            {"index": orphan.index, "toolCallId": orphan.sent.call_id} for orphan in request.orphans
        ],
    }


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_what_is_sent_is_what_pi_sends(vector: Vector) -> None:
    plan, expected = vector.inspect().plan, vector.expected
    assert told(plan.pruned_messages) == expected["llm"]
    assert told(plan.raw_messages) == expected["llm_unpruned"]


@pytest.mark.parametrize("vector", vectors_in(COPIED), ids=str)
def test_orphans_of_the_request_are_those_of_the_independent_checker(vector: Vector) -> None:
    """On lists that the layer neither shortens nor lengthens both must find the same."""
    messages = vector.inspect().plan.raw_messages
    request = plan_request(messages)
    if request is None or len(request.sent) != len(messages):
        return
    assert [each.sent.place for each in request.orphans] == orphans([m.body for m in messages])


def start() -> SessionBuilder:
    return SessionBuilder().user()


def healthy() -> SessionBuilder:
    return start().turn("x").answer().user().turn("x").answer()


def content_is_text() -> SessionBuilder:
    return start().message("assistant", "a plain string")


def result_of_no_call() -> SessionBuilder:
    return start().result("x")


def result_of_an_earlier_reply() -> SessionBuilder:
    return start().turn("x").answer().result("x")


def two_results() -> SessionBuilder:
    return start().turn("x").result("x")


def foreign_message_between() -> SessionBuilder:
    return start().assistant(call("x")).custom_message().result("x")


def results_of_an_aborted_reply() -> SessionBuilder:
    return start().assistant(call("x"), stopReason="aborted").result("x")


def failed_reply_without_results() -> SessionBuilder:
    return start().assistant(text(), stopReason="error").user().answer()


def two_calls_of_one_id() -> SessionBuilder:
    return start().assistant(call("x"), call("x")).result("x").result("x")


def unanswered() -> SessionBuilder:
    return start().assistant(call("x"), call("y")).result("x").user().answer()


def unanswered_call_of_a_failed_reply() -> SessionBuilder:
    return start().assistant(call("x"), stopReason="error").user().answer()


def excluded_bash_run_between() -> SessionBuilder:
    """It is not sent, so it closes nothing for the layer; the extension's sweep knows no such."""
    session = start().assistant(call("x"))
    session.message("bashExecution", "ls", excludeFromContext=True)
    return session.result("x")


OFF = {"enabled": False}
FIRES = [
    Look("request-failed", content_is_text, (3,)),
    Look("orphan-result", result_of_no_call, (3,), OFF),
    Look("orphan-result", result_of_an_earlier_reply, (6,), OFF),
    Look("second-result", two_results, (5,), OFF),
    Look("result-after-barrier", foreign_message_between, (5,), OFF),
    Look("result-of-cut-short-reply", results_of_an_aborted_reply, (4,)),
    Look("reply-left-out", failed_reply_without_results, (3,)),
    Look("reply-left-out", results_of_an_aborted_reply, (3,)),
    Look("doubled-call-id", two_calls_of_one_id, (3,)),
    Look("unanswered-call", unanswered, (3,)),
    Look("raw-orphan-result", result_of_no_call, (3,)),
    Look("raw-second-result", two_results, (5,)),
    Look("raw-result-after-barrier", foreign_message_between, (5,)),
]
SILENT = [
    *(
        Look(code, healthy, settings=settings)
        for code in ("orphan-result", "second-result", "result-after-barrier")
        for settings in (OFF, {})
    ),
    Look("request-failed", healthy),
    Look("request-failed", result_of_no_call),
    Look("result-of-cut-short-reply", unanswered_call_of_a_failed_reply),
    Look("reply-left-out", healthy),
    Look("doubled-call-id", healthy),
    Look("unanswered-call", healthy),
    Look("unanswered-call", unanswered_call_of_a_failed_reply),
    Look("unanswered-call", foreign_message_between),
    Look("unanswered-call", foreign_message_between, settings=OFF),
    Look("unanswered-call", two_calls_of_one_id),
    Look("result-after-barrier", excluded_bash_run_between, settings=OFF),
    Look("raw-orphan-result", result_of_no_call, settings=OFF),
    Look("raw-second-result", healthy),
    Look("raw-result-after-barrier", foreign_message_between, settings=OFF),
]


def test_a_call_that_is_doubled_in_a_huge_reply_costs_no_square() -> None:
    calls = [call(f"x{number}") for number in range(20_000)]
    session = start().assistant(*calls, call("x1"))
    assert [each.code for each in find(session.inspect())].count("doubled-call-id") == 1
