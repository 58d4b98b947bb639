"""Session + leaf → `Branch`: the line of entries that pi goes by."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.session.branch import Branch, branch_to, carried_on, default_branch, leaves
from condense_tui.session.context import build_context
from condense_tui.session.entries import ProblemKind, Session
from tests.sessions import entry, ids_of, message, read


def path_of(branch: Branch | None) -> list[str | None]:
    assert branch is not None
    return [found.id for found in branch.entries]


def default_path(*records: Any) -> list[str | None]:
    return path_of(default_branch(read(*records)))


A, B, C = message("a"), message("b", "a"), message("c", "b")


# The leaf


@pytest.mark.parametrize(
    "kind",
    ["label", "usage", "custom", "session_info", "leaf", "context_edit", "of the future", ""],
)
def test_the_leaf_is_the_last_record_whatever_its_type(kind: str) -> None:
    """A `leaf` record of a relative format moves nothing."""
    assert default_path(A, B, entry("z", "a", kind, targetId="b")) == ["a", "z"]


def test_the_leaf_is_not_the_deepest_entry() -> None:
    assert default_path(A, B, C, message("d", "a")) == ["a", "d"]


def test_no_entries_no_leaf() -> None:
    branch = default_branch(read())
    assert (branch.leaf, branch.leaf_id, branch.entries, branch.context_entries) == (
        (None, None) + ((),) * 2
    )


def test_a_second_header_at_the_end_is_no_leaf() -> None:
    assert default_path(A, B, {"type": "session", "id": "other"}) == ["a", "b"]


@pytest.mark.parametrize("leaf", ["a", "b", "c"])
def test_any_entry_can_be_looked_at(leaf: str) -> None:
    assert path_of(branch_to(read(A, B, C), leaf)) == ["a", "b", "c"][: "abc".index(leaf) + 1]


@pytest.mark.parametrize("leaf", ["", "s", "z", "A", "a "])
def test_an_unknown_leaf_gives_no_branch(leaf: str) -> None:
    assert branch_to(read(A), leaf) is None


# The path


@pytest.mark.parametrize("parent", [None, "", 0, False, [], {}])
def test_a_path_ends_where_there_is_no_parent(parent: Any) -> None:
    branch = default_branch(read(message("a", parent), B))
    assert path_of(branch) == ["a", "b"]
    assert branch.problems == ()


def test_a_parent_may_stand_after_its_child() -> None:
    assert default_path(B, A, message("z", "b")) == ["a", "b", "z"]


def test_with_a_doubled_id_the_last_record_counts() -> None:
    """The child of the first one now has the second one for a parent."""
    branch = default_branch(read(A, B, message("a", None, content="second"), message("z", "b")))
    assert path_of(branch) == ["a", "b", "z"]
    assert branch.entries[0].body["message"]["content"] == "second"


@pytest.mark.parametrize(
    ("records", "path"),
    [
        pytest.param([message("a", "a")], ["a"], id="its own parent"),
        pytest.param([message("a", "b"), message("b", "a")], ["a", "b"], id="a pair"),
        pytest.param([message("a", "c"), B, C], ["a", "b", "c"], id="three"),
        pytest.param([A, B, C, message("a", "c")], ["b", "c", "a"], id="closed by a doubled id"),
        pytest.param([message("a", "a"), B, C], ["a", "b", "c"], id="a tail that enters one"),
    ],
)
def test_a_loop_is_cut_at_its_first_repetition_and_said(
    records: list[Any], path: list[str]
) -> None:
    branch = default_branch(read(*records))
    assert path_of(branch) == path
    assert [problem.kind for problem in branch.problems] == [ProblemKind.CYCLE]


# What a missing parent cuts off


@pytest.mark.parametrize(
    ("records", "count"),
    [
        pytest.param([message("z", "gone")], 0, id="nothing before"),
        pytest.param([A, message("z", "gone")], 1, id="one"),
        pytest.param([A, B, C, message("z", "gone")], 3, id="three"),
        pytest.param([A, B, message("y", "gone"), message("z", "y")], 2, id="deeper leaf"),
        pytest.param([A, message("y", "gone"), B, message("z", "y")], 1, id="later ones elsewhere"),
        pytest.param([message("z", "y"), A, message("y", "gone")], 1, id="a child stands before"),
    ],
)
def test_entries_cut_off_by_a_missing_parent_are_counted(records: list[Any], count: int) -> None:
    session = read(*records)
    (problem,) = (branch_to(session, "z") or default_branch(session)).problems
    assert problem.kind is ProblemKind.MISSING_PARENT
    assert problem.reason.startswith(f"{count} entr{'y is' if count == 1 else 'ies are'} not on")
    assert "gone" in problem.reason


def test_a_root_of_its_own_cuts_nothing_off() -> None:
    """Several roots are legal."""
    assert default_branch(read(A, B, message("z"))).problems == ()


# Records without ids


def test_without_an_id_there_is_no_branch_but_the_context_is_the_last_record() -> None:
    branch = default_branch(read(*({"type": "message", "message": m} for m in MESSAGES)))
    assert branch.entries == ()
    assert [message.text for message in build_context(branch).messages] == ["two"]


MESSAGES = [
    {"role": "user", "content": [{"type": "text", "text": word}]} for word in ("one", "two")
]


def test_a_last_record_without_an_id_still_has_its_parents_in_the_context() -> None:
    last = {"type": "message", "parentId": "a", "message": MESSAGES[1]}
    assert [found.id for found in default_branch(read(A, last)).context_entries] == ["a", None]


def test_an_id_that_is_null_is_no_leaf_at_all() -> None:
    branch = default_branch(read(A, entry(None, "a")))
    assert (branch.entries, branch.context_entries) == ((), ())


@pytest.mark.parametrize("value", [b"42", b'"s"', b"[1]"])
def test_a_bare_value_at_the_end_is_the_leaf(value: bytes) -> None:
    branch = default_branch(read(A, B, value))
    assert (branch.leaf_id, branch.entries) == (None, ())
    assert build_context(branch).messages == ()


# Leaves


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([A, B, C], ["c"], id="one line"),
        pytest.param([A, B, message("c", "a")], ["b", "c"], id="a fork"),
        pytest.param([A, message("z")], ["a", "z"], id="two roots"),
        pytest.param([message("a", "a")], ["a"], id="its own parent"),
        pytest.param([message("b", "gone"), A], ["b", "a"], id="a missing parent"),
        pytest.param([A, B, message("b", "a")], ["b"], id="a doubled id"),
        pytest.param([B, A], ["b"], id="a parent after its child"),
    ],
)
def test_leaves(records: list[Any], expected: list[str]) -> None:
    assert [leaf.id for leaf in leaves(read(*records))] == expected


@pytest.mark.parametrize(
    "records",
    [[message("a", "b"), message("b", "a")], [A, B, C, message("a", "c")]],
    ids=["a pair", "a doubled id"],
)
def test_a_branch_that_is_a_loop_ends_at_the_last_record(records: list[Any]) -> None:
    """In a loop everyone is a parent; all the same the overview shows a branch."""
    session = read(*records)
    assert default_branch(session).leaf in leaves(session)


def test_two_writers_make_two_branches_and_the_last_line_counts() -> None:
    lines = [A, message("u1", "a"), message("u2", "a"), message("v1", "u1"), message("v2", "u2")]
    session = read(*lines)
    assert path_of(default_branch(session)) == ["a", "u2", "v2"]
    assert [leaf.id for leaf in leaves(session)] == ["v1", "v2"]


# Size


def chain(length: int) -> list[Any]:
    return [message(f"i{n}", f"i{n - 1}" if n else None) for n in range(length)]


def star(length: int) -> list[Any]:
    return [A, *(message(f"i{n}", "a") for n in range(length))]


def strays(length: int) -> list[Any]:
    return [message(f"i{n}", f"gone{n}") for n in range(length)]


def loop(length: int) -> list[Any]:
    return [*chain(length), message("i0", f"i{length - 1}"), message("z", f"i{length // 2}")]


def steps_of(work: Callable[[], object]) -> int:
    """How many lines of Python it takes: a measure of time that no busy machine disturbs."""
    count = 0

    def trace(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def look(session: Session) -> None:
    build_context(default_branch(session))
    leaves(session)


@pytest.mark.parametrize("shape", [chain, star, strays, loop])
@pytest.mark.parametrize("is_backwards", [False, True], ids=["forwards", "backwards"])
def test_the_work_grows_with_the_file_and_no_faster(
    shape: Callable[[int], list[Any]], is_backwards: bool
) -> None:
    small, large = (read(*shape(n)[:: -1 if is_backwards else 1]) for n in (200, 2_000))
    assert steps_of(lambda: look(large)) < 12 * steps_of(lambda: look(small))


def test_a_chain_of_20000_is_one_branch() -> None:
    session = read(*chain(20_000))
    branch = default_branch(session)
    assert path_of(branch) == ids_of(session)
    assert len(build_context(branch).messages) == 20_000
    assert [leaf.id for leaf in leaves(session)] == ["i19999"]


def test_20000_ancestors_that_stand_after_their_children() -> None:
    session = read(*chain(20_000)[::-1])
    assert path_of(branch_to(session, "i19999")) == ids_of(session)[::-1]


# Whatever the links


IDS = st.sampled_from(["a", "b", "c", "d", None, "", 0, 7])


@given(st.lists(st.tuples(IDS, IDS), max_size=8))
def test_any_links_give_a_path_without_repetition(links: list[tuple[Any, Any]]) -> None:
    session = read(*(message(*link) for link in links))
    branch = default_branch(session)
    path = [found.index for found in branch.context_entries]
    assert len(path) == len(set(path))
    assert branch.entries in ((), branch.context_entries)
    for leaf in leaves(session):
        assert branch_to(session, leaf.id or "") is not None
    assert len(branch.problems) <= 1


# A branch in a later reading


@pytest.mark.parametrize(
    ("before", "added", "path", "is_elsewhere"),
    [
        ([A], [B, C], ["a", "b", "c"], False),
        ([A, B], [], ["a", "b"], False),
        ([A, B], [message("c", "a")], ["a", "b"], True),
        ([A, B], [C, message("d", "a")], ["a", "b", "c"], True),
        ([A, B], [message("d", "a"), C], ["a", "b", "c"], False),
        ([A, B], [message("d", None)], ["a", "b"], True),
        ([A, B], [message("d", "missing")], ["d"], False),
        ([], [A], ["a"], False),
    ],
)
def test_a_branch_is_carried_on(
    before: list[Any], added: list[Any], path: list[str], is_elsewhere: bool
) -> None:
    shown = default_branch(read(*before))
    now = carried_on(shown, read(*before, *added))
    assert (path_of(now.branch), now.is_elsewhere) == (path, is_elsewhere)


def test_a_pinned_branch_is_not_carried_on() -> None:
    shown = default_branch(read(A))
    now = carried_on(shown, read(A, B), is_pinned=True)
    assert (path_of(now.branch), now.is_elsewhere) == (["a"], False)


def test_a_branch_is_found_by_its_end_in_another_file() -> None:
    shown = default_branch(read(A, B))
    assert path_of(carried_on(shown, read(message("z"), A, B, C)).branch) == ["a", "b", "c"]
    assert path_of(carried_on(shown, read(message("z"))).branch) == ["z"]
