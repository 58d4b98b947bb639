"""The bundled session: as its writer writes it, and showing everything that it promises."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.report import report
from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.pruning.query import BodySource, query
from condense_tui.pruning.records import EntryType, entry_type
from condense_tui.pruning.settings import settings_from
from condense_tui.pruning.slots import FateKind
from condense_tui.session.branch import branch_to, default_branch, leaves
from condense_tui.session.entries import Session
from condense_tui.store import sidecar_reader
from condense_tui.store_open import open_session
from tests.build import blocks, places
from tests.make_demo import build
from tests.orphans import assert_no_orphans, orphans

DEMO = Path(str(files("condense_tui") / "demo"))


@cache
def demo() -> Inspection:
    session = open_session(DEMO / "session.jsonl")
    assert isinstance(session, Session)
    return Inspection(default_branch(session), settings_from(None))


def times(kind: FateKind) -> int:
    return len(places(demo().plan, kind))


def test_the_files_are_what_the_writer_writes() -> None:
    bundled = {
        path.relative_to(DEMO).as_posix(): path.read_bytes()
        for path in DEMO.rglob("*")
        if path.is_file()
    }
    assert bundled == build()


def test_it_loads_without_a_problem() -> None:
    assert demo().problems == ()
    assert demo().plan.failure is None
    assert demo().index.failure is None
    assert demo().branch.session.name


def test_its_length() -> None:
    assert 60 <= len(demo().branch.session.entries) <= 150
    assert 60 <= len(demo().branch.entries) <= 150


def test_several_summaries() -> None:
    assert len(demo().index.summaries) > 3
    assert sum(message.is_summary for message in demo().plan.pruned_messages) > 3


def test_two_compressed_chains() -> None:
    inserted = blocks(demo().plan)
    assert len(inserted) == 2
    assert [text[:26] for text in inserted] == [
        '<compressed-chain id="b1" ',
        '<compressed-chain id="b2" ',
    ]
    assert times(FateKind.DROPPED) > 10
    assert times(FateKind.THINKING_STRIPPED) == 2


def test_one_block_keeps_a_protected_output() -> None:
    assert ["<protected-output" in text for text in blocks(demo().plan)] == [True, False]


def test_a_reused_id_with_several_occurrences() -> None:
    index = demo().index
    reused = [bare_id for bare_id, keys in index.keys_of_id.items() if len(keys) > 1]
    assert reused
    for answer in query(index, reused, sidecar_reader(DEMO / "session.jsonl")):
        assert len({match.output for match in answer.matches}) > 1


def test_a_reused_id_that_is_live_too() -> None:
    """Stubbed where it was summarised, whole where it is not."""
    sent = [message for message in demo().plan.pruned_messages if message.role == "toolResult"]
    stubbed = {message.tool_call_id for message in sent if message.text.startswith("[Summarized")}
    whole = {message.tool_call_id for message in sent if not message.text.startswith("[")}
    assert stubbed & whole


def test_a_dedup_alias() -> None:
    index = demo().index
    (alias,) = index.aliases.values()
    assert index.record(alias.key) is index.records[alias.original_key]
    stubbed = {fate.key for slot in demo().plan.slots for fate in slot.fates if fate.ref}
    assert alias.key in stubbed


def test_a_spilled_output_with_its_sidecar() -> None:
    index = demo().index
    (record,) = (found for found in index.records.values() if found.is_spilled)
    answer, *_ = query(index, [record.key], sidecar_reader(DEMO / "session.jsonl"))
    (match,) = answer.matches
    assert match.source is BodySource.SIDECAR
    assert len(match.raw) == record.spill_bytes
    assert match.output.startswith(record.preview or "?")


@pytest.mark.parametrize("kind", [FateKind.PURGED, FateKind.PROTECTED, FateKind.IN_GRACE])
def test_a_purged_error_a_protected_output_and_a_recovery_in_grace(kind: FateKind) -> None:
    assert times(kind) == 1


@pytest.mark.parametrize("letter", ["u", "m", "o"])
def test_each_diagnostic_now_and_in_the_file(letter: str) -> None:
    inspection = demo()
    for found in (
        inspection.plan.diagnostics,
        inspection.ledger.recorded_distinct,
    ):
        assert Counter(diagnostic.kind.letter for diagnostic in found)[letter] == 1


def test_the_unresolved_range_is_no_benign_overlap() -> None:
    (unresolved,) = (
        found for found in demo().plan.diagnostics if found.kind is DiagnosticKind.UNRESOLVED_RANGE
    )
    assert not unresolved.is_benign_overlap


def test_what_was_recorded_is_what_we_find() -> None:
    now = {(found.kind, found.detail) for found in demo().plan.diagnostics}
    recorded = {(found.kind, found.detail) for found in demo().ledger.recorded_distinct}
    assert now == recorded


@pytest.mark.parametrize("role", ["compactionSummary", "branchSummary", "bashExecution"])
def test_a_compaction_a_branch_summary_and_a_command_of_the_users(role: str) -> None:
    assert [message.role for message in demo().context.messages].count(role) == 1


def test_a_fork() -> None:
    session = demo().branch.session
    assert len(leaves(session)) == 2
    parents = Counter(entry.parent_id for entry in session.entries)
    assert max(parents.values()) == 2


def test_something_is_left_to_do() -> None:
    assert demo().pending
    assert demo().keys_in_grace
    assert demo().metrics.frontier_gap_tokens > 0
    assert demo().metrics.open_cycle_thinking_tokens > 0


def test_findings_of_the_worst_and_of_the_least_severity() -> None:
    assert {found.code for found in find(demo())} == {
        "result-swept",
        "reused-id",
        "raw-result-after-barrier",
    }


def test_most_of_it_is_pruned_and_nothing_is_orphaned() -> None:
    plan = demo().plan
    assert plan.pruned_chars < plan.raw_chars / 2
    assert len(orphans([message.body for message in plan.raw_messages])) == 1
    assert_no_orphans(plan)


def flushes() -> list[tuple[str, dict[str, int]]]:
    """For each recorded flush the entry before it, and the metrics that it wrote down."""
    found = []
    before = ""
    for entry in demo().branch.entries:
        kind = entry_type(entry)
        if kind is EntryType.FLUSH_METRICS:
            found.append((before, entry.body["data"]["metrics"]))
        elif kind is None:
            before = entry.id or ""
    return found


@pytest.mark.parametrize(("before", "recorded"), flushes())
def test_the_metrics_of_each_flush_are_what_we_see_at_that_moment(
    before: str, recorded: dict[str, int]
) -> None:
    branch = branch_to(demo().branch.session, before)
    assert branch is not None
    assert report(Inspection(branch, demo().settings), ["metrics"]) == {"metrics": recorded}


def test_its_words_hold_no_name_of_a_real_machine() -> None:
    raw = (DEMO / "session.jsonl").read_bytes()
    assert b"/root/" not in raw
    assert b"/Users/" not in raw
