"""Acceptance criteria of identity: I6 to I11, as far as they are about reading."""

from __future__ import annotations

from pathlib import Path

from condense_tui.pruning.query import BodySource, query
from condense_tui.pruning.slots import FateKind
from condense_tui.store import sidecar_reader
from tests.build import SessionBuilder, call, places, pruned_texts, record, ref, spilled


def outputs(session: SessionBuilder, *asked: str) -> list[list[str]]:
    """For each text asked for, the outputs that it names."""
    answers = query(session.inspect().index, asked, lambda _: None)
    return [[match.output for match in answer.matches] for answer in answers]


def two_batches() -> SessionBuilder:
    """One id in two summarised batches, and a third, live occurrence."""
    session = SessionBuilder().user().turn("bash_23", "one", at=2000).answer()
    session.archive("t1", "bash_23", 2000, "one")
    session.user().turn("bash_23", "two", at=4000).answer()
    session.archive("t2", "bash_23", 4000, "two")
    return session.user().turn("bash_23", "three, live", at=6000)


def test_i6_two_batches_with_one_id_keep_both_records() -> None:
    index = two_batches().inspect().index
    assert list(index.records) == ["bash_23@2000", "bash_23@4000"]
    assert outputs(two_batches(), "t1", "t2") == [["one"], ["two"]]


def test_i7_live_result_with_a_summarised_id_is_not_stubbed() -> None:
    plan = two_batches().plan()
    assert places(plan, FateKind.STUBBED) == [2, 7]
    assert pruned_texts(plan, "toolResult")[-1] == "three, live"


def test_i8_live_batch_with_summarised_ids_is_still_captured() -> None:
    pending = two_batches().inspect().pending
    assert [[captured.key for captured in batch.calls] for batch in pending] == [["bash_23@6000"]]
    assert pending[0].turn_index == 4
    assert pending[0].calls[0].result_text == "three, live"


def test_i9_records_of_one_id_do_not_alias_each_other() -> None:
    index = two_batches().inspect().index
    assert index.aliases == {}
    assert list(index.key_of_content_hash.values()) == ["bash_23@2000", "bash_23@4000"]
    assert not index.is_summarized("bash_23@6000")
    assert not index.is_summarized("bash_23")


def test_i9_equal_outputs_of_one_id_keep_their_own_records() -> None:
    """The first seen seeds the hash; the second is archived all the same."""
    session = SessionBuilder().archive("t1", "x", 2000, "same").archive("t2", "x", 4000, "same")
    index = session.inspect().index
    assert list(index.key_of_content_hash.values()) == ["x@2000"]
    assert [index.resolve(asked) for asked in ("t1", "t2")] == ["x@2000", "x@4000"]


def test_i9_spilled_occurrences_of_one_id_have_their_own_files(tmp_path: Path) -> None:
    blobs = tmp_path / "s-blobs"
    blobs.mkdir()
    session = SessionBuilder()
    for at in (2000, 4000):
        (blobs / f"x_{at}.txt").write_text(f"output of {at}")
        session.index(spilled("x", at, f"/elsewhere/s-blobs/x_{at}.txt"))
    answer, *_ = query(session.inspect().index, ["x"], sidecar_reader(tmp_path / "s.jsonl"))
    assert [(match.source, match.output) for match in answer.matches] == [
        (BodySource.SIDECAR, "output of 2000"),
        (BodySource.SIDECAR, "output of 4000"),
    ]


def test_i10_rebuilding_reproduces_records_refs_and_aliases() -> None:
    session = two_batches().alias(("bash_30", 7000), ("bash_23", 4000))
    index = session.inspect().index
    assert index.key_of_ref == {"t1": "bash_23@2000", "t2": "bash_23@4000"}
    assert index.ref_of_key == {
        "bash_23@2000": "t1",
        "bash_23@4000": "t2",
        "bash_30@7000": "t2",
    }
    assert {key: alias.original_key for key, alias in index.aliases.items()} == {
        "bash_30@7000": "bash_23@4000"
    }
    assert index.next_ref_number == 3
    assert [record.result_text for record in index.records.values()] == ["one", "two"]


def test_i10_entries_without_a_result_time_are_bare_keyed() -> None:
    session = SessionBuilder().summary(ref("t1", "bash_1")).index(record("bash_1"))
    session.alias(("bash_2", None), ("bash_1", None))
    index = session.inspect().index
    assert list(index.records) == ["bash_1"]
    assert index.key_of_ref == {"t1": "bash_1"}
    assert index.aliases["bash_2"].original_key == "bash_1"
    assert index.ref_of_key["bash_2"] == "t1"


def test_i10a_pairing_is_positional() -> None:
    """A result belongs to the calls before it, up to the next assistant message."""
    session = SessionBuilder().user()
    session.assistant(call("x", path="a"), call("y")).result("x", "first")
    session.result("x", "a second result of one call")
    session.assistant(call("x", path="b")).result("x", "of the second turn")
    session.result("y", "too late for its call")
    pending = session.inspect().pending
    assert [[(c.call.id, c.result_text) for c in batch.calls] for batch in pending] == [
        [("x", "first")],
        [("x", "of the second turn")],
    ]
    assert [batch.calls[0].arguments for batch in pending] == [{"path": "a"}, {"path": "b"}]


def test_i10b_fails_closed_without_a_record_of_its_own() -> None:
    """A record without a time stands for its id only as long as nothing else has that id."""
    legacy = SessionBuilder().user().turn("x", "old", at=2000).index(record("x", output="old"))
    assert places(legacy.plan(), FateKind.STUBBED) == [2]
    mixed = legacy.index(record("x", 3000, "another")).user().turn("x", "live", at=4000)
    plan = mixed.plan()
    assert places(plan, FateKind.STUBBED) == []
    assert pruned_texts(plan, "toolResult") == ["old", "live"]


def test_i11_bare_id_returns_every_match_in_order_of_time() -> None:
    session = SessionBuilder()
    session.index(record("x", 4000, "later")).index(record("x", 2000, "earlier"))
    session.index(record("y", 1000, "of another id")).alias(("x", 3000), ("y", 1000))
    assert outputs(session, "x") == [["earlier", "of another id", "later"]]
    answer, *_ = query(session.inspect().index, ["x"], lambda _: None)
    assert [match.label for match in answer.matches] == ["x@2000", "x@3000", "x@4000"]
