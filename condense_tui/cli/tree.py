"""`tree`: summaries and their calls."""

from __future__ import annotations

from pathlib import Path

from condense_tui.cli.opening import Look, opened
from condense_tui.cli.options import Config, Flag, Leaf
from condense_tui.cli.output import write_lines
from condense_tui.inspection.calltree import build_call_tree
from condense_tui.store import sidecar_finder
from condense_tui.view.tree import tree_lines


def tree(
    session: Path, /, *, config: Config = None, leaf: Leaf = None, follow_paths: Flag = False
) -> None:
    """Summaries and their calls, with what the extension's own tree hides.

    Parameters
    ----------
    session
        The session file.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    follow_paths
        Also look for spilled outputs at the path that the session records.
    """
    inspection = opened(session, Look(config, leaf))
    has_sidecar = sidecar_finder(session, follow_paths)
    write_lines(tree_lines(build_call_tree(inspection), inspection, has_sidecar))
