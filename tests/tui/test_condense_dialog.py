"""The dialog that writes a condensed copy: what it asks, what it sends, what it leaves behind."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, ProgressBar, Static

from condense_tui.copies import run as running
from condense_tui.copies import summarisers
from condense_tui.copies.condensed import CopyPlace
from condense_tui.pruning.render import RenderPlan
from condense_tui.tui.app import CondenseApp
from condense_tui.tui.preview import Preview
from condense_tui.tui.screens.condense import CondenseScreen
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.screens.preview import PreviewScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.widgets import summariser_form
from tests.build import SessionBuilder
from tests.sessions import written
from tests.tui.stage import browsing, is_on, press, screen_text, settled, wait_until

LONG = "a line of output\n" * 100
OTHER = "another line of it\n" * 100
HUGE = "one more line of output\n" * 10_000
SESSION = SessionBuilder().user().turn("a", LONG).turn("b", OTHER).turn("c", HUGE).answer()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return written(folder, SESSION.raw)


@asynccontextmanager
async def asking(source: Path) -> AsyncIterator[Pilot[None]]:
    """The browser with the dialog open."""
    async with browsing(source) as pilot:
        await press(pilot, "w", "w")
        assert is_on(pilot, CondenseScreen)
        yield pilot


async def hit(pilot: Pilot[None], *keys: str) -> None:
    """Press keys where a question may stay open, which is never settled."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def asked(pilot: Pilot[None], words: str = "") -> str:
    """The question that has come up."""
    await wait_until(pilot, lambda: is_on(pilot, ConfirmScreen) and words in question(pilot))
    return question(pilot)


async def noted(pilot: Pilot[None], words: str) -> None:
    await wait_until(pilot, lambda: words in shown(pilot, "note"))


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def shown(pilot: Pilot[None], name: str) -> str:
    return str(pilot.app.screen.query_one(f"#{name}", Static).content)


def name_copy(pilot: Pilot[None], path: Path | str) -> None:
    pilot.app.screen.query_one("#path", Input).value = str(path)


def question(pilot: Pilot[None]) -> str:
    assert is_on(pilot, ConfirmScreen)
    return " ".join((shown(pilot, "question"), shown(pilot, "about")))


def fates(plan: RenderPlan) -> list[Any]:
    return [(slot.place, [(fate.kind, fate.ref) for fate in slot.fates]) for slot in plan.slots]


# Writing


async def test_the_copy_is_written_opened_and_what_the_preview_showed(source: Path) -> None:
    before = source.read_bytes()
    copy = source.with_name("session-condensed.jsonl")
    async with browsing(source) as pilot:
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, PreviewScreen)
        preview = pilot.app.screen._preview
        assert isinstance(preview, Preview)
        await press(pilot, "w")
        assert pilot.app.screen.query_one("#path", Input).value == str(copy)
        assert "Nothing is sent anywhere" in shown(pilot, "cost")
        await hit(pilot, "enter")
        words = await asked(pilot)
        assert words.startswith(f"Written: {copy} 8 entries added")
        (folder,) = source.parent.glob("*-blobs")
        assert f"Spilled outputs beside it (1 new): {folder.name}" in words
        await hit(pilot, "y")
        await wait_until(pilot, lambda: pilot.app.picture.path == copy)  # type: ignore[attr-defined]
        await wait_until(pilot, lambda: is_on(pilot, SessionScreen))
        assert len(pilot.app.screen_stack) == 2
        assert isinstance(pilot.app, CondenseApp)
        assert pilot.app.picture
        plan = pilot.app.picture.inspection.plan
        assert fates(plan) == fates(preview.picture.inspection.plan)
        assert plan.pruned_chars == preview.picture.inspection.plan.pruned_chars
    assert source.read_bytes() == before
    (record,) = (r for r in pilot.app.picture.inspection.index.records.values() if r.is_spilled)
    body = pilot.app.picture.documents.read_sidecar(record)
    assert body == HUGE.encode()


async def test_one_may_stay_with_the_session(source: Path) -> None:
    async with asking(source) as pilot:
        await hit(pilot, "enter")
        await asked(pilot, "Written")
        await press(pilot, "enter")
        assert is_on(pilot, PreviewScreen)
        assert source.with_name("session-condensed.jsonl").exists()
        await press(pilot, "w")
        assert pilot.app.screen.query_one("#path", Input).value.endswith("-condensed-2.jsonl")


async def test_esc_leaves_nothing(source: Path) -> None:
    async with asking(source) as pilot:
        await press(pilot, "escape")
        assert is_on(pilot, PreviewScreen)
    assert listed(source.parent) == ["session.jsonl"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "no file is named"),
        ("session.jsonl", "is the session itself"),
        ("folder", "is a directory"),
        ("session.jsonl/copy.jsonl", "is not a folder"),
        ("missing/copy.jsonl", "no such folder"),
        ("missing/", "names a folder"),
    ],
)
async def test_some_places_are_refused(name: str, words: str, source: Path) -> None:
    (source.parent / "folder").mkdir()
    before = listed(source.parent)
    async with asking(source) as pilot:
        name_copy(pilot, f"{source.parent}/{name}" if name else "")
        await press(pilot, "enter")
        assert words in shown(pilot, "note")
        await press(pilot, "x")
        assert shown(pilot, "note") == ""
    assert listed(source.parent) == before
    assert source.read_bytes() == SESSION.raw


async def test_a_file_that_exists_is_replaced_only_when_that_is_wanted(source: Path) -> None:
    copy = source.with_name("copy.jsonl")
    copy.write_bytes(b"mine")
    async with asking(source) as pilot:
        name_copy(pilot, copy)
        await hit(pilot, "enter")
        await asked(pilot, f"Replace {copy}?")
        await press(pilot, "enter")
        assert is_on(pilot, CondenseScreen)
        assert copy.read_bytes() == b"mine"
        assert len(listed(source.parent)) == 2
        await hit(pilot, "enter")
        await asked(pilot, "Replace")
        await hit(pilot, "y")
        await asked(pilot, "Written")
        assert copy.read_bytes() != b"mine"


async def test_a_session_that_has_grown_since_is_to_be_opened_again(source: Path) -> None:
    async with asking(source) as pilot:
        source.write_bytes(SESSION.raw + b'{"type":"custom","id":"zz","parentId":null}\n')
        await press(pilot, "enter")
        assert "has changed since it was opened" in shown(pilot, "note")
    assert listed(source.parent) == ["session.jsonl"]


@pytest.mark.parametrize("is_begun", [False, True], ids=["working it out", "writing"])
async def test_cancel_leaves_nothing_behind(is_begun: bool, source: Path) -> None:
    """While it is worked out one is free at once; what is being written is taken back."""
    reached, go_on = Event(), Event()
    held_at = (CopyPlace, "write") if is_begun else (running, "read_unchanged")
    held = getattr(*held_at)

    def waiting(*arguments: Any, **options: Any) -> Any:
        reached.set()
        go_on.wait(30)
        return held(*arguments, **options)

    with patch.object(*held_at, waiting):
        async with asking(source) as pilot:
            pilot.app.simulate_key("enter")
            await wait_until(pilot, reached.is_set)
            await wait_until(pilot, lambda: shown(pilot, "state") == "writing" or not is_begun)
            assert pilot.app.screen.query_one(ProgressBar).display
            pilot.app.simulate_key("escape")
            if is_begun:
                await pilot.pause()
                go_on.set()
            await wait_until(pilot, lambda: "cancelled" in shown(pilot, "note"))
            assert is_on(pilot, CondenseScreen)
            go_on.set()
            await settled(pilot)
            assert listed(source.parent) == ["session.jsonl"]
            await hit(pilot, "enter")
            await asked(pilot, "Written")


# A model


@pytest.fixture
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answers and no keys of the user."""
    pytest.importorskip("openai")
    monkeypatch.setattr(summarisers, "answers_folder", lambda: tmp_path / "answers")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


# From the list of summarisers over the four fields of a model.
TO_THE_END = ["enter"] * 5


async def name_model(pilot: Pilot[None], address: str, price: str = "") -> None:
    await press(pilot, "tab", "down")
    for name, value in (("name", "fake"), ("address", address), ("price", price)):
        pilot.app.screen.query_one(f"#{name}", Input).value = value
    await settled(pilot)


async def ask_model(pilot: Pilot[None], url: str) -> None:
    """Name a model, go on, and agree to what is going to be sent."""
    await name_model(pilot, url)
    await hit(pilot, *TO_THE_END)
    await asked(pilot, url)
    await hit(pilot, "y")


@pytest.mark.usefixtures("_alone")
async def test_nothing_is_sent_before_one_has_agreed(source: Path) -> None:
    from tests.endpoint import Reply, endpoint

    with endpoint(lambda *_: Reply("short")) as told:
        async with asking(source) as pilot:
            await name_model(pilot, told.url, "1000/2")
            assert re.search(
                r"Up to 2 questions, about \S+ tokens.*: \$0\.\d+ to read", cost(pilot)
            )
            await hit(pilot, *TO_THE_END)
            words = await asked(pilot, told.url)
            assert "2 questions with arguments and outputs of this session" in words
            assert "the first 2,000 characters of each output" in words
            await press(pilot, "enter")
            assert is_on(pilot, CondenseScreen)
            assert told.requests == []
            assert listed(source.parent) == ["session.jsonl"]
            await hit(pilot, "enter")
            await asked(pilot, told.url)
            await hit(pilot, "y")
            await asked(pilot, "Written")
            assert len(told.requests) == 2
    assert b"short" in source.with_name("session-condensed.jsonl").read_bytes()


def cost(pilot: Pilot[None]) -> str:
    return " ".join(shown(pilot, "cost").split())


@pytest.mark.usefixtures("_alone")
async def test_a_slow_model_shows_how_far_it_is_and_can_be_cancelled(source: Path) -> None:
    """One answer has come; the other one would take its time, and nobody waits for it."""
    from tests.endpoint import Reply, endpoint

    def script(_request: Any, number: int) -> Reply:
        return Reply("short") if number == 1 else Reply("long", "er", silent_s=30)

    with endpoint(script) as told:
        async with asking(source) as pilot:
            await ask_model(pilot, told.url)
            await wait_until(pilot, lambda: "1 of 2 questions" in screen_text(pilot.app))
            assert "110 tokens" in shown(pilot, "state")
            assert pilot.app.screen.query_one(ProgressBar).progress == 1
            pilot.app.simulate_key("escape")
            await wait_until(pilot, lambda: "nothing was written" in shown(pilot, "note"))
            assert listed(source.parent) == ["session.jsonl"]


@pytest.mark.parametrize("key", ["escape", "ctrl+q"])
@pytest.mark.usefixtures("_alone")
async def test_a_model_that_takes_its_time_is_left_at_once(key: str, source: Path) -> None:
    """Nothing is left of it: no file, and no thread that goes on asking until the idle limit."""
    from tests.endpoint import Reply, endpoint

    with endpoint(lambda *_: Reply("long", "er", silent_s=60)) as told:
        async with asking(source) as pilot:
            before = running_threads()
            await ask_model(pilot, told.url)
            await wait_until(pilot, lambda: len(told.requests) == 2)
            assert running_threads() - before
            begun = time.monotonic()
            pilot.app.simulate_key(key)
            if key == "escape":
                await noted(pilot, "nothing was written")
            else:
                await wait_until(pilot, lambda: pilot.app.return_code is not None)
        while running_threads() - before and time.monotonic() < begun + 30:
            await asyncio.sleep(0.01)
        assert time.monotonic() - begun < 10
    assert listed(source.parent) == ["session.jsonl"]


def running_threads() -> set[threading.Thread]:
    """All but those of the endpoint, and those of the event loop, which are kept for later."""
    return {
        thread
        for thread in threading.enumerate()
        if "process_request" not in thread.name and "asyncio" not in thread.name
    }


@pytest.mark.usefixtures("_alone")
async def test_a_model_that_fails_is_told_at_the_end(source: Path) -> None:
    from tests.endpoint import Reply, endpoint

    def script(request: Any, _number: int) -> Reply:
        return Reply("short") if OTHER[:15] in str(request) else Reply(status=400)

    with endpoint(script) as told:
        async with asking(source) as pilot:
            await ask_model(pilot, told.url)
            words = await asked(pilot, "Written")
            assert "1 question failed, answered offline instead: 400: as told" in words


@pytest.mark.parametrize("is_wanted", [True, False])
@pytest.mark.usefixtures("_alone")
async def test_where_a_model_answers_nothing_extracts_are_written_only_if_wanted(
    is_wanted: bool, source: Path
) -> None:
    from tests.endpoint import Reply, endpoint

    with endpoint(lambda *_: Reply(status=401)) as told:
        async with asking(source) as pilot:
            await ask_model(pilot, told.url)
            words = await asked(pilot, "extracts instead?")
            assert f"fake at {told.url}/ gave no answer: 401: as told" in words
            assert listed(source.parent) == ["session.jsonl"]
            await hit(pilot, "y" if is_wanted else "enter")
            if is_wanted:
                assert "2 questions failed" in await asked(pilot, "Written")
            else:
                await noted(pilot, "nothing was written")
                assert listed(source.parent) == ["session.jsonl"]


@pytest.mark.usefixtures("_alone")
async def test_enter_and_the_arrows_go_from_field_to_field(source: Path) -> None:
    async with asking(source) as pilot:
        await press(pilot, "down")
        assert focused(pilot) == "who"
        await press(pilot, "up")
        assert focused(pilot) == "path"
        await press(pilot, "down", "down", "enter")
        for name in ("name", "address", "price", "jobs"):
            assert focused(pilot) == name
            await press(pilot, "enter")
        assert shown(pilot, "note") == "no model is named"
        await press(pilot, "up", "down")
        assert focused(pilot) == "jobs"


@pytest.mark.usefixtures("_alone")
async def test_the_footer_names_what_the_keys_do(source: Path) -> None:
    async with asking(source) as pilot:
        for keys in (["down"], ["down", "enter"]):
            last = screen_text(pilot.app).rstrip().split("\n")[-1]
            assert "⏎ Go on" in last
            assert "↓↑" in last
            assert "Esc Cancel" in last
            await press(pilot, *keys)


def focused(pilot: Pilot[None]) -> str | None:
    return pilot.app.focused and pilot.app.focused.id


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": ""}, "no model is named"),
        ({"name": "x", "price": "cheap"}, "IN/OUT"),
        ({"name": "x", "address": "localhost"}, "an endpoint is a URL"),
        ({"name": "x", "jobs": "many"}, "a number from 1 to 64"),
        ({"name": "x", "jobs": "65"}, "a number from 1 to 64"),
    ],
)
@pytest.mark.usefixtures("_alone")
async def test_what_a_model_lacks_is_said(typed: dict[str, str], words: str, source: Path) -> None:
    async with asking(source) as pilot:
        await press(pilot, "tab", "down", "enter")
        for name, value in typed.items():
            pilot.app.screen.query_one(f"#{name}", Input).value = value
        await press(pilot, *TO_THE_END[1:])
        assert words in shown(pilot, "note")


async def test_without_the_extra_there_is_no_model(source: Path) -> None:
    with (
        patch.object(summariser_form, "is_extra_there", lambda: False),
        patch.object(summarisers, "is_extra_there", lambda: False),
    ):
        async with asking(source) as pilot:
            await press(pilot, "tab", "down", "enter", "text:gpt")
            assert "condense-tui[openai]" in cost(pilot)
            await press(pilot, *TO_THE_END[1:])
            assert "condense-tui[openai]" in shown(pilot, "note")
