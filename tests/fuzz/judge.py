"""One case on a real file: everything is asked and shown of it, and the files stay as they were.

What raises is a failure, and so is what changes a file or a value that was read.  `STEPS` is the
list of what is asked; a new question is a function more in it.
"""

from __future__ import annotations

import marshal
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from condense_tui.inspection.calltree import CallTree, build_call_tree
from condense_tui.inspection.comparison import compare
from condense_tui.inspection.concerns import concerns
from condense_tui.inspection.export import plan_export
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.inspection.growth import further, quiet_tail
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.leaves import leaf_paths
from condense_tui.inspection.links import build_links, further_links
from condense_tui.inspection.provider import plan_request
from condense_tui.inspection.redaction import Redactor
from condense_tui.inspection.report import report
from condense_tui.inspection.settingsdraft import SettingsDraft
from condense_tui.pruning.query import Answer, ReadSidecar, query, tool_answer
from condense_tui.pruning.records import Record
from condense_tui.repairing.repair import repair
from condense_tui.repairing.table import USUAL_FIXES
from condense_tui.session.branch import Branch, branch_to, default_branch, leaves
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.jsontext import json_text
from condense_tui.session.reading import read_session
from condense_tui.session.tails import read_tail
from condense_tui.store import LoadedSettings, load_settings, sidecar_reader
from condense_tui.store_open import open_session
from condense_tui.view.checklines import check_lines, check_object
from condense_tui.view.comparisonwords import comparison_words
from condense_tui.view.context import View, context_lines, context_objects
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.headline import headline
from condense_tui.view.layout import Folding, Layout
from condense_tui.view.leafrows import leaf_row
from condense_tui.view.lines import Line, exact_text, printable_line
from condense_tui.view.overview import overview
from condense_tui.view.query import answer_lines, answer_object
from condense_tui.view.settingrows import origin_line, setting_row, trap_text
from condense_tui.view.settingtable import settings_of
from condense_tui.view.statusparts import recorded_part, status_parts
from condense_tui.view.tree import tree_lines
from condense_tui.view.treenodes import further_nodes, tree_nodes
from condense_tui.view.treerows import TreeNode
from tests.accounts import assert_accounts

SESSION_NAME, SETTINGS_NAME = "session.jsonl", "config.json"
_WIDTH = 80
_COMMANDING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# What an attacker or a slip of the keyboard may ask for beside what is there.
_ODD_ASKED = ("", "t1", "nothing@", "@1", "\ud800", "x" * 500)
_MORE_BRANCHES = 1
_STEPS_OF_GROWTH = 4
_ROWS_OF_A_DOCUMENT = 12


@dataclass(frozen=True)
class Seen:
    """One look at the session, and what the steps share of it."""

    path: Path
    inspection: Inspection

    @cached_property
    def read_sidecar(self) -> ReadSidecar:
        return sidecar_reader(self.path)

    def has_sidecar(self, record: Record) -> bool:
        return self.read_sidecar(record) is not None

    @cached_property
    def tree(self) -> CallTree:
        return build_call_tree(self.inspection)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(find(self.inspection, self.has_sidecar, is_legacy=True))

    @cached_property
    def answers(self) -> list[Answer]:
        index = self.inspection.index
        asked = [*index.keys_of_id, *index.key_of_ref, *index.aliases, *index.records, *_ODD_ASKED]
        return query(index, asked, self.read_sidecar)


class ChangedError(AssertionError):
    """A file, or a value that was read, is not what it was."""


def judge(raw: bytes, settings: bytes, folder: Path) -> str:
    """Ask everything; the word is what became of it.  The folder is for this case alone."""
    path = folder / SESSION_NAME
    path.write_bytes(raw)
    config = folder / SETTINGS_NAME if settings else None
    if config:
        config.write_bytes(settings)
    before = _traces(folder)
    try:
        outcome = _asked(path, config)
        if _traces(folder) != before or path.read_bytes() != raw:
            raise ChangedError("a file was changed")
    finally:
        path.unlink(missing_ok=True)
        if config:
            config.unlink(missing_ok=True)
    return outcome


def _traces(folder: Path) -> list[tuple[object, ...]]:
    """All that the system knows about each file of the folder, but for readings."""
    stats = sorted((entry.name, entry.stat()) for entry in os.scandir(folder))
    return [
        (
            name,
            stat.st_ino,
            stat.st_mode,
            stat.st_nlink,
            stat.st_size,
            stat.st_mtime_ns,
            stat.st_ctime_ns,
        )
        for name, stat in stats
    ]


def _asked(path: Path, config: Path | None) -> str:
    loaded = load_settings(config) if config else LoadedSettings(None, None)
    session = open_session(path)
    if isinstance(session, Refusal):
        assert session.reason
        return "refused"
    if isinstance(loaded, Refusal):
        loaded = LoadedSettings(None, None, loaded.reason)
    bodies = _frozen(session)
    seen = Seen(path, Inspection(default_branch(session), loaded.settings, str(path)))
    for step in STEPS:
        step(seen)
    if loaded.settings.remarks:
        show_settings(loaded)
    for branch in _other_branches(session):
        report(Inspection(branch, loaded.settings, str(path)))
    if bodies != _frozen(session):
        raise ChangedError("a value that was read was changed")
    return "read"


def _frozen(session: Session) -> bytes:
    return marshal.dumps([session.header.body, *(entry.body for entry in session.entries)], 2)


def _other_branches(session: Session) -> Iterable[Branch]:
    """A few of the others; the rows of all."""
    for leaf in leaf_paths(session):
        _assert_lines([leaf_row(leaf, False, _WIDTH)])
    others = [entry for entry in leaves(session) if entry.id and entry is not session.entries[-1]]
    for entry in others[:_MORE_BRANCHES]:
        branch = branch_to(session, entry.id or "")
        assert branch is not None
        yield branch


def _assert_lines(lines: Iterable[Line]) -> None:
    """Each is one line, and nothing of it drives a terminal."""
    for line in lines:
        shown = exact_text(printable_line(line))
        if not shown.isprintable():
            found = _COMMANDING.search(shown)
            assert found is None, shown


# The steps


def ask_accounts(seen: Seen) -> None:
    """Every message is in one slot, sizes add up, and no orphan is sent."""
    assert_accounts(seen.inspection)


def ask_report(seen: Seen) -> None:
    """Every key of `inspect --format json`, written and UTF-8."""
    json_text(report(seen.inspection)).encode()


def ask_findings(seen: Seen) -> None:
    """All checks, the older version's too, as text and as JSON."""
    listed = concerns(seen.inspection, seen.findings)
    _assert_lines(check_lines(str(seen.path), listed))
    check_object(str(seen.path), listed)


def ask_provider(seen: Seen) -> None:
    """What pi would send of all three renders."""
    plan = seen.inspection.plan
    for messages in (
        plan.raw_messages,
        plan.pruned_messages,
        seen.inspection.legacy_plan.pruned_messages,
    ):
        plan_request(messages)


def ask_queries(seen: Seen) -> None:
    """Every key, alias, ref and id, and some that are none."""
    index = seen.inspection.index
    _assert_lines(answer_lines(seen.answers, index))
    for answer in seen.answers:
        answer_object(answer, index)
    tool_answer(index, [answer.asked for answer in seen.answers], seen.read_sidecar)
    matches = [match for answer in seen.answers for match in answer.matches]
    for redactor in (None, Redactor()):
        for name in plan_export(matches, index, str(seen.path), redactor=redactor).files:
            assert name == os.path.basename(name)


def ask_comparison(seen: Seen) -> None:
    """Beside now, what version 2.5.0 would send."""
    inspection = seen.inspection
    compared = compare(inspection.plan, inspection.legacy_plan)
    assert comparison_words(compared)
    _assert_lines(context_lines(compared.plan, View.DIFF))


def ask_repair(seen: Seen) -> None:
    """A mended copy opens, and there is nothing to mend in it."""
    mended = repair(seen.path.read_bytes(), USUAL_FIXES)
    assert not isinstance(mended, Refusal)
    assert isinstance(read_session(mended.raw), Session)
    again = repair(mended.raw, USUAL_FIXES)
    assert not isinstance(again, Refusal)
    assert again.raw == mended.raw


def ask_tail(seen: Seen) -> None:
    """What is shown before the whole is read."""
    raw = seen.path.read_bytes()
    half = len(raw) // 2
    read_tail(raw[: half // 2], raw[half:], len(raw))


def ask_growth(seen: Seen) -> None:
    """Whoever looks further says what one says who looks for the first time."""
    now, entries = seen.inspection, seen.inspection.branch.entries
    beginnings = [entries[len(entries) // 3], *entries[-_STEPS_OF_GROWTH:]] if entries else []
    branches = (branch_to(now.branch.session, entry.id or "") for entry in beginnings)
    looks = [Inspection(branch, now.settings, now.path) for branch in branches if branch]
    for before, after in pairwise([*looks, now]):
        assert _told(further(before, after.branch)) == _told(after)
    if looks:
        grown = looks[0]
        for look in looks[1:]:
            grown = further(grown, look.branch)
            _ = grown.status_line
        assert _told(further(grown, now.branch)) == _told(now)
        assert_tree_goes_on(looks[-1], now)


def assert_tree_goes_on(before: Inspection, now: Inspection) -> None:
    """Where nothing but messages came, tree and links go on from what they were."""
    after = further(before, now.branch)
    tail = quiet_tail(before, after)
    if tail is not None:
        slots, links = after.plan.slots, build_links(before, build_call_tree(before))
        nodes = tree_nodes(before, build_call_tree(before), links, lambda _: True)
        links = further_links(links, slots, len(slots) - len(tail))
        shown = further_nodes(nodes, after, links, lambda _: True)
        assert _nodes_told(shown) == _told(now)[2]
        fresh = build_links(now, build_call_tree(now))
        assert links.slot_of_result == fresh.slot_of_result
        for table, other in (
            (links.slot_of_place, fresh.slot_of_place),
            (links.slot_of_entry, fresh.slot_of_entry),
        ):
            assert [*map(table.get, range(len(slots)))] == [*map(other.get, range(len(slots)))]


def _nodes_told(nodes: Iterable[TreeNode]) -> str:
    return "\n".join(str(_node_told(node)) for node in nodes)


def _told(inspection: Inspection) -> tuple[str, list[Finding], str]:
    tree = build_call_tree(inspection)
    nodes = tree_nodes(inspection, tree, build_links(inspection, tree), lambda _: True)
    return json_text(report(inspection)), find(inspection), _nodes_told(nodes)


def _node_told(node: TreeNode) -> list[Any]:
    return [node.key, node.search_text, node.size, *map(_node_told, node.children)]


def show_context(seen: Seen) -> None:
    """As text, with and without what was taken away, and as JSON."""
    plan = seen.inspection.plan
    _assert_lines(context_lines(plan, View.PRUNED))
    _assert_lines(context_lines(plan, View.DIFF))
    for view in View:
        assert len(list(context_objects(plan, view))) <= len(plan.slots)


def show_overview(seen: Seen) -> None:
    """What `inspect` and `tree` print, and what stands above and below the browser's screens."""
    inspection = seen.inspection
    _assert_lines(overview(inspection))
    _assert_lines(tree_lines(seen.tree, inspection, seen.has_sidecar))
    headline(inspection)
    status_parts(inspection)
    recorded_part(inspection)


def show_documents(seen: Seen) -> None:
    """The browser's tree, and each document that it can show, the first rows laid out."""
    inspection = seen.inspection
    links = build_links(inspection, seen.tree)
    nodes = tree_nodes(inspection, seen.tree, links, seen.has_sidecar)
    maker = DocumentMaker(inspection, links, seen.findings, seen.read_sidecar)
    _assert_lines(node.line for node in nodes)
    targets = {node.target: None for root in nodes for node in (root, *root.children)}
    for target in targets:
        if target is not None:
            document = maker.document(target)
            whole = document.make_whole() if document.make_whole else document
            layout = Layout(whole, _WIDTH, Folding())
            for number in range(min(len(layout), _ROWS_OF_A_DOCUMENT)):
                layout.row(number)


def show_settings(loaded: LoadedSettings) -> None:
    """Every setting as the settings screen shows it."""
    draft = SettingsDraft(loaded.value, loaded.settings)
    for setting in settings_of(draft):
        _assert_lines([setting_row(setting, draft, "config.json", _WIDTH)])
        origin_line(setting, draft, "config.json")
        trap_text(setting, draft)


STEPS: tuple[Callable[[Seen], None], ...] = (
    ask_accounts,
    ask_report,
    ask_findings,
    ask_provider,
    ask_queries,
    ask_comparison,
    ask_repair,
    ask_tail,
    ask_growth,
    show_context,
    show_overview,
    show_documents,
)
