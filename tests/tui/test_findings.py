"""The list of problems, diagnostics and findings, the three counts, and the way to a cause."""

import json
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.widgets import Static

import condense_tui.demo
import condense_tui.tui
from condense_tui.inspection import concerns as concerns_module
from condense_tui.inspection.codes import (
    DIAGNOSTIC_CODES,
    FINDING_CODES,
    OVERLAP_KIND,
    PROBLEM_CODES,
    Severity,
)
from condense_tui.inspection.concerns import Concern, concerns
from condense_tui.inspection.links import (
    ChainTarget,
    FindingTarget,
    ProblemTarget,
    SlotTarget,
    Target,
)
from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import ProblemKind, Session
from condense_tui.session.reading import read_session
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.findings import FindingsScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.findingrows import (
    SEVERITY_SIGNS,
    concern_document,
    concern_line,
    count_table,
)
from condense_tui.view.lines import text_of
from condense_tui.view.words import tally

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
STYLES = Path(next(iter(condense_tui.tui.__path__))) / "condense.tcss"
NARROW, WIDE = (80, 24), (120, 40)


def picture_of(path: Path, raw: bytes, settings: object = None) -> Picture:
    session = read_session(raw)
    assert isinstance(session, Session)
    return take_picture(path, default_branch(session), settings_from(settings))


@pytest.fixture(scope="module")
def demo() -> Picture:
    return picture_of(DEMO, DEMO.read_bytes())


def session_of(*entries: dict[str, Any], broken: str = "", settings: object = None) -> Picture:
    """A session of these entries, one below the other, and perhaps a line that is none."""
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/shop"}
    chained = [
        {"id": f"e{number}", "parentId": f"e{number - 1}" if number else None, **entry}
        for number, entry in enumerate(entries)
    ]
    lines = [*map(json.dumps, [header, *chained]), *([broken] if broken else [])]
    return picture_of(Path("session.jsonl"), "\n".join([*lines, ""]).encode(), settings)


def custom(entry_type: str, /, **payload: Any) -> dict[str, Any]:
    return {"type": "custom", "customType": f"context-prune-{entry_type}", "data": payload}


def chain(block: str, start: int, final: int) -> dict[str, Any]:
    return custom(
        "chain",
        blockId=block,
        startUserTimestamp=start,
        finalAssistantTimestamp=final,
        droppedToolCallIds=[],
        toolRefs=[],
        compressedAt=1,
        rangeSummaryText="body",
    )


def said(role: str, at: int) -> dict[str, Any]:
    content = [{"type": "text", "text": "words"}]
    return {"type": "message", "message": {"role": role, "content": content, "timestamp": at}}


TALK = tuple(said(role, at) for at, role in [(10, "user"), (20, "assistant")])
LONGER_TALK = (*TALK, said("user", 30), said("assistant", 40))


def concerns_of(picture: Picture) -> tuple[Concern, ...]:
    return concerns(picture.inspection, picture.findings)


def of_kind(picture: Picture, kind: str) -> Concern:
    return next(concern for concern in concerns_of(picture) if concern.is_of(kind))


# What is in the list.


def test_every_kind_has_its_words() -> None:
    assert set(PROBLEM_CODES) == set(ProblemKind)
    assert set(DIAGNOSTIC_CODES) == {*DiagnosticKind, OVERLAP_KIND}
    assert set(concerns_module._WORDS) == {*DiagnosticKind, OVERLAP_KIND}
    assert set(SEVERITY_SIGNS) == set(Severity)


def test_the_list_holds_all_three_and_the_worst_comes_first(demo: Picture) -> None:
    assert [
        (concern.severity.value, concern.kind, concern.place) for concern in concerns_of(demo)
    ] == [
        ("error", "result-swept", "#49"),
        ("warning", "unresolved-range", "b3"),
        ("warning", "range-id-mismatch", "b2"),
        ("warning", "orphan-sweep", "#49"),
        ("note", "reused-id", "line 13"),
        ("note", "reused-id", "line 29"),
        ("note", "reused-id", "line 32"),
        ("note", "raw-result-after-barrier", "#49"),
    ]


def test_a_line_that_cannot_be_read_leads_to_its_problem() -> None:
    picture = session_of(*TALK, broken="{nothing")
    concern = of_kind(picture, "problem")
    assert (concern.kind, concern.place) == ("unreadable-line", "line 4")
    assert concern.target == ProblemTarget(0)


def test_an_unresolved_range_leads_to_its_chain() -> None:
    concern = of_kind(session_of(*TALK, chain("b1", 10, 99)), "unresolved-range")
    assert (concern.severity, concern.target) == (Severity.WARNING, ChainTarget(10))


def test_a_nested_chain_is_a_note_and_no_unresolved_range() -> None:
    picture = session_of(*LONGER_TALK, chain("b1", 10, 40), chain("b2", 30, 40))
    concern = of_kind(picture, OVERLAP_KIND)
    assert (concern.severity, concern.target) == (Severity.NOTE, ChainTarget(30))
    assert not any(other.is_of("unresolved-range") for other in concerns_of(picture))


def test_a_finding_about_a_chain_leads_to_it() -> None:
    picture = session_of(*TALK, said("user", 10), chain("b1", 10, 20))
    assert of_kind(picture, "same-millisecond-boundary").target == ChainTarget(10)


def test_a_finding_without_a_place_leads_to_itself() -> None:
    picture = session_of(*TALK, settings={"enabled": False})
    assert of_kind(picture, "pruner-off").target == FindingTarget(0)


def test_a_recorded_diagnostic_that_is_not_found_now_is_a_note_of_its_own() -> None:
    detail = "swept 1 orphan toolResult(s): gone_1"
    picture = session_of(*TALK, custom("diagnostic", kind="orphan-sweep", detail=detail))
    concern = of_kind(picture, "recorded")
    assert (concern.severity, concern.target) == (Severity.NOTE, None)
    assert concern.what == f"recorded, not found now: results taken out: {detail}"


def test_the_three_counts_are_told_apart(demo: Picture) -> None:
    assert [row.split()[-3:] for row in count_table(demo.inspection)] == [
        ["now", "recorded", "distinct"],
        ["1", "1", "1"],
        ["0", "0", "0"],
        ["1", "1", "1"],
        ["1", "2", "1"],
        ["0", "0", "0"],
    ]


def test_harmless_overlaps_are_counted_among_the_ranges_and_apart() -> None:
    nested = "blockId=b2 skipped: range nests inside blockId=b1"
    picture = session_of(
        *LONGER_TALK,
        chain("b1", 10, 40),
        chain("b2", 30, 40),
        chain("b3", 50, 60),
        *[custom("diagnostic", kind="unresolved-range", detail=nested)] * 2,
    )
    _, ranges, harmless, *_ = count_table(picture.inspection)
    assert ranges.split()[-3:] == ["2", "2", "1"]
    assert harmless.split()[-3:] == ["1", "2", "1"]


def test_a_row_tells_its_severity_without_colour(demo: Picture) -> None:
    rows = [text_of(concern_line(concern, 110)) for concern in concerns_of(demo)]
    assert rows[0].split()[:4] == ["E", "error", "result-swept", "#49"]
    assert rows[1].split()[:2] == ["W", "warning"]


def test_the_words_say_what_why_and_what_to_do(demo: Picture) -> None:
    texts = [block.text for block in concern_document(concerns_of(demo)[0]).blocks if block.text]
    code = FINDING_CODES["result-swept"]
    assert texts[0].startswith("the result of bash_9 was swept")
    assert texts[1:] == [f"Why: {code.why}", f"What to do: {code.advice}"]


@pytest.mark.parametrize(
    ("severities", "words"),
    [
        ([], "nothing found"),
        (["pruner-off"], "1 note"),
        (["pruner-off", "result-swept", "pruner-off"], "1 error · 2 notes"),
    ],
)
def test_the_title_counts_them(severities: list[str], words: str) -> None:
    assert tally(FINDING_CODES[code].severity for code in severities) == words


# A person's way.


class Stage(App[None]):
    CSS_PATH = STYLES

    def __init__(self, picture: Picture, kind: str | None = None) -> None:
        super().__init__()
        self.opened = FindingsScreen(picture, kind)
        self.results: list[Target | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.opened, self.results.append)

    def heading(self) -> str:
        return str(self.opened.query_one(DocumentView).border_title)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_enter_goes_to_the_cause(demo: Picture, size: tuple[int, int]) -> None:
    app = Stage(demo)
    async with app.run_test(size=size) as pilot:
        assert app.heading() == "E error · result-swept · #49"
        await pilot.press("down")
        assert app.heading() == "W warning · unresolved-range · b3"
        await pilot.press("enter")
        start = demo.inspection.index.chain_of_block["b3"].start_timestamp
        assert app.results == [ChainTarget(start)]


async def test_the_link_in_the_words_goes_there_too(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("tab", "down", "down", "down", "enter")
        assert [type(target) for target in app.results] == [SlotTarget]


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("orphan-sweep", "W warning · orphan-sweep · #49"),
        ("diagnostic", "W warning · unresolved-range · b3"),
        ("unheard-of", "E error · result-swept · #49"),
        (None, "E error · result-swept · #49"),
    ],
)
async def test_a_kind_is_chosen_beforehand(demo: Picture, kind: str | None, title: str) -> None:
    app = Stage(demo, kind)
    async with app.run_test(size=WIDE):
        assert app.heading() == title


@pytest.mark.parametrize("key", ["escape", "f2", "q"])
async def test_it_closes_without_a_choice(demo: Picture, key: str) -> None:
    app = Stage(demo)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press(key)
        assert app.results == [None]


async def test_what_is_gone_has_nowhere_to_go() -> None:
    picture = session_of(*TALK, custom("diagnostic", kind="orphan-sweep", detail="swept: gone"))
    app = Stage(picture)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("enter")
        assert app.results == []
        assert [note.message for note in app._notifications] == [
            "the context no longer holds its cause"
        ]


async def test_a_session_without_any_says_so() -> None:
    app = Stage(session_of(*TALK))
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("enter", "down")
        view = app.opened.query_one(DocumentView)
        assert view.render_line(0).text.startswith("Nothing: every line could be read")


async def test_the_table_fits_a_narrow_terminal(demo: Picture) -> None:
    app = Stage(demo)
    async with app.run_test(size=NARROW):
        assert app.opened.query_one("#counts", Static).size.height == 6
        rows = app.opened.query_one("#concerns", LineList)
        assert rows.size.height >= 4
        assert app.opened.query_one(DocumentView).size.height >= 4


async def test_what_a_session_holds_never_reaches_the_terminal_raw() -> None:
    hostile = "\x1b]52;c;aGk=\x07[/x]\ud83d"
    details = custom("diagnostic", kind="orphan-sweep", detail=hostile)
    app = Stage(session_of(*TALK, details, chain(hostile, 10, 99)))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("down")
        rows = app.opened.query_one("#concerns", LineList)
        text = "".join(rows.render_line(y).text for y in range(2)) + app.heading()
        assert "[/x]" in text
        assert "\x1b" not in text
        assert "\ud83d" not in text
