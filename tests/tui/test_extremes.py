"""Sessions at the far end of what there is: each opens and can be walked to its end.

The largest take minutes: `python -m pytest -m slow tests/tui/test_extremes.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from condense_tui.tui.screens.branches import BranchesScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from tests.benchmarks.workload import Story
from tests.tui import stage
from tests.tui.stage import browsing, is_on, press, row_text, screen_text

SLOW = pytest.mark.slow


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take as long as they take."""
    monkeypatch.setattr(stage, "_PATIENCE_SECONDS", 600)


def one_chain(calls: int) -> bytes:
    """So many turns in one compressed chain."""
    story = Story()
    prompt = story.prompt((1,) * calls)
    story.index(prompt.calls)
    story.chain(prompt.start_ms, prompt.final_ms, prompt.calls, "Everything was tried.")
    story.user("the very last")
    return story.raw


def many_chains(chains: int) -> bytes:
    """So many compressed chains of one call each."""
    story = Story()
    for _ in range(chains):
        prompt = story.prompt((1,))
        story.index(prompt.calls)
        story.chain(prompt.start_ms, prompt.final_ms, prompt.calls, "Done.")
    story.user("the very last")
    return story.raw


def many_entries(entries: int) -> bytes:
    """So many messages, none of them in a chain."""
    story = Story()
    while story.lines < entries:
        story.user()
        story.final()
    story.user("the very last")
    return story.raw


def branches(count: int) -> bytes:
    """So many leaves below one prompt."""

    def lines() -> Iterator[dict[str, Any]]:
        yield {"type": "session", "version": 3, "id": "branches", "cwd": "/home/mara/shop"}
        for number in range(count + 1):
            words = "the very last" if number == count else f"prompt {number}"
            yield {
                "type": "message",
                "id": f"{number:08x}",
                "parentId": "00000000" if number else None,
                "timestamp": "2026-09-01T10:00:00.000Z",
                "message": {"role": "user", "content": words, "timestamp": number + 1},
            }

    return b"".join(json.dumps(line).encode() + b"\n" for line in lines())


def one_line(megabytes: int) -> bytes:
    """An output of one line."""
    story = Story()
    story.user()
    call, output = story.calls(1)[0], "0123456789" * (megabytes * 100_000)
    story.result(replace(call, output=output + "¶"))
    return story.raw


def focused(pilot: Pilot[Any]) -> LineList:
    rows = pilot.app.focused
    assert isinstance(rows, LineList)
    return rows


def is_at_the_end(pilot: Pilot[Any]) -> bool:
    """Nothing at all ends where it begins."""
    return focused(pilot).cursor == max(focused(pilot).row_count - 1, 0)


async def walk_to_the_end(pilot: Pilot[Any], kind: type[LineList]) -> None:
    """With the keyboard: to the end, a page up, to the beginning, a page down."""
    while not isinstance(pilot.app.focused, kind):
        await press(pilot, "tab")
    await press(pilot, "end")
    assert is_at_the_end(pilot)
    await press(pilot, "pageup", "home")
    assert focused(pilot).cursor == 0
    await press(pilot, "pagedown", "end", "up", "down")
    assert is_at_the_end(pilot)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(lambda: one_chain(200), id="chain of 400"),
        pytest.param(lambda: many_chains(500), id="500 chains"),
        pytest.param(lambda: many_entries(2_000), id="2,000 entries"),
        pytest.param(lambda: one_chain(10_000), id="chain of 20,000", marks=SLOW),
        pytest.param(lambda: many_chains(50_000), id="50,000 chains", marks=SLOW),
        pytest.param(lambda: many_entries(1_000_000), id="1,000,000 entries", marks=SLOW),
    ],
)
async def test_a_session_can_be_walked_to_its_end(raw: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(raw())
    async with browsing(path) as pilot:
        await walk_to_the_end(pilot, ContextList)
        assert "the very last" in row_text(focused(pilot))
        await press(pilot, "v")
        await walk_to_the_end(pilot, ContextList)
        await walk_to_the_end(pilot, FoldTree)
        await press(pilot, "home", "minus", "plus", "end")
        assert is_at_the_end(pilot)


@pytest.mark.parametrize("count", [300, pytest.param(5_000, marks=SLOW)])
async def test_many_branches_are_listed_and_the_last_can_be_opened(
    count: int, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(branches(count))
    async with browsing(path) as pilot:
        assert "the very last" in screen_text(pilot.app)
        await press(pilot, "b")
        assert is_on(pilot, BranchesScreen)
        await walk_to_the_end(pilot, LineList)
        assert "prompt 1" in row_text(focused(pilot))
        await press(pilot, "enter")
        assert "prompt 1" in screen_text(pilot.app)


@pytest.mark.parametrize("megabytes", [1, pytest.param(50, marks=SLOW)])
async def test_a_line_of_any_length_can_be_read_to_its_end(megabytes: int, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(one_line(megabytes))
    async with browsing(path) as pilot:
        while not isinstance(pilot.app.focused, ContextList):
            await press(pilot, "tab")
        await press(pilot, "end", "ctrl+o")
        assert is_on(pilot, WholeScreen)
        await press(pilot, "pagedown", "end")
        assert "¶" in screen_text(pilot.app)
