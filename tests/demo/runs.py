"""What commands print: runs of tests and scripts, from their texts."""

from __future__ import annotations

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
