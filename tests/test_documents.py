"""Documents: each target its own, and what takes time left for a thread."""

from typing import Any

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import CallTarget, SlotTarget, Target, build_links
from condense_tui.pruning.query import match_of
from condense_tui.pruning.records import Record
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.document import Document
from condense_tui.view.exports import export_choices
from condense_tui.view.lines import text_of
from condense_tui.view.queryrows import RowWriter, look_up
from tests.build import SessionBuilder, record, spilled


def not_to_be_read(record: Record) -> bytes | None:
    raise AssertionError(f"the file of {record.key} was read")


def no_sidecar(_: Record) -> bytes | None:
    return None


def maker(inspection: Inspection, read_sidecar: Any = no_sidecar) -> DocumentMaker:
    links = build_links(inspection, build_call_tree(inspection))
    return DocumentMaker(inspection, links, (), read_sidecar)


def words(document: Document) -> str:
    return "\n".join(text_of(block.line) for block in document.blocks)


def test_no_file_is_read_for_what_is_known_at_once() -> None:
    inspection = SessionBuilder().index(spilled("a", 1)).inspect()
    document = maker(inspection, not_to_be_read).document(CallTarget("a@1"))
    assert document.title == "a@1 bash · 70.0k bytes"
    assert words(document).startswith("no ref · a@1\nturn 0 · ok")
    assert words(document).endswith("\n\nreading …")
    assert not document.original


@pytest.mark.parametrize(
    ("body", "output"), [(b"the body", "the body"), (None, "the beginning of it")]
)
def test_the_whole_begins_as_what_is_known_and_goes_on(body: bytes | None, output: str) -> None:
    fields = {"resultPreview": "the beginning of it"}
    inspection = SessionBuilder().index(spilled("a", 1, **fields)).inspect()
    known = maker(inspection, lambda _: body).document(CallTarget("a@1"))
    whole = known.whole()
    assert whole.blocks[: known.body] == known.blocks[: known.body]
    assert whole.blocks[-1].text == whole.original == output
    assert whole.make_whole is None
    assert whole.whole() is whole


def test_an_output_that_is_known_is_not_read_again() -> None:
    inspection = SessionBuilder().index(spilled("a", 1)).inspect()
    match = match_of(inspection.index.records["a@1"], "a@1", lambda _: b"the body")
    document = maker(inspection, not_to_be_read).call(CallTarget("a@1"), match)
    assert document.original == "the body"
    assert document.make_whole is None


LONG = "漢" * 600_000


@pytest.mark.parametrize(
    ("session", "target"),
    [
        (SessionBuilder().user(LONG), SlotTarget(0)),
        (SessionBuilder().index(record("a", 1, LONG)), CallTarget("a@1")),
        (SessionBuilder().index(record("a", 1, args={"content": LONG})), CallTarget("a@1")),
    ],
)
def test_what_is_long_is_made_later(session: SessionBuilder, target: Target) -> None:
    known = maker(session.inspect()).document(target)
    assert not any(block.text for block in known.blocks)
    assert any(LONG in (block.text or "") for block in known.whole().blocks)


def test_a_change_is_made_now_and_when_it_is_whole() -> None:
    inspection = SessionBuilder().index(spilled("a", 1)).inspect()
    known = maker(inspection, lambda _: b"body").document(CallTarget("a@1"))
    changed = known.changed(lambda it: Document(f"changed {it.title}", (), it.original))
    assert changed.title == changed.whole().title == "changed a@1 bash · 70.0k bytes"
    assert changed.whole().original == "body"


# An alias and a record with the same key


def twins() -> Inspection:
    session = SessionBuilder().index(record("a", 1, "first"), record("b", 2, "second"))
    return session.alias(("b", 2), ("a", 1)).inspect()


def test_an_alias_and_a_record_with_the_same_key_open_each_its_own() -> None:
    inspection = twins()
    documents = maker(inspection)
    writer = RowWriter(inspection, documents.links)
    matches = look_up("b", inspection.index, (), no_sidecar).matches
    targets = [writer.target(match) for match in matches]
    assert targets == [CallTarget("b@2"), CallTarget("b@2", is_alias=True)]
    opened = [documents.document(target) for target in targets]
    assert [document.original for document in opened] == ["second", "first"]
    assert [match.output for match in matches] == ["second", "first"]
    assert "the original of this output" in words(opened[1])


def test_the_original_leads_to_the_alias_and_not_to_its_twin() -> None:
    document = maker(twins()).document(CallTarget("a@1"))
    targets = [block.target for block in document.blocks if block.target]
    assert targets == [CallTarget("b@2", is_alias=True)]


def test_an_alias_is_shown_under_its_own_key() -> None:
    session = SessionBuilder().index(record("a", 1, "first")).alias(("b", 2), ("a", 1))
    document = maker(session.inspect()).document(CallTarget("b@2"))
    assert words(document).startswith("no ref · b@2")
    assert document.original == "first"


def test_an_alias_and_a_record_with_the_same_key_are_exported_each_for_itself() -> None:
    documents = maker(twins())
    both = [CallTarget("b@2"), CallTarget("b@2", is_alias=True)]
    alone = [export_choices(documents, (target,))[0].plan().files["b@2.txt"] for target in both]
    assert alone == [b"second", b"first"]
    together = export_choices(documents, both)[0].plan().files
    assert (together["b@2.txt"], together["b@2-2.txt"]) == (b"second", b"first")
