"""Passages of a message: their numbers, which hits and the detail share."""

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import SlotTarget, build_links
from condense_tui.inspection.passages import Passage, numbered_passages, slot_passages
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import search
from condense_tui.inspection.searched import searched_texts
from condense_tui.pruning.slots import Slot
from condense_tui.session.messages import message_from
from condense_tui.view.messageblocks import message_blocks
from tests.build import SessionBuilder, call, text


def slot_of(before: list[object] | None, after: list[object] | None) -> Slot:
    sides = [
        None
        if parts is None
        else message_from({"role": "assistant", "timestamp": 1, "content": parts}, None)
        for parts in (before, after)
    ]
    return Slot(0, sides[0], sides[1])


def numbers_shown(slot: Slot) -> list[int]:
    blocks = message_blocks(slot, lambda _: None)
    return [block.passage for block in blocks if block.passage is not None]


A, B, C = text("a"), text("b"), text("c")


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        ([A, B], [A, B], ([0, 1], [0, 1])),
        ([A, B], [A], ([0, 1], [0])),
        ([A, B], [C, B], ([0, 1], [2, 1])),
        ([A, A], [A, C, C], ([0, 1], [0, 2, 3])),
        ([A, B], None, ([0, 1], [])),
        (None, [A, B], ([], [0, 1])),
        (
            [call("x", "bash", n=1)],
            [call("x", "bash", n=2), call("y", "bash", n=1)],
            ([0], [1, 2]),
        ),
        ([text("[1]")], [[1], text("[1]")], ([0], [1, 0])),
    ],
)
def test_what_says_the_same_has_one_number(
    before: list[object] | None, after: list[object] | None, numbers: tuple[list[int], list[int]]
) -> None:
    slot = slot_of(before, after)
    sides = numbered_passages(slot)
    assert tuple([number for number, _ in side] for side in sides) == numbers
    numbered = dict([*sides[1], *sides[0]])
    texts = [passage.text for passage in slot_passages(slot)]
    assert texts == [numbered[number].text for number in range(len(numbered))]
    assert set(numbers_shown(slot)) == set(numbered)


def test_a_hit_in_the_second_of_two_like_parts_is_found_there() -> None:
    inspection = SessionBuilder().assistant(text("needle"), text("needle")).inspect()
    passages = [passage for target, passage in hits(inspection, "needle") if target == 0]
    assert passages == numbers_shown(inspection.plan.slots[0]) == [0, 1]


def hits(inspection: Inspection, words: str) -> list[tuple[int, int]]:
    pattern = make_pattern(words)
    assert isinstance(pattern, SearchPattern)
    links = build_links(inspection, build_call_tree(inspection))
    texts = searched_texts(inspection, links, lambda _: None)
    return [
        (hit.target.number, hit.passage)
        for found in search(texts, pattern, lambda: 0)
        for hit in found.hits
        if isinstance(hit.target, SlotTarget)
    ]


def test_no_passage_is_looked_for_among_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(one: Passage, other: object) -> bool:
        raise AssertionError("two passages were compared")

    monkeypatch.setattr(Passage, "__eq__", compared)
    slot = slot_of([text(f"{n}") for n in range(50)], [text(f"{n}") for n in range(25, 75)])
    assert len(slot_passages(slot)) == 75
    assert len(numbers_shown(slot)) == 100
