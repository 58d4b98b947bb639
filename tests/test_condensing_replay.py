"""The proof: what the real extension wrote comes out again.

The prune records are taken out of each session that pi wrote, the flushes happen where they
happened, and the summariser answers what it answered then.  Clock times aside the same records
must come out, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.bodies import block_in
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.records import EntryType, entry_type
from condense_tui.pruning.render import RenderPlan
from condense_tui.session.branch import default_branch, leaves
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message
from tests.condensing import Json, rebuilt, replay_runs
from tests.vectors import COPIED, SHARED, Vector, vectors_in

WRITTEN_BY_PI = [
    vector
    for folder in (COPIED, SHARED)
    for vector in vectors_in(folder)
    if vector.session.parent.parent.name == "pi-written"
]


def first_known(vector: Vector, entries: tuple[Entry, ...]) -> int:
    """How many entries were written by an older version, whose rules are not replayed.

    Version 2.5.0 knew no occurrences and wrote no flush metrics.
    """
    if vector.session.parent.name != "l_upgrade_uniq":
        return 0
    first = next(i for i, e in enumerate(entries) if entry_type(e) is EntryType.FLUSH_METRICS)
    users = [
        i for i, e in enumerate(entries[:first]) if e.body.get("message", {}).get("role") == "user"
    ]
    return users[-1]


def comparable(entry: Entry) -> Json:
    """An entry without ids, and without times that a clock gave it."""
    body: Json = deepcopy(dict(entry.body))
    for name in ("id", "parentId", "timestamp"):
        del body[name]
    fields = body.get("data", {})
    for name in ("ts", "compressedAt", "totalInputTokens", "totalOutputTokens", "totalCost"):
        fields.pop(name, None)
    for record in fields.get("toolCalls", []):
        _compare_spill(record)
    return body


def _compare_spill(record: Json) -> None:
    """A spill is written at a turn's end: in each run of the agent turns count from zero
    there, and the record's time is the clock's."""
    if "spillPath" not in record:
        return
    record["spillPath"] = record["spillPath"].rpartition("/")[2]
    if record["turnIndex"] != -1:
        record["turnIndex"] = record["timestamp"] = "of the spill"


def described(entries: list[Entry]) -> list[Any]:
    return [comparable(entry) for entry in entries]


class Replay:
    """A branch that pi wrote, and the same with everything condensed anew."""

    def __init__(self, vector: Vector, leaf: str | None) -> None:
        self.original = vector.inspect(leaf)
        entries = self.original.branch.entries
        known = first_known(vector, entries)
        self.runs = replay_runs(entries, known, self.original.settings)
        branch = default_branch(rebuilt(entries, self.runs))
        self.copy = Inspection(branch, self.original.settings)


def branches() -> Iterator[tuple[Vector, str | None]]:
    for vector in WRITTEN_BY_PI:
        yield vector, None
        session = vector.inspect().branch.session
        others = [leaf for leaf in leaves(session) if leaf is not session.entries[-1]]
        yield from ((vector, leaf.id) for leaf in others)


@pytest.fixture(
    params=branches(), ids=lambda found: f"{found[0]}:{found[1] or 'leaf'}", scope="module"
)
def replay(request: pytest.FixtureRequest) -> Replay:
    return Replay(*request.param)


def test_the_same_records_come_out(replay: Replay) -> None:
    for run, written in replay.runs:
        assert described(written) == described(run.records), f"before message {run.place}"


def test_i10_a_rebuild_from_the_copy_reads_the_same(replay: Replay) -> None:
    original, copy = replay.original.index, replay.copy.index
    assert {key: record.result_text for key, record in copy.records.items()} == {
        key: record.result_text for key, record in original.records.items()
    }
    assert copy.key_of_ref == original.key_of_ref
    assert copy.ref_of_key == original.ref_of_key
    assert copy.key_of_content_hash == original.key_of_content_hash
    assert aliases_of(copy) == aliases_of(original)
    assert [(chain.block_id, chain.start_timestamp) for chain in copy.chains] == [
        (chain.block_id, chain.start_timestamp) for chain in original.chains
    ]
    assert replay.copy.ledger.frontier == replay.original.ledger.frontier


def aliases_of(index: PruneIndex) -> list[tuple[str, str]]:
    return [(alias.key, alias.original_key) for alias in index.aliases.values()]


def test_the_plan_of_the_copy_is_the_plan_of_the_original(replay: Replay) -> None:
    original, copy = replay.original.plan, replay.copy.plan
    assert sent(copy) == sent(original)
    assert copy.diagnostics == original.diagnostics


def sent(plan: RenderPlan) -> list[Json]:
    """What the model reads; blocks and summaries have the time of when they were written."""
    return [
        {**message.body, "timestamp": None} if is_written(message) else dict(message.body)
        for message in plan.pruned_messages
    ]


def is_written(message: Message) -> bool:
    return message.is_summary or block_in(message) is not None
