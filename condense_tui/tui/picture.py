"""`Picture`: everything that the screens show of one look at a session, computed in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.findings import Finding, find
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import Links, build_links
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.branch import Branch
from condense_tui.store import sidecar_reader
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.treerows import TreeNode, tree_nodes


@dataclass(frozen=True)
class Picture:
    """Frozen, so that a worker can post it and any screen may keep it."""

    path: Path
    inspection: Inspection
    links: Links
    nodes: tuple[TreeNode, ...]
    findings: tuple[Finding, ...]
    documents: DocumentMaker


def take_picture(path: Path, branch: Branch, settings: CondenseSettings) -> Picture:
    """Compute a picture; everything that takes time happens here."""
    inspection = Inspection(branch, settings, str(path))
    read_sidecar = sidecar_reader(path)

    def has_sidecar(record: Record) -> bool:
        return read_sidecar(record) is not None

    tree = build_call_tree(inspection)
    links = build_links(inspection, tree)
    findings = tuple(find(inspection))
    nodes = tree_nodes(inspection, tree, links, has_sidecar)
    _ = inspection.status_line, inspection.plan.slot_chars, inspection.pending
    documents = DocumentMaker(inspection, links, findings, read_sidecar)
    return Picture(path, inspection, links, nodes, findings, documents)
