"""What condensing would make of a session: the offer, the rows, and the context as it would be."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from condense_tui.condensing.condense import Mode, Order
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Refusal
from condense_tui.store import LoadedSettings
from condense_tui.tui import preview
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.picture import take_picture
from condense_tui.tui.preview import Preview, take_preview
from condense_tui.tui.screens.condense import CondenseScreen
from condense_tui.tui.screens.preview import PreviewScreen
from condense_tui.tui.screens.previewed import PreviewedScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.screens.settings import SettingsScreen
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.offer import Offer
from condense_tui.view.settingtable import SETTINGS
from tests.build import SessionBuilder, call
from tests.sessions import session_in, written
from tests.tui.stage import (
    DEMO,
    SMALL,
    browsing,
    is_on,
    press,
    row_text,
    screen_text,
    settled,
    wait_until,
)

LONG = "a line of output\n" * 100
TURNS, CHAINS = "turns outputs -> summary, in chars", "chains messages -> block, in chars"
OTHER = "another line of it\n" * 100
HUGE = "one more line of output\n" * 10_000


def never_pruned() -> SessionBuilder:
    session = SessionBuilder().user().turn("a", LONG).answer().user().turn("b", OTHER)
    return session.turn("c", "short").answer()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written(tmp_path, never_pruned().raw)


def offered(pilot: Pilot[None]) -> str:
    """What the offer says; empty where there is none."""
    widget = pilot.app.screen.query_one(Offer)
    return str(widget.content) if widget.display else ""


def shown_rows(pilot: Pilot[None]) -> list[str]:
    rows = pilot.app.screen.query_one("#rows", LineList)
    return [" ".join(row_text(rows, number).split()) for number in range(rows.row_count)]


def tokens_shown(pilot: Pilot[None]) -> list[str]:
    """Before and after, as the line of totals has them."""
    total = str(pilot.app.screen.query_one("#total-1", Static).content)
    return total.split(" tokens")[0].split(" -> ")[-2:]


def order_shown(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#order", Static).content)


def notes(pilot: Pilot[None]) -> list[str]:
    return [note.message for note in pilot.app._notifications]


# The offer


async def test_a_session_without_prune_records_says_what_condensing_would_save(
    source: Path,
) -> None:
    async with browsing(source, SMALL) as pilot:
        assert offered(pilot).startswith("no prune records: condensing would save about 57%")
        assert offered(pilot).endswith("w shows how")
        assert "condensing would save" in screen_text(pilot.app).splitlines()[1]


async def test_one_with_records_says_nothing_about_it() -> None:
    async with browsing(DEMO) as pilot:
        assert offered(pilot) == ""


async def test_where_nothing_is_saved_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, SessionBuilder().user().answer().raw)
    async with browsing(path) as pilot:
        assert offered(pilot) == "no prune records, and condensing would save nothing"
        await press(pilot, "w")
        assert "Nothing is left to condense" in screen_text(pilot.app)
        await press(pilot, "enter", "v")
        assert is_on(pilot, PreviewScreen)
        assert notes(pilot) == ["Nothing is left to condense."]
        await press(pilot, "w")
        assert is_on(pilot, CondenseScreen)


async def test_the_session_is_shown_before_the_offer_is_worked_out(source: Path) -> None:
    """And what was worked out for settings that are no longer in force is dropped."""
    go_on, begun = Event(), Event()
    work_out = preview.expected

    def held(*arguments: Any) -> Any:
        begun.set()
        go_on.wait(30)
        return work_out(*arguments)

    with patch.object(preview, "expected", held):
        async with CondenseApp(source).run_test(size=SMALL) as pilot:
            try:
                await wait_until(pilot, lambda: is_on(pilot, SessionScreen) and begun.is_set())
                assert "working it out" in offered(pilot)
                assert isinstance(pilot.app, CondenseApp)
                first = pilot.app.picture
                pilot.app.look_with(settings_from({"protectedTools": ["bash"]}))
                await wait_until(pilot, lambda: pilot.app.picture is not first)
                await pilot.pause()
            finally:
                go_on.set()
            await settled(pilot)
            assert "would save nothing" in offered(pilot)


# The preview


async def test_it_lists_what_would_become_of_calls_and_chains(source: Path) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "w")
        assert "PREVIEW of condensing" in screen_text(pilot.app)
        assert "nothing is written · tokens are characters / 4" in screen_text(pilot.app)
        assert shown_rows(pilot) == [
            TURNS,
            "0 1.7k -> 175 summarised as t1 · bash",
            "2 1.9k -> 177 summarised as t2 · bash",
            "3 5 too small · bash",
        ]
        await press(pilot, "c")
        assert "the newest chains too" in order_shown(pilot)
        assert shown_rows(pilot)[:3] == [
            CHAINS,
            "b1 2.0k -> 323 its summaries stand for it · 1 call",
            "b2 2.5k -> 328 its summaries stand for it · 2 calls, 1 output archived",
        ]
        await press(pilot, "m")
        assert "replay: flush by flush" in order_shown(pilot)
        await press(pilot, "escape")
        assert is_on(pilot, SessionScreen)


async def test_what_the_offer_has_worked_out_is_not_worked_out_again(source: Path) -> None:
    with patch.object(preview, "condensed", wraps=preview.condensed) as work_out:
        async with browsing(source) as pilot:
            await press(pilot, "w")
            assert work_out.call_count == 1
            await press(pilot, "m")
            assert work_out.call_count == 2
            assert isinstance(pilot.app, CondenseApp)
            first = pilot.app.picture
            pilot.app.look_with(settings_from({"protectedTools": ["bash"]}))
            await wait_until(pilot, lambda: pilot.app.picture is not first)
            await settled(pilot)
            assert work_out.call_count > 2


async def test_a_row_leads_to_the_context_as_it_would_become(source: Path) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "w", "down", "enter")
        assert is_on(pilot, PreviewedScreen)
        head, *rest = screen_text(pilot.app).splitlines()
        assert head.strip().startswith("PREVIEW, nothing is written, Esc goes back · mode now")
        assert any("PREVIEW · Context: pruned" in row for row in rest)
        assert "stubbed as t2" in row_text(pilot.app.screen.query_one(ContextList))
        await press(pilot, "v", "v")
        assert "PREVIEW · Context: both" in screen_text(pilot.app)
        await press(pilot, "enter", "escape")
        assert is_on(pilot, PreviewedScreen)
        await press(pilot, "ampersand", "text:zzz", "escape")
        assert is_on(pilot, PreviewedScreen)
        await press(pilot, "b", "ctrl+s", "w")
        assert is_on(pilot, PreviewedScreen)
        await press(pilot, "escape")
        assert is_on(pilot, PreviewScreen)


async def test_preview_status_line_and_tree_measure_alike(source: Path) -> None:
    """The added summaries are no part of what the session comes to now."""
    async with browsing(source) as pilot:
        await press(pilot, "w", "c")
        rows = shown_rows(pilot)
        before, after = (re.sub(r".*?([\d.k]+)$", r"\1", part) for part in tokens_shown(pilot))
        await press(pilot, "enter")
        assert f"prune: ON · {before}->{after} (-" in screen_text(pilot.app)
        tree = pilot.app.screen.query_one(FoldTree)
        for number in (1, 2):
            size, _, block = rows[number].split()[1:4]
            assert any(f" · {size} → {block}" in row_text(tree, at) for at in range(5))


async def test_in_a_narrow_terminal_one_is_led_to_the_context(source: Path) -> None:
    async with browsing(source, SMALL) as pilot:
        await press(pilot, "w", "v")
        assert pilot.app.screen.query_one(ContextList).has_focus
        assert "stubbed as t1" in screen_text(pilot.app)


async def test_the_picture_of_now_stays_what_it_is(source: Path) -> None:
    before = source.read_bytes()
    async with browsing(source) as pilot:
        await press(pilot, "w", "v", "escape", "escape")
        assert "stubbed" not in screen_text(pilot.app)
        assert source.read_bytes() == before
        assert list(source.parent.iterdir()) == [source]


async def test_settings_change_the_preview_at_once(source: Path) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "w", "c", "enter")
        previewed = pilot.app.screen
        assert any("+ + user" in row for row in screen_text(pilot.app).splitlines())
        await press(pilot, "s", *["down"] * 5)
        copy = pilot.app.screen.query_one("#preview", Static)
        assert isinstance(pilot.app.screen, SettingsScreen)
        was = str(copy.content)
        assert was.startswith("copy    4.")
        await press(pilot, "space")
        assert str(copy.content) != was
        await press(pilot, "escape")
        assert pilot.app.screen is previewed
        assert "stubbed as t1" in screen_text(pilot.app)
        assert "+ + user" not in screen_text(pilot.app)
        await press(pilot, "escape")
        assert shown_rows(pilot)[0] == TURNS


@pytest.mark.parametrize(
    ("name", "keys", "told"),
    [
        ("batchingMode", ["space"], "3 1.9k -> 226 summarised as t2, t3 · bash ×2"),
        ("batchingMode", ["plus"], "3 1.9k -> 226 summarised as t2, t3 · bash ×2"),
        ("batchingMode", ["minus"], "3 1.9k -> 226 summarised as t2, t3 · bash ×2"),
        ("minBatchChars", ["4", "enter"], "3 5 rejected: the summary is not shorter · bash"),
        ("minBatchChars", [*["plus"] * 8], "0 1.7k too small · bash"),
        ("spillThreshold", ["9", "enter"], "0 1.7k spilled · bash"),
    ],
)
async def test_what_decides_on_condensing_changes_the_preview(
    name: str, keys: list[str], told: str, source: Path
) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "w", "s")
        names = [setting.path[-1] for setting in SETTINGS]
        pilot.app.screen.query_one("#settings", LineList).cursor = names.index(name)
        await press(pilot, *keys, "escape")
        assert is_on(pilot, PreviewScreen)
        assert told in shown_rows(pilot)


async def test_mode_and_compact_are_kept_while_the_session_is_open(source: Path) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "w", "m", "c", "escape", "w")
        assert order_shown(pilot).startswith("mode       replay")
        assert order_shown(pilot).endswith("the newest chains too")


async def test_another_mode_leaves_the_cursor_where_it_was(source: Path) -> None:
    """With `c` there are chains above."""
    async with browsing(source) as pilot:
        await press(pilot, "w", "down")
        rows = pilot.app.screen.query_one("#rows", LineList)
        assert "summarised as t2" in row_text(rows)
        await press(pilot, "c")
        assert "summarised as t2" in row_text(rows)
        await press(pilot, "c")
        assert rows.cursor == 2
        await press(pilot, "up", "c")
        assert rows.cursor == 1


async def test_the_help_of_a_preview_names_no_key_that_it_has_not(source: Path) -> None:
    async with browsing(source) as pilot:
        await press(pilot, "question_mark")
        assert "What condensing would make of it" in screen_text(pilot.app)
        await press(pilot, "escape", "w", "v", "question_mark")
        assert "What condensing would make of it" not in screen_text(pilot.app)


async def test_only_the_last_question_counts(source: Path) -> None:
    """What was asked for first comes last."""
    go_on = Event()

    def held(picture: Any, order: Order) -> Any:
        if order.mode is Mode.NOW:
            go_on.wait(30)
        return take_preview(picture, order)

    async with browsing(source) as pilot:
        with patch("condense_tui.tui.screens.preview.take_preview", held):
            pilot.app.simulate_key("w")
            await wait_until(pilot, lambda: is_on(pilot, PreviewScreen))
            await wait_until(pilot, lambda: "working it out" in order_shown(pilot))
            for key in ("v", "m"):
                pilot.app.simulate_key(key)
            await pilot.pause()
            go_on.set()
            await settled(pilot)
            assert order_shown(pilot).startswith("mode       replay")
            assert notes(pilot) == ["working it out…"]


async def test_pending_work_of_a_pruned_session() -> None:
    async with browsing(DEMO) as pilot:
        await press(pilot, "w")
        assert [row.split(" summarised")[0] for row in shown_rows(pilot)] == [
            TURNS,
            "23 1.7k -> 261",
            "24 1.9k -> 387",
        ]
        await press(pilot, "v")
        assert is_on(pilot, PreviewedScreen)


def whole(pilot: Pilot[None]) -> str:
    widget = pilot.app.screen.query_one("#whole", Static)
    return str(widget.content) if widget.display else ""


async def test_what_is_left_alone_is_one_row_that_unfolds(tmp_path: Path) -> None:
    """A long session has hundreds of them before anything that happens."""
    session = SessionBuilder().user()
    for number in range(4):
        session.turn(f"a{number}", f"small {number}")
    async with browsing(written(tmp_path, session.turn("b", LONG).raw)) as pilot:
        await press(pilot, "w")
        folded = shown_rows(pilot)
        assert folded == [
            TURNS,
            "4 1.7k -> 175 summarised as t1 · bash",
            "▸ 28 too small, 4 turns · bash ×4",
        ]
        await press(pilot, "down", "enter")
        unfolded = shown_rows(pilot)
        assert unfolded[2:4] == ["▾ 28 too small, 4 turns · bash ×4", "0 7 too small · bash"]
        assert len(unfolded) == 7
        await press(pilot, "enter")
        assert shown_rows(pilot) == folded
        assert is_on(pilot, PreviewScreen)


async def test_chains_that_are_left_alone_are_one_row(tmp_path: Path) -> None:
    session = SessionBuilder()
    for number in range(4):
        session.user().turn(f"a{number}", f"small {number}").answer()
    session.entry("compaction", summary="s", firstKeptEntryId="gone", tokensBefore=1)
    session.user().turn("b", LONG).answer()
    async with browsing(written(tmp_path, session.raw)) as pilot:
        await press(pilot, "w", "c")
        assert shown_rows(pilot)[:3] == [
            CHAINS,
            "b1 2.0k -> 323 its summaries stand for it · 1 call",
            "▸ left alone: not whole in the context, 4 chains · 4 calls",
        ]


async def test_what_is_cut_of_a_row_can_be_read_below(tmp_path: Path) -> None:
    session = SessionBuilder().user()
    session.assistant(*(call(f"a{number}", f"a_tool_{number}") for number in range(8)))
    for number in range(8):
        session.result(f"a{number}", f"{number} {LONG}", tool=f"a_tool_{number}")
    async with browsing(written(tmp_path, session.raw), SMALL) as pilot:
        await press(pilot, "w")
        assert "a_tool_7" not in row_text(pilot.app.screen.query_one("#rows", LineList))
        assert "a_tool_7" in whole(pilot)
        assert "a_tool_7" in screen_text(pilot.app)
        await press(pilot, "up")
        assert whole(pilot) == ""


async def test_flaws_that_only_the_copy_has_are_said_before_there_is_one(tmp_path: Path) -> None:
    """What is spilled has no summary that could say how it ended."""
    session = SessionBuilder().user().turn("a", HUGE, is_error=True).answer()
    async with browsing(written(tmp_path, session.raw)) as pilot:
        await press(pilot, "w")
        assert "the copy would have 1 more: error-looks-successful" in screen_text(pilot.app)


async def test_nothing_is_said_of_chains_that_are_not_compressed(source: Path) -> None:
    off = LoadedSettings({"chainCompression": {"enabled": False, "rollingWindow": 3}}, None)
    async with browsing(source, found=off) as pilot:
        await press(pilot, "w")
        assert order_shown(pilot).endswith("chain compression is off")
        await press(pilot, "c")
        assert order_shown(pilot).endswith("chain compression is off")


async def test_why_there_is_no_preview(tmp_path: Path) -> None:
    session = never_pruned().custom("context-prune-index", None)
    async with browsing(written(tmp_path, session.raw)) as pilot:
        assert "it cannot be condensed: a broken index entry" in offered(pilot)
        await press(pilot, "w", "w")
        assert is_on(pilot, PreviewScreen)
        assert "a broken index entry" in notes(pilot)[0]


def test_a_body_that_would_be_spilled_is_read_from_memory(tmp_path: Path) -> None:
    """There is no file of it, and none is missed."""
    path = written(tmp_path, SessionBuilder().user().turn("a", HUGE).answer().raw)
    picture = take_picture(path, default_branch(session_in(path.read_bytes())), settings_from({}))
    preview = take_preview(picture, Order(""))
    assert isinstance(preview, Preview)
    assert preview.found.files
    assert [finding.code for finding in preview.picture.findings] == [
        finding.code for finding in picture.findings
    ]
    (record,) = preview.picture.inspection.index.records.values()
    assert preview.picture.documents.read_sidecar(record) == HUGE.encode()
    assert not isinstance(preview, Refusal)
