"""Writes the demo session: an afternoon with an agent on a refund that is a cent short.

The session shows everything the viewer can show. Nothing here depends on chance or on the clock,
so the committed files can be compared byte by byte with what `build()` returns.
Run it to write them: `python tests/make_demo.py`.

Four parts: the shop's files, the outputs of commands, how pi and the pruner write a session
(`Story`, `PrunedStory`), and the story itself, chapter by chapter from `tell()`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

DEMO_FOLDER = Path(__file__).resolve().parent.parent / "condense_tui" / "demo"
SESSION_ID = "01a0af72-15c3-7c3e-9d41-5b0f2a86e9c7"
BLOBS = f"{SESSION_ID}-blobs"
HOME = "/home/mara"
CWD = f"{HOME}/shop"
BLOBS_AT_HOME = f"{HOME}/.pi/agent/sessions/--home-mara-shop--/{BLOBS}"
START_MS = 1_789_649_884_611  # 2026-09-17 12:58:04 UTC
SYSTEM_TOKENS = 5_940  # of the system prompt and the tools

# --------------------------------------------------------------------------------------------
# What the agent saw: the shop's files
# --------------------------------------------------------------------------------------------

MONEY = '''\
"""Amounts of money, in euros.

The cart hands us floats (two decimals after tax) – see docs/cart.md.
"""

from __future__ import annotations

from collections.abc import Sequence

MAX_AMOUNT = 99_999.99


class AmountError(ValueError):
    """An amount that cannot be charged, refunded or booked."""


def check(amount: float) -> float:
    """Return `amount` if it is one that we can book."""
    if amount != amount or not 0 <= amount <= MAX_AMOUNT:
        raise AmountError(f"not an amount: {amount!r}")
    return amount


def to_cents(amount: float) -> int:
    """Whole cents of an amount, for the payment provider."""
    return int(round(check(amount) * 100))


def percent_of(amount: float, percent: float) -> float:
    """A percentage of an amount, as printed on vouchers."""
    return round(check(amount) * percent / 100, 2)


def share(amount: float, part: int, whole: int) -> float:
    """The part of an amount that `part` of `whole` equal items paid."""
    if not 0 < part <= whole:
        raise AmountError(f"{part} of {whole} items")
    return round(check(amount) * part / whole, 2)


def split(amount: float, weights: Sequence[float]) -> list[float]:
    """Split an amount by weight; the last share takes the rest."""
    total = sum(weights)
    shares = [round(check(amount) * weight / total, 2) for weight in weights[:-1]]
    return [*shares, round(amount - sum(shares), 2)]


def show(amount: float) -> str:
    """An amount as people read it: 1,234.50 €."""
    return f"{amount:,.2f} €"
'''

REFUNDS = '''\
"""Refunds: what a customer gets back for returned items."""

from __future__ import annotations

from dataclasses import dataclass, field

from shop.money import AmountError, share, to_cents


@dataclass(frozen=True)
class Line:
    """One line of an order, as it was paid: after vouchers, with tax."""

    sku: str
    quantity: int
    paid: float


@dataclass
class Refund:
    order_id: str
    lines: list[tuple[Line, int]] = field(default_factory=list)
    shipping: float = 0.0

    def add(self, line: Line, quantity: int) -> None:
        if quantity > line.quantity:
            raise AmountError(f"{quantity} of {line.quantity} × {line.sku}")
        self.lines.append((line, quantity))

    @property
    def total(self) -> float:
        return round(sum(line_refund(*entry) for entry in self.lines) + self.shipping, 2)

    def payload(self) -> dict[str, object]:
        """The request body that the payment provider expects."""
        lines = [
            {"sku": line.sku, "quantity": n, "amount": to_cents(line_refund(line, n))}
            for line, n in self.lines
        ]
        return {"order": self.order_id, "amount": to_cents(self.total), "lines": lines}


def line_refund(line: Line, quantity: int) -> float:
    """What `quantity` items of a line are worth: their share of what was paid."""
    return share(line.paid, quantity, line.quantity)


def remaining(line: Line, refunded: int) -> float:
    """What is left of a line after earlier refunds."""
    return round(line.paid - line_refund(line, refunded), 2) if refunded else line.paid
'''

INVOICES = '''\
"""Invoices and credit notes."""

from __future__ import annotations

from dataclasses import dataclass

from shop.money import percent_of, show, split
from shop.refunds import Line, Refund

VAT = {"standard": 21.0, "reduced": 10.0, "books": 4.0}


@dataclass(frozen=True)
class Position:
    text: str
    net: float
    vat: float

    @property
    def gross(self) -> float:
        return round(self.net + self.vat, 2)


def position(line: Line, rate: str = "standard") -> Position:
    """A line of the invoice; VAT is inside the price that was paid."""
    net = round(line.paid / (1 + VAT[rate] / 100), 2)
    return Position(f"{line.quantity} × {line.sku}", net, round(line.paid - net, 2))


def credit_note(refund: Refund, rate: str = "standard") -> list[Position]:
    """The positions of a credit note, negative; they sum to the refund."""
    rows = []
    for line, quantity in refund.lines:
        paid = round(line.paid * quantity / line.quantity, 2)
        net = round(paid / (1 + VAT[rate] / 100), 2)
        rows.append(Position(f"{quantity} × {line.sku} returned", -net, -round(paid - net, 2)))
    return rows


def voucher(lines: list[Line], amount: float) -> list[float]:
    """How a voucher is spread over the lines it was used for."""
    return split(amount, [line.paid for line in lines])


def loyalty(amount: float) -> float:
    """Loyalty points: 1.5 % of what was paid, in euros."""
    return percent_of(amount, 1.5)


def footer(positions: list[Position]) -> str:
    return f"Total {show(sum(p.gross for p in positions))}"
'''

PAYOUTS = '''\
"""Monthly payouts to marketplace sellers."""

from __future__ import annotations

from shop.money import percent_of, share

COMMISSION = 12.5


def commission(paid: float) -> float:
    return percent_of(paid, COMMISSION)


def seller_share(paid: float, quantity: int, returned: int) -> float:
    kept = quantity - returned
    return share(paid, kept, quantity) if kept else 0.0


def payout(rows: list[tuple[float, int, int]]) -> float:
    gross = sum(seller_share(*row) for row in rows)
    return round(gross - commission(gross), 2)
'''

PDF = '''\
"""The PDF of a credit note. Numbers are laid out here and computed elsewhere."""

from __future__ import annotations

from functools import lru_cache

from shop.invoices import Position, credit_note
from shop.refunds import Line, Refund

COLUMNS = (("text", 52), ("net", 12), ("vat", 12), ("gross", 12))


@lru_cache(maxsize=512)
def _rows(order_id: str, lines: tuple[tuple[Line, int], ...]) -> tuple[Position, ...]:
    return tuple(credit_note(Refund(order_id, list(lines))))


def cell(value: object, width: int) -> str:
    text = f"{value:,.2f}" if isinstance(value, float) else str(value)
    return text.ljust(width) if isinstance(value, str) else text.rjust(width)


def table(refund: Refund) -> list[str]:
    rows = _rows(refund.order_id, tuple(refund.lines))
    head = "".join(name.ljust(width) for name, width in COLUMNS)
    body = ["".join(cell(getattr(row, name), width) for name, width in COLUMNS) for row in rows]
    return [head, *body, total_row(rows)]


def total_row(rows: tuple[Position, ...]) -> str:
    sums = (sum(row.net for row in rows), sum(row.vat for row in rows))
    return "".join((cell("Total", 52), *(cell(value, 12) for value in (*sums, sum(sums)))))
'''

RENDER_SCRIPT = '''\
"""Renders the credit notes of a month into var/credit-notes/. Runs every night.

A file that is there already is kept: a credit note must not change once it was sent.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from shop.db import refunds_of
from shop.pdf import table, write_pdf

FOLDER = Path("var/credit-notes")


def render_month(month: str) -> int:
    folder = FOLDER / month
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for refund in refunds_of(month):
        target = folder / f"CN-{refund.order_id}.pdf"
        if target.exists():
            continue
        write_pdf(target, table(refund))
        written += 1
    return written


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("month", help="for example 2026-08")
    print(render_month(parser.parse_args().month), "written")
'''

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

# --------------------------------------------------------------------------------------------
# What the agent saw: outputs of commands
# --------------------------------------------------------------------------------------------

GIT_LOG = """\
cc742ef tests: the three tickets about a missing cent
 tests/test_refunds.py | 17 +++++++++++++++++
 1 file changed, 17 insertions(+)
e896116 pdf: credit notes
 shop/pdf.py | 32 ++++++++++++++++++++++++++++++++
 1 file changed, 32 insertions(+)
ec7ad13 payouts: sellers pay back their share of a refund
 shop/money.py   |  7 +++++++
 shop/payouts.py | 21 +++++++++++++++++++++
 shop/refunds.py |  4 ++--
 3 files changed, 30 insertions(+), 2 deletions(-)
a5e78aa money: the last share of a split takes the rest
 shop/money.py | 5 +++--
 1 file changed, 3 insertions(+), 2 deletions(-)
ed3141d invoices: credit notes are covered by a test
 tests/test_invoices.py | 18 ++++++++++++++++++
 1 file changed, 18 insertions(+)
fd66092 refunds: lines and totals
 shop/__init__.py      |  0
 shop/invoices.py      | 51 +++++++++++++++++++++++++++++++++++++++++++++++++++
 shop/money.py         | 42 ++++++++++++++++++++++++++++++++++++++++++
 shop/refunds.py       | 50 ++++++++++++++++++++++++++++++++++++++++++++++++++
 tests/test_money.py   | 34 ++++++++++++++++++++++++++++++++++
 tests/test_refunds.py | 26 ++++++++++++++++++++++++++
 6 files changed, 203 insertions(+)
"""

COLOURS = {"«g": 32, "«r": 31, "«c": 36, "«b": 1, "»": 0}

FIRST_RUN = '''\
«g.»«g.»«g.»«g.»«g.»«g.»«g.»«rF»«rF»«rF»«r                                                   [100%]»
=================================== FAILURES ===================================
«r«b_____________________________ test_one_of_two_mugs _____________________________»

    def test_one_of_two_mugs():
        """SUP-812: the provider's own calculator says 2.68."""
>       assert line_refund(MUG, 1) == 2.68
«b«rE       AssertionError: assert 2.67 == 2.68»
«b«rE        +  where 2.67 = line_refund(Line(sku='MUG-BLUE', quantity=2, paid=5.35), 1)»

«b«rtests/test_refunds.py»:31: AssertionError
«r«b_________________________ test_two_halves_make_a_whole _________________________»

    def test_two_halves_make_a_whole():
        """SUP-815: both mugs came back, in two parcels."""
        assert line_refund(MUG, 1) + remaining(MUG, 1) == MUG.paid
>       assert remaining(MUG, 1) == 2.67
«b«rE       AssertionError: assert 2.68 == 2.67»
«b«rE        +  where 2.68 = remaining(Line(sku='MUG-BLUE', quantity=2, paid=5.35), 1)»

«b«rtests/test_refunds.py»:37: AssertionError
«r«b____________________________ test_payload_in_cents _____________________________»

    def test_payload_in_cents():
        refund = Refund("O-3", [(MUG, 1), (SOCKS, 1)])
>       assert refund.payload()["amount"] == 535
«b«rE       assert 534 == 535»

«b«rtests/test_refunds.py»:42: AssertionError
«c«b=========================== short test summary info ============================»
«rFAILED» tests/test_refunds.py::«btest_one_of_two_mugs» - AssertionError: assert...
«rFAILED» tests/test_refunds.py::«btest_two_halves_make_a_whole» - AssertionError: as...
«rFAILED» tests/test_refunds.py::«btest_payload_in_cents» - assert 534 == 535
«r«r«b3 failed», «g7 passed»«r in 0.06s»»
'''

HALF_CENT_RUN = '''\
F..FFFF                                                                  [100%]
=================================== FAILURES ===================================
________________ test_half_of_an_odd_amount_goes_up[5.35-2.68] _________________

paid = 5.35, half = 2.68

    @pytest.mark.parametrize(("paid", "half"), HALVES)
    def test_half_of_an_odd_amount_goes_up(paid, half):
        """SUP-812, SUP-815, SUP-831."""
>       assert share(paid, 1, 2) == half
E       assert 2.67 == 2.68
E        +  where 2.67 = share(5.35, 1, 2)

tests/test_half_cents.py:22: AssertionError
________________ test_half_of_an_odd_amount_goes_up[0.25-0.13] _________________

paid = 0.25, half = 0.13

    @pytest.mark.parametrize(("paid", "half"), HALVES)
    def test_half_of_an_odd_amount_goes_up(paid, half):
        """SUP-812, SUP-815, SUP-831."""
>       assert share(paid, 1, 2) == half
E       assert 0.12 == 0.13
E        +  where 0.12 = share(0.25, 1, 2)

tests/test_half_cents.py:22: AssertionError
__________________ test_every_amount_up_to_a_hundred_euros[2] __________________

whole = 2

    @pytest.mark.parametrize("whole", [2, 4, 8])
    def test_every_amount_up_to_a_hundred_euros(whole):
        wrong = [c for c in range(1, 10_000) if share(c / 100, 1, whole) != exact(c, 1, whole)]
>       assert not wrong, f"{len(wrong)} amounts are off, first: {wrong[:3]}"
E       AssertionError: 2500 amounts are off, first: [3, 9, 15]
E       assert not [3, 9, 15, 21, 25, 29, ...]

tests/test_half_cents.py:28: AssertionError
__________________ test_every_amount_up_to_a_hundred_euros[4] __________________

whole = 4

    @pytest.mark.parametrize("whole", [2, 4, 8])
    def test_every_amount_up_to_a_hundred_euros(whole):
        wrong = [c for c in range(1, 10_000) if share(c / 100, 1, whole) != exact(c, 1, whole)]
>       assert not wrong, f"{len(wrong)} amounts are off, first: {wrong[:3]}"
E       AssertionError: 1250 amounts are off, first: [6, 18, 30]
E       assert not [6, 18, 30, 42, 50, 58, ...]

tests/test_half_cents.py:28: AssertionError
__________________ test_every_amount_up_to_a_hundred_euros[8] __________________

whole = 8

    @pytest.mark.parametrize("whole", [2, 4, 8])
    def test_every_amount_up_to_a_hundred_euros(whole):
        wrong = [c for c in range(1, 10_000) if share(c / 100, 1, whole) != exact(c, 1, whole)]
>       assert not wrong, f"{len(wrong)} amounts are off, first: {wrong[:3]}"
E       AssertionError: 625 amounts are off, first: [12, 36, 60]
E       assert not [12, 36, 60, 84, 100, 116, ...]

tests/test_half_cents.py:28: AssertionError
=========================== short test summary info ============================
FAILED tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[5.35-2.68]
FAILED tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[0.25-0.13]
FAILED tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[2]
FAILED tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[4]
FAILED tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[8]
5 failed, 2 passed in 0.19s
'''

DIVISOR_SCRIPT = """\
python - <<'EOF'
from shop.money import share
from tests.test_half_cents import exact
print("items   wrong      %   first    last   too low  too high")
for n in range(2, 25):
    off = [(c, share(c / 100, 1, n) - exact(c, 1, n)) for c in range(1, 10_000)]
    off = [(c, d) for c, d in off if d]
    low = sum(d < 0 for _, d in off)
    ends = f"{off[0][0]:7d} {off[-1][0]:7d}" if off else "      -       -"
    print(f"{n:5d} {len(off):7d} {len(off) / 99.99:6.2f} {ends} {low:9d} {len(off) - low:9d}")
EOF"""

DIVISOR_RUN = """\
items   wrong      %   first    last   too low  too high
    2    2500  25.00       3    9999      2500         0
    3       0   0.00       -       -         0         0
    4    1250  12.50       6    9994      1250         0
    5       0   0.00       -       -         0         0
    6     834   8.34       9    9999       834         0
    7       0   0.00       -       -         0         0
    8     625   6.25      12    9996       625         0
    9       0   0.00       -       -         0         0
   10     501   5.01      15    9985       501         0
   11       0   0.00       -       -         0         0
   12     417   4.17      18    9978       417         0
   13       0   0.00       -       -         0         0
   14     360   3.60      21    9989       360         0
   15       0   0.00       -       -         0         0
   16     313   3.13      24    9960       313         0
   17       0   0.00       -       -         0         0
   18     279   2.79     189    9999       279         0
   19       0   0.00       -       -         0         0
   20     250   2.50      30    9950       250         0
   21       0   0.00       -       -         0         0
   22     229   2.29      99    9999       229         0
   23       0   0.00       -       -         0         0
   24     209   2.09      36    9924       209         0
"""

SIDE_RUN = """\
.............F.                                                          [100%]
=================================== FAILURES ===================================
____________________ test_credit_note_sums_to_the_refund[1] ____________________

quantity = 1

    @pytest.mark.parametrize("quantity", [1, 2])
    def test_credit_note_sums_to_the_refund(quantity):
        refund = Refund("O-9", [(Line("MUG-BLUE", 2, 5.35), quantity)])
        credited = -sum(row.gross for row in credit_note(refund))
        refunded = refund.total
>       assert credited == refunded
E       assert 2.67 == 2.68

tests/test_invoices.py:18: AssertionError
=========================== short test summary info ============================
FAILED tests/test_invoices.py::test_credit_note_sums_to_the_refund[1] - asser...
1 failed, 14 passed in 0.09s
"""

GREEN_RUN = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0 -- /home/mara/shop/.venv/bin/python
rootdir: /home/mara/shop
collecting ... collected 31 items

tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[5.35-2.68] PASSED [  3%]
tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[1.01-0.51] PASSED [  6%]
tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[8.05-4.03] PASSED [  9%]
tests/test_half_cents.py::test_half_of_an_odd_amount_goes_up[0.25-0.13] PASSED [ 12%]
tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[2] PASSED [ 16%]
tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[4] PASSED [ 19%]
tests/test_half_cents.py::test_every_amount_up_to_a_hundred_euros[8] PASSED [ 22%]
tests/test_invoices.py::test_net_and_vat_make_the_price[standard] PASSED [ 25%]
tests/test_invoices.py::test_net_and_vat_make_the_price[reduced] PASSED  [ 29%]
tests/test_invoices.py::test_net_and_vat_make_the_price[books] PASSED    [ 32%]
tests/test_invoices.py::test_credit_note_sums_to_the_refund[1] PASSED    [ 35%]
tests/test_invoices.py::test_credit_note_sums_to_the_refund[2] PASSED    [ 38%]
tests/test_money.py::test_amounts_that_cannot_be_booked[-0.01] PASSED    [ 41%]
tests/test_money.py::test_amounts_that_cannot_be_booked[nan] PASSED      [ 45%]
tests/test_money.py::test_amounts_that_cannot_be_booked[100000.0] PASSED [ 48%]
tests/test_money.py::test_cents_of_a_sum_of_floats PASSED                [ 51%]
tests/test_money.py::test_split_gives_the_rest_to_the_last PASSED        [ 54%]
tests/test_money.py::test_split_keeps_the_sum PASSED                     [ 58%]
tests/test_money.py::test_voucher_percent PASSED                         [ 61%]
tests/test_money.py::test_share_needs_an_item PASSED                     [ 64%]
tests/test_money.py::test_show PASSED                                    [ 67%]
tests/test_refunds.py::test_whole_lines[line0-1-49.9] PASSED             [ 70%]
tests/test_refunds.py::test_whole_lines[line1-1-2.67] PASSED             [ 74%]
tests/test_refunds.py::test_whole_lines[line2-2-5.33] PASSED             [ 77%]
tests/test_refunds.py::test_whole_lines[line3-3-8.0] PASSED              [ 80%]
tests/test_refunds.py::test_whole_lines[line4-2-5.35] PASSED             [ 83%]
tests/test_refunds.py::test_total_adds_shipping PASSED                   [ 87%]
tests/test_refunds.py::test_too_many_items PASSED                        [ 90%]
tests/test_refunds.py::test_one_of_two_mugs PASSED                       [ 93%]
tests/test_refunds.py::test_two_halves_make_a_whole PASSED               [ 96%]
tests/test_refunds.py::test_payload_in_cents PASSED                      [100%]

============================== 31 passed in 0.26s ==============================
"""

GIT_STATUS = """\
On branch refund-rounding
Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
  (use "git restore <file>..." to discard changes in working directory)
        modified:   shop/invoices.py
        modified:   shop/money.py

Untracked files:
  (use "git add <file>..." to include in what will be committed)
        tests/test_half_cents.py

no changes added to commit (use "git add" and/or "git commit -a")
"""


def coloured(text: str) -> str:
    """Put terminal codes for the signs of `COLOURS`; » ends what a « began."""
    for sign, code in COLOURS.items():
        text = text.replace(sign, f"\x1b[{code}m")
    return text


def credit_note_listing() -> str:
    """`ls -l` of the August credit notes: all of them older than the fix."""
    rows = ["total 1384"]
    for n in range(16):
        size, day, order = 18_204 + n * 613 % 977, 1 + n * 2, 40_873 + n * 406
        rows.append(f"-rw-r--r-- 1 shop shop {size} 2026-08-{day:02d} 03:10 CN-O-{order}.pdf")
    return "\n".join(rows) + "\n"


class Export(NamedTuple):
    """The refunds of a month as CSV, how many they are, and how many are a cent short."""

    csv: str
    refunds: int
    short: int


ITEMS = (
    ("MUG-BLUE", 535),
    ("SOCKS-M", 267),
    ("LAMP-3", 4_990),
    ("BOOK-7", 1_295),
    ("TEA-GREEN-100", 645),
    ("CANDLE-XL", 1_199),
    ("CARD-SET", 351),
)


def august_refunds() -> Export:
    """Made-up refunds: what was paid, and what the shop's float arithmetic gave back."""
    rows = ["id,order_id,created_at,sku,quantity,returned,paid,amount"]
    short = 0
    for n in range(830):
        sku, price = ITEMS[(n * 5 + n // 11) % len(ITEMS)]
        quantity = (1, 2, 1, 3, 2, 4, 1, 5)[n * 3 % 8]
        returned = 1 + n * 7 % quantity
        paid = quantity * price - (n * 29 % 83 if n % 4 == 0 else 0)
        amount = round(paid / 100 * returned / quantity, 2)
        exact = (Decimal(paid) * returned / quantity).quantize(Decimal(1), ROUND_HALF_UP)
        short += exact > round(amount * 100)
        created = datetime(2026, 8, 1, 6, 12, tzinfo=UTC) + timedelta(minutes=n * 53 + n * 17 % 29)
        rows.append(
            f"R-{208_113 + n},O-{40_817 + n * 7},{created:%Y-%m-%d %H:%M},{sku},"
            f"{quantity},{returned},{paid / 100:.2f},{amount:.2f}"
        )
    return Export("\n".join(rows) + "\n", len(rows) - 1, short)


AUGUST = august_refunds()

REFUNDS_QUERY = """\
SELECT r.id, r.order_id, r.created_at, l.sku, l.quantity, r.quantity AS returned, l.paid, r.amount
  FROM refunds r JOIN order_lines l ON l.id = r.order_line_id
 WHERE r.created_at >= '2026-08-01' AND r.created_at < '2026-09-01'
 ORDER BY r.created_at"""

LEDGER_CHECK = f"""\
ledger 2026-08
  refunds booked      {AUGUST.refunds:>6,}
  equal to the cent   {AUGUST.refunds - AUGUST.short:>6,}
  one cent short      {AUGUST.short:>6,}
  one cent over            0
  other                    0
owed to customers     {AUGUST.short / 100:>6.2f} €
"""


def apply(edits: Edits, text: str) -> str:
    for old, new in edits:
        text = text.replace(old, new, 1)
    return text


def blob_hash(text: str) -> str:
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()[:7] if data else "0" * 7


def hunk_heading(hunk: str, old: Sequence[str]) -> str:
    """The last unindented line before a hunk, which git prints beside its line numbers."""
    first = int(hunk[4:].split(",", 1)[0]) - 1
    above = [line for line in old[: max(first, 0)] if re.match(r"[A-Za-z_$]", line)]
    return f"{hunk} {above[-1]}" if above else hunk


def git_diff(path: str, before: str, after: str) -> str:
    """One file of `git diff`; `before` is empty for a new file."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    index = f"index {blob_hash(before)}..{blob_hash(after)}"
    head = [f"diff --git a/{path} b/{path}"]
    head += [f"{index} 100644", f"--- a/{path}"] if before else ["new file mode 100644", index]
    head += [] if before else ["--- /dev/null"]
    hunks = [*difflib.unified_diff(old, new, n=3, lineterm="")][2:]
    body = [hunk_heading(line, old) if line.startswith("@@") else line for line in hunks]
    return "\n".join([*head, f"+++ b/{path}", *body]) + "\n"


def git_show() -> str:
    """The commit that gave equal items a shared rounding, and left the credit note out."""
    share = MONEY[MONEY.index("def share") : MONEY.index("def split")]
    own_rounding: Edits = (
        ("AmountError, share, to_cents", "AmountError, to_cents"),
        ("share(line.paid, quantity, line.quantity)", OWN_ROUNDING),
    )
    return (
        "commit ec7ad13b0b312a73ab9ee9b33dc51b7765d73f86\n"
        "Author: mara <mara@shop.example>\n"
        "Date:   2026-07-21 14:03:51 +0200\n\n"
        "    payouts: sellers pay back their share of a refund\n\n"
        + git_diff("shop/money.py", MONEY.replace(share, ""), MONEY)
        + git_diff("shop/payouts.py", "", PAYOUTS)
        + git_diff("shop/refunds.py", apply(own_rounding, REFUNDS), REFUNDS)
    )


def cat_a(text: str) -> str:
    """`cat -A`: every byte visible, line ends marked."""

    def visible(byte: int) -> str:
        low = byte & 0x7F
        return "M-" * (byte > 0x7F) + (chr(low) if 32 <= low < 127 else f"^{chr(low ^ 64)}")

    lines = text.encode().split(b"\n")[:-1]
    return "".join("".join(map(visible, line)) + "$\n" for line in lines)


# --------------------------------------------------------------------------------------------
# How pi writes a session
# --------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Call:
    """A tool call; `note` is what the summariser will say of it. The rest is known once it ran."""

    name: str
    args: Json
    output: str
    note: str = ""
    is_error: bool = False
    details: Json | None = None
    id: str = ""
    turn: int = -1
    called_ms: int = 0
    result_ms: int = 0
    result: Json = field(default_factory=dict)
    ref: str = ""

    @property
    def key(self) -> str:
        return f"{self.id}@{self.result_ms}"

    @property
    def is_protected(self) -> bool:
        """Whether the default `protectedPaths` keep its output from the pruner."""
        path = self.args.get("path", "")
        return "skills/" in path and path.endswith(".md")


def bash(command: str, output: str, note: str = "", status: int = 0) -> Call:
    if not status:
        return Call("bash", {"command": command}, output, note)
    failed = f"{output}\n\nCommand exited with code {status}"
    return Call("bash", {"command": command}, failed, note, is_error=True, details={})


def read(path: str, text: str, note: str = "") -> Call:
    return Call("read", {"path": path}, text, note)


def grep(pattern: str, note: str = "") -> Call:
    """A search in `shop/`."""
    hits = [
        f"{name}:{number}: {line}"
        for name, text in SHOP.items()
        for number, line in enumerate(text.split("\n"), 1)
        if re.search(pattern, line)
    ]
    return Call("grep", {"pattern": pattern, "path": "shop"}, "\n".join(hits), note)


def write(path: str, text: str, note: str = "") -> Call:
    written = f"Successfully wrote {len(text.encode())} bytes to {path}"
    return Call("write", {"path": path, "content": text}, written, note)


def edit(path: str, edits: Edits, before: str, note: str = "") -> Call:
    """An edit that fails, as pi's does, when an old text is not in the file."""
    args = {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}
    for index, (old, _) in enumerate(edits):
        if old not in before:
            missing = f"Could not find edits[{index}] in {path}. The oldText must match exactly"
            missing += " including all whitespace and newlines."
            return Call("edit", args, missing, note, is_error=True, details={})
    done = f"Successfully replaced {len(edits)} block(s) in {path}."
    return Call("edit", args, done, note, details=edit_details(path, before, apply(edits, before)))


def edit_details(path: str, before: str, after: str) -> Json:
    """What pi keeps of an edit for its own screen: a numbered diff and a patch."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    groups = difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(4)
    changes, shown = [], []
    for group in groups:
        shown.append("    ...")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                shown += [f" {n + 1:2d} {old[n]}" for n in range(i1, i2)]
                continue
            changes.append(j1 + 1)
            shown += [f"-{n + 1:2d} {old[n]}" for n in range(i1, i2)]
            shown += [f"+{n + 1:2d} {new[n]}" for n in range(j1, j2)]
    patch = "\n".join(difflib.unified_diff(old, new, path, path, n=4, lineterm="")) + "\n"
    return {"diff": "\n".join(shown), "patch": patch, "firstChangedLine": changes[0]}


@dataclass(eq=False)
class Chain:
    """A user message and what it set off; `answered_ms` stays None if another one interrupts."""

    asked_ms: int
    answered_ms: int | None = None
    calls: list[Call] = field(default_factory=list)


class Fork(NamedTuple):
    """A place in the tree to come back to."""

    leaf: str
    message_count: int
    context_tokens: int


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def iso(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"


def is_answer(message: Json) -> bool:
    """Whether a message is the agent's and calls no tool."""
    if message["role"] != "assistant":
        return False
    return all(part["type"] != "toolCall" for part in message["content"])


def usage(fresh: int, output: int, cached: int = 0, reasoning: int = 0) -> Json:
    """Tokens and dollars of one request."""
    cost = {
        "input": round(fresh * 3e-6, 6) or 0,
        "output": round(output * 15e-6, 6) or 0,
        "cacheRead": round(cached * 3e-7, 6) or 0,
        "cacheWrite": 0,
    }
    return {
        "input": fresh,
        "output": output,
        "cacheRead": cached,
        "cacheWrite": 0,
        "reasoning": reasoning,
        "totalTokens": fresh + output + cached,
        "cost": cost | {"total": round(sum(cost.values()), 6) or 0},
    }


def file_lists(details: Json) -> str:
    """The end of pi's own summaries: which files were read and which were changed."""
    text = ""
    for tag, name in (("read-files", "readFiles"), ("modified-files", "modifiedFiles")):
        if details[name]:
            text += f"\n\n<{tag}>\n" + "\n".join(details[name]) + f"\n</{tag}>"
    return text


class Story:
    """Tells a session, entry by entry, the way pi writes one."""

    def __init__(self) -> None:
        self.now = START_MS
        header = {"type": "session", "version": 3, "id": SESSION_ID, "timestamp": iso(self.now)}
        self.entries: list[Json] = [header | {"cwd": CWD}]
        self.leaf: str | None = None
        self.model = ("", "")
        self.messages: list[Json] = []  # those of the branch, an extension's included
        self.chain = Chain(0)
        self.next_call = 1
        self.responses = 0
        self.context_tokens = self.cached_tokens = 0
        self.answering_ms: int | None = None

    def wait(self, seconds: float = 0, minutes: float = 0) -> int:
        """Let time pass, never quite evenly."""
        self.now += int(seconds * 1000 + minutes * 60_000) + len(self.entries) * 37 % 61
        return self.now

    def _think(self, text: str) -> None:
        self.wait(2 + len(text) / 90)

    def _tree_fields(self) -> Json:
        entry_id = hashlib.sha1(f"{SESSION_ID}/{len(self.entries)}".encode()).hexdigest()[:8]
        fields = {"id": entry_id, "parentId": self.leaf, "timestamp": iso(self.now)}
        self.leaf = entry_id
        return fields

    def entry(self, kind: str, /, **fields: Any) -> str:
        """An entry of pi's own; returns its id."""
        tree_fields = self._tree_fields()
        self.entries.append({"type": kind, **tree_fields, **fields})
        return str(tree_fields["id"])

    def custom(self, custom_type: str, content: Json) -> None:
        """An entry of an extension that the model never sees."""
        fields = {"type": "custom", "customType": custom_type, "data": content}
        self.entries.append(fields | self._tree_fields())

    def custom_message(self, custom_type: str, text: str, details: Json, display: bool) -> None:
        """An entry of an extension that is part of the context."""
        fields = {"customType": custom_type, "content": text, "display": display}
        fields["details"] = details
        self.entries.append({"type": "custom_message", **fields, **self._tree_fields()})
        self._remember({"role": "custom", **fields, "timestamp": self.now})

    def message(self, message: Json) -> str:
        self._remember(message)
        return self.entry("message", message=message)

    def _remember(self, message: Json) -> None:
        self.messages.append(message)
        self.context_tokens += len(compact(message)) // 4

    def use_model(self, provider: str, model: str) -> None:
        self.model = (provider, model)
        self.entry("model_change", provider=provider, modelId=model)

    def restart_call_ids(self) -> None:
        """This provider numbers calls by the context it is sent, so a shorter one starts anew."""
        self.next_call = 1

    def user(self, text: str, after_minutes: float) -> Chain:
        self.wait(minutes=after_minutes)
        self.chain = Chain(self.now)
        content = [{"type": "text", "text": text}]
        self.message({"role": "user", "content": content, "timestamp": self.now})
        return self.chain

    def turn(
        self, thinking: str, text: str, *calls: Call, meanwhile: tuple[str, str, Json] | None = None
    ) -> str:
        """The agent calls tools and their results follow; `meanwhile` slips in before them."""
        started = self.wait(0.01)
        self._think(thinking + text)
        for call in calls:
            call.id, call.called_ms = f"{call.name}_{self.next_call}", self.now
            call.turn = sum(message["role"] == "assistant" for message in self.messages)
            self.next_call += 1
        entry_id = self._assistant(started, thinking, text, calls)
        if meanwhile:
            self.wait(1.2)
            self.custom_message(*meanwhile, display=True)
        for call in calls:
            self._result(call)
        self.chain.calls += calls
        return entry_id

    def _result(self, call: Call) -> None:
        call.result_ms = self.wait(0.2 + len(call.output) / 4000)
        call.result = {
            "role": "toolResult",
            "toolCallId": call.id,
            "toolName": call.name,
            "content": [{"type": "text", "text": call.output}],
            **({} if call.details is None else {"details": call.details}),
            "isError": call.is_error,
            "timestamp": call.result_ms,
        }
        self.message(call.result)

    def answer(self, thinking: str, text: str) -> str:
        """The text that closes a chain; it has begun already if a flush came before."""
        started = self.answering_ms or self.wait(0.01)
        if not self.answering_ms:
            self._think(thinking + text)
        self.answering_ms = None
        self.chain.answered_ms = started
        return self._assistant(started, thinking, text)

    def abort(self, thinking: str, text: str) -> None:
        """The user pressed Esc in the middle of an answer."""
        started = self.wait(0.01)
        self.wait(3)
        self._assistant(started, thinking, text, aborted=True)

    def _assistant(
        self,
        started: int,
        thinking: str,
        text: str,
        calls: Sequence[Call] = (),
        aborted: bool = False,
    ) -> str:
        self.responses += 1
        parts: list[Json] = []
        if thinking:
            signed = {"thinkingSignature": "reasoning_content"}
            parts.append({"type": "thinking", "thinking": thinking} | signed)
        if text:
            parts.append({"type": "text", "text": text})
        for call in calls:
            asked = {"id": call.id, "name": call.name, "arguments": call.args}
            parts.append({"type": "toolCall"} | asked)
        message: Json = {"role": "assistant", "content": parts, "api": "orchard-chat"}
        message |= {"provider": self.model[0], "model": self.model[1]}
        if aborted:
            message |= {"usage": usage(0, 0), "stopReason": "aborted", "timestamp": started}
            return self.message(message | {"errorMessage": "Request was aborted."})
        message["usage"] = self._usage(len(compact(parts)) // 4, len(thinking) // 4)
        message |= {"stopReason": "toolUse" if calls else "stop", "timestamp": started}
        message["responseId"] = f"resp_{self.responses}"
        return self.message(message | {"rawStopReason": "tool_calls" if calls else "stop"})

    def _usage(self, output: int, reasoning: int) -> Json:
        """What was sent with the request before is read from the provider's cache."""
        context = SYSTEM_TOKENS + self.context_tokens
        cached = min(self.cached_tokens, context)
        self.cached_tokens = context
        return usage(context - cached, output, cached, reasoning)

    def run_bash(self, command: str, output: str) -> None:
        """The user's own `!command`."""
        ran = {"role": "bashExecution", "command": command, "output": output, "exitCode": 0}
        self.message(ran | {"cancelled": False, "truncated": False, "timestamp": self.now})

    def warm_cache(self) -> None:
        provider, model = self.model
        spent = usage(0, 8, self.cached_tokens)
        self.entry("usage", kind="cache_warm", provider=provider, model=model, usage=spent)

    def compact_before(self, kept_id: str, summary: str, details: Json) -> None:
        """pi's own compaction: what lies before the entry `kept_id` is out of the context."""
        self.wait(9)
        before = SYSTEM_TOKENS + self.context_tokens
        self.entry(
            "compaction",
            summary=summary + file_lists(details),
            firstKeptEntryId=kept_id,
            tokensBefore=before,
            details=details,
            usage=usage(before, len(summary) // 4),
            fromHook=False,
        )
        kept = [e["id"] for e in self.entries].index(kept_id)
        self.context_tokens = sum(len(compact(e)) for e in self.entries[kept:]) // 8
        self.cached_tokens = 0

    def fork(self) -> Fork:
        assert self.leaf is not None
        return Fork(self.leaf, len(self.messages), self.context_tokens)

    def go_back(self, fork: Fork, summary: str, details: Json) -> None:
        """`/tree`: leave this branch for an earlier entry, with a summary of what is left."""
        self.wait(8)
        left, self.leaf = self.leaf, fork.leaf
        del self.messages[fork.message_count :]
        self.context_tokens, self.cached_tokens = fork.context_tokens + len(summary) // 4, 0
        opening = "The user explored a different conversation branch before returning here.\n"
        self.entry(
            "branch_summary",
            fromId=left,
            summary=f"{opening}Summary of that exploration:\n\n{summary}{file_lists(details)}",
            details=details,
            usage=usage(2_871, len(summary) // 4),
            fromHook=False,
        )


# --------------------------------------------------------------------------------------------
# How the pruner writes into it
# --------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """A chain to compress; `forgotten` ids will be missing from its list of dropped ids."""

    name: str
    chain: Chain
    text: str | None = None
    forgotten: Sequence[str] = ()


@dataclass
class Spending:
    """The summariser's running totals; every stats entry is a full snapshot of them."""

    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0
    calls: int = 0
    chains: int = 0
    ranges: int = 0

    def spend(self, chars_in: int, chars_out: int) -> None:
        tokens_in, tokens_out = 480 + chars_in // 4, chars_out // 4
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.dollars = round(self.dollars + tokens_in * 6e-7 + tokens_out * 2.5e-6, 6)
        self.calls += 1

    def snapshot(self) -> Json:
        return {
            "totalInputTokens": self.tokens_in,
            "totalOutputTokens": self.tokens_out,
            "totalCost": self.dollars,
            "callCount": self.calls,
            "chainsCompressed": self.chains,
            "rangesSummarized": self.ranges,
        }


def content_hash(call: Call) -> str:
    lines = call.output.replace("\r\n", "\n").split("\n")
    normal = "\n".join(line.rstrip(" \t") for line in lines).strip()
    return hashlib.sha1(f"{call.name}\0{normal}".encode()).hexdigest()


def preview(text: str, limit: int = 2048) -> str:
    return text.encode()[:limit].decode(errors="ignore").rpartition("\n")[0]


def rounded(value: float) -> int:
    return int(value + 0.5)


def chain_sizes(messages: Sequence[Json]) -> Iterator[int]:
    """The size of each closed or interrupted chain, then that of the open tail."""
    sizes = [len(compact(message)) for message in messages]
    start, tail = None, 0
    for index, message in enumerate(messages):
        is_end = is_answer(message)
        if start is not None and (is_end or message["role"] == "user"):
            yield sum(sizes[start : index + is_end])
        if is_end:
            start, tail = None, index + 1
        elif message["role"] == "user":
            start = index
    yield sum(sizes[tail:])


def record(call: Call) -> Json:
    """The archived call, as index entries hold it."""
    return {
        "toolCallId": call.id,
        "toolName": call.name,
        "args": call.args,
        "resultText": call.output,
        "isError": call.is_error,
        "turnIndex": call.turn,
        "timestamp": call.called_ms,
        "resultTimestamp": call.result_ms,
    }


def query_answer(call: Call) -> str:
    """What `context_tree_query` answers for one short ref."""
    args = json.dumps(call.args, ensure_ascii=False, indent=2)
    status = "ERROR" if call.is_error else "OK"
    head = f"## toolRef: {call.ref}\nTool: {call.name}\nArgs: {args}\nStatus: {status}\n"
    return f"{head}Turn: {call.turn}\n\n{call.output}"


def summary_text(calls: Sequence[Call]) -> str:
    bullets = "\n".join(f"- `{call.ref}` {call.note}" for call in calls)
    refs = ", ".join(f"`{call.ref}`" for call in calls)
    return (
        f"{bullets}\n\n---\n**Summarized tool refs**: {refs}\n"
        "Use `context_tree_query` with these refs to retrieve the original full outputs."
    )


def summary_details(calls: Sequence[Call]) -> Json:
    refs = [
        {"shortId": call.ref, "toolCallId": call.id, "resultTimestamp": call.result_ms}
        for call in calls
    ]
    names = [call.name for call in calls]
    turn, called_ms = calls[0].turn, calls[0].called_ms
    return {"toolCallRefs": refs, "toolNames": names, "turnIndex": turn, "timestamp": called_ms}


def dedup_alias(repeat: Call, original: Call) -> Json:
    return {
        "newToolCallId": repeat.id,
        "originalToolCallId": original.id,
        "newResultTimestamp": repeat.result_ms,
        "originalResultTimestamp": original.result_ms,
    }


def frontier(captured: Sequence[Call], summary_chars: int) -> Json:
    last = captured[-1]
    return {
        "lastAttemptedToolCallId": last.id,
        "lastAttemptedToolName": last.name,
        "lastAttemptedTurnIndex": last.turn,
        "lastAttemptedTimestamp": last.called_ms,
        "attemptedBatchCount": len({call.turn for call in captured}),
        "attemptedToolCallCount": len(captured),
        "rawCharCount": sum(len(call.output) for call in captured),
        "summaryCharCount": summary_chars,
        "outcome": "summarized",
    }


def chain_record(block: Block, compressed_ms: int) -> Json:
    calls = block.chain.calls
    protected = [call.id for call in calls if call.is_protected]
    return {
        "blockId": block.name,
        "startUserTimestamp": block.chain.asked_ms,
        "droppedToolCallIds": [call.id for call in calls if call.id not in block.forgotten],
        "finalAssistantTimestamp": block.chain.answered_ms,
        "toolRefs": [call.ref for call in calls if call.ref],
        "compressedAt": compressed_ms,
        **({} if block.text is None else {"rangeSummaryText": block.text}),
        **({"protectedToolCallIds": protected} if protected else {}),
        "droppedOccurrenceKeys": [call.key for call in calls],
    }


class PrunedStory(Story):
    """A story that the pruner listens to."""

    def __init__(self) -> None:
        super().__init__()
        self.sidecars: dict[str, bytes] = {}
        self.waiting: list[Call] = []  # since the last flush
        self.spending = Spending()
        self.next_ref = 1

    def _result(self, call: Call) -> None:
        super()._result(call)
        self.waiting.append(call)

    def go_back(self, fork: Fork, summary: str, details: Json) -> None:
        self.waiting.clear()
        super().go_back(fork, summary, details)

    def diagnose(self, kind: str, detail: str) -> None:
        self.custom("context-prune-diagnostic", {"kind": kind, "detail": detail})

    def spill(self, call: Call) -> None:
        """Move an oversized output to a file of its own, as soon as its turn has ended."""
        name = re.sub(r"[^A-Za-z0-9_-]", "_", call.key) + ".txt"
        self.sidecars[f"{BLOBS}/{name}"] = call.output.encode()
        spilled = {
            "resultText": "",
            "spillPath": f"{BLOBS_AT_HOME}/{name}",
            "spillBytes": len(call.output.encode()),
            "resultPreview": preview(call.output),
            "contentHash": content_hash(call),
        }
        self.custom("context-prune-index", {"toolCalls": [record(call) | spilled]})
        self.waiting.remove(call)
        self.context_tokens -= len(call.output) // 4

    def flush(
        self, aliases: Sequence[tuple[Call, Call]] = (), blocks: Sequence[Block] = ()
    ) -> None:
        """Summarise what waits and has a note, while the answer that follows is being stored."""
        self.answering_ms = self.wait(0.01)
        self.wait(6)
        metrics = self._metrics()
        for repeat, original in aliases:
            self.custom("context-prune-dedup-alias", dedup_alias(repeat, original))
        noted = [call for call in self.waiting if call.note]
        batches = [[*calls] for _, calls in groupby(noted, lambda call: call.turn)]
        summary_chars = sum(self._summarise(calls) for calls in batches)
        captured = [call for call in self.waiting if call.note or not call.is_protected]
        self.custom("context-prune-frontier", frontier(captured, summary_chars))
        self.custom("context-prune-stats", self.spending.snapshot())
        self.compress(*blocks)
        count = len({call.turn for call in captured})
        flushed = {"ts": self.now, "trigger": "message-end"}
        flushed |= {"capturedBatches": count, "processedBatches": count}
        flushed |= {"outcome": "summarized", "metrics": metrics}
        self.custom("context-prune-flush-metrics", flushed)
        self.waiting.clear()

    def _metrics(self) -> Json:
        """What the extension measures before it summarises."""
        answers = [n for n, message in enumerate(self.messages) if is_answer(message)]
        cycle = [m for m in self.messages[answers[-1] + 1 :] if m["role"] == "assistant"]
        thinking = [p for m in cycle for p in m["content"] if p["type"] == "thinking"]
        sizes = [*chain_sizes(self.messages)]
        gap = [len(compact(call.result)) for call in self.waiting if not call.is_protected]
        total = sum(len(compact(message)) for message in self.messages)
        return {
            "openCycleThinkingTokens": rounded(sum(len(compact(p)) for p in thinking) / 4),
            "largestChainSharePct": rounded(100 * max(sizes) / total),
            "frontierGapTokens": sum(rounded(size / 4) for size in gap),
        }

    def _summarise(self, calls: Sequence[Call]) -> int:
        """One batch: the summary that the model reads, and the records behind it."""
        for call in calls:
            call.ref = f"t{self.next_ref}"
            self.next_ref += 1
        text = summary_text(calls)
        self.custom_message("context-prune-summary", text, summary_details(calls), display=False)
        self.custom("context-prune-index", {"toolCalls": [record(call) for call in calls]})
        self.spending.spend(sum(len(call.output) for call in calls), len(text))
        return len(text)

    def compress(self, *blocks: Block) -> None:
        """Chains become blocks; without a text of its own, a block's summaries stand in."""
        for block in blocks:
            self.wait(3)
            self.spending.chains += 1
            if block.text is not None:
                self.spending.ranges += 1
                self.spending.spend(1_900, len(block.text))
            self.custom("context-prune-chain", chain_record(block, self.now))
            self.custom("context-prune-stats", self.spending.snapshot())


# --------------------------------------------------------------------------------------------
# The story
# --------------------------------------------------------------------------------------------


def opening(story: PrunedStory) -> None:
    story.use_model("orchard", "kiwi-k3")
    story.entry("thinking_level_change", thinkingLevel="medium")
    story.user(
        "Hi. Today it's the refund tickets from support. Short answers please, and hands off"
        " shop/gateway/, that is being migrated.",
        after_minutes=0.2,
    )
    story.answer(
        "A greeting with two ground rules. Nothing to look at yet.",
        "Short answers, and nothing in `shop/gateway/`. What do the tickets say?",
    )
    story.entry("session_info", name="refund rounding bug")


def search(story: PrunedStory) -> tuple[Chain, Call, Call]:
    """Where is a refund rounded? The first half of this chapter is compacted away."""
    chain = story.user(
        "SUP-812, SUP-815, SUP-831: customers who send back one of two identical items get a cent"
        " too little. I pushed their cases to tests/test_refunds.py this morning. Find out where"
        " we round.",
        after_minutes=2,
    )
    story.turn(
        "Recent history first: the bug may have come with a change. In parallel, every place that"
        " rounds or truncates.",
        "I'll look at recent changes and at every rounding in `shop/`.",
        bash(
            "git log --oneline --stat -7 -- shop tests",
            GIT_LOG,
            "git log of `shop` and `tests`, four months: `share()` came with ec7ad13 (payouts, 21"
            " July), the tests for the three tickets with cc742ef today.",
        ),
        grep(
            r"round\(|int\(",
            "14 roundings in `shop/`: 6 in invoices.py, 5 in money.py, 1 in payouts.py, 2 in"
            " refunds.py. All of them are `round(x, 2)` on floats.",
        ),
    )
    first_run = bash(
        "python -m pytest tests/test_refunds.py -q --color=yes",
        coloured(FIRST_RUN),
        "ran tests/test_refunds.py: **3 failed, 7 passed**. `test_one_of_two_mugs` 2.67 instead of"
        " 2.68, `test_two_halves_make_a_whole` 2.68 instead of 2.67, `test_payload_in_cents` 534"
        " instead of 535.",
        status=1,
    )
    story.turn(
        "Fourteen call sites. `line_refund` goes through `share` since the payouts commit. I need"
        " refunds.py as a whole and the failing tests.",
        "",
        read(
            "shop/refunds.py",
            REFUNDS,
            "read shop/refunds.py: `line_refund` returns `share(paid, quantity, whole)`;"
            " `Refund.total` and `remaining` round once more.",
        ),
        first_run,
    )
    money = read(
        "shop/money.py",
        MONEY,
        "read shop/money.py: floats throughout; `share`, `percent_of` and `split` end in"
        " `round(…, 2)`; `check` guards range and NaN.",
    )
    kept_id = story.turn(
        "2.67 instead of 2.68 for half of 5.35. So `share` it is: `round(5.35 * 1 / 2, 2)`, and"
        " 2.675 has no exact float. Let me see it.",
        "All three failures are the same half cent. It comes from `share`:",
        money,
    )
    story.flush()
    story.answer(
        "The cause is clear: 5.35 / 2 is 2.67499999999999982236431605997495353221893310546875, so"
        " round() is right about the float and wrong about the money. On top of that it rounds"
        " exact halves to even (0.25 / 2 gives 0.12). Both go down. The provider rounds half up."
        " I should say what I would change, but not change it yet.",
        "It is `share()` in `shop/money.py`: `round(5.35 / 2, 2)` is 2.67, because 2.675 does not"
        " exist as a float (and exact halves go to the even cent). The provider rounds half up."
        " `percent_of` has the same flaw; `credit_note` in invoices.py rounds by itself.",
    )
    story.wait(minutes=34)
    details = {"readFiles": ["shop/refunds.py"], "modifiedFiles": []}
    story.compact_before(kept_id, COMPACTION_SUMMARY, details)
    story.restart_call_ids()
    return chain, first_run, money


COMPACTION_SUMMARY = """\
## Goal
Find and fix why refunds for one of several identical items are a cent short (SUP-812, SUP-815,
SUP-831).

## Constraints & Preferences
- Short answers
- Do not touch `shop/gateway/`

## Progress
### Done
- [x] Looked at the history of `shop/` and `tests/` and at all 14 roundings
- [x] Ran tests/test_refunds.py: 3 failed, 7 passed, all three off by half a cent

## Next Steps
1. Read shop/money.py

---

**Turn Context (split turn):**

## Original Request
Find out where we round.

## Context Needed to Continue
- `line_refund` in shop/refunds.py calls `share` from shop/money.py"""


def write_tests(story: PrunedStory) -> Chain:
    """A chain that will be block b1, with a text of its own and a protected output inside."""
    chain = story.user(
        "Right. Before you fix anything: a test that shows how far this goes. Stick to our testing"
        " skill.",
        after_minutes=6,
    )
    story.turn(
        "The skill file first, it is short.",
        "",
        read(f"{CWD}/skills/testing/SKILL.md", TESTING_SKILL),
    )
    story.turn(
        "An invariant over many amounts goes into a file of its own. A table for the reported"
        " cases, a sweep that says how many and the first three. No approx.",
        "One table for the tickets, one sweep over every amount up to 100 €.",
        write(
            "tests/test_half_cents.py",
            HALF_CENT_TESTS,
            "wrote tests/test_half_cents.py: a table of the reported cases and a sweep over"
            " 1–9,999 cents for 2, 4 and 8 items, compared with `ROUND_HALF_UP`.",
        ),
        bash(
            "python -m pytest tests/test_half_cents.py -q",
            HALF_CENT_RUN,
            "ran it: **5 failed, 2 passed**. 5.35 and 0.25 give half a cent too little; of 9,999"
            " amounts 2,500 (two items), 1,250 (four) and 625 (eight) are off.",
            status=1,
        ),
    )
    story.turn(
        "2500 of 9999 for two items. Is it only even divisors? And is it ever a cent too much?",
        "Which numbers of items are hit, and in which direction?",
        bash(
            DIVISOR_SCRIPT,
            DIVISOR_RUN,
            "swept 2 to 24 items: only even numbers are hit (25 % at 2, 12.5 % at 4, 8.34 % at 6),"
            " odd ones never; every error is one cent too little, none too much.",
        ),
    )
    story.flush()
    story.answer(
        "So it is always the customer who loses, and only where half a cent can occur, that is for"
        " even divisors. Worth saying plainly, since it matters for what support will write.",
        "`tests/test_half_cents.py` is in, 5 of its 7 fail. Only even numbers of items are hit,"
        " for two items every fourth amount, and always to the customer's disadvantage.",
    )
    return chain


TESTS_BLOCK = """\
Following the testing skill, wrote tests/test_half_cents.py (`t6`): a table of the reported cases
and a sweep over all amounts up to 100 €. First run (`t7`): 5 of 7 fail, `share(5.35, 1, 2)` is
2.67 instead of 2.68; 2,500 of 9,999 amounts are off for two items. Only even numbers of items are
hit, and always to the customer's disadvantage (`t8`)."""


def find_callers(story: PrunedStory) -> Chain:
    """A chain that will be block b2, without a text: its summaries stand in for it."""
    chain = story.user("Who else goes through these? I don't want to fix it twice.", 3)
    story.turn(
        "Callers of share, percent_of, split; and invoices.py, which computes `paid` on its own.",
        "Callers, and `invoices.py` as a whole:",
        grep(
            r"share|percent_of|split|line_refund|credit_note",
            "callers: `share` in refunds.py and payouts.py, `percent_of` in invoices.py and"
            " payouts.py, `split` in invoices.py, `credit_note` in pdf.py.",
        ),
        read(
            "shop/invoices.py",
            INVOICES,
            f"read shop/invoices.py: `credit_note` computes `{OWN_ROUNDING}` itself instead of"
            " calling `line_refund`.",
        ),
    )
    story.turn(
        "When did line_refund and credit_note part ways? The payouts commit touched one of them.",
        "And how they came to differ:",
        bash(
            "git show --date=iso ec7ad13 -- shop",
            git_show(),
            "git show ec7ad13: introduced `share` for payouts, moved `line_refund` to it and left"
            " `credit_note` behind.",
        ),
    )
    story.flush()
    story.answer(
        "share and percent_of are the place to fix; credit_note must call line_refund, else credit"
        " note and refund will differ by the very cent. split is safe: the last share takes the"
        " rest.",
        "Two places: `share`/`percent_of` in money.py, and `credit_note` in invoices.py, which"
        " rounds by itself since ec7ad13. Payouts follow `share`. `split` is safe, its last share"
        " takes the rest.",
    )
    return chain


def side_branch(story: PrunedStory) -> None:
    """A fix in the wrong place, given up: it stays in the file, off the active branch."""
    fork = story.fork()
    story.user("Just make line_refund use Decimal, then we're done.", after_minutes=2)
    story.turn(
        "A local change in refunds.py. I have doubts about credit_note, the tests will tell.",
        "",
        edit("shop/refunds.py", SIDE_EDITS, REFUNDS),
    )
    command = "python -m pytest tests/test_refunds.py tests/test_invoices.py -q"
    story.turn("", "Refunds and invoices:", bash(command, SIDE_RUN, status=1))
    story.abort(
        "As feared: the credit note is now a cent below the refund.",
        "The refund is right now, but the credit note says 2.67. I would have to repeat the"
        " Decimal code in invoices.py, and",
    )
    story.go_back(fork, SIDE_SUMMARY, {"readFiles": [], "modifiedFiles": ["shop/refunds.py"]})
    story.restart_call_ids()


SIDE_SUMMARY = """\
## Goal
Fix the missing cent by using Decimal in `line_refund` only.

## Progress
### Done
- [x] shop/refunds.py: `line_refund` quantises with `ROUND_HALF_UP`

### Blocked
- tests/test_invoices.py: `test_credit_note_sums_to_the_refund[1]` fails, 2.67 != 2.68

## Key Decisions
- **Given up**: the credit note rounds by itself, so the same code would be needed twice

## Next Steps
1. Put the rounding into one helper in shop/money.py and let everyone call it"""


def fix(story: PrunedStory, money: Call) -> None:
    """A repeated read, a steering message, a failed edit, and the fix."""
    story.wait(minutes=1)
    story.entry("thinking_level_change", thinkingLevel="high")
    story.user(
        "OK, checked out again, forget that. One helper in money.py that works in Decimal, and"
        " everyone calls it. Half up, like the provider.",
        after_minutes=2,
    )
    again = read("shop/money.py", MONEY)
    story.turn(
        "I was sent back to before the attempt, so I had better look at money.py as it is now.",
        "money.py as it stands:",
        again,
    )
    story.user("And leave split alone, the vouchers depend on it to the cent.", after_minutes=0.1)
    story.turn(
        "Fine, split stays. Helper `to_cent` for Decimal, `exact` from float by way of str; then"
        " share and percent_of. All in one edit.",
        "`split` stays as it is.",
        edit("shop/money.py", MISREMEMBERED_EDITS, MONEY),
    )
    story.turn(
        "The last block was not found. A tab, a non-breaking space, or did I misquote? cat -A"
        " shows it beyond doubt.",
        "The last block does not match. Looking at the bytes:",
        bash(
            "cat -A shop/money.py",
            cat_a(MONEY),
            "cat -A of shop/money.py: no tabs, no odd blanks, one en dash in the module docstring;"
            " the docstring of `share` reads `equal items paid`.",
        ),
    )
    story.turn(
        "I misquoted: the docstring says `paid`, not `have paid`. The en dash in the first lines is"
        " harmless. Smaller blocks this time, and credit_note calls line_refund.",
        "My misquote. With smaller blocks, and `credit_note` on `line_refund`:",
        edit(
            "shop/money.py",
            MONEY_EDITS,
            MONEY,
            "edited shop/money.py: new `exact` and `to_cent` (Decimal, `ROUND_HALF_UP`); `share`"
            " and `percent_of` use them; `split` untouched.",
        ),
        edit(
            "shop/invoices.py",
            INVOICE_EDITS,
            INVOICES,
            "edited shop/invoices.py: `credit_note` calls `line_refund`.",
        ),
        bash(
            "python -m pytest -v",
            GREEN_RUN,
            "full run: **31 passed** in 0.26s, half-cent sweep included.",
        ),
    )
    story.flush(aliases=[(again, money)])
    answer_id = story.answer(
        "31 passed. Both edits are small. percent_of changes too: vouchers of 15 % may move by a"
        " cent, the test for it still holds (7.49).",
        "31 passed. `to_cent` in money.py is the one place that rounds now; `share`, `percent_of`"
        " and the credit note go through it, `split` is untouched.",
    )
    story.wait(20)
    story.entry("label", targetId=answer_id, label="31 green")


def check_production(story: PrunedStory, tests: Chain) -> Call:
    """An output moved to a file (Mara spills from 32 kB on), and a note that comes between."""
    story.user(
        "Now the real thing: take August from the nightly copy. How many customers are owed a"
        " cent?",
        after_minutes=17,
    )
    skill = read(
        "skills/sql/SKILL.md",
        SQL_SKILL,
        "read skills/sql/SKILL.md: nightly copy, read-only, name a time range, no casts to float.",
    )
    query = {"query": REFUNDS_QUERY, "format": "csv"}
    export = Call("sql_query", query, AUGUST.csv, details={"rows": AUGUST.refunds})
    story.turn(
        "There is a skill for the database. Its rules: time range, no personal columns, no float"
        " casts. One query with what was paid and what was refunded.",
        "August, without personal columns:",
        skill,
        export,
    )
    story.spill(export)
    check = bash("python scripts/ledger_check.py --month 2026-08", LEDGER_CHECK)
    story.turn(
        "The rows are there. The ledger check compares them with the new `share`, no need to count"
        " by hand.",
        "Compared with the new arithmetic:",
        check,
        meanwhile=CI_NOTE,
    )
    story.diagnose("orphan-sweep", swept(check))
    story.flush(blocks=[Block("b1", tests, TESTS_BLOCK)])
    story.answer(
        "Counted twice, by the script and from the rows. Only ever one cent short, as the sweep"
        " said. It is a day-old copy; say so.",
        f"{AUGUST.short} of {AUGUST.refunds:,} refunds in August are one cent short,"
        f" {AUGUST.short / 100:.2f} € in all; none is a cent over. (Nightly copy, a day old.)",
    )
    return check


def swept(orphan: Call) -> str:
    return f"swept 1 orphan toolResult(s): {orphan.id}"


CI_NOTE = (
    "ci-notifier",
    "CI #4127 refund-rounding passed: lint, types, tests (2 min 41 s)",
    {"run": 4127, "branch": "refund-rounding", "state": "passed"},
)


def look_back(story: PrunedStory, first_run: Call, callers: Chain) -> None:
    """The agent takes an output back that was summarised long ago."""
    story.user(
        "For the pull request: what exactly did the first run of test_refunds print? Then show me"
        " the whole diff.",
        after_minutes=5,
    )
    ref = first_run.ref
    story.turn(
        f"That run is summarised as {ref}. I'll fetch the original rather than rewrite it from"
        " memory.",
        "",
        Call(
            "context_tree_query",
            {"toolCallIds": [ref]},
            query_answer(first_run),
            f"recovered `{ref}`, the first run of tests/test_refunds.py in full: 3 failed, 7"
            " passed (2.67/2.68, 2.68/2.67, 534/535).",
        ),
    )
    money, invoices = apply(MONEY_EDITS, MONEY), apply(INVOICE_EDITS, INVOICES)
    story.turn(
        "And the diff as it is now.",
        "The diff:",
        bash(
            "git diff",
            git_diff("shop/invoices.py", INVOICES, invoices)
            + git_diff("shop/money.py", MONEY, money),
            "git diff: shop/invoices.py +2 -2 (`credit_note` uses `line_refund`), shop/money.py"
            " +14 -2 (`CENT`, `exact`, `to_cent`; `share`, `percent_of`).",
        ),
    )
    story.flush(blocks=[Block("b2", callers, forgotten=[callers.calls[-1].id])])
    story.answer(
        "They want text for the pull request: the failing lines, then the two hunks in words.",
        "First run: 3 failed, 7 passed: `2.67 == 2.68` (SUP-812), `2.68 == 2.67` (SUP-815),"
        " `534 == 535` cents (payload). The diff is two files, 16 lines in and 4 out; the"
        " untracked test file comes on top.",
    )


SEARCH_BLOCK = """\
Looked for the missing cent: history (`t1`) and 14 roundings (`t2`), `line_refund` in refunds.py
(`t3`), three failing tests (`t4`). Cause: `share` in money.py (`t5`) rounds floats, half a cent
is lost."""


def coffee_break(story: PrunedStory, searching: Chain) -> None:
    """`/pruner compact`, a command of Mara's own, and another model."""
    story.wait(minutes=2)
    story.compress(Block("b3", searching, SEARCH_BLOCK))
    story.wait(minutes=1)
    story.run_bash("git status", GIT_STATUS)
    story.wait(minutes=4)
    story.warm_cache()
    story.wait(minutes=22)
    story.use_model("orchard", "kiwi-k3-fast")
    story.restart_call_ids()


def pdf(story: PrunedStory, searching: Chain, callers: Chain, orphan: Call) -> None:
    """The pruner, restarted, reports what it cannot place; the agent is still at work."""
    story.user(
        "One more: the credit note PDF of SUP-831 still shows the old amount. Can you see why?",
        after_minutes=1,
    )
    cut = f"blockId=b3 start={searching.asked_ms} final={searching.answered_ms}"
    count = len(callers.calls)
    story.diagnose("unresolved-range", cut)
    story.diagnose("range-id-mismatch", f"blockId=b2 recorded={count - 1} actual={count}")
    story.diagnose("orphan-sweep", swept(orphan))
    story.turn(
        "credit_note is right since the fix. So either the PDF layer caches, or the file is older"
        " than the fix.",
        "`credit_note` is right now, so I look at what lies behind it.",
        grep(r"credit_note|lru_cache|_rows"),
        read("shop/pdf.py", PDF),
    )
    story.user("Only the August ones, by the way. September is right.", after_minutes=0.2)
    command = "ls -l --time-style=long-iso var/credit-notes/2026-08 | head -17"
    story.turn(
        "August wrong, September right: not the cache, that lives as long as the process. Files"
        " from before the fix that are never rendered again? Look at their dates and at the script"
        " that makes them.",
        "Then it's the files rather than the cache. Their dates, and the script that writes them:",
        bash(command, credit_note_listing()),
        read("scripts/render_credit_notes.py", RENDER_SCRIPT),
    )


def tell() -> PrunedStory:
    story = PrunedStory()
    opening(story)
    searching, first_run, money = search(story)
    tests = write_tests(story)
    callers = find_callers(story)
    side_branch(story)
    fix(story, money)
    orphan = check_production(story, tests)
    look_back(story, first_run, callers)
    coffee_break(story, searching)
    pdf(story, searching, callers, orphan)
    return story


def build() -> dict[str, bytes]:
    """Every file of the demo: path below the demo folder → bytes."""
    story = tell()
    lines = "".join(compact(entry) + "\n" for entry in story.entries)
    return {"session.jsonl": lines.encode(), **story.sidecars}


def main() -> None:
    for stale in (DEMO_FOLDER / BLOBS).glob("*.txt"):
        stale.unlink()
    for name, content in build().items():
        path = DEMO_FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
