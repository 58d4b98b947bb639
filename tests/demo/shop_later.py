"""What the agent writes into the shop, its skills, and all files by path."""

from __future__ import annotations

from collections.abc import Sequence

from tests.demo.shop import INVOICES, MONEY, PAYOUTS, PDF, REFUNDS

HALF_CENT_TESTS = '''\
"""Returning items one by one must give back what was paid, to the cent."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from shop.money import share

CENT = Decimal("0.01")
HALVES = [(5.35, 2.68), (1.01, 0.51), (8.05, 4.03), (0.25, 0.13)]


def exact(cents: int, part: int, whole: int) -> float:
    """The share as the provider computes it: half a cent goes up."""
    amount = Decimal(cents) / 100 * part / whole
    return float(amount.quantize(CENT, ROUND_HALF_UP))


@pytest.mark.parametrize(("paid", "half"), HALVES)
def test_half_of_an_odd_amount_goes_up(paid, half):
    """SUP-812, SUP-815, SUP-831."""
    assert share(paid, 1, 2) == half


@pytest.mark.parametrize("whole", [2, 4, 8])
def test_every_amount_up_to_a_hundred_euros(whole):
    wrong = [c for c in range(1, 10_000) if share(c / 100, 1, whole) != exact(c, 1, whole)]
    assert not wrong, f"{len(wrong)} amounts are off, first: {wrong[:3]}"
'''

TESTING_SKILL = """\
---
name: testing
description: How tests are written in this shop. Read before adding or changing a test.
---

# Testing

1. A bug starts with a test that fails for the reported reason. Put the ticket in its docstring.
2. One behaviour a test; the name says what holds, not what is called.
3. Amounts are compared exactly. `pytest.approx` hides half a cent and is not allowed for money.
4. Tables before loops: `@pytest.mark.parametrize` with the smallest numbers that show it.
5. No network, no clock, no random numbers. Seeds do not count as "no random numbers".
6. A sweep over many values reports how many failed and the first three, never a wall of text.
7. Run `python -m pytest -q` before you say that something is green, and quote its last line.

## Where things go

| what | file |
| --- | --- |
| one module | `tests/test_<module>.py` |
| an invariant over many amounts | its own file, named after the invariant |
| anything that needs the database | `tests/db/`, marked `db`, not run by default |
"""

SQL_SKILL = """\
---
name: sql
description: Reading the shop's database. Read before any use of sql_query.
---

# Reading production data

- `sql_query` goes to the nightly copy. It is read-only and a day old; say so when it matters.
- Select the columns you need. Never select `email`, `name`, `address` or `iban`.
- Give a time range on every table that has `created_at`; `refunds` has 1.4 M rows.
- Money columns are `numeric(10,2)`. They come out as text with two decimals: do not cast to float
  in SQL, that is how the last incident began.
- Up to 5,000 rows come back whole, as CSV with a header. Above that, aggregate in SQL.
- Quote the query in your answer, so that someone can run it again.

## Tables

| table | one row is | joins |
| --- | --- | --- |
| `orders` | a paid order | `orders.id = refunds.order_id` |
| `order_lines` | a line as it was paid, after vouchers | `order_lines.order_id` |
| `refunds` | a refund that the provider has confirmed | `refunds.order_line_id` |
| `payouts` | a seller's month | by `seller_id, month` |
"""

SHOP = {
    "invoices.py": INVOICES,
    "money.py": MONEY,
    "payouts.py": PAYOUTS,
    "pdf.py": PDF,
    "refunds.py": REFUNDS,
}

Edits = Sequence[tuple[str, str]]

MONEY_EDITS: Edits = (
    (
        "from collections.abc import Sequence\n\n",
        "from collections.abc import Sequence\nfrom decimal import ROUND_HALF_UP, Decimal\n\n"
        'CENT = Decimal("0.01")\n',
    ),
    (
        "def to_cents(",
        "def exact(amount: float) -> Decimal:\n"
        '    """The decimal amount that a float was meant to be."""\n'
        "    return Decimal(str(check(amount)))\n\n\n"
        "def to_cent(amount: Decimal) -> float:\n"
        '    """The one place that rounds: half a cent goes up, as at the provider."""\n'
        "    return float(amount.quantize(CENT, ROUND_HALF_UP))\n\n\n"
        "def to_cents(",
    ),
    (
        "    return round(check(amount) * percent / 100, 2)",
        "    return to_cent(exact(amount) * Decimal(str(percent)) / 100)",
    ),
    (
        "    return round(check(amount) * part / whole, 2)",
        "    return to_cent(exact(amount) * part / whole)",
    ),
)

# The first try quotes a docstring from memory, and wrongly.
MISREMEMBERED_EDITS: Edits = (
    *MONEY_EDITS[:3],
    (
        '    """The part of an amount that `part` of `whole` equal items have paid."""\n'
        "    if not 0 < part <= whole:\n"
        '        raise AmountError(f"{part} of {whole} items")\n'
        "    return round(check(amount) * part / whole, 2)",
        '    """The part of an amount that `part` of `whole` equal items have paid."""\n'
        "    if not 0 < part <= whole:\n"
        '        raise AmountError(f"{part} of {whole} items")\n'
        "    return to_cent(exact(amount) * part / whole)",
    ),
)

OWN_ROUNDING = "round(line.paid * quantity / line.quantity, 2)"

INVOICE_EDITS: Edits = (
    ("import Line, Refund\n", "import Line, Refund, line_refund\n"),
    (OWN_ROUNDING, "line_refund(line, quantity)"),
)

SIDE_EDITS: Edits = (
    (
        "from dataclasses import dataclass, field\n\n"
        "from shop.money import AmountError, share, to_cents",
        "from dataclasses import dataclass, field\nfrom decimal import ROUND_HALF_UP, Decimal\n\n"
        "from shop.money import AmountError, to_cents",
    ),
    (
        "    return share(line.paid, quantity, line.quantity)",
        "    exact = Decimal(str(line.paid)) * quantity / line.quantity\n"
        '    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))',
    ),
)
