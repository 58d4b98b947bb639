"""Results of replies that failed or were aborted: pi leaves the reply out, but sends them."""

from __future__ import annotations

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.pairing import Stray
from condense_tui.repairing.setaside import set_aside


def set_aside_cut_short_results(draft: Draft) -> Outcome:
    """Every result whose reply is not sent."""
    tree = draft.tree
    places = sorted(
        tree.places[orphan.result]
        for orphan in draft.pairing.orphans
        if orphan.stray is Stray.CUT_SHORT_REPLY
    )
    chosen = {place: draft.lines[place] for place in places}
    return set_aside(draft, chosen, lambda _: f"a result, but {Stray.CUT_SHORT_REPLY}")
