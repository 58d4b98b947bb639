"""What a key, a fold, a page and a search touch, counted and not timed.

The benchmarks beside this file measure the same in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from textual.app import App, ComposeResult

from condense_tui.inspection import literals
from condense_tui.inspection.links import SlotTarget
from condense_tui.inspection.passages import Passage, PassageKind
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import SearchText, search
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view import typesetting
from condense_tui.view.colouredlines import TONED_CHARS
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.jsonlines import json_line
from condense_tui.view.layout import Folding, Layout
from condense_tui.view.lines import Line, line, text_of
from condense_tui.view.preorder import Preorder
from condense_tui.view.treerows import PlainNode, TreeNode
from tests.benchmarks.test_render_work import StepCounter

HEIGHT = 20


class Rows(App[None]):
    """A list of a million rows that notes which it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def compose(self) -> ComposeResult:
        yield LineList()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(LineList).show_lines(1_000_000, self._line)

    def _line(self, row: int) -> Line:
        self.asked.append(row)
        return line(f"row {row}")


@pytest.mark.parametrize(
    ("key", "rows"), [("down", 2), ("pagedown", 3 * HEIGHT), ("end", 3 * HEIGHT)]
)
async def test_a_key_asks_for_the_rows_that_it_changes(key: str, rows: int) -> None:
    app = Rows()
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.asked.clear()
        await pilot.press(key)
        await pilot.pause()
        assert 0 < len(app.asked) <= rows


def tree(leaves: int) -> tuple[TreeNode, ...]:
    calls = tuple(PlainNode(f"call:{nth}", spans=line("call")) for nth in range(leaves))
    return tuple(PlainNode(f"summary:{n}", children=calls, spans=line("s")) for n in range(3))


def test_folding_takes_as_many_steps_whatever_the_number_of_leaves() -> None:
    counts = []
    for leaves in (100, 10_000):
        order, counter = Preorder(tree(leaves)), StepCounter()
        unfolded = set(order.inner_keys())
        end = len(order.nodes)
        seen = counter.run("unfold", lambda o=order, u=unfolded, e=end: o.in_sight(u, 0, e))
        assert len(seen) == 3 * (leaves + 1)
        counter.run("find", lambda o=order, e=end: (o.depth(e - 1), o.parent(e // 2), o.end(0)))
        counts.append(counter.steps)
    assert counts[0] == counts[1]


def test_a_row_of_an_endless_line_is_given_tones_for_a_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toned: list[int] = []

    def counting(text: str) -> Line:
        toned.append(len(text))
        return json_line(text)

    monkeypatch.setattr(typesetting, "json_line", counting)
    text = '"' + "word " * 100_000 + '"'
    layout = Layout(Document("", (Block(text=text, form=Form.JSON),), ""), 100, Folding(True, True))
    rows = [layout.row(number) for number in range(HEIGHT)]
    assert sum(toned) <= TONED_CHARS
    assert text_of(span for row in rows for span in row.line) == text[: 100 * HEIGHT]
    last = layout.row(len(layout) - 1)
    assert last.line[-1].tone is rows[0].line[0].tone


@pytest.mark.parametrize("form", [Form.JSON, Form.OUTPUT, Form.PROSE])
def test_an_endless_line_with_colours_is_shown_whole(form: Form) -> None:
    text = "\x1b[32mgood\x1b[0m \twords " * 10_000
    layout = Layout(Document("", (Block(text=text, form=form),), ""), 100, Folding(True, True))
    shown = "".join(text_of(layout.row(number).line) for number in range(len(layout)))
    typeset = typesetting.typeset(text, form, True)
    assert shown == typeset.lines[0]


def test_a_search_that_is_not_asked_on_looks_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "WINDOW_CHARS", 1000)
    looked_at: list[int] = []

    def texts() -> Iterator[SearchText]:
        for number in range(10):
            looked_at.append(number)
            passage = Passage(PassageKind.TEXT, "hay " * 2_000 + "needle")
            yield SearchText(SlotTarget(number), 0, passage)

    pattern = make_pattern("NEEDLE")
    assert isinstance(pattern, SearchPattern)
    found = list(islice(search(texts(), pattern, lambda: 0.0), 8))
    assert not any(each.hits for each in found)
    assert looked_at == [0]
