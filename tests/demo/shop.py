"""The shop's files, as the agent finds them."""

from __future__ import annotations

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
