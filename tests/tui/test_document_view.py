"""The detail: what a person sees of a document, and what its keys do."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from textual.app import App, ComposeResult

import condense_tui.tui
from condense_tui.inspection.links import CallTarget, Target
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.session.entries import entry_of
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.layoutorder import LaidOut, LayoutOrder
from condense_tui.view.lines import line
from tests.tui.stage import settled, wait_until

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
SUMMARY = "# Goal\n\n- `t1` and `t2` **ran**\n- nothing"


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self, **options: bool) -> None:
        super().__init__()
        self._options = options
        self.heard: list[Any] = []

    def compose(self) -> ComposeResult:
        yield DocumentView(**self._options)

    def on_mount(self) -> None:
        self.view.focus()

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        self.heard.append(event.target)

    def on_document_view_went_back(self) -> None:
        self.heard.append("back")

    def on_document_view_copy_asked(self, event: DocumentView.CopyAsked) -> None:
        self.heard.append(event.document.original)


def named(name: str) -> Target | None:
    return CallTarget(name) if name in ("t1", "t2") else None


def document(text: str, form: Form = Form.OUTPUT, **fields: Any) -> Document:
    return Document("title", (Block(text=text, form=form, passage=0),), text, **fields)


def summary() -> Document:
    return document(SUMMARY, Form.MARKDOWN, target_named=named)


def pattern(text: str) -> SearchPattern:
    made = make_pattern(text)
    assert isinstance(made, SearchPattern)
    return made


def shown(view: DocumentView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def row(view: DocumentView) -> str:
    return view.render_line(view.cursor - view.scroll_offset.y).text.rstrip()


def reversed_text(view: DocumentView, y: int) -> list[str]:
    return [part.text for part in view.render_line(y) if part.style and part.style.reverse]


async def test_markdown_and_its_source() -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        app.view.show_document(summary())
        await settled(pilot)
        assert shown(app.view)[:4] == ["Goal", "", "• t1 and t2 ran", "• nothing"]
        await pilot.press("down", "down", "m")
        assert shown(app.view)[:4] == SUMMARY.split("\n")
        assert row(app.view) == "- `t1` and `t2` **ran**"
        await pilot.press("m")
        assert shown(app.view)[0] == "Goal"


async def test_links_are_followed_and_chosen() -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        app.view.show_document(summary())
        await pilot.press("enter", "down", "down", "enter", "right", "enter", "right", "enter")
        await pilot.press("down", "enter")
        assert app.heard == [CallTarget("t1"), CallTarget("t2"), CallTarget("t1")]


async def test_a_row_may_lead_somewhere_as_a_whole() -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        blocks = (Block(line("its record"), target=CallTarget("k")),)
        app.view.show_document(Document("t", blocks, ""))
        await pilot.press("enter")
        assert app.heard == [CallTarget("k")]


async def test_the_mouse_follows_what_it_points_at() -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        app.view.show_document(summary())
        await settled(pilot)
        await pilot.click(DocumentView, offset=(9, 2))
        assert app.heard == [CallTarget("t2")]
        await pilot.click(DocumentView, offset=(30, 3))
        assert app.view.cursor == 3
        assert app.heard == [CallTarget("t2")]


async def test_backspace_and_copy_ask_whoever_listens() -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        app.view.show_document(summary())
        await pilot.press("backspace", "y")
        assert app.heard == ["back", SUMMARY]


async def test_the_entry_is_shown_as_json() -> None:
    entry = entry_of(0, 7, {"id": "e1", "text": "\x1b[31mred"})
    app = Stage()
    async with app.run_test(size=(50, 8)) as pilot:
        app.view.show_document(document("text", entry=entry))
        await pilot.press("x")
        await settled(pilot)
        assert shown(app.view)[:5] == [
            "line 7 of the file · entry e1",
            "{",
            '  "id": "e1",',
            '  "text": "\\u001b[31mred"',
            "}",
        ]
        await pilot.press("x")
        await settled(pilot)
        assert shown(app.view)[0] == "text"


@pytest.mark.parametrize("key", ["m", "x"])
async def test_keys_that_mean_nothing_here_are_not_offered(key: str) -> None:
    app = Stage()
    async with app.run_test(size=(40, 8)) as pilot:
        app.view.show_document(document("text"))
        await settled(pilot)
        assert key not in app.screen.active_bindings
        await pilot.press(key)
        assert shown(app.view)[0] == "text"


async def test_a_long_text_unfolds() -> None:
    app = Stage()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document("\n".join(map(str, range(1_434)))))
        await pilot.press("end")
        await settled(pilot)
        assert row(app.view) == "… 1,234 more lines (Enter shows them)"
        await pilot.press("enter")
        assert row(app.view) == "200"
        assert app.view.row_count == 1_434
        await pilot.press("end")
        await settled(pilot)
        assert row(app.view) == "1433"


async def test_a_place_is_gone_to_even_if_it_is_folded() -> None:
    text = "\n".join(["hay"] * 900 + ["a needle"] + ["hay"] * 100)
    app = Stage()
    async with app.run_test(size=(60, 9)) as pilot:
        app.view.highlight(pattern("needle"))
        app.view.show_document(document(text))
        app.view.go_to(0, text.index("needle"))
        await settled(pilot)
        assert row(app.view) == "a needle"
        y = app.view.cursor - app.view.scroll_offset.y
        assert 2 <= y <= 6
        assert reversed_text(app.view, y) == ["needle"]
        app.view.highlight(None)
        assert reversed_text(app.view, y) == []


async def test_a_place_can_be_asked_for_before_there_is_room_to_show_it() -> None:
    app = Stage()
    async with app.run_test(size=(60, 9)) as pilot:
        app.view.display = False
        await settled(pilot)
        app.view.show_document(document("hay\n" * 50 + "needle"))
        app.view.go_to(0, 200)
        app.view.display = True
        await settled(pilot)
        assert row(app.view) == "needle"


async def test_hits_are_marked_where_wide_characters_stand_before_them() -> None:
    app = Stage()
    async with app.run_test(size=(40, 4)) as pilot:
        app.view.highlight(pattern("needle"))
        app.view.show_document(document("漢字 needle é needle"))
        await settled(pilot)
        assert reversed_text(app.view, 0) == ["needle", "needle"]


async def test_another_width_keeps_the_place() -> None:
    app = Stage()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document("\n".join(f"{n} {'x' * 70}" for n in range(20))))
        await pilot.press(*["down"] * 10)
        assert row(app.view).startswith("5 x")
        await pilot.resize_terminal(30, 8)
        await settled(pilot)
        assert row(app.view).startswith("5 x")


async def test_a_pager_scrolls_before_its_cursor_moves() -> None:
    app = Stage(is_pager=True, is_whole=True)
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.show_document(document("\n".join(map(str, range(64)))))
        await settled(pilot)
        assert app.view.position_text == "1–10 of 64"
        await pilot.press("down")
        assert app.view.position_text == "2–11 of 64"
        await pilot.press("pagedown")
        assert shown(app.view)[0] == "10"
        await pilot.press("pageup", "up")
        assert app.view.position_text == "1–10 of 64"
        await pilot.press("G")
        await settled(pilot)
        assert app.view.position_text == "55–64 of 64"
        await pilot.press("g")
        await settled(pilot)
        assert app.view.position_text == "1–10 of 64"


# Long documents


class Gate:
    """Holds every layout that is made in a thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_open = Event()
        self.orders: list[LayoutOrder] = []
        lay_out = LayoutOrder.laid_out

        def held(order: LayoutOrder, known: LaidOut | None = None) -> LaidOut:
            if current_thread() is not main_thread():
                self.orders.append(order)
                assert self.is_open.wait(60)
            return lay_out(order, known)

        monkeypatch.setattr(LayoutOrder, "laid_out", held)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    held = Gate(monkeypatch)
    yield held
    held.is_open.set()


LONG = "\n".join(f"{number} 漢字" for number in range(20_000))


async def test_a_long_text_is_laid_out_in_a_thread_and_keys_work_meanwhile(gate: Gate) -> None:
    app = Stage(is_whole=True)
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document(LONG))
        await pilot.press(*["down"] * 5)
        assert row(app.view) == "5 漢字"
        assert app.view.row_count < 20_000
        gate.is_open.set()
        await settled(pilot)
        assert app.view.row_count == 20_000
        assert row(app.view) == "5 漢字"


async def test_what_was_read_is_shown_before_all_of_it_is_laid_out(gate: Gate) -> None:
    app = Stage(is_whole=True)
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(Document("t", (), "", make_whole=lambda: document(LONG)))
        await wait_until(pilot, lambda: shown(app.view)[3] == "3 漢字")
        await pilot.press(*["down"] * 5)
        assert app.view.row_count < 20_000
        gate.is_open.set()
        await settled(pilot)
        assert app.view.row_count == 20_000
        assert row(app.view) == "5 漢字"


async def test_unfolding_shows_what_there_was_until_the_rest_is_laid_out(gate: Gate) -> None:
    app = Stage()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document(LONG))
        await pilot.press("end", "enter")
        assert row(app.view).endswith("more lines (Enter shows them)")
        gate.is_open.set()
        await settled(pilot)
        assert app.view.row_count == 20_000


async def test_a_layout_that_comes_late_is_dropped(gate: Gate) -> None:
    app = Stage(is_whole=True)
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document(LONG))
        await pilot.pause()
        app.view.show_document(document("another"))
        gate.is_open.set()
        await settled(pilot)
        assert shown(app.view)[0] == "another"
        assert app.view.row_count == 1


async def test_many_blocks_are_laid_out_in_a_thread_too(gate: Gate) -> None:
    blocks = tuple(Block(line(f"{number}")) for number in range(20_000))
    app = Stage()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(Document("t", blocks, ""))
        await pilot.pause()
        assert row(app.view) == "laying it out …"
        gate.is_open.set()
        await settled(pilot)
        assert app.view.row_count == 20_000


async def test_another_place_of_what_is_laid_out_takes_no_new_layout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Stage()
    async with app.run_test(size=(60, 8)) as pilot:
        app.view.show_document(document(LONG))
        app.view.go_to(0, LONG.index("15000 "))
        await settled(pilot)
        monkeypatch.setattr("condense_tui.view.layoutorder.Layout", None)
        app.view.go_to(0, LONG.index("17000 "))
        await settled(pilot)
        assert row(app.view) == "17000 漢字"


async def test_the_entry_of_a_short_text_may_be_long(gate: Gate) -> None:
    entry = entry_of(0, 7, {"id": "e1", "text": LONG})
    app = Stage()
    async with app.run_test(size=(50, 8)) as pilot:
        app.view.show_document(document("text", entry=entry))
        await pilot.press("x")
        assert shown(app.view)[0] == "text"
        await pilot.press("x")
        gate.is_open.set()
        await settled(pilot)
        assert shown(app.view)[0] == "text"
        await pilot.press("x")
        await settled(pilot)
        assert shown(app.view)[0] == "line 7 of the file · entry e1"


HOSTILE = [
    "\x1b]52;c;aGk=\x07",
    "[/x][b]",
    "\ud83d",
    "\x9b31m",
    "a\tb",
    "e\u0301" * 50,
    "\u202eabc",
]


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("text", HOSTILE)
async def test_nothing_raw_reaches_the_terminal(text: str, form: Form) -> None:
    app = Stage()
    async with app.run_test(size=(40, 6)) as pilot:
        app.view.show_document(
            Document(text, (Block(line(text)), Block(text=text, form=form)), text)
        )
        await settled(pilot)
        drawn = "".join(shown(app.view))
        assert not any(sign in drawn for sign in "\x1b\x07\x9b\t\ud83d\u202e")
        assert all(app.view.render_line(y).cell_length == 40 for y in range(6))
