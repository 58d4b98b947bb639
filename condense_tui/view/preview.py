"""What condensing would make of a session → the offer, and what the preview says and lists."""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.condensing.condense import Condensed, Mode, Order
from condense_tui.condensing.outcomes import ChainReport
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import CallTarget, ChainTarget, Target
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.view.condensing import call_rows, chain_rows
from condense_tui.view.headline import UNPRUNED
from condense_tui.view.lines import Giving, Line, Span, Tone, filling, going, line, strong
from condense_tui.view.words import chars

_MODE_WORDS = {
    Mode.NOW: "everything that is pending at once",
    Mode.REPLAY: "flush by flush, as if the extension had been on from the start",
}
NOTHING_PENDING = "Nothing to do: no output is pending and no chain is ready."


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
    return (
        f"{compact_count(before)} -> {chars(after)}, "
        f"about {compact_count(tokens(before))} -> {compact_count(tokens(after))} tokens"
    )


def order_line(order: Order) -> Line:
    """What was asked for."""
    compact = "the newest chains too" if order.ignores_window else "the newest chains stay"
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
    """A row of the preview, and what it is about in the session as it would become."""

    line: Line
    target: Target | None = None


def preview_rows(found: Condensed) -> Iterator[PreviewRow]:
    """Chain by chain and turn by turn what would become of it; nothing where nothing would."""
    report = found.report
    if report.chains:
        yield PreviewRow(line(strong("chains")))
        for told, chain in chain_rows(found):
            yield PreviewRow(told, _block_of(chain, found))
        yield PreviewRow(line())
    if report.calls:
        yield PreviewRow(line(strong("turns")))
        for told, first in call_rows(found):
            yield PreviewRow(told, CallTarget(first.captured.key))


def _block_of(chain: ChainReport, found: Condensed) -> Target | None:
    entry = found.after.index.chain_of_block.get(chain.block_id)
    return ChainTarget(entry.start_timestamp) if entry else None
