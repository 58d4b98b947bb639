"""Phase 4: the walk as a table, and what the diagnostic says."""

from __future__ import annotations

import re
from hashlib import sha1

import pytest

from condense_tui.pruning.slots import FateKind
from tests.build import SessionBuilder, call, diagnosed, places, removed
from tests.orphans import assert_no_orphans


def walk(steps: str) -> SessionBuilder:
    """`Axy` an assistant message with the calls x and y, `Rx` a result, `U` and `C` barriers."""
    session = SessionBuilder()
    for step in steps.split():
        match re.fullmatch("([ARUC])(.*)", step).groups():  # type: ignore[union-attr]
            case "A", ids:
                session.assistant(*(call(letter) for letter in ids))
            case "R", call_id:
                session.result(call_id)
            case "U", _:
                session.user()
            case _:
                session.custom_message()
    return session


@pytest.mark.parametrize(
    ("steps", "swept"),
    [
        ("U Ax Rx", []),
        ("U Axy Ry Rx", []),
        ("U Axy Rx C Ry", [4]),
        ("U Ax C Rx", [3]),
        ("U Ax U Rx", [3]),
        ("Rx Ax Rx", [0]),
        ("Ax Rx Rx", [2]),
        ("Ax Ay Rx Ry", [2]),
        ("Ax A Rx", [2]),
        ("Ax Rx Ax Rx", []),
        ("Ax C Rx Ax Rx", [2]),
        ("Axx Rx Rx", [2]),
        ("Axy Rz Rx Ry", [1]),
        ("U C U", []),
        ("", []),
    ],
)
def test_walk(steps: str, swept: list[int]) -> None:
    plan = walk(steps).plan()
    assert removed(plan) == swept
    assert places(plan, FateKind.SWEPT) == swept
    assert plan.is_pruned is bool(swept)
    assert_no_orphans(plan)


@pytest.mark.parametrize(
    ("ids", "detail"),
    [
        (["b", "a"], "swept 2 orphan toolResult(s): a, b"),
        (["x", "x"], "swept 2 orphan toolResult(s): x, x"),
        (list("fedcba"), "swept 6 orphan toolResult(s): a, b, c, d, e ... +1 more"),
        (list("edcba"), "swept 5 orphan toolResult(s): a, b, c, d, e"),
        (["\ufb01", "😀"], "swept 2 orphan toolResult(s): 😀, \ufb01"),
    ],
)
def test_one_diagnostic_names_the_first_five_ids_in_order_of_code_units(
    ids: list[str], detail: str
) -> None:
    session = SessionBuilder().user()
    for orphan in ids:
        session.result(orphan)
    plan = session.plan()
    assert diagnosed(plan) == [("orphan-sweep", detail)]


def test_the_dedup_key_names_the_set_of_ids() -> None:
    (found,) = SessionBuilder().result("b").result("a").plan().diagnostics
    assert found.dedup_key == sha1(b"a,b").hexdigest()[:16]


def test_dropped_messages_close_nothing() -> None:
    """The sweep sees what the phases before it left."""
    session = SessionBuilder().user(at=1000).turn("x", at=1150).answer(at=1200)
    session.user(at=2000).result("x")
    plan = session.chain("b1", 1000, 1200, ["x@1150"]).plan()
    assert removed(plan) == [1, 2, 5]


@pytest.mark.parametrize("content", ["a string", 7, {"type": "text"}])
def test_the_extension_fails_on_an_assistant_without_a_list(content: object) -> None:
    session = SessionBuilder().user().result("orphan").message("assistant", content)
    plan = session.plan()
    assert plan.failure is not None
    assert (plan.failure.place, plan.is_pruned) == (2, False)
    assert plan.pruned_messages == plan.raw_messages


@pytest.mark.parametrize("role", ["user", "assistant", "toolResult"])
def test_absent_and_null_content_read_as_an_empty_list(role: str) -> None:
    plan = SessionBuilder().message(role, None, toolCallId="x").plan()
    assert plan.failure is None
    assert plan.raw_messages[0].body["content"] == []
