"""The chapters up to the callers: looking for the half cent."""

from __future__ import annotations

from tests.demo.calls import Call, Chain, bash, grep, read, write
from tests.demo.commands import coloured, git_show
from tests.demo.place import CWD
from tests.demo.pruned_story import PrunedStory
from tests.demo.runs import DIVISOR_RUN, DIVISOR_SCRIPT, FIRST_RUN, GIT_LOG, HALF_CENT_RUN
from tests.demo.shop import INVOICES, MONEY, REFUNDS
from tests.demo.shop_later import HALF_CENT_TESTS, OWN_ROUNDING, TESTING_SKILL


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
