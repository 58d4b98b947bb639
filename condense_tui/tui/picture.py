"""`Picture`: everything that the screens show of one look at a session, computed in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import field
from textual.worker import Worker

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.comparison import Comparison, compare
from condense_tui.inspection.finding import Finding
from condense_tui.inspection.findings import find
from condense_tui.inspection.growth import further, quiet_tail
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    Links,
    SlotTarget,
    SummaryTarget,
    Target,
    build_links,
    further_links,
)
from condense_tui.pruning.query import ReadSidecar
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.sidecars import RememberedSidecars
from condense_tui.session.branch import Branch, branch_of
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.outlines import RESULT
from condense_tui.store import Progress, sidecar_finder, sidecar_reader
from condense_tui.store_open import SessionFile, open_file
from condense_tui.tui.latestanswer import LatestAnswer
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.figures import figure_texts
from condense_tui.view.preorder import Preorder
from condense_tui.view.treenodes import further_nodes, node_key, tree_nodes
from condense_tui.view.treerows import TreeNode

if TYPE_CHECKING:
    # Condensing is loaded when somebody wants to see what comes of it.
    from condense_tui.condensing.condense import Condensed, Order


class Picture(Value, frozen=True):
    """Frozen, so that a worker can post it and any screen may keep it.

    `file` is where the session can be read on; without it, it is as it is.  `condensing` is
    what condensing would make of it, worked out once for all who ask.
    """

    path: Path
    inspection: Inspection
    links: Links
    order: Preorder
    findings: tuple[Finding, ...]
    documents: DocumentMaker
    file: SessionFile | None = None
    condensing: LatestAnswer[Order, Condensed | Refusal] = field(default_factory=LatestAnswer)

    __repr__ = object.__repr__

    @property
    def nodes(self) -> Sequence[TreeNode]:
        """The roots of the tree."""
        return self.order.roots

    @property
    def leaf(self) -> str | None:
        """The id that leads to this branch again; None is what pi opens."""
        branch = self.inspection.branch
        return None if self.inspection.newest_leaf is branch.leaf else branch.leaf_id

    def compared(self) -> Comparison:
        """Beside what version 2.5.0 of the extension would send; takes time."""
        return compare(self.inspection.plan, self.inspection.legacy_plan)

    def slot_of(self, target: Target) -> int | None:
        """The place of the context that belongs to a target."""
        links = self.links
        match target:
            case SlotTarget(number):
                return number
            case CallTarget(key):
                return links.slot_of_result.get(key)
            case SummaryTarget(entry_index):
                return links.slot_of_entry.get(entry_index)
            case ChainTarget(start):
                return links.slot_of_block.get(links.node_of_start[start].chain.block_id)
            case _:
                return None

    def slot_of_id(self, entry_id: str) -> int | None:
        """The place of the context that was made from the entry with this id."""
        entries = reversed(self.inspection.context.entries)
        entry = next((entry for entry in entries if entry.id == entry_id), None)
        return self.links.slot_of_entry.get(entry.index) if entry else None

    def node_key(self, target: Target) -> str | None:
        """The tree's node that belongs to a target; to a result that of its call."""
        if isinstance(target, SlotTarget):
            message = self.inspection.plan.slots[target.number].message
            is_result = message.role == RESULT
            return node_key(CallTarget(message.occurrence), self.links) if is_result else None
        return node_key(target, self.links)


class AbandonedError(Exception):
    """Nobody wants the picture any more."""


class Sidecars(NamedTuple):
    """Where spilled bodies are found."""

    has: Callable[[Record], bool]
    read: ReadSidecar


def take_picture(
    path: Path, branch: Branch, settings: CondenseSettings, file: SessionFile | None = None
) -> Picture:
    """The picture of a first look."""
    return picture_of(path, Inspection(branch, settings, str(path)), file)


def picture_of(
    path: Path,
    inspection: Inspection,
    file: SessionFile | None = None,
    sidecars: Sidecars | None = None,
    ask_on: Callable[[], None] = lambda: None,
) -> Picture:
    """Compute a picture; everything that takes time happens here.

    `ask_on` is called now and then, and ends the work by raising `AbandonedError`.
    """
    sidecars = sidecars or _sidecars_of(path)
    plan = inspection.plan
    ask_on()
    _ = plan.slot_chars
    ask_on()
    tree = build_call_tree(inspection)
    ask_on()
    links = build_links(inspection, tree)
    nodes = tree_nodes(inspection, tree, links, sidecars.has)
    ask_on()
    findings = find(inspection, sidecars.has)
    return _picture(path, inspection, file, sidecars, links, nodes, findings)


def further_picture(before: Picture, branch: Branch, file: SessionFile | None) -> Picture:
    """The picture of a branch that may go on from the one that was shown."""
    path, inspection = before.path, further(before.inspection, branch)
    tail, sidecars = quiet_tail(before.inspection, inspection), _sidecars_of(path)
    findings = [] if tail is None else find(inspection, sidecars.has)
    if tail is None or _lost(findings) != _lost(before.findings):
        return picture_of(path, inspection, file, sidecars)
    slots = inspection.plan.slots
    links = further_links(before.links, slots, len(slots) - len(tail))
    nodes = further_nodes(before.nodes, inspection, links, sidecars.has)
    return _picture(path, inspection, file, sidecars, links, nodes, findings)


def _lost(findings: Iterable[Finding]) -> list[Finding]:
    """Files of spilled outputs that are not there, which may change while the session does not."""
    return [finding for finding in findings if finding.code == "sidecar-missing"]


def _sidecars_of(path: Path) -> Sidecars:
    return Sidecars(sidecar_finder(path), sidecar_reader(path))


def _picture(
    path: Path,
    inspection: Inspection,
    file: SessionFile | None,
    sidecars: Sidecars,
    links: Links,
    nodes: tuple[TreeNode, ...],
    findings: Iterable[Finding],
) -> Picture:
    found = tuple(findings)
    _ = inspection.status_line, inspection.plan.slot_chars, inspection.due
    _ = figure_texts(inspection, inspection)
    _ = inspection.ends, inspection.newest_leaf
    documents = DocumentMaker(inspection, links, found, RememberedSidecars(sidecars.read))
    return Picture(path, inspection, links, Preorder(nodes), found, documents, file)


def look_again(
    shown: Picture, leaf: str | None, settings: CondenseSettings, ask_on: Callable[[], None]
) -> Picture:
    """The picture of a branch of the same reading under these settings."""
    looked = shown.inspection
    found = branch_of(looked.branch.session, leaf)
    if isinstance(found, Refusal) or found.leaf is looked.branch.leaf:
        look = looked.under(settings)
    else:
        look = Inspection(found, settings, looked.path)
    return picture_of(shown.path, look, shown.file, ask_on=ask_on)


def ask_on_while(worker: Worker[Any]) -> Callable[[], None]:
    """Ends the work once the worker that does it is cancelled."""

    def ask_on() -> None:
        if worker.is_cancelled:
            raise AbandonedError

    return ask_on


def read_picture(
    path: Path, leaf: str | None, settings: CondenseSettings, progress: Progress | None = None
) -> Picture | Refusal:
    """Read a session and take its picture, or why that cannot be done."""
    file = open_file(path)
    if isinstance(file, Refusal):
        return file
    session = file.read_on(progress)
    if isinstance(session, Refusal):
        return session
    branch = branch_of(session, leaf)
    return branch if isinstance(branch, Refusal) else take_picture(path, branch, settings, file)


def while_shown(shown: Callable[[], Picture], take: Callable[[Any], None]) -> Callable[..., None]:
    """Takes an answer about the picture shown now, and none once that has been replaced.

    What an answer names (a slot, a finding) may be something else in another picture.
    """
    asked_of = shown()

    def take_if_fresh(answer: Any) -> None:
        if shown() is asked_of:
            take(answer)

    return take_if_fresh
