"""Phase 1: which results become stubs, and what a stub says."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.slots import FateKind
from tests.build import SessionBuilder, call, places, pruned_texts, record, ref, spilled, text

STUB = "[Summarized in pruner summary, ref `{}`. Use context_tree_query to retrieve full output.]"


def one_result(*, tool: str = "bash", at: Any = 2000) -> SessionBuilder:
    return SessionBuilder().user().turn("x", "output", at=at, tool=tool)


@pytest.mark.parametrize(
    ("session", "stub"),
    [
        pytest.param(one_result().archive("t1", "x", 2000), "t1", id="its own record"),
        pytest.param(one_result().index(record("x", 2000)), "x", id="without a ref: its id"),
        pytest.param(one_result().archive("t1", "x", 2001), None, id="another time"),
        pytest.param(one_result().archive("t1", "y", 2000), None, id="another id"),
        pytest.param(one_result().summary(ref("t1", "x", 2000)), None, id="a summary alone"),
        pytest.param(one_result().archive("t1", "x", None), "t1", id="a legacy record"),
        pytest.param(
            one_result().archive("t1", "x", None).index(record("x", 5)),
            None,
            id="a legacy record that does not stand alone",
        ),
        pytest.param(
            one_result().archive("t1", "y", 7).alias(("x", 2000), ("y", 7)), "t1", id="an alias"
        ),
        pytest.param(
            one_result().alias(("x", 2000), ("gone", 7)), "x", id="an alias of nothing known"
        ),
        pytest.param(
            one_result().alias(("x", None), ("gone", 7)), None, id="a legacy alias is no record"
        ),
        pytest.param(one_result(at=None).archive("t1", "x", None), "t1", id="both without a time"),
        pytest.param(one_result(at=None).archive("t1", "x", 2000), None, id="only a timed record"),
        pytest.param(
            one_result(at="2000").archive("t1", "x", 2000), None, id="a time that is no number"
        ),
        pytest.param(
            one_result(at=2000.5).archive("t1", "x", 2000.5), "t1", id="a time with a fraction"
        ),
        pytest.param(
            SessionBuilder().user().turn("x@5", at=2000).archive("t1", "x@5", 2000),
            "t1",
            id="an id that looks like a key",
        ),
    ],
)
def test_which_results_are_stubbed(session: SessionBuilder, stub: str | None) -> None:
    plan = session.plan()
    expected = "output" if stub is None else STUB.format(stub)
    assert pruned_texts(plan, "toolResult") == [expected]
    assert places(plan, FateKind.STUBBED) == ([] if stub is None else [2])


def test_a_stub_keeps_id_name_and_time_and_nothing_else() -> None:
    session = SessionBuilder().user().assistant(call("y", "read"))
    session.message(
        "toolResult",
        [text("words"), {"type": "image", "data": "…", "mimeType": "image/png"}],
        at=3000,
        toolCallId="y",
        toolName="read",
        isError=True,
        details={"lines": 3},
    )
    plan = session.archive("t1", "y", 3000).plan()
    (stub,) = (slot.after for slot in plan.slots if slot.fates[0].kind is FateKind.STUBBED)
    assert stub is not None
    assert list(stub.body.items()) == [
        ("role", "toolResult"),
        ("toolCallId", "y"),
        ("toolName", "read"),
        ("content", [text(STUB.format("t1"))]),
        ("isError", False),
        ("timestamp", 3000),
    ]


@pytest.mark.parametrize(
    ("fields", "size", "preview"),
    [
        ({"resultPreview": "first\nlines"}, "70000", "first\nlines"),
        ({}, "70000", ""),
        ({"spillBytes": None, "resultPreview": "head"}, "?", "head"),
    ],
)
def test_stub_of_a_spilled_output(fields: dict[str, Any], size: str, preview: str) -> None:
    session = one_result().index(spilled("x", 2000, "/far/s-blobs/x.txt", **fields))
    assert pruned_texts(session.plan(), "toolResult") == [
        f"[Oversized output spilled to file — {size} bytes.]\n"
        "Tool: bash\n"
        "Preview (head):\n"
        f"{preview}\n"
        "Full output — read this file (offset/limit supported): /far/s-blobs/x.txt\n"
        "Or use context_tree_query with ref `x`."
    ]


@pytest.mark.parametrize(
    ("settings", "archived", "is_protected"),
    [
        ({"protectedTools": ["bash"]}, {}, True),
        ({"protectedTools": ["bash"]}, {"toolName": "read"}, False),
        ({}, {"args": {"path": "/home/skills/git/SKILL.md"}}, True),
        ({}, {"args": {"path": "C:\\skills\\git.md"}}, True),
        ({}, {"args": {"path": "skills.md"}}, False),
        ({}, {"args": {"path": ["skills/git.md"]}}, False),
        ({}, {"args": {"file": "skills/git.md"}}, False),
        ({}, {"args": "skills/git.md"}, False),
        ({"protectedPaths": ["docs/*.md"]}, {"args": {"path": "docs/a.md"}}, True),
        ({"protectedPaths": ["docs/*.md"]}, {"args": {"path": "docs/x/a.md"}}, False),
    ],
)
def test_protection_is_by_the_record_and_todays_settings(
    settings: dict[str, Any], archived: dict[str, Any], is_protected: bool
) -> None:
    plan = one_result().index(record("x", 2000, **archived)).plan(**settings)
    assert places(plan, FateKind.PROTECTED) == ([2] if is_protected else [])
    assert places(plan, FateKind.STUBBED) == ([] if is_protected else [2])


def recovery(users_after: int) -> SessionBuilder:
    session = SessionBuilder().user()
    session.turn("q", "recovered", at=2000, tool="context_tree_query").archive("t1", "q", 2000)
    for _ in range(users_after):
        session.user().answer()
    return session


@pytest.mark.parametrize(
    ("grace", "users_after", "is_in_grace"),
    [(3, 0, True), (3, 3, True), (3, 4, False), (1, 1, True), (1, 2, False), (0, 0, False)],
)
def test_a_recovery_is_kept_while_in_grace(grace: int, users_after: int, is_in_grace: bool) -> None:
    inspection = recovery(users_after).inspect(recoveryGraceTurns=grace)
    assert places(inspection.plan, FateKind.IN_GRACE) == ([2] if is_in_grace else [])
    assert places(inspection.plan, FateKind.STUBBED) == ([] if is_in_grace else [2])
    assert inspection.keys_in_grace == (["q@2000"] if is_in_grace else [])


def test_grace_is_for_recoveries_only_and_by_occurrence() -> None:
    session = recovery(0).turn("x", at=3000).archive("t2", "x", 3000)
    session.turn("q", at=4000).archive("t3", "q", 4000)
    plan = session.plan()
    assert places(plan, FateKind.IN_GRACE) == [2]
    assert places(plan, FateKind.STUBBED) == [5, 8]


def test_a_reason_names_the_record_it_comes_from() -> None:
    plan = one_result().archive("t7", "x", 2000).plan()
    (fate,) = plan.slots[2].fates
    assert (fate.ref, fate.key, fate.reason) == ("t7", "x@2000", "stubbed as t7")
    assert fate.source is not None
    assert fate.source.body["customType"] == "context-prune-index"


def test_nothing_is_pruned_while_the_extension_is_off() -> None:
    plan = one_result().archive("t1", "x", 2000).chain("b1", 1, None).plan(enabled=False)
    assert not plan.is_pruned
    assert plan.diagnostics == ()
