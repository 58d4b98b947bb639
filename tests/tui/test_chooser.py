"""The chooser: rows that come while one looks, a filter, typed paths, and what it answers."""

import json
import os
from pathlib import Path

import pytest
from textual.app import App
from textual.widgets import Input, Static

import condense_tui.tui
from condense_tui.session.entries import Refusal
from condense_tui.session.heads import Head, SessionHead
from condense_tui.store_sessions import SessionPlaces
from condense_tui.tui.screens.chooser import ChooserScreen
from condense_tui.tui.widgets.line_list import LineList
from tests.tui.stage import wait_until

STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
NARROW, WIDE = (80, 24), (120, 40)


class ChooserApp(App[Path | None]):
    """Leaves with what was chosen."""

    CSS_PATH = STYLES

    def __init__(self, places: SessionPlaces, has_way_back: bool = True) -> None:
        super().__init__()
        self.chooser = ChooserScreen(places, has_way_back)
        self.answers: list[Path | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.chooser, self.answers.append)

    @property
    def is_all_read(self) -> bool:
        return "looking" not in str(self.chooser.query_one("#found").border_subtitle)

    def rows(self) -> list[str]:
        """The rows as they stand on the screen, blanks shortened."""
        found = self.chooser.query_one(LineList)
        lines = (found.render_line(y).text for y in range(min(found.row_count, found.size.height)))
        return [" ".join(text.split()) for text in lines]

    def text_of(self, name: str) -> str:
        return str(self.chooser.query_one(name, Static).content)


def write(path: Path, prompt: str, cwd: str = "/elsewhere", at: float = 1_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    user = {"role": "user", "content": prompt}
    values = (
        {"type": "session", "version": 3, "id": path.stem, "timestamp": "t", "cwd": cwd},
        {"type": "message", "id": "a", "parentId": None, "timestamp": "t", "message": user},
    )
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    os.utime(path, (at, at))
    return path


@pytest.fixture
def places(tmp_path: Path) -> SessionPlaces:
    (tmp_path / "here").mkdir()
    return SessionPlaces(tmp_path / "here", (tmp_path / "sessions",))


@pytest.fixture
def shop(places: SessionPlaces) -> SessionPlaces:
    """Three sessions: one of this directory, the oldest; and a file that is none."""
    folder = places.folders[0]
    write(folder / "a" / "own.jsonl", "Fix the rounding bug", str(places.directory), at=1)
    write(folder / "b" / "new.jsonl", "Write the [/x] release notes", "/work/site", at=9)
    write(folder / "b" / "old.jsonl", "Rounding errors in reports", "/work/site", at=5)
    (folder / "rows.jsonl").write_text('{"row": 1}\n')
    return places


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_this_directory_first_then_the_newest_and_last_the_unreadable(
    shop: SessionPlaces, size: tuple[int, int]
) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        own, new, old, bad = app.rows()
    assert own.startswith("Fix the rounding bug this directory")
    assert new.startswith("Write the [/x] release")
    assert old.startswith("Rounding errors in")
    assert bad.startswith("rows.jsonl unreadable: not a pi session")


async def test_enter_opens_the_row_under_the_cursor(shop: SessionPlaces) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        await pilot.press("down")
        assert app.text_of("#path").endswith("new.jsonl")
        await pilot.press("enter")
    assert app.answers == [shop.folders[0] / "b" / "new.jsonl"]


async def test_keys_move_the_list_while_the_field_has_the_focus(shop: SessionPlaces) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        seen = []
        for key in ("ctrl+end", "up", "ctrl+home", "pagedown", "pageup"):
            await pilot.press(key)
            seen.append(app.chooser.query_one(LineList).cursor)
        assert seen == [3, 2, 0, 3, 0]


async def test_a_click_moves_and_a_second_one_opens(shop: SessionPlaces) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        await pilot.click(LineList, offset=(3, 2))
        assert app.answers == []
        assert app.chooser.query_one(Input).has_focus
        await pilot.click(LineList, offset=(3, 2), times=2)
    assert app.answers == [shop.folders[0] / "b" / "old.jsonl"]


async def test_typing_filters_by_every_word_and_esc_clears(shop: SessionPlaces) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        await pilot.press(*"ROUNDING")
        assert [row.split()[0] for row in app.rows()] == ["Fix", "Rounding"]
        await pilot.press("space", *"site")
        assert [row.split()[0] for row in app.rows()] == ["Rounding"]
        await pilot.press("escape")
        assert len(app.rows()) == 4
        await pilot.press("escape")
    assert app.answers == [None]


async def test_esc_never_leaves_the_first_screen(shop: SessionPlaces) -> None:
    app = ChooserApp(shop, has_way_back=False)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("escape", "escape")
        assert app.screen is app.chooser
    assert app.answers == []


@pytest.mark.parametrize(
    ("typed", "opened"),
    [
        ("/some/where/s.jsonl", "/some/where/s.jsonl"),
        ("./s.jsonl", "HERE/s.jsonl"),
        ("nothing has this", "HERE/nothing has this"),
    ],
)
async def test_a_typed_path_is_opened_whether_it_exists_or_not(
    shop: SessionPlaces, typed: str, opened: str
) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        app.chooser.query_one(Input).value = typed
        await pilot.pause()
        expected = opened.replace("HERE", str(shop.directory))
        await pilot.press("enter")
    assert app.answers == [Path(expected)]


async def test_words_that_no_session_has_are_said_to_be_such(shop: SessionPlaces) -> None:
    app = ChooserApp(shop)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        await pilot.press(*"xyzzy")
        rows = app.chooser.query_one(LineList)
        assert rows.render_line(0).text.rstrip() == "No session has these words."
        assert app.text_of("#heading").startswith("session ")
        assert app.chooser.query_one("#heading").display


async def test_an_empty_list_says_where_it_looked_and_has_nothing_to_open(
    places: SessionPlaces,
) -> None:
    app = ChooserApp(places)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: bool(app.text_of("#note")))
        note = app.text_of("#note")
        await pilot.press("enter")
        assert app.screen is app.chooser
    assert str(places.directory) in note
    assert f"{places.folders[0]}   (there is no such folder)" in note
    assert app.answers == []


def found(name: str, at: float, cwd: str = "/x", reason: str = "") -> SessionHead:
    head = Head(name, name, None, cwd, 1, False, False)
    return SessionHead(Path(f"/s/{name}"), at, 1, Refusal(reason) if reason else head)


async def test_rows_that_come_later_leave_the_cursor_where_one_put_it(
    places: SessionPlaces,
) -> None:
    app = ChooserApp(places)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        app.chooser.post_message(
            ChooserScreen.HeadsRead(app.chooser._places, (found("b", 5), found("c", 4)))
        )
        await wait_until(pilot, lambda: len(app.rows()) == 2)
        assert not app.chooser.has_class("-noted")
        app.chooser.post_message(ChooserScreen.HeadsRead(app.chooser._places, (found("a", 9),)))
        await wait_until(pilot, lambda: len(app.rows()) == 3)
        assert app.text_of("#path").endswith("/s/a"), "an untouched cursor stays at the top"
        await pilot.press("down", "down")
        late = (found("own", 1, str(places.directory)), found("d", 8))
        app.chooser.post_message(ChooserScreen.HeadsRead(app.chooser._places, late))
        await wait_until(pilot, lambda: len(app.rows()) == 5)
        assert app.text_of("#path").endswith("/s/c")
        assert [row[0] for row in app.rows()] == ["o", "a", "d", "b", "c"]


async def test_hostile_texts_are_shown_and_do_nothing(places: SessionPlaces) -> None:
    app = ChooserApp(places)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        texts = ("[/x] \x1b]52;c;eA==\x07", "[b +", "half \ud83d", "\u202eright to left")
        late = tuple(found(text, number) for number, text in enumerate(texts))
        app.chooser.post_message(ChooserScreen.HeadsRead(app.chooser._places, late))
        await wait_until(pilot, lambda: len(app.rows()) == 4)
        for _ in texts:
            await pilot.press("down")
        shown = "\n".join([*app.rows(), app.text_of("#path")])
    assert "[/x] ␛]52;c;eA==␇" in shown
    assert "half \ufffd" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


async def test_many_sessions_are_one_row_each_and_drawn_when_seen(places: SessionPlaces) -> None:
    app = ChooserApp(places)
    async with app.run_test(size=NARROW) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        late = tuple(found(f"session {number}", number) for number in range(10_000))
        app.chooser.post_message(ChooserScreen.HeadsRead(app.chooser._places, late))
        await wait_until(pilot, lambda: app.chooser.query_one(LineList).row_count == 10_000)
        await pilot.press("ctrl+end", "enter")
    assert app.answers == [Path("/s/session 0")]


async def test_a_folder_that_is_typed_is_looked_in(tmp_path: Path) -> None:
    """And in its folders; Esc leads back to the usual places, and from there as ever."""
    here = write(tmp_path / "here" / "a.jsonl", "of the usual place")
    there = tmp_path / "there"
    write(there / "b.jsonl", "in the folder", at=3)
    inner = write(there / "--project--" / "c.jsonl", "one further down", at=2)
    write(there / "--project--" / "deep" / "d.jsonl", "too deep")
    app = ChooserApp(SessionPlaces(here.parent, ()))
    async with app.run_test(size=WIDE) as pilot:
        await wait_until(pilot, lambda: app.is_all_read)
        field, found = app.chooser.query_one(Input), app.chooser.query_one("#found")
        field.value = str(there)
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.is_all_read and len(app.rows()) == 2)
        first, second = app.rows()
        assert ("in the folder" in first, "one further down" in second) == (True, True)
        assert (field.value, str(found.border_title)) == ("", f"Sessions in {there}")
        await pilot.press("escape")
        await wait_until(pilot, lambda: "of the usual place" in "".join(app.rows()))
        assert app.answers == []
        field.value = str(there)
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.is_all_read and len(app.rows()) == 2)
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: app.answers == [inner])
