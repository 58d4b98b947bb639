"""Branches in short: how long each is, what was last asked on it, which one is active."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.leaves import LeafPath, leaf_paths
from condense_tui.session.branch import branch_to
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/w"}


def entry(name: Any, parent: Any, asked: str | None = None) -> dict[str, Any]:
    role = "user" if asked else "assistant"
    message = {"role": role, "content": asked or "answer"}
    fields = {"type": "message", "parentId": parent, "timestamp": "t", "message": message}
    return fields if name is None else {**fields, "id": name}


def session_of(*entries: dict[str, Any]) -> Session:
    raw = "".join(json.dumps(value) + "\n" for value in (HEADER, *entries))
    session = read_session(raw.encode())
    assert isinstance(session, Session)
    return session


def shortly(path: LeafPath) -> tuple[str | None, int, str | None, bool, bool]:
    return path.leaf.id, path.entries, path.last_prompt, path.is_active, path.is_leaf


FORKED = (
    entry("a", None, "first"),
    entry("b", "a"),
    entry("c", "b", "second"),
    entry("d", "c"),
    entry("e", "b", "another way"),
    entry("f", "e"),
)


@pytest.mark.parametrize(
    ("entries", "shown", "expected"),
    [
        ((), None, []),
        (FORKED[:2], "b", [("b", 2, "first", True, True)]),
        (
            FORKED,
            "f",
            [("f", 4, "another way", True, True), ("d", 4, "second", False, True)],
        ),
        (
            FORKED,
            "b",
            [
                ("f", 4, "another way", True, True),
                ("d", 4, "second", False, True),
                ("b", 2, "first", False, False),
            ],
        ),
        (FORKED[:2], "no such id", [("b", 2, "first", True, True)]),
        ((entry("a", "gone"),), "a", [("a", 1, None, True, True)]),
        # A parent after its child: the last record is where pi goes on, though it is no leaf.
        (
            (entry("b", "a"), entry("a", None, "x")),
            None,
            [("a", 1, "x", True, False), ("b", 2, "x", False, True)],
        ),
        (
            (entry("a", None, "x"), entry(None, "a")),
            None,
            [(None, 2, "x", True, False)],
        ),
    ],
)
def test_the_branches(
    entries: tuple[dict[str, Any], ...], shown: str | None, expected: list[Any]
) -> None:
    assert [shortly(path) for path in leaf_paths(session_of(*entries), shown)] == expected


@given(st.lists(st.integers(-1, 12), min_size=1, max_size=13))
def test_a_path_is_as_long_as_its_branch_whatever_the_parents(parents: list[int]) -> None:
    """Also with parents that come later, that are missing, and that close a cycle."""
    session = session_of(
        *(
            entry(f"e{number}", None if parent < 0 else f"e{parent}")
            for number, parent in enumerate(parents)
        )
    )
    for path in leaf_paths(session):
        branch = branch_to(session, path.leaf.id or "")
        assert branch is not None
        assert path.entries == len(branch.entries)


def test_a_deep_and_much_forked_session_is_walked_once() -> None:
    depth = 20_000
    trunk = [entry(f"t{n}", f"t{n - 1}" if n else None) for n in range(depth)]
    forks = [entry(f"f{n}", f"t{depth - 1 - n}") for n in range(2_000)]
    session = session_of(*trunk, *forks)
    started = time.process_time()
    paths = leaf_paths(session)
    assert time.process_time() - started < 5
    assert len(paths) == 2_001 - 1
    assert max(path.entries for path in paths) == depth + 1


def test_a_loop_with_many_leaves_below_it_costs_no_square() -> None:
    """Every way into a loop goes round it once, and is not walked again for each leaf."""
    count = 3_000
    ring = [entry(f"c{number}", f"c{(number + 1) % count}") for number in range(count)]
    session = session_of(*ring, *(entry(f"leaf{number}", f"c{number}") for number in range(count)))
    started = time.process_time()
    assert {path.entries for path in leaf_paths(session)} == {count + 1}
    assert time.process_time() - started < 3
