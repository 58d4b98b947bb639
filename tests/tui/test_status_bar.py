"""The status line in parts: the same text, what each says in words, and what has room."""

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Button

import condense_tui.demo
from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import SlotTarget, build_links
from condense_tui.pruning.diagnostics import Diagnostic, DiagnosticKind
from condense_tui.pruning.ledger import Ledger
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.compact import changed
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.tui.widgets.status_bar import StatusBar, fitting_parts
from condense_tui.view.statusparts import (
    SEPARATOR,
    Part,
    StatusPart,
    first_counted,
    recorded_part,
    status_parts,
)

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
ON, OFF, RAW = {}, {"enabled": False}, {"chainCompression": {}, "purgeErrors": {}}
OVERLAP = Diagnostic(
    DiagnosticKind.UNRESOLVED_RANGE, "blockId=b2 skipped: range nests inside blockId=b1", "x"
)
UNRESOLVED = Diagnostic(DiagnosticKind.UNRESOLVED_RANGE, "blockId=b3 start=1 final=2", "b3")
SWEPT = Diagnostic(DiagnosticKind.ORPHAN_SWEEP, "swept 1 orphan toolResult(s): a", "a")


def inspection_of(settings: object = None) -> Inspection:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    return Inspection(default_branch(session), settings_from(settings))


@pytest.fixture(scope="module")
def demo() -> Inspection:
    return inspection_of()


def with_recorded(*recorded: Diagnostic) -> Inspection:
    inspection = inspection_of()
    inspection.__dict__["ledger"] = changed(inspection.ledger, recorded=recorded)
    return inspection


@pytest.mark.parametrize("settings", [ON, OFF, RAW])
def test_the_parts_joined_are_the_status_line(settings: object) -> None:
    inspection = inspection_of(settings)
    texts = [status.text for status in status_parts(inspection)]
    assert SEPARATOR.join(texts) == inspection.status_line


def test_each_part_stands_for_itself(demo: Inspection) -> None:
    assert [(status.part, status.text) for status in status_parts(demo)] == [
        (Part.PRUNE, "prune: ON · 30.0k->9.5k (-68%)"),
        (Part.DIAG, "diag u1/m1/o1"),
        (Part.THINK, "think 110"),
        (Part.GAP, "gap 1.1k"),
        (Part.CHAIN, "chain 42%"),
    ]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (ON, "about 30.0k tokens as pi builds it and 9.5k as the model is sent it"),
        (OFF, "switch the pruner off"),
    ],
)
def test_the_first_tooltip_says_what_the_pruner_does(settings: object, words: str) -> None:
    assert words in status_parts(inspection_of(settings))[0].tooltip


@pytest.mark.parametrize(
    ("recorded", "text"),
    [
        ((), None),
        ((SWEPT,), "recorded o1 (all distinct)"),
        ((UNRESOLVED, OVERLAP, SWEPT, SWEPT), "recorded u2 o2 (distinct o1)"),
    ],
)
def test_what_the_file_records_is_its_own_count(
    recorded: tuple[Diagnostic, ...], text: str | None
) -> None:
    part = recorded_part(with_recorded(*recorded))
    assert (part and part.text) == text


def test_the_tooltip_tells_harmless_overlaps_from_unresolved_ranges() -> None:
    part = recorded_part(with_recorded(UNRESOLVED, OVERLAP))
    assert part is not None
    assert "unresolved ranges (u): 2, 1 of them harmless overlaps" in part.tooltip


def test_think_and_gap_lead_to_the_first_thing_they_count(demo: Inspection) -> None:
    links = build_links(demo, build_call_tree(demo))
    slots = demo.plan.slots
    think, gap = (first_counted(part, demo, links) for part in (Part.THINK, Part.GAP))
    assert isinstance(think, SlotTarget)
    assert isinstance(gap, SlotTarget)
    assert any(part.get("type") == "thinking" for part in slots[think.number].message.parts)
    assert slots[gap.number].message.tool_call_id == demo.due[0].calls[0].call.id
    assert first_counted(Part.CHAIN, demo, links) is None


def parts_of(*texts: str) -> list[StatusPart]:
    return [StatusPart(part, text, "") for part, text in zip(Part, texts, strict=False)]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (5, "prune diag"),
        (18, "prune diag"),
        (20, "prune diag"),
        (21, "prune diag think"),
        (37, "prune diag think gap"),
        (38, "prune diag think gap chain"),
        (48, "prune diag think gap chain"),
        (49, "prune diag think gap chain recorded"),
    ],
)
def test_what_does_not_fit_is_left_out_from_the_end(width: int, shown: str) -> None:
    parts = parts_of("p: ON", "d u1/m1", "t", "g 1.1k", "c 42%")
    recorded = StatusPart(Part.RECORDED, "r" * 11, "")
    assert [status.part.value for status in fitting_parts(parts, recorded, width)] == shown.split()


class Stage(App[None]):
    def __init__(self, inspection: Inspection) -> None:
        super().__init__()
        self.inspection = inspection
        self.chosen: list[Part] = []

    def compose(self) -> ComposeResult:
        yield StatusBar()
        yield Button("elsewhere")

    def on_mount(self) -> None:
        self.show(self.inspection)

    def show(self, inspection: Inspection) -> None:
        bar = self.query_one(StatusBar)
        bar.show_parts(status_parts(inspection), recorded_part(inspection))

    def on_status_bar_part_chosen(self, event: StatusBar.PartChosen) -> None:
        self.chosen.append(event.part)


def row_of(pilot: Pilot[None]) -> str:
    return str(pilot.app.query_one(StatusBar).render())


def left_of(pilot: Pilot[None]) -> str:
    return row_of(pilot).split("  ")[0]


async def test_the_row_reads_as_the_status_line(demo: Inspection) -> None:
    async with Stage(demo).run_test(size=(140, 24)) as pilot:
        await pilot.pause()
        recorded = "recorded u1 m1 o2 (distinct o1)"
        assert row_of(pilot) == demo.status_line + recorded.rjust(140 - len(demo.status_line))


async def test_a_narrow_row_keeps_prune_and_diag(demo: Inspection) -> None:
    async with Stage(demo).run_test(size=(140, 24)) as pilot:
        await pilot.resize_terminal(50, 24)
        await pilot.pause()
        assert left_of(pilot) == "prune: ON · 30.0k->9.5k (-68%) · diag u1/m1/o1 …"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert left_of(pilot).endswith(" · gap 1.1k …")


async def test_other_settings_are_another_row(demo: Inspection) -> None:
    app = Stage(demo)
    async with app.run_test(size=(140, 24)) as pilot:
        app.show(inspection_of(OFF))
        await pilot.pause()
        assert left_of(pilot) == "prune: OFF"


@pytest.mark.parametrize("part", list(Part))
async def test_a_click_chooses_a_part_and_leaves_the_focus(demo: Inspection, part: Part) -> None:
    app = Stage(demo)
    async with app.run_test(size=(140, 24)) as pilot:
        app.query_one(Button).focus()
        await pilot.pause()
        place = (row_of(pilot).index(part.value) + 2, 0)
        await pilot.click(StatusBar, offset=place)
        assert app.chosen == [part]
        assert app.query_one(Button).has_focus
        await pilot.hover(StatusBar, offset=place)
        assert app.query_one(StatusBar).tooltip


async def test_what_a_click_would_choose_is_shown_and_what_lies_between_parts_is_nothing(
    demo: Inspection,
) -> None:
    app = Stage(demo)
    async with app.run_test(size=(140, 24)) as pilot:
        bar = app.query_one(StatusBar)
        await pilot.pause()
        between = row_of(pilot).index(SEPARATOR + "diag") + 1
        seen = []
        for column in (between, between + 3):
            await pilot.hover(StatusBar, offset=(column, 0))
            seen.append(bar._hovered)
        await pilot.hover(Button)
        assert [*seen, bar._hovered] == [None, Part.DIAG, None]
        await pilot.click(StatusBar, offset=(between, 0))
        assert app.chosen == []


def test_a_ledger_without_diagnostics_records_nothing(demo: Inspection) -> None:
    empty = Ledger(None, {}, (), ())
    demo_without = inspection_of()
    demo_without.__dict__["ledger"] = empty
    assert recorded_part(demo_without) is None
