"""Counts, rounding and shares as the extension prints them.

(Source: the pruning rules, sections 4 and 10.)
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

from condense_tui.session.jsontext import Number, number_text

_CHARS_PER_TOKEN = 4
_FIXED_LIMIT = 1e21


def rounded(number: float) -> int:
    """`Math.round`: halves go up."""
    return math.floor(number + 0.5)


def tokens(chars: int) -> int:
    """The extension's estimate: four characters a token."""
    return rounded(chars / _CHARS_PER_TOKEN)


def compact_count(count: Number) -> str:
    """`340`, `1.2k`, `3.4M`."""
    if count < 1000:
        return number_text(count)
    if count < 1_000_000:
        return f"{_one_decimal(count / 1000)}k"
    return f"{_one_decimal(count / 1_000_000)}M"


def _one_decimal(number: float) -> str:
    """`toFixed(1)`: decides on the exact binary value, so 1.95 gives 1.9."""
    if not number < _FIXED_LIMIT:
        return number_text(number)
    return str(Decimal(number).quantize(Decimal("0.1"), ROUND_HALF_UP))
