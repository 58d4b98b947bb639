"""The header: which session this is, where it was, and which branch of it is shown."""

from __future__ import annotations

from condense_tui.inspection.inspection import Inspection
from condense_tui.view.lines import Giving, Line, Span, filling, line, strong
from condense_tui.view.words import WORKING, counted


def headline(inspection: Inspection, live: str = "") -> Line:
    """What is looked at and what is wrong with it stay; a narrow line lacks the last parts.

    `live` says in what state the following of a growing file is.
    """
    branch = inspection.branch
    session = branch.session
    model = inspection.context.model
    parts = (
        (Giving.SHRINKS, session.name or session.header.id),
        (Giving.STAYS, _problems_text(inspection)),
        (Giving.STAYS, live),
        (Giving.STAYS, _branch_text(inspection)),
        (Giving.STAYS, "settings tried" if inspection.settings.tried else ""),
        (Giving.SHRINKS, session.header.cwd or ""),
        (Giving.GOES, model.id if model else ""),
        (Giving.GOES, counted(len(session.entries), "entry", "entries")),
    )
    spans = [Span(f" · {text}", giving=giving) for giving, text in parts if text]
    return (Span(spans[0].text.removeprefix(" · "), giving=spans[0].giving), *spans[1:])


UNPRUNED = "no prune records"
OFFER_TO_COME: Line = line(strong(UNPRUNED), filling(f": {WORKING}"))
"""Until it is known what condensing would save."""


def has_prune_records(inspection: Inspection) -> bool:
    """Whether the extension has archived, summarised or compressed anything of the branch."""
    index = inspection.index
    return bool(index.records or index.summaries or index.chains)


def _problems_text(inspection: Inspection) -> str:
    count = len(inspection.problems)
    return f"problems: {count}" if count else ""


def _branch_text(inspection: Inspection) -> str:
    """Says when what is shown is not the end that pi would open."""
    branch = inspection.branch
    count = len(inspection.ends)
    leaf = branch.leaf.label if branch.leaf else "none"
    text = f"leaf {leaf}" if count == 1 else f"leaf {leaf} of {count} branches"
    if inspection.newest_leaf is branch.leaf:
        return text
    is_end = branch.leaf in inspection.ends
    return f"{text} (an abandoned branch)" if is_end else f"{text} (an earlier moment)"
