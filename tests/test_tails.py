"""The last entries of a session, before the rest is read: a suffix of it, and nothing else."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import build_links
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.context import build_context
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.reading import read_session
from condense_tui.session.tails import branch_in_tail, read_tail
from condense_tui.view.contextrows import message_row
from condense_tui.view.lines import Line
from condense_tui.view.tailtree import tail_nodes
from condense_tui.view.treenodes import tree_nodes
from condense_tui.view.treerows import TreeNode
from tests.build import SessionBuilder
from tests.sessions import compaction, entry, file_of, header, message, row, shown, user
from tests.vectors import SMALL_VECTORS, mutated_sessions
from tests.vectors import Line as VectorLine

HEADER = file_of(header())
ROW = row(*(user(name) for name in "abcdef"))
RAW = file_of(header(), *ROW)
LINE = len(file_of(ROW[-1]))


def tail_of(raw: bytes, end: int, start: int = len(HEADER)) -> Session | Refusal:
    """Of so many bytes of the end and the start."""
    return read_tail(raw[:start], raw[len(raw) - end :], len(raw))


def read_end(raw: bytes, end: int, start: int = len(HEADER)) -> Session:
    tail = tail_of(raw, end, start)
    assert isinstance(tail, Session), tail
    return tail


def ids_in(raw: bytes, end: int, start: int = len(HEADER)) -> str:
    return "".join(found.id or "?" for found in read_end(raw, end, start).entries)


# Cutting


@pytest.mark.parametrize(
    ("end", "ids"),
    [
        (LINE * 2, "f"),  # where it was cut nobody knows, so the first line never counts
        (LINE * 2 + 1, "ef"),
        (LINE * 3 - 1, "ef"),
        (LINE * 6, "bcdef"),
        (len(RAW) - len(HEADER), "abcdef"),
    ],
)
def test_only_whole_lines_count(end: int, ids: str) -> None:
    assert ids_in(RAW, end) == ids


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\n\n", b"\n \n"], ids=repr)
@pytest.mark.parametrize("last", [b"", b"\n"], ids=repr)
def test_however_lines_end(ending: bytes, last: bytes) -> None:
    raw = file_of(header(), *ROW, ending=ending, last=last)
    assert ids_in(raw, LINE * 2 + 9, start=len(HEADER) + 2) == "ef"


@pytest.mark.parametrize(
    ("lines", "ids"),
    [
        ([b'{"type":"message","id":"g"'], "ef"),
        ([b"\x00\xff\xfe"], "ef"),
        ([b"null", b"0", b'""'], "ef"),
        ([json.dumps(ROW[0]).encode() + json.dumps(ROW[1]).encode()], "ef"),
        ([json.dumps(header()).encode()], "ef"),
        ([b"[]"], "ef?"),
        ([b'{"type":"custom","parentId":"f"}'], "ef?"),
    ],
)
@pytest.mark.parametrize("last", [b"", b"\n"], ids=repr)
def test_what_cannot_be_read_is_passed_over(lines: list[bytes], ids: str, last: bytes) -> None:
    tail = file_of(*lines, last=last)
    raw = RAW + tail
    assert ids_in(raw, LINE * 2 + len(tail) + 1) == ids
    assert read_end(raw, LINE * 2 + len(tail) + 1).problems == ()


@pytest.mark.parametrize("back", range(1, 5))
def test_a_cut_inside_a_character_costs_its_line_only(back: int) -> None:
    wide = json.dumps(user("g") | {"note": "x🙂"}, ensure_ascii=False).encode()
    raw = RAW + wide + b"\n" + file_of(ROW[0])
    at = raw.index("🙂".encode()) + back
    assert ids_in(raw, len(raw) - at) == "a"


@pytest.mark.parametrize(
    ("raw", "end", "start", "reason"),
    [
        (b"", 0, 0, "no whole record"),
        (RAW, 0, len(HEADER), "no whole record"),
        (RAW, LINE - 1, len(HEADER), "no whole record"),
        (RAW, LINE * 3, len(HEADER) - 1, "no whole record"),
        (HEADER + b"x" * 9_000, 500, len(HEADER), "no whole record"),
        (b"\x00\n" * 900, 100, 100, "no line of it is a record"),
        (file_of(*ROW), LINE * 2, LINE + 2, "no session header"),
        (file_of({"kind": "header", "v": 4}, *ROW), LINE * 3, LINE, "harness v4"),
        (file_of(header(version=1), *ROW), LINE * 3, len(HEADER), "made from the lines"),
    ],
)
def test_where_there_is_nothing_to_show(raw: bytes, end: int, start: int, reason: str) -> None:
    tail = tail_of(raw, end, start)
    assert isinstance(tail, Refusal)
    assert reason in tail.reason


def test_a_header_may_stand_behind_garbage() -> None:
    raw = b"garbage\nnull\n" + RAW
    assert ids_in(raw, LINE * 2 + 1, start=len(HEADER) + 20) == "ef"


def test_pieces_that_meet_are_the_whole_file() -> None:
    assert ids_in(RAW, LINE * 3, start=len(RAW) - LINE * 3) == "abcdef"


# Branches


def shown_end(*records: Any, lines: int, leaf: str | None = None) -> list[str]:
    """What the context says, when so many lines at the end were read."""
    raw = file_of(header(), *records)
    end = len(file_of(*records[-lines:])) + 1
    branch = branch_in_tail(read_end(raw, end), leaf)
    assert branch is not None
    assert branch.problems == ()
    return [words.split()[-1] for words in shown(build_context(branch))]


def test_a_missing_parent_is_where_the_tail_begins() -> None:
    assert shown_end(*ROW, lines=3) == ["d", "e", "f"]


def test_what_another_branch_says_is_not_shown() -> None:
    aside = message("x", "b", content="x")
    assert shown_end(*ROW[:4], aside, *ROW[4:], lines=4) == ["d", "e", "f"]
    assert shown_end(*ROW, aside, lines=3) == ["x"]


def test_another_leaf_ends_it_there_if_it_was_read() -> None:
    assert shown_end(*ROW, lines=4, leaf="e") == ["c", "d", "e"]
    assert branch_in_tail(read_end(RAW, LINE * 2 + 1), "a") is None


@pytest.mark.parametrize(
    ("first_kept", "lines", "expected"),
    [
        ("b", 4, ["d", "e"]),  # where it kept from was not read, so c may not be all of it
        ("b", 5, ["k", "b", "c", "d", "e"]),
        ("c", 4, ["k", "c", "d", "e"]),
        ("missing", 4, ["d", "e"]),
        ("missing", 6, ["k", "d", "e"]),
        (None, 4, ["d", "e"]),
        ("b", 2, ["d", "e"]),
    ],
)
def test_a_compaction_is_shown_with_all_it_kept_or_not_at_all(
    first_kept: str | None, lines: int, expected: list[str]
) -> None:
    records = row(*map(user, "abc"), compaction("k", first_kept), user("d"), user("e"))
    assert shown_end(*records, lines=lines) == expected


# Any session, any cut

CUTS = st.tuples(st.floats(0, 1), st.floats(0, 1))
unhurried = settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])


def cut(raw: bytes, cuts: tuple[float, float]) -> Session | Refusal:
    first, last = (round(len(raw) * part) for part in sorted(cuts))
    return read_tail(raw[:first], raw[last:], len(raw))


def glimpsed(tail: Session) -> tuple[list[Line], tuple[TreeNode, ...]]:
    """Everything that is shown of it."""
    branch = branch_in_tail(tail, None)
    assert branch is not None
    inspection = Inspection(branch, settings_from(None))
    nodes = tail_nodes(inspection)
    return [message_row(shown) for shown in inspection.context.messages], nodes


def is_suffix(some: list[Any], of: list[Any]) -> bool:
    return of[len(of) - len(some) :] == some


def bodies(entries: Any) -> list[str]:
    return [json_text(found.body) for found in entries]


@unhurried
@given(mutated_sessions(), CUTS)
def test_the_tail_of_any_session_is_a_suffix(
    mutated: tuple[bytes, Any], cuts: tuple[float, float]
) -> None:
    tail, whole = cut(mutated[0], cuts), read_session(mutated[0])
    if isinstance(tail, Refusal):
        return
    assert isinstance(whole, Session)
    glimpsed(tail)
    assert is_suffix(bodies(tail.entries), of=bodies(whole.entries))
    branch, whole_branch = branch_in_tail(tail, None), default_branch(whole)
    assert branch is not None
    selected = bodies(build_context(branch).entries)
    assert is_suffix(selected, of=bodies(build_context(whole_branch).entries))


def rejoined(lines: list[VectorLine]) -> bytes:
    return b"\n".join(map(line_bytes, lines))


def line_bytes(line: VectorLine) -> bytes:
    return line if isinstance(line, bytes) else json_text(line).encode()


@unhurried
@given(st.sampled_from(SMALL_VECTORS).map(lambda vector: rejoined(vector[0])), CUTS)
@example(SessionBuilder().user("a").answer("b").user("c").raw, (0.4, 0.5))
def test_the_rows_are_the_last_rows(raw: bytes, cuts: tuple[float, float]) -> None:
    """And every node is found again in the tree that follows, by its key."""
    tail, whole = cut(raw, cuts), read_session(raw)
    if isinstance(tail, Refusal) or isinstance(whole, Refusal):
        return
    rows, nodes = glimpsed(tail)
    inspection = Inspection(default_branch(whole), settings_from(None))
    assert is_suffix(rows, of=[message_row(shown) for shown in inspection.context.messages])
    tree = build_call_tree(inspection)
    whole_nodes = tree_nodes(inspection, tree, build_links(inspection, tree), lambda _: False)
    assert set(keys_of(nodes)) <= set(keys_of(whole_nodes))


def keys_of(nodes: Iterable[TreeNode]) -> Iterator[str]:
    for node in nodes:
        yield node.key
        yield from keys_of(node.children)


@given(st.binary(max_size=300), st.binary(max_size=300), st.integers(0, 900))
def test_any_bytes_are_a_tail_or_refused(start: bytes, end: bytes, between: int) -> None:
    for opening in (start, HEADER + start):
        tail = read_tail(opening, end, len(opening) + len(end) + between)
        if isinstance(tail, Session):
            glimpsed(tail)


def test_an_entry_that_is_none_of_this_is_shown_too() -> None:
    assert shown_end(*ROW, entry("z", "f"), lines=2) == ["f"]
