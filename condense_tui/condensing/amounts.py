"""Money and progress as the extension prints them."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from condense_tui.pruning.numbers import compact_count

_LEAST_SHOWN = 0.001


def cost_text(dollars: float) -> str:
    """`$0.003`, or `<$0.001`; decides on the exact binary value, as `toFixed(3)` does."""
    if 0 < dollars < _LEAST_SHOWN:
        return f"<${_LEAST_SHOWN}"
    return f"${Decimal(dollars).quantize(Decimal('0.001'), ROUND_HALF_UP)}"


def progress_text(summary_chars: int, raw_chars: int) -> str:
    """How long the summaries are, and what they stand for."""
    return f"{_chars(summary_chars, 'summary')} / {_chars(raw_chars, 'raw')}"


def _chars(count: int, kind: str) -> str:
    return f"{compact_count(count)} {kind} char{'' if count == 1 else 's'}"
