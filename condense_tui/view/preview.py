"""What condensing would make of a session → the offer, and what the preview says and lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from condense_tui.condensing.condense import Condensed, Mode, Order
from condense_tui.condensing.outcomes import CallOutcome, CallReport, ChainReport
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import CallTarget, ChainTarget, Target
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.view.condensingrows import (
    CHAINS_HEADING,
    TURNS_HEADING,
    UNTRIED,
    call_rows,
    chain_rows,
    folded_calls,
    folded_chains,
)
from condense_tui.view.headline import UNPRUNED
from condense_tui.view.lines import Giving, Line, Span, Tone, filling, going, line, strong
from condense_tui.view.words import chars

_MODE_WORDS = {
    Mode.NOW: "all that is still to do, at once",
    Mode.REPLAY: "flush by flush, as if the extension had been on from the start",
}
_Told = TypeVar("_Told")
# So many of a kind may stand where they belong.
_FEW = 3
_LEFT_ALONE = (*UNTRIED, CallOutcome.TOO_SMALL)
NOTHING_READY = "no output waits for a summary, and no chain is ready"
WORKING = "working it out…"


def offer_line(found: Condensed | Refusal) -> Line:
    """Beside a session without prune records: what it could save."""
    lead = strong(UNPRUNED)
    if isinstance(found, Refusal):
        return line(lead, filling(f"; it cannot be condensed: {found.reason}"))
    share = _share_saved(found)
    if share <= 0:
        return line(lead, ", and condensing would save nothing")
    return line(
        lead,
        f": condensing would save about {share}%",
        going(f" ({_sizes(found)} chars)"),
        " · w shows how",
    )


def _share_saved(found: Condensed) -> int:
    before, after = _context_chars(found)
    return round(100 * (before - after) / before) if before else 0


def _context_chars(found: Condensed) -> tuple[int, int]:
    """As the model is sent it."""
    return found.before.plan.pruned_chars, found.after.plan.pruned_chars


def _sizes(found: Condensed) -> str:
    before, after = _context_chars(found)
    return f"{compact_count(before)} -> {compact_count(after)}"


def preview_words(found: Condensed) -> str:
    """The preview in a line, for who changes settings above it."""
    before, after = _context_chars(found)
    if before == after:
        return f"{chars(after)}, about {compact_count(tokens(after))} tokens, as they are"
    return (
        f"{compact_count(before)} -> {chars(after)}, "
        f"about {compact_count(tokens(before))} -> {compact_count(tokens(after))} tokens"
    )


def order_line(order: Order, settings: CondenseSettings) -> Line:
    """What was asked for; where chains are not compressed there is nothing to be said of them."""
    compact = "the newest chains too" if order.ignores_window else "the newest chains stay"
    if not settings.chain_compression.is_enabled:
        compact = "chain compression is off"
    return line(
        strong("mode"),
        f"       {order.mode.value}",
        filling(f": {_MODE_WORDS[order.mode]}"),
        Span(f" · {compact}", giving=Giving.STAYS),
    )


def preview_headline(inspection: Inspection, order: Order) -> Line:
    """Above a context that does not exist yet."""
    session = inspection.branch.session
    return line(
        Span("PREVIEW, nothing is written, Esc goes back", Tone.WARNING),
        f" · mode {order.mode.value}",
        ", compact" if order.ignores_window else "",
        Span(f" · {session.title}", giving=Giving.SHRINKS),
        Span(f" · {session.header.cwd}" if session.header.cwd else "", giving=Giving.SHRINKS),
    )


class PreviewRow(Value, frozen=True):
    """A row of the preview, and what it is about in the session as it would become.

    A row that stands for others of one kind has the kind's name in `fold`.
    """

    line: Line
    target: Target | None = None
    fold: str = ""


def preview_rows(found: Condensed, unfolded: Collection[str] = ()) -> list[PreviewRow]:
    """Chain by chain and turn by turn what would become of it; nothing where nothing would.

    What is left alone stands together below, in one row a kind if there is more than a few of
    it; those whose kind is `unfolded` follow it.
    """
    chains = [
        (PreviewRow(told, _block_of(chain, found)), chain) for told, chain in chain_rows(found)
    ]
    calls = [
        (PreviewRow(told, CallTarget(alike[0].captured.key)), alike)
        for told, alike in call_rows(found)
    ]
    rows: list[PreviewRow] = []
    if chains:
        folded = _folded(chains, _kind_of_chain, folded_chains, unfolded)
        rows = [PreviewRow(CHAINS_HEADING), *folded, PreviewRow(line())]
    if calls:
        folded = _folded(calls, _kind_of_calls, folded_calls, unfolded)
        rows += [PreviewRow(TURNS_HEADING), *folded]
    return rows


def row_again(before: Sequence[PreviewRow], row: int, after: Sequence[PreviewRow]) -> int:
    """Where what a row was about is now; else the row of that number, as far as there is one."""
    if not before:
        return row
    was = before[row]
    subject = (was.target, was.fold)
    places = (place for place, each in enumerate(after) if (each.target, each.fold) == subject)
    is_about_something = was.target is not None or was.fold
    return next(places, row) if is_about_something else row


def _kind_of_chain(chain: ChainReport) -> str:
    return "" if chain.block_id else chain.outcome.value


def _kind_of_calls(alike: Sequence[CallReport]) -> str:
    outcome = alike[0].outcome
    return outcome.value if outcome in _LEFT_ALONE else ""


def _folded(
    rows: Sequence[tuple[PreviewRow, _Told]],
    kind_of: Callable[[_Told], str],
    as_one: Callable[[str, Sequence[_Told]], Line],
    unfolded: Collection[str],
) -> Iterator[PreviewRow]:
    kinds = Counter(kind_of(told) for _, told in rows)
    many = [kind for kind, count in kinds.items() if kind and count > _FEW]
    yield from (row for row, told in rows if kind_of(told) not in many)
    for kind in many:
        alike = [(row, told) for row, told in rows if kind_of(told) == kind]
        sign = "▾" if kind in unfolded else "▸"
        yield PreviewRow(as_one(sign, [told for _, told in alike]), fold=kind)
        yield from (row for row, _ in alike if kind in unfolded)


def _block_of(chain: ChainReport, found: Condensed) -> Target | None:
    entry = found.after.index.chain_of_block.get(chain.block_id)
    return ChainTarget(entry.start_timestamp) if entry else None
