"""What commands print: listings, exports and git, worked out from the files."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from tests.demo.runs import COLOURS
from tests.demo.shop import MONEY, PAYOUTS, REFUNDS
from tests.demo.shop_later import OWN_ROUNDING, Edits

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
