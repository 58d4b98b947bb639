"""The query panel: a person's way from a question to an occurrence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

import condense_tui.demo
import condense_tui.tui
from condense_tui.inspection.links import CallTarget, SummaryTarget
from condense_tui.pruning.query import tool_answer
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.query import QueryResult, QueryScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.query_input import QueryInput

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
NARROW, WIDE = (80, 24), (120, 40)
HOSTILE = "\x1b]52;c;aGk=\x07[/x]\ud83d"


def picture_of(path: Path, raw: bytes) -> Picture:
    session = read_session(raw)
    assert isinstance(session, Session)
    return take_picture(path, default_branch(session), settings_from(None))


@pytest.fixture(scope="module")
def demo() -> Picture:
    return picture_of(DEMO, DEMO.read_bytes())


def record(call_id: str, at: int | None, output: str = "output", **fields: Any) -> dict[str, Any]:
    time = {} if at is None else {"resultTimestamp": at}
    return {"toolCallId": call_id, "toolName": "bash", "resultText": output, **time, **fields}


def archive(*records: dict[str, Any], ref: str = "t1", named: str = "") -> Picture:
    """A session that holds only these records, and one ref that names a key of them."""
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/shop"}
    data = {
        "toolCalls": list(records),
        "backfilled": True,
        "refs": [{"shortId": ref, "toolCallId": named}],
    }
    entry = {"type": "custom", "customType": "context-prune-index", "id": "e", "data": data}
    return picture_of(Path("session.jsonl"), "\n".join(map(json.dumps, [header, entry])).encode())


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self, picture: Picture, history: list[str] | None = None) -> None:
        super().__init__()
        self.picture = picture
        self.history = [] if history is None else history
        self.results: list[QueryResult | None] = []

    def on_mount(self) -> None:
        self.ask()

    def ask(self) -> None:
        screen = QueryScreen(self.picture, self.history)
        self.push_screen(screen, self.results.append)


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        await pilot.pause()
    raise AssertionError(pilot.app.screen.query_one("#verdict", Static).content)


async def enter(pilot: Pilot[None], text: str) -> None:
    """Put a text into the line, and wait for its answer."""
    pilot.app.screen.query_one(QueryInput).show_text(text)
    await answered(pilot)


async def type_in(pilot: Pilot[None], text: str) -> None:
    """Type, and wait for the answer to all of it."""
    await pilot.press(*text)
    await answered(pilot)


async def answered(pilot: Pilot[None]) -> None:
    screen = pilot.app.screen
    await until(pilot, lambda: screen._found.typed == screen.query_one(QueryInput).value)
    await pilot.pause()


def says(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one("#verdict", Static).content)


def shown(pilot: Pilot[None]) -> str:
    name = "#tool" if pilot.app.screen.has_class("-tool") else "#shown"
    document = pilot.app.screen.query_one(name, DocumentView).document
    return document.original if document else ""


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_reused_id_is_asked_for_and_its_second_occurrence_opened(
    demo: Picture, size: tuple[int, int]
) -> None:
    app = Stage(demo)
    async with app.run_test(size=size) as pilot:
        await type_in(pilot, "bash_3")
        assert says(pilot) == "2 occurrences, oldest first"
        assert "test_half_cents" in shown(pilot)
        await pilot.press("enter", "down")
        assert shown(pilot).startswith('"""Amounts of money')
        await pilot.press("enter")
        assert app.results == [QueryResult(CallTarget("bash_3@1789652999294"))]
    assert app.history == ["bash_3"]


async def test_a_link_of_the_chosen_match_leads_there(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "t12")
        app.screen.query_one("#shown", DocumentView).focus()
        await pilot.press(*["down"] * 6, "enter")
        assert [type(result and result.target) for result in app.results] == [SummaryTarget]


async def test_what_begins_alike_is_offered_and_taken(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "t3 sql")
        assert says(pilot) == "1 occurrence for 2 names, 1 not found"
        await enter(pilot, "sql")
        await pilot.press("enter", "enter")
        await answered(pilot)
        assert app.screen.query_one(QueryInput).value == "sql_query_8"
        await pilot.press("enter")
        assert app.results == [QueryResult(CallTarget("sql_query_8@1789654068373"))]


@pytest.mark.parametrize("key", ["tab", "right"])
async def test_the_last_word_is_completed(demo: Picture, key: str) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        field = app.screen.query_one(QueryInput)
        await type_in(pilot, "t7 sq")
        await until(pilot, lambda: field._suggestion == "t7 sql_query_8")
        await pilot.press(key)
        await answered(pilot)
        assert field.value == "t7 sql_query_8"
        assert field.has_focus
        assert says(pilot) == "2 occurrences for 2 names, oldest first"


async def test_tab_without_a_completion_goes_to_the_answers(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "nix")
        await pilot.press("tab")
        assert app.screen.query_one("#rows", LineList).has_focus


async def test_earlier_questions_come_back_in_the_next_panel(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        for text in ("t1", "bash_3"):
            await enter(pilot, text)
            await pilot.press("enter", "colon")
        await pilot.press("escape")
        app.ask()
        await pilot.pause()
        field = app.screen.query_one(QueryInput)
        await enter(pilot, "t2")
        seen = [await _after(pilot, key, field) for key in ("up", "up", "up", "down", "down")]
        assert seen == ["bash_3", "t1", "t1", "bash_3", "t2"]
        await answered(pilot)
        await pilot.press("down")
        assert app.screen.query_one("#rows", LineList).has_focus


async def _after(pilot: Pilot[None], key: str, field: QueryInput) -> str:
    await pilot.press(key)
    return field.value


async def test_the_same_question_twice_is_kept_once(demo: Picture) -> None:
    app = Stage(demo, history=["t1"])
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "t1 ")
        await pilot.press("enter", "enter")
    assert app.history == ["t1"]


@pytest.mark.parametrize("keys", [("ctrl+t",), ("enter", "t"), ("enter", "ctrl+t")])
async def test_the_switch_shows_the_tools_own_answer(keys: tuple[str, ...]) -> None:
    picture = archive(record("a", 1, "short"), record("a", 2, "line\n" * 3000))
    app = Stage(picture)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "a nix")
        assert shown(pilot) == "short"
        await pilot.press(*keys)
        index, read_sidecar = picture.inspection.index, picture.documents.read_sidecar
        assert shown(pilot) == tool_answer(index, ["a", "nix"], read_sidecar)
        assert "[Output truncated: 2000/3000 lines shown]" in shown(pilot)
        await pilot.press(keys[-1])
        assert shown(pilot) == "short"


async def test_copy_takes_the_original_or_the_tools_answer(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "t12")
        await pilot.press("enter", "y")
        await until(pilot, lambda: bool(app.clipboard))
        assert app.clipboard == demo.inspection.index.records["bash_3@1789652999294"].result_text
        await pilot.press("t", "y")
        await until(pilot, lambda: app.clipboard.startswith("## toolRef: t12"))


async def test_an_output_that_is_gone_is_not_copied() -> None:
    picture = archive(record("a", 7, "", spillPath="/x/s-blobs/a.txt", contentHash="h"))
    app = Stage(picture)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "a")
        await pilot.press("enter", "y")
        await pilot.pause()
        assert app.clipboard == ""
        assert [note.message for note in app._notifications] == [
            "its file is missing: there is no output"
        ]


@pytest.mark.parametrize(
    ("key", "exported"),
    [
        ("e", ("bash_3@1789652458646",)),
        ("E", ("bash_3@1789652458646", "bash_3@1789652999294", "bash_1@1789650024655")),
    ],
)
async def test_export_leaves_with_the_keys(
    demo: Picture, key: str, exported: tuple[str, ...]
) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "bash_3,t1")
        await pilot.press("enter", key)
        assert app.results == [QueryResult(to_export=tuple(map(CallTarget, exported)))]


async def test_the_answer_to_an_earlier_question_is_not_opened(
    demo: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "t1")
        monkeypatch.setattr(QueryScreen, "_look_up", lambda screen, typed: None)
        await pilot.press("2", "enter", "enter", "e", "E", "y")
        assert app.results == []
        assert app.clipboard == ""


async def test_letters_are_typed_and_do_nothing_else_in_the_line(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await type_in(pilot, "yetE:/")
        assert app.screen.query_one(QueryInput).value == "yetE:/"
        assert says(pilot) == "not found"
        await pilot.press("enter", "e", "E", "y", "enter")
        assert app.results == []
        await pilot.press("escape")
        assert app.results == [None]


@pytest.mark.parametrize("size", [(30, 8), NARROW, WIDE])
async def test_what_a_session_holds_never_reaches_the_terminal_raw(size: tuple[int, int]) -> None:
    hostile = record(HOSTILE, 10, HOSTILE, toolName=HOSTILE, args={HOSTILE: HOSTILE})
    app = Stage(archive(hostile, record("日本" * 200, None, "x"), named=f"{HOSTILE}@10"))
    async with app.run_test(size=size) as pilot:
        app.screen.query_one(QueryInput).show_text("日本" * 200)
        await answered(pilot)
        for typed in (HOSTILE, "t1"):
            app.screen.query_one(QueryInput).show_text("")
            app.screen.query_one(QueryInput).insert_text_at_cursor(typed)
            await answered(pilot)
        rows = app.screen.query_one("#rows", LineList)
        text = "".join(segment.text for segment in rows.render_line(0))
        assert "\x1b" not in text
        assert "\ud83d" not in text
        await pilot.press("ctrl+t")


async def test_a_new_size_lays_the_columns_out_anew(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await enter(pilot, "bash_3")
        rows = app.screen.query_one("#rows", LineList)
        wide = rows.render_line(0).text
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: "chars" not in rows.render_line(0).text)
        assert "chars" in wide
        assert rows.render_line(0).text.endswith("…")
