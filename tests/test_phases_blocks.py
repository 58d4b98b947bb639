"""What a block says in place of the chain that it stands for."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.slots import FateKind
from tests.build import ABSENT, SessionBuilder, blocks, places, ref, removed, text
from tests.test_phases_chains import conversation


def body(session: SessionBuilder, number: int = 0) -> str:
    """The body of a block: its text without the tags."""
    opening, *lines, closing = blocks(session.plan())[number].split("\n")
    assert opening.startswith('<compressed-chain id="b')
    assert closing == "</compressed-chain>"
    return "\n".join(lines)


def test_the_inserted_message_to_the_letter() -> None:
    session = conversation(1).chain("b1", 1000, 1200, ["c1@1150"], toolRefs=["t1", "t2"])
    plan = session.plan()
    assert [slot.place for slot in plan.slots] == [0, None, 1, 2, 3]
    inserted = plan.slots[1].after
    assert inserted is not None
    assert list(inserted.body.items()) == [
        ("role", "user"),
        (
            "content",
            [
                text(
                    '<compressed-chain id="b1" tools="t1,t2">\nbody of b1\n</compressed-chain>',
                )
            ],
        ),
        ("timestamp", 9000),
    ]


SUMMARISED = {"rangeSummaryText": ABSENT}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, "body of b1", id="its own text"),
        pytest.param({"rangeSummaryText": ""}, "", id="its own text, though empty"),
        pytest.param(SUMMARISED, "of c1", id="the summaries of its keys"),
        pytest.param(
            SUMMARISED | {"droppedOccurrenceKeys": ["c2@2150", "c1@1150", "c1@1150"]},
            "of c1\n\nof both",
            id="each summary once, in the order of the file",
        ),
        pytest.param(
            SUMMARISED | {"droppedOccurrenceKeys": [], "droppedToolCallIds": ["c1"]},
            "",
            id="an empty list of keys finds nothing",
        ),
        pytest.param(
            SUMMARISED | {"droppedOccurrenceKeys": ["c1"]}, "legacy", id="keys compare exactly"
        ),
        pytest.param(
            SUMMARISED | {"droppedOccurrenceKeys": ABSENT, "droppedToolCallIds": ["c1"]},
            "legacy",
            id="ids where there are no keys",
        ),
        pytest.param(
            {"rangeSummaryText": 7, "droppedOccurrenceKeys": ["c1@1150"]},
            "of c1",
            id="a text that is none",
        ),
    ],
)
def test_where_the_body_comes_from(fields: dict[str, Any], expected: str) -> None:
    session = conversation(1).summary(ref("t1", "c1", 1150), content="of c1")
    session.summary(ref("t2", "c2", 2150), ref("t3", "c3", 3150), content="of both")
    session.summary(ref("t4", "c1"), content="legacy")
    session.summary(ref("t5", "c1", 1150), content="of c1")
    fields = {"droppedOccurrenceKeys": ["c1@1150"]} | fields
    assert body(session.chain("b1", 1000, 1200, **fields)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("see {b2}", "see body of b2 and {b1}"),
        ("{b2}{b2}", "body of b2 and {b1}" * 2),
        ("{b1} {b9} {b3} {b} {B2} {b2", "{b1} {b9} {b3} {b} {B2} {b2"),
    ],
)
def test_references_to_other_blocks(words: str, expected: str) -> None:
    """One level; its own, unknown and empty ones stay as they are."""
    session = conversation(3).chain("b1", 1000, 1200, rangeSummaryText=words)
    session.chain("b2", 2000, 2200, rangeSummaryText="body of b2 and {b1}")
    assert body(session.chain("b3", 3000, 3200, rangeSummaryText="")) == expected


def test_protected_outputs_follow_the_body() -> None:
    session = SessionBuilder().user(at=1000).turn("x", "of x", at=1150, tool="read")
    session.turn("y", "of y", at=1180).turn("x", "of x again", at=1250, tool="read")
    session.answer(at=1300).chain("b1", 1000, 1300, protectedToolCallIds=["x"])
    assert body(session) == (
        "body of b1\n\n"
        '<protected-output tool="read">\nof x\n</protected-output>\n\n'
        '<protected-output tool="read">\nof x again\n</protected-output>'
    )


def test_protection_is_the_entrys_and_not_todays() -> None:
    session = conversation(1).chain("b1", 1000, 1200)
    plan = session.plan(protectedTools=["bash"])
    assert removed(plan) == [1, 2]
    assert "protected-output" not in blocks(plan)[0]


def test_references_in_a_protected_output_stay() -> None:
    session = SessionBuilder().user(at=1000).turn("x", "{b2}", at=1150).answer(at=1200)
    session.user(at=2000).turn("y", at=2150).answer(at=2200)
    session.chain("b1", 1000, 1200, protectedToolCallIds=["x"]).chain("b2", 2000, 2200)
    assert "\n{b2}\n" in body(session)


@pytest.mark.parametrize(
    ("content", "is_taken_for_the_block"),
    [
        pytest.param([text('<compressed-chain id="b1" tools="">')], True, id="as first part"),
        pytest.param([text('<compressed-chain id="b1"')], True, id="only its beginning"),
        pytest.param([text(' <compressed-chain id="b1">')], False, id="after a blank"),
        pytest.param([text('<compressed-chain id="b11">')], False, id="another block"),
        pytest.param([text("a"), text('<compressed-chain id="b1">')], False, id="a later part"),
        pytest.param('<compressed-chain id="b1" tools="">', False, id="string content"),
        pytest.param([{"type": "image", "text": '<compressed-chain id="b1"'}], False, id="no text"),
    ],
)
def test_a_typed_tag_keeps_the_block_out(content: Any, is_taken_for_the_block: bool) -> None:
    session = conversation(1).message("user", content, at=5000)
    plan = session.chain("b1", 1000, 1200, ["c1@1150"]).plan()
    assert removed(plan) == [1, 2]
    assert len(blocks(plan)) == (0 if is_taken_for_the_block else 1)
    assert places(plan, FateKind.BLOCK_PRESENT) == ([0] if is_taken_for_the_block else [])


def test_a_tag_in_an_assistants_words_is_no_block() -> None:
    session = conversation(1).answer('<compressed-chain id="b1" tools="">')
    assert len(blocks(session.chain("b1", 1000, 1200).plan())) == 1


@pytest.mark.parametrize(("compressed_at", "time"), [(7, 7), ("x", "x"), (ABSENT, ABSENT)])
def test_the_time_of_the_inserted_message(compressed_at: Any, time: Any) -> None:
    plan = conversation(1).chain("b1", 1000, 1200, compressedAt=compressed_at).plan()
    assert plan.slots[1].message.body.get("timestamp", ABSENT) == time


def test_a_system_message_keeps_its_place() -> None:
    """The pruner never sees it: it is left in front of the message that followed it."""
    session = SessionBuilder().message("system", "be brief").user(at=1000).turn("x", at=1150)
    session.message("system", "be briefer").answer(at=1200)
    plan = session.chain("b1", 1000, 1200, ["x@1150"]).plan()
    sent = [slot.after.role for slot in plan.slots if slot.after]
    assert sent == ["system", "user", "user", "system", "assistant"]
    assert removed(plan) == [1, 2]
    assert all(message.role != "system" for message in plan.raw_messages + plan.pruned_messages)
