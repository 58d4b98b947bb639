"""Writes the demo session: an afternoon with an agent on a refund that is a cent short.

The session shows everything the viewer can show. Nothing here depends on chance or on the clock,
so the committed files can be compared byte by byte with what `build()` returns.
Run it to write them: `python -m tests.make_demo`.

Its parts lie in `tests/demo`: the shop's files (`shop`, `shop_later`), what commands print (`runs`,
`commands`), how pi and the pruner write a session (`calls`, `story`, `pruned_story`), and the story
itself, chapter by chapter as `tell()` has it (`search`, `repair`).
"""

from __future__ import annotations

from pathlib import Path

from tests.demo.calls import compact
from tests.demo.place import BLOBS
from tests.demo.pruned_story import PrunedStory
from tests.demo.repair import check_production, coffee_break, fix, look_back, pdf, side_branch
from tests.demo.search import find_callers, opening, search, write_tests

DEMO_FOLDER = Path(__file__).resolve().parent.parent / "condense_tui" / "demo"


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
