"""The header: which session this is, where it was, and which branch of it is shown."""

from __future__ import annotations

from condense_tui.inspection.inspection import Inspection
from condense_tui.session.branch import default_branch, leaves
from condense_tui.view.printable import one_line
from condense_tui.view.words import counted


def headline(inspection: Inspection) -> str:
    """The most telling things first, because a narrow terminal cuts the rest."""
    branch = inspection.branch
    session = branch.session
    model = inspection.context.model
    parts = (
        session.name or session.header.id,
        _problems_text(inspection),
        _branch_text(inspection),
        session.header.cwd or "",
        model.id if model else "",
        counted(len(session.entries), "entry", "entries"),
    )
    return " · ".join(one_line(part) for part in parts if part)


def _problems_text(inspection: Inspection) -> str:
    count = len(inspection.problems)
    return f"problems: {count}" if count else ""


def _branch_text(inspection: Inspection) -> str:
    """Says when what is shown is not the end that pi would open."""
    branch = inspection.branch
    count = len(leaves(branch.session))
    leaf = branch.leaf.label if branch.leaf else "none"
    text = f"leaf {leaf}" if count == 1 else f"leaf {leaf} of {count} branches"
    if default_branch(branch.session).leaf is branch.leaf:
        return text
    is_end = branch.leaf in leaves(branch.session)
    return f"{text} (an abandoned branch)" if is_end else f"{text} (an earlier moment)"
