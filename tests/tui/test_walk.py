"""The main job, as a person does it: on the bundled session, and on what pi itself has written."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Static

from condense_tui.inspection.concerns import concerns
from condense_tui.session.occurrences import bare_id_of
from condense_tui.tui.commands import COMMANDS
from condense_tui.tui.picture import Picture
from condense_tui.tui.screens.branches import BranchesScreen
from condense_tui.tui.screens.export import ExportScreen
from condense_tui.tui.screens.findings import FindingsScreen
from condense_tui.tui.screens.help import HelpScreen
from condense_tui.tui.screens.query import QueryScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.settings import SettingsScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from tests.tui.stage import (
    DEMO,
    LARGE,
    SHARED,
    SMALL,
    Size,
    browsing,
    is_on,
    press,
    press_until,
    row_text,
    screen_text,
    settled,
    wait_until,
)

PI_WRITTEN = sorted((SHARED / "vectors" / "pi-written").glob("*/session.jsonl"))
ON_THE_DEMO = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
Step = Callable[[Pilot[Any], Path], Awaitable[None]]
CHANGED = re.compile(r"^ *[\d+]+ [~×\-+°%!]")


def tree(pilot: Pilot[Any]) -> FoldTree:
    return pilot.app.screen.query_one(FoldTree)


def context(pilot: Pilot[Any]) -> ContextList:
    return pilot.app.screen.query_one(ContextList)


def detail(pilot: Pilot[Any]) -> DocumentView:
    return pilot.app.screen.query_one(DocumentView)


def picture(pilot: Pilot[Any]) -> Picture:
    taken: Picture | None = pilot.app.picture  # type: ignore[attr-defined]
    assert taken is not None
    return taken


def all_rows(rows: LineList) -> str:
    return "\n".join(row_text(rows, number) for number in range(rows.row_count))


def title(pilot: Pilot[Any], name: str) -> str:
    return str(pilot.app.screen.query_one(name).border_title)


def text_of(pilot: Pilot[Any], name: str) -> str:
    return str(pilot.app.screen.query_one(name, Static).render())


def document_text(pilot: Pilot[Any]) -> str:
    document = detail(pilot).document
    assert document is not None
    return document.title + "\n" + document.original


async def paste(pilot: Pilot[Any], text: str) -> None:
    """Over what stands in the field."""
    await press(pilot, "end", "ctrl+u")
    pilot.app.post_message(events.Paste(text))
    await settled(pilot)


def most_used_id(shown: Picture) -> tuple[str, int]:
    """The bare id with the most archived occurrences, aliases too, and how many these are."""
    index = shown.inspection.index
    ids = {bare_id_of(key): len(index.records_for(bare_id_of(key))) for key in index.records}
    return max(ids.items(), key=lambda counted: counted[1])


# ── looking ──


async def fold_and_unfold(pilot: Pilot[Any], folder: Path) -> None:
    at_first = tree(pilot).row_count
    await press(pilot, "minus", "home")
    folded = tree(pilot).row_count
    assert folded == len(picture(pilot).nodes)
    assert re.search(r"▸ .*\(\d+\)|▸", row_text(tree(pilot)))
    await press(pilot, "right")
    unfolded = tree(pilot).row_count
    assert unfolded > folded
    assert "▾" in row_text(tree(pilot))
    await press(pilot, "right", "left")
    if tree(pilot).cursor:
        await press(pilot, "backspace")
    assert tree(pilot).cursor == 0
    await press(pilot, "space")
    assert tree(pilot).row_count == folded
    await press(pilot, "plus")
    assert tree(pilot).row_count >= max(at_first, unfolded)


async def look_whole_and_close(pilot: Pilot[Any], folder: Path) -> None:
    for key in ("ctrl+o", "escape", "q"):
        await press(pilot, "down", "ctrl+o")
        await wait_until(pilot, lambda: is_on(pilot, WholeScreen))
        assert detail(pilot).row_count
        await press(pilot, "pagedown", "end", "home", key)
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        assert pilot.app.return_code is None


async def go_from_change_to_change(pilot: Pilot[Any], folder: Path) -> None:
    await press(pilot, "n")
    rows = context(pilot)
    await wait_until(pilot, lambda: rows.has_focus and rows.region)
    first = rows.cursor
    assert CHANGED.match(row_text(rows)), row_text(rows)
    await press(pilot, "n")
    assert CHANGED.match(row_text(rows)), row_text(rows)
    assert rows.cursor > first
    await press(pilot, "N")
    assert rows.cursor == first
    whole = rows.row_count
    await press(pilot, "c")
    assert "changes only" in title(pilot, "#context-pane")
    assert 0 < rows.row_count < whole
    assert all(CHANGED.match(row_text(rows, y)) for y in range(min(rows.row_count, 5)))
    await press(pilot, "c")
    assert rows.row_count == whole


async def go_round_the_views(pilot: Pilot[Any], folder: Path) -> None:
    counts = {}
    for view in ("raw", "both", "pruned"):
        await press(pilot, "v")
        assert title(pilot, "#context-pane") == f"Context: {view}"
        counts[view] = context(pilot).row_count
        if view == "both" or pilot.app.size.width >= 100:
            await wait_until(pilot, lambda: context(pilot).region)
        if view == "both":
            await wait_until(pilot, lambda: not tree(pilot).region)
    assert counts["both"] >= max(counts["raw"], counts["pruned"])


# ── asking ──


async def ask_for_a_reused_id_follow_a_link_and_return(pilot: Pilot[Any], folder: Path) -> None:
    reused, count = most_used_id(picture(pilot))
    await press(pilot, "colon", f"text:{reused}")
    await wait_until(pilot, lambda: is_on(pilot, QueryScreen))
    rows = pilot.app.screen.query_one("#rows", LineList)
    verdict = re.compile(rf"{count} occurrences?\b")
    await wait_until(pilot, lambda: verdict.match(text_of(pilot, "#verdict")))
    assert rows.row_count == count
    await press(pilot, "enter", "end")
    await press_until(pilot, "up", lambda: "→ its" in screen_text(pilot.app), count)
    begin, _, end = row_text(rows).split()[0].partition("…")
    assert reused.startswith(begin) or begin.startswith(reused)
    key = re.compile(rf"{re.escape(begin)}\S*{re.escape(end)}")
    await press(pilot, "enter")
    await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
    await wait_until(pilot, lambda: key.search(all_rows(detail(pilot))))
    assert detail(pilot).has_focus
    opened = document_text(pilot)

    await press_until(pilot, "down", lambda: row_text(detail(pilot)).startswith("→ its"))
    await press(pilot, "enter")
    assert document_text(pilot) != opened
    await press(pilot, "backspace")
    assert document_text(pilot) == opened
    await press(pilot, "backspace")
    assert not detail(pilot).region
    assert pilot.app.return_code is None


async def find_what_was_pruned_and_filter_the_tree(pilot: Pilot[Any], folder: Path) -> None:
    word = an_archived_word(picture(pilot))
    await press(pilot, "slash", f"text:{word}")
    await wait_until(pilot, lambda: re.match(r"1 of [\d,+]+$", text_of(pilot, "#count")))
    bar = f"/ {word}"
    await wait_until(pilot, lambda: word in screen_text(pilot.app).lower().replace(bar, ""))
    if text_of(pilot, "#count") != "1 of 1":
        await press(pilot, "enter")
        assert text_of(pilot, "#count").startswith("2 of ")
        await press(pilot, "up")
        assert text_of(pilot, "#count").startswith("1 of ")
    await press(pilot, "escape")
    await wait_until(pilot, lambda: detail(pilot).has_focus)
    await press(pilot, "escape")
    await wait_until(pilot, lambda: not detail(pilot).region)

    before = tree(pilot).row_count
    await press(pilot, "ampersand", f"text:{a_tool(picture(pilot))}")
    assert pilot.app.screen.query_one("#filter").region
    await press(pilot, "enter")
    assert tree(pilot).has_focus
    assert tree(pilot).row_count
    await press(pilot, "ampersand", "text:zzz-nowhere")
    assert tree(pilot).row_count == 0
    await press(pilot, "escape")
    assert tree(pilot).row_count >= before
    assert pilot.app.return_code is None


def an_archived_word(shown: Picture) -> str:
    outputs = (record.result_text for record in shown.inspection.index.records.values())
    words = (word for text in outputs for word in re.findall(r"[a-z]{7,12}", text or ""))
    return next(words)


def a_tool(shown: Picture) -> str:
    return next(iter(shown.inspection.index.records.values())).tool_name


async def go_from_a_finding_to_its_cause(pilot: Pilot[Any], folder: Path) -> None:
    await press(pilot, "f2")
    await wait_until(pilot, lambda: is_on(pilot, FindingsScreen))
    shown = picture(pilot)
    found = enumerate(concerns(shown.inspection, shown.findings))
    first_with_cause = next((row for row, each in found if each.target is not None), None)
    if first_with_cause is None:
        await press(pilot, "escape")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        return
    await press(pilot, *["down"] * first_with_cause, "enter")
    await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
    assert detail(pilot).region
    assert detail(pilot).row_count


# ── changing and taking out ──


async def try_another_setting(pilot: Pilot[Any], folder: Path) -> None:
    await press(pilot, "s")
    await wait_until(pilot, lambda: is_on(pilot, SettingsScreen))
    assert "enabled" in row_text(pilot.app.screen.query_one("#settings", LineList))
    await press(pilot, "space")
    await wait_until(pilot, lambda: "prune: OFF" in text_of(pilot, "#now"))
    assert text_of(pilot, "#before").startswith("before  prune: ON")
    await press(pilot, "escape")
    assert "prune: OFF" in screen_text(pilot.app).splitlines()[-2]
    await press(pilot, "s", "d", "escape")
    await wait_until(pilot, lambda: "prune: ON" in screen_text(pilot.app).splitlines()[-2])


async def export_everything(pilot: Pilot[Any], folder: Path) -> None:
    await press(pilot, "e")
    await wait_until(pilot, lambda: is_on(pilot, ExportScreen))
    what = pilot.app.screen.query_one("#what", LineList)
    choices = [row_text(what, y) for y in range(what.row_count)]
    row = next(y for y, choice in enumerate(choices) if "everything" in choice.lower())
    await press(pilot, *["down"] * row, "enter")
    assert isinstance(pilot.app.focused, Input)
    await paste(pilot, str(folder / "out"))
    await wait_until(pilot, lambda: "all of them new" in text_of(pilot, "#tally"))
    await press(pilot, "enter")
    await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
    written = {file.name for file in (folder / "out").iterdir()}
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert len(written) > 1
    assert written >= {item["file"] for item in manifest["outputs"] if item.get("file")}


async def look_at_an_abandoned_branch(pilot: Pilot[Any], folder: Path) -> None:
    assert "abandoned" not in text_of(pilot, "#headline")
    await press(pilot, "b")
    await wait_until(pilot, lambda: is_on(pilot, BranchesScreen))
    rows = pilot.app.screen.query_one(LineList)
    await wait_until(pilot, lambda: rows.row_count)
    if rows.row_count == 1:
        await press(pilot, "escape")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        return
    here = rows.cursor
    await press(pilot, "end" if here != rows.row_count - 1 else "home", "enter")
    await wait_until(pilot, lambda: "(an abandoned branch)" in text_of(pilot, "#headline"))
    assert "(an abandoned branch)" in screen_text(pilot.app).splitlines()[0]


# ── all of it ──

WALK = (
    fold_and_unfold,
    look_whole_and_close,
    go_from_change_to_change,
    go_round_the_views,
    ask_for_a_reused_id_follow_a_link_and_return,
    find_what_was_pruned_and_filter_the_tree,
    go_from_a_finding_to_its_cause,
    try_another_setting,
    export_everything,
    look_at_an_abandoned_branch,
)


@ON_THE_DEMO
@pytest.mark.parametrize("step", WALK, ids=[step.__name__ for step in WALK])
async def test_each_step_from_where_one_begins(size: Size, step: Step, tmp_path: Path) -> None:
    async with browsing(DEMO, size) as pilot:
        await step(pilot, tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=path.parent.name,
            marks=() if path.parent.name == "b_reuse" else pytest.mark.slow,
        )
        for path in PI_WRITTEN
    ],
)
async def test_the_whole_way_through_what_pi_wrote(path: Path, tmp_path: Path) -> None:
    size = (SMALL, LARGE)[PI_WRITTEN.index(path) % 2]
    async with browsing(path, size) as pilot:
        for step in WALK:
            await step(pilot, tmp_path)
            await press(pilot, "escape", "escape", "escape")
            assert pilot.app.return_code is None


@ON_THE_DEMO
async def test_the_detail_shows_its_text_again_after_it_was_closed(size: Size) -> None:
    async with browsing(DEMO, size) as pilot:
        for keys in (("down", "enter"), ("escape", "down", "enter"), ("d", "d")):
            await press(pilot, *keys)
            await wait_until(pilot, lambda: detail(pilot).row_count > 0)
            assert detail(pilot).document is not None
            assert str(detail(pilot).render_line(0).text).strip()


@ON_THE_DEMO
async def test_a_dropped_call_that_was_asked_for_is_the_one_that_opens(size: Size) -> None:
    """The context cannot go there; where its cursor lands instead is nobody's choice."""
    async with browsing(DEMO, size) as pilot:
        await press(pilot, "n", "n", "colon", "t", "7", "enter", "enter")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        await wait_until(pilot, lambda: title(pilot, "#detail-pane").startswith("t7 "))


# ── help, and leaving ──


@ON_THE_DEMO
async def test_a_page_of_the_help_is_another_one(size: Size) -> None:
    async with browsing(DEMO, size) as pilot:
        await press(pilot, "question_mark")
        await wait_until(pilot, lambda: is_on(pilot, HelpScreen))
        rows = pilot.app.screen.query_one(LineList)
        first, page = rows.scroll_offset.y, rows.scrollable_content_region.height - 1
        await press(pilot, "pagedown")
        assert rows.scroll_offset.y == min(first + page, rows.max_scroll_y) > first
        await press(pilot, "pageup")
        assert (rows.scroll_offset.y, rows.cursor) == (0, 0)


@ON_THE_DEMO
async def test_help_names_every_command(size: Size) -> None:
    async with browsing(DEMO, size) as pilot:
        await press(pilot, "question_mark")
        await wait_until(pilot, lambda: is_on(pilot, HelpScreen))
        rows = pilot.app.screen.query_one(LineList)
        seen = set()
        for _ in range(rows.row_count):
            seen.add(row_text(rows))
            await press(pilot, "down")
        for command in COMMANDS:
            assert any(
                command.explanation in row and row.split()[0] == command.key_text for row in seen
            ), command.label
        await press(pilot, "question_mark")
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))


@ON_THE_DEMO
@pytest.mark.parametrize(
    "way", ["", "enter", "v v", "ampersand", "slash", "s", "f2", "b", "colon", "e", "question_mark"]
)
async def test_escape_never_quits_and_q_does_so_unasked(size: Size, way: str) -> None:
    async with browsing(DEMO, size) as pilot:
        await press(pilot, *way.split(), *["escape"] * 4)
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        assert pilot.app.return_code is None
        pilot.app.simulate_key("q")
        await wait_until(pilot, lambda: pilot.app.return_code is not None)
    assert pilot.app.return_code == 0
