"""The tree of what was pruned, with what the extension's own tree hides."""

from __future__ import annotations

from typing import Any

from condense_tui.inspection.calltree import (
    CallNode,
    CallTree,
    ChainNode,
    SummaryNode,
    build_call_tree,
)
from tests.build import SessionBuilder, record, ref


def tree_of(session: SessionBuilder, **settings: Any) -> CallTree:
    return build_call_tree(session.inspect(**settings))


def shape(tree: CallTree) -> list[object]:
    """Blocks and summaries as nested lists of the keys below them, loose keys last."""
    roots = [_shape(root) for root in tree.roots]
    return [*roots, [call.key for call in tree.loose]]


def _shape(node: ChainNode | SummaryNode) -> list[object]:
    if isinstance(node, SummaryNode):
        return [call.key for call in node.calls]
    return [node.chain.block_id, *map(_shape, node.summaries), [call.key for call in node.calls]]


def closed_chain(at: int, call_id: str) -> SessionBuilder:
    session = SessionBuilder().user(at=at).turn(call_id, at=at + 10)
    return session.answer(at=at + 20)


def test_nothing_recorded_nothing_shown() -> None:
    assert tree_of(SessionBuilder().user()) == CallTree((), ())


def test_a_summary_and_its_calls_in_the_order_of_its_refs() -> None:
    session = SessionBuilder().index(record("a", 1), record("b", 2))
    session.summary(ref("t2", "b", 2), ref("t1", "a", 1))
    assert shape(tree_of(session)) == [["b@2", "a@1"], []]


def test_a_chain_holds_its_summaries_and_the_calls_that_none_covers() -> None:
    session = closed_chain(1000, "a").archive("t1", "a", 1010)
    session.chain("b1", 1000, 1020, ["a@1010", "p@1011"])
    tree = tree_of(session)
    assert shape(tree) == [["b1", ["a@1010"], ["p@1011"]], []]
    (chain,) = tree.roots
    assert isinstance(chain, ChainNode)
    assert chain.is_placed
    assert [summary.is_in_context for summary in chain.summaries] == [False]
    assert [call.record for call in chain.calls] == [None]


def test_a_chain_without_its_range_is_not_placed() -> None:
    session = closed_chain(1000, "a").archive("t1", "a", 1010)
    (chain,) = tree_of(session.chain("b1", 1000, 99, ["a@1010"])).roots
    assert isinstance(chain, ChainNode)
    assert not chain.is_placed
    assert [summary.is_in_context for summary in chain.summaries] == [True]


def test_with_compression_off_no_chain_is_placed() -> None:
    session = closed_chain(1000, "a").archive("t1", "a", 1010).chain("b1", 1000, 1020, ["a@1010"])
    (chain,) = tree_of(session, chainCompression={"enabled": False}).roots
    assert isinstance(chain, ChainNode)
    assert not chain.is_placed


def test_what_hangs_under_no_summary_is_loose() -> None:
    session = SessionBuilder().index(record("a", 1)).archive("t2", "b", 2)
    session.alias(("c", 3), ("a", 1))
    assert shape(tree_of(session)) == [["b@2"], ["a@1", "c@3"]]


def test_every_record_and_every_ref_is_shown_once() -> None:
    session = closed_chain(1000, "a").archive("t1", "a", 1010).archive("t2", "b", 5)
    session.archive("t3", "c", 6).index(record("d", 7)).alias(("e", 8), ("d", 7))
    session.chain("b1", 1000, 1020, ["a@1010", "b@5"])
    tree = tree_of(session)
    keys = [call.key for call in every_call(tree)]
    assert sorted(keys) == ["a@1010", "b@5", "c@6", "d@7", "e@8"]


def test_one_call_that_two_summaries_name_is_shown_under_both() -> None:
    session = SessionBuilder().archive("t1", "a", 1).summary(ref("t1", "a", 1))
    assert shape(tree_of(session)) == [["a@1"], ["a@1"], []]


def every_call(tree: CallTree) -> list[CallNode]:
    calls = list(tree.loose)
    for root in tree.roots:
        summaries = root.summaries if isinstance(root, ChainNode) else (root,)
        calls += [call for summary in summaries for call in summary.calls]
        calls += root.calls if isinstance(root, ChainNode) else ()
    return calls


def calls_by_key(session: SessionBuilder, **settings: Any) -> dict[str, CallNode]:
    return {call.key: call for call in every_call(tree_of(session, **settings))}


def test_a_ref_without_a_record() -> None:
    call = calls_by_key(SessionBuilder().summary(ref("t1", "gone", 1)))["gone@1"]
    assert (call.record, call.short_ref, call.occurrences) == (None, "t1", 0)


def test_an_alias_shows_its_originals_record_and_ref() -> None:
    session = SessionBuilder().archive("t1", "a", 1).alias(("b", 2), ("a", 1))
    call = calls_by_key(session)["b@2"]
    assert call.record is not None
    assert (call.record.key, call.alias_of, call.short_ref) == ("a@1", "a@1", "t1")


def test_an_alias_counts_as_an_occurrence_of_its_own_id() -> None:
    session = SessionBuilder().archive("t1", "a", 1).archive("t2", "b", 2)
    session.alias(("b", 3), ("a", 1))
    calls = calls_by_key(session)
    assert [calls[key].occurrences for key in ("a@1", "b@2", "b@3")] == [1, 2, 2]


def test_an_alias_of_nothing_is_no_record() -> None:
    call = calls_by_key(SessionBuilder().alias(("b", 2), ("gone", 1)))["b@2"]
    assert (call.record, call.alias_of) == (None, "gone@1")


def test_occurrences_of_a_reused_id() -> None:
    session = SessionBuilder().archive("t1", "a", 1).archive("t2", "a", 2).archive("t3", "a", None)
    assert {call.occurrences for call in calls_by_key(session).values()} == {3}


def test_a_protected_call_is_marked_when_it_is_in_the_context() -> None:
    session = SessionBuilder().user().turn("a", at=10).archive("t1", "a", 10)
    session.archive("t2", "b", 20)
    calls = calls_by_key(session, protectedTools=["bash"])
    assert [calls[key].is_protected for key in ("a@10", "b@20")] == [True, False]


def test_roots_stand_in_the_order_of_the_file() -> None:
    session = closed_chain(1000, "a").archive("t1", "z", 1)
    session.archive("t2", "a", 1010).archive("t3", "y", 2).chain("b1", 1000, 1020, ["a@1010"])
    assert shape(tree_of(session)) == [["z@1"], ["b1", ["a@1010"], []], ["y@2"], []]


def test_two_chains_that_name_the_same_block_are_both_shown() -> None:
    session = closed_chain(1000, "a").chain("b1", 1000, 1020, ["a@1010"])
    session.chain("b1", 5, 6, ["q@1"])
    placed = {
        root.chain.start_timestamp: root.is_placed
        for root in tree_of(session).roots
        if isinstance(root, ChainNode)
    }
    assert placed == {1000: True, 5: False}
