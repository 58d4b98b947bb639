"""The chapters from the side branch on: mending it, and what comes after."""

from __future__ import annotations

from tests.demo.calls import Call, Chain, bash, edit, grep, read
from tests.demo.commands import (
    AUGUST,
    GIT_STATUS,
    LEDGER_CHECK,
    REFUNDS_QUERY,
    apply,
    cat_a,
    credit_note_listing,
    git_diff,
)
from tests.demo.pruned_story import Block, PrunedStory, query_answer
from tests.demo.runs import GREEN_RUN, SIDE_RUN
from tests.demo.search import TESTS_BLOCK
from tests.demo.shop import INVOICES, MONEY, PDF, REFUNDS, RENDER_SCRIPT
from tests.demo.shop_later import (
    INVOICE_EDITS,
    MISREMEMBERED_EDITS,
    MONEY_EDITS,
    SIDE_EDITS,
    SQL_SKILL,
)


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
