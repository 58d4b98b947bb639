"""Phase 2: whose arguments are purged."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.slots import FateKind
from tests.build import SessionBuilder, call, places, text, thinking

LONG = "#" * 600
ARGUMENT_CHARS = len('{"script":""}') + len(LONG)


def failed(turns_after: int = 2, script: str = LONG) -> SessionBuilder:
    session = SessionBuilder().user().assistant(call("x", script=script))
    session.result("x", "no such file", is_error=True)
    for _ in range(turns_after):
        session.answer()
    return session


def purged(chars: int) -> dict[str, str]:
    return {"_purged": f'<purged-errored-args size="{chars}"/>'}


@pytest.mark.parametrize(
    ("turns_after", "script_chars", "settings", "is_purged"),
    [
        pytest.param(2, 600, {}, True, id="by default after two turns"),
        pytest.param(1, 600, {}, False, id="not yet cooled down"),
        pytest.param(2, 500 - 13, {}, True, id="just long enough"),
        pytest.param(2, 499 - 13, {}, False, id="a character too short"),
        pytest.param(0, 600, {"enabled": True, "cooldownTurns": 0, "minArgChars": 1}, True, id="0"),
        pytest.param(9, 600, {"enabled": False}, False, id="switched off"),
        pytest.param(9, 600, {"cooldownTurns": 2, "minArgChars": 500}, False, id="off by absence"),
        pytest.param(9, 600, {}, True, id="long ago"),
    ],
)
def test_when_arguments_are_purged(
    turns_after: int, script_chars: int, settings: dict[str, Any], is_purged: bool
) -> None:
    session = failed(turns_after, "#" * script_chars)
    plan = session.plan(**({"purgeErrors": settings} if settings else {}))
    (asked,) = plan.pruned_messages[1].tool_calls
    expected = purged(script_chars + 13) if is_purged else {"script": "#" * script_chars}
    assert asked.arguments == expected
    assert places(plan, FateKind.PURGED) == ([1] if is_purged else [])


def test_the_size_is_counted_in_javascript_characters() -> None:
    (asked,) = failed(script="é😀" * 200).plan().pruned_messages[1].tool_calls
    assert asked.arguments == purged(13 + 200 * 3)


def test_only_the_failed_call_of_a_message_is_purged() -> None:
    session = SessionBuilder().user()
    session.assistant(thinking(), text("both"), call("x", script=LONG), call("y", script=LONG))
    session.result("x", is_error=True).result("y").answer().answer()
    before, after = session.plan().slots[1].before, session.plan().slots[1].after
    assert before is not None
    assert after is not None
    assert after.body["content"][:2] == before.body["content"][:2]
    assert [asked.arguments for asked in after.tool_calls] == [
        purged(ARGUMENT_CHARS),
        {"script": LONG},
    ]


def test_the_result_stays_as_it_is() -> None:
    plan = failed().plan()
    assert plan.slots[2].after is plan.slots[2].before


def test_the_newest_failure_of_an_id_counts() -> None:
    """Keyed by bare id: a new failure keeps the old arguments a while longer, too."""
    session = failed(turns_after=2).assistant(call("x", script=LONG)).result("x", is_error=True)
    assert places(session.plan(), FateKind.PURGED) == []
    assert places(session.answer().answer().plan(), FateKind.PURGED) == [1, 5]


def test_a_purge_hits_every_occurrence_of_the_id() -> None:
    session = failed(turns_after=1).assistant(call("x", script=LONG)).result("x")
    assert places(session.plan(), FateKind.PURGED) == [1, 4]


def test_a_stubbed_failure_is_no_failure_any_more() -> None:
    session = SessionBuilder().user().assistant(call("x", script=LONG))
    session.result("x", at=2000, is_error=True).answer().answer().archive("t1", "x", 2000)
    plan = session.plan()
    assert places(plan, FateKind.STUBBED) == [2]
    assert places(plan, FateKind.PURGED) == []


def test_turns_count_before_chains_are_compressed() -> None:
    session = failed(turns_after=0).user(at=2000).turn("y", at=2150).answer(at=2200)
    plan = session.chain("b1", 2000, 2200, ["y@2150"]).plan()
    assert places(plan, FateKind.DROPPED) == [4, 5]
    assert places(plan, FateKind.PURGED) == [1]


@pytest.mark.parametrize(("turns_after", "is_failure"), [(1, False), (2, True)])
def test_the_extension_fails_on_a_call_without_arguments(
    turns_after: int, is_failure: bool
) -> None:
    """Only when it comes to measuring them."""
    session = SessionBuilder().user().assistant({"type": "toolCall", "id": "x", "name": "bash"})
    session.result("x", is_error=True)
    for _ in range(turns_after):
        session.answer()
    plan = session.plan()
    assert (plan.failure is not None) is is_failure
    assert plan.pruned_messages == plan.raw_messages
