"""The search through everything that a session says."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import condense_tui.demo
from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import CallTarget, SlotTarget, SummaryTarget, build_links
from condense_tui.inspection.passages import Passage, PassageKind, slot_passages
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import MAX_HITS, Hit, search
from condense_tui.inspection.searched import SearchText, searched_texts, sifted_texts
from condense_tui.inspection.sieve import Sieve
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"


def look(raw: bytes) -> Inspection:
    session = read_session(raw)
    assert isinstance(session, Session)
    return Inspection(default_branch(session), settings_from(None))


def session(*entries: dict[str, Any]) -> bytes:
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/shop"}
    parent = None
    lines: list[dict[str, Any]] = [header]
    for number, entry in enumerate(entries):
        lines.append({"id": f"e{number}", "parentId": parent, **entry})
        parent = f"e{number}"
    return "\n".join(map(json.dumps, lines)).encode()


def message(role: str, *parts: dict[str, Any] | str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return {"type": "message", "message": {"role": role, "content": content, **fields}}


def archive(*records: dict[str, Any]) -> dict[str, Any]:
    data = {"toolCalls": list(records)}
    return {"type": "custom", "customType": "context-prune-index", "data": data}


def record(call_id: str, at: int, output: str, **fields: Any) -> dict[str, Any]:
    base = {"toolCallId": call_id, "toolName": "bash", "args": {}, "resultText": output}
    return {**base, "resultTimestamp": at, **fields}


def no_sidecar(_: Record) -> bytes | None:
    return None


def no_clock() -> float:
    return 0.0


def pattern(text: str, **options: bool) -> SearchPattern:
    made = make_pattern(text, **options)
    assert isinstance(made, SearchPattern)
    return made


def hits(
    inspection: Inspection, text: str, read_sidecar: Any = no_sidecar, **options: bool
) -> list[Hit]:
    links = build_links(inspection, build_call_tree(inspection))
    texts = searched_texts(inspection, links, read_sidecar)
    return [
        hit for found in search(texts, pattern(text, **options), no_clock) for hit in found.hits
    ]


CALL = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": 'say "needle"'}}
RESULT = message("toolResult", "a needle", toolCallId="c1", toolName="bash", timestamp=5)


def test_hits_come_in_the_order_of_the_context_and_name_their_place() -> None:
    inspection = look(
        session(
            message("user", "needle, Needle"),
            message("assistant", {"type": "thinking", "thinking": "the needle"}, CALL),
            RESULT,
        )
    )
    found = hits(inspection, "needle")
    places = [(hit.target, hit.passage, hit.start) for hit in found]
    assert places == [
        (SlotTarget(0), 0, 0),
        (SlotTarget(0), 0, 8),
        (SlotTarget(1), 0, 4),
        (SlotTarget(1), 1, 22),
        (SlotTarget(2), 0, 2),
    ]
    assert found[0].excerpt == "needle, Needle"


def test_an_output_that_the_context_still_holds_is_found_once_pruned_or_not() -> None:
    pruned = session(
        message("user", "go"),
        message("assistant", CALL),
        RESULT,
        archive(record("c1", 5, "a needle")),
    )
    inspection = look(pruned)
    assert inspection.plan.slots[2].is_changed
    assert [hit.target for hit in hits(inspection, "a needle")] == [SlotTarget(2)]


def test_what_the_model_is_sent_instead_is_searched_too() -> None:
    inspection = look(
        session(
            message("user", "go"),
            message("assistant", CALL),
            RESULT,
            archive(record("c1", 5, "a needle")),
        )
    )
    (after,) = (p for p in slot_passages(inspection.plan.slots[2])[1:])
    assert [hit.passage for hit in hits(inspection, after.text[:12])] == [1]


def test_records_that_the_context_does_not_hold_are_searched() -> None:
    inspection = look(session(archive(record("c9", 7, "lost needle"))))
    assert [(hit.target, hit.passage) for hit in hits(inspection, "needle")] == [
        (CallTarget("c9@7"), 1)
    ]


def test_sidecars_are_searched() -> None:
    spilled = record("c9", 7, "", spillPath="s-blobs/x.txt", spillBytes=6, contentHash="0")
    inspection = look(session(archive(spilled)))
    (hit,) = hits(inspection, "needle", lambda _: b"xx needle")
    assert hit.target == CallTarget("c9@7")
    assert hit.start == 3


def test_summaries_without_a_place_in_the_context_are_searched() -> None:
    inspection = look(DEMO.read_bytes())
    links = build_links(inspection, build_call_tree(inspection))
    lost = [index for index in links.summary_of_entry if index not in links.slot_of_entry]
    searched = {text.target for text in searched_texts(inspection, links, no_sidecar)}
    assert {SummaryTarget(index) for index in lost} <= searched
    assert all(SlotTarget(number) in searched for number in range(len(inspection.plan.slots)))


def test_a_record_that_the_context_holds_is_a_place_to_stop_at() -> None:
    inspection = look(
        session(message("assistant", CALL), RESULT, archive(record("c1", 5, "a needle")))
    )
    links = build_links(inspection, build_call_tree(inspection))
    texts = list(sifted_texts(inspection, links, no_sidecar, Sieve()))
    assert texts[-1] is None


def text_of(words: str, kind: PassageKind = PassageKind.OUTPUT) -> SearchText:
    return SearchText(SlotTarget(0), 0, Passage(kind, words))


def test_every_hit_is_the_text_that_it_says() -> None:
    inspection = look(DEMO.read_bytes())
    links = build_links(inspection, build_call_tree(inspection))
    texts = {
        (text.target, text.number): text.passage.text
        for text in searched_texts(inspection, links, no_sidecar)
    }
    found = hits(inspection, r"refund\w*", is_regex=True)
    assert len(found) > 50
    for hit in found:
        words = texts[hit.target, hit.passage][hit.start : hit.end]
        assert words.lower().startswith("refund")
        assert words in hit.excerpt


def test_a_literal_and_the_expression_that_means_it_find_the_same() -> None:
    inspection = look(DEMO.read_bytes())
    assert hits(inspection, "round(") == hits(inspection, r"round\(", is_regex=True)
    assert hits(inspection, "cent", is_word=True) == hits(inspection, r"\bcent\b", is_regex=True)


def test_a_text_that_takes_too_long_is_given_up_and_the_next_one_is_not() -> None:
    ticks = count(step=0.2)
    lines = "\n".join(["x needle"] * 50)
    found = list(
        search(
            iter([text_of(lines), text_of("needle")]),
            pattern("need.e", is_regex=True),
            lambda: next(ticks),
        )
    )
    assert [each.is_given_up for each in found] == [True, False]
    assert 0 < len(found[0].hits) < 50
    assert len(found[1].hits) == 1


def test_a_pattern_that_takes_too_long_in_all_is_given_up() -> None:
    ticks = count(step=0.4)
    texts = (text_of("no match") for _ in range(1_000))
    found = list(search(texts, pattern("need.e", is_regex=True), lambda: next(ticks)))
    assert found[-1].is_given_up
    assert len(found) < 100


def test_there_is_an_end_to_the_hits() -> None:
    texts = iter([text_of("e" * (MAX_HITS - 1)), text_of("eee"), text_of("e")])
    found = list(search(texts, pattern("e"), no_clock))
    assert sum(len(each.hits) for each in found) == MAX_HITS
    assert not any(each.is_given_up for each in found)


def test_a_search_can_be_left_at_any_text() -> None:
    asked = []

    def texts() -> Any:
        for number in range(5):
            asked.append(number)
            yield text_of("needle")

    next(search(texts(), pattern("needle"), no_clock))
    assert asked == [0]


@pytest.mark.parametrize("raw", ["\x1b[31mneedle", "\ud83dneedle", "\x00needle", "n\u0307 needle"])
def test_any_text_can_be_searched(raw: str) -> None:
    (found,) = search(iter([text_of(raw)]), pattern("needle"), no_clock)
    assert [raw[hit.start : hit.end] for hit in found.hits] == ["needle"]
