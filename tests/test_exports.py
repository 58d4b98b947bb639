"""What can be exported of a target, and what is written: the same files as the command line's."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import condense_tui.demo
from condense_tui.cli.run import run
from condense_tui.inspection.export import MANIFEST_NAME, Export, Text, plan_export
from condense_tui.inspection.links import (
    CallTarget,
    ChainTarget,
    SlotTarget,
    SummaryTarget,
    Target,
)
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from condense_tui.store_writing import existing_files, write_files
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.view.exports import default_folder, export_choices, export_sentence
from condense_tui.view.markdown import fenced

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
ALWAYS = ["everything recovered", "the context as Markdown", "the context as JSON"]


@pytest.fixture(scope="module")
def demo() -> Picture:
    session = read_session(DEMO.read_bytes())
    assert isinstance(session, Session)
    return take_picture(DEMO, default_branch(session), settings_from(None))


def titles(picture: Picture, target: Target | None) -> list[str]:
    choices = export_choices(picture.documents, (target,) if target else ())
    return [choice.title.partition(":")[0] for choice in choices]


def exported(picture: Picture, target: Target | None, beginning: str) -> Export:
    choices = export_choices(picture.documents, (target,) if target else ())
    return next(choice.plan() for choice in choices if choice.title.startswith(beginning))


def block_slot(picture: Picture) -> SlotTarget:
    return SlotTarget(next(iter(picture.links.slot_of_block.values())))


def test_what_is_offered_is_what_belongs_to_the_target(demo: Picture) -> None:
    links = demo.links
    key = next(
        key
        for key in links.summary_of_key
        if key in links.chain_of_key and key in links.slot_of_result
    )
    summary = links.summary_of_key[key].summary.entry.index
    chain = links.chain_of_key[key].start_timestamp
    own = ["this output", "this summary", "this whole chain"]
    assert titles(demo, None) == ALWAYS
    assert titles(demo, CallTarget(key)) == own + ALWAYS
    assert titles(demo, SlotTarget(links.slot_of_result[key])) == own + ALWAYS
    assert titles(demo, SummaryTarget(summary)) == own[1:] + ALWAYS
    assert titles(demo, ChainTarget(chain)) == own[2:] + ALWAYS
    assert titles(demo, block_slot(demo)) == own[2:] + ALWAYS
    assert titles(demo, SlotTarget(0)) == ALWAYS


def test_every_target_of_the_demo_has_choices_that_can_be_planned(demo: Picture) -> None:
    links = demo.links
    targets: list[Target] = [
        SlotTarget(number) for number in range(len(demo.inspection.plan.slots))
    ]
    targets += [CallTarget(key) for key in links.node_of_key]
    targets += [SummaryTarget(index) for index in links.summary_of_entry]
    targets += [ChainTarget(start) for start in links.node_of_start]
    for target in targets:
        for choice in export_choices(demo.documents, (target,))[:-3]:
            assert choice.plan().count + choice.plan().text_count > 0


def test_everything_is_what_the_command_line_writes(
    demo: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planned = exported(demo, None, "everything")
    assert run(["export", str(DEMO), "--all", "--to", str(tmp_path)]) == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert planned.files == written
    title = next(c.title for c in export_choices(demo.documents, ()) if "every" in c.title)
    assert title == f"everything recovered: {planned.count} outputs"
    assert capsys.readouterr().out == export_sentence(planned, tmp_path) + "\n"


def test_one_output_of_a_reused_id_is_that_occurrence_alone(demo: Picture) -> None:
    index = demo.inspection.index
    keys = next(list(keys) for keys in index.keys_of_id.values() if len(keys) > 1)
    for key in keys:
        planned = exported(demo, CallTarget(key), "this output")
        record = index.records[key]
        assert planned.count == 1
        assert planned.files[f"{key}.txt"].decode() == record.result_text


def test_several_occurrences_are_offered_together(demo: Picture) -> None:
    keys = list(demo.inspection.index.records)[:3]
    choices = export_choices(demo.documents, [CallTarget(key) for key in [*keys, "unknown@1"]])
    assert choices[0].title == "these 3 outputs"
    assert choices[0].plan().count == 3
    assert len(choices) == 1 + len(ALWAYS)


def test_an_alias_is_exported_under_its_own_key(demo: Picture) -> None:
    alias = next(iter(demo.inspection.index.aliases.values()))
    planned = exported(demo, CallTarget(alias.key), "this output")
    original = demo.inspection.index.records[alias.original_key]
    assert planned.files[f"{alias.key}.txt"].decode() == original.result_text


def test_a_chain_is_its_block_its_summaries_and_its_outputs(demo: Picture) -> None:
    nodes = demo.links.node_of_start.values()
    node = next(node for node in nodes if node.summaries and node.is_placed)
    planned = exported(demo, ChainTarget(node.chain.start_timestamp), "this whole chain")
    block = planned.files[f"{node.chain.block_id}.md"].decode()
    assert block.startswith(f'<compressed-chain id="{node.chain.block_id}"')
    for summary in node.summaries:
        assert summary.summary.text.encode() in planned.files.values()
    calls = [call for summary in node.summaries for call in summary.calls] + list(node.calls)
    assert planned.count == len([call for call in calls if call.record])


def test_the_manifest_lists_every_file_with_its_size_and_hash(demo: Picture) -> None:
    start = next(iter(demo.links.node_of_start))
    planned = exported(demo, ChainTarget(start), "this whole chain")
    manifest = json.loads(planned.files[MANIFEST_NAME])
    rows = manifest["outputs"] + manifest["texts"]
    assert {row["file"] for row in rows if row["file"]} | {MANIFEST_NAME} == set(planned.files)
    for row in rows:
        if row["file"]:
            raw = planned.files[row["file"]]
            assert (row["bytes"], row["sha256"]) == (len(raw), hashlib.sha256(raw).hexdigest())


def test_the_context_as_json_is_the_list_that_the_model_is_sent(demo: Picture) -> None:
    planned = exported(demo, None, "the context as JSON")
    messages = json.loads(planned.files["context.json"])
    assert messages == [message.body for message in demo.inspection.plan.pruned_messages]


def test_the_context_as_markdown_has_a_heading_for_every_message(demo: Picture) -> None:
    text = exported(demo, None, "the context as Markdown").files["context.md"].decode()
    plan = demo.inspection.plan
    sent = [slot for slot in plan.slots if slot.after]
    assert text.startswith("# refund rounding bug\n\n")
    assert text.count("\n## ") >= len(sent)
    for slot in sent:
        if slot.is_changed and slot.fates[-1].key:
            assert slot.fates[-1].reason in text


@given(st.text(alphabet="`a\n", max_size=30))
def test_no_text_gets_out_of_its_fence(text: str) -> None:
    opening, *rows, closing = fenced(text).split("\n")
    fence = opening.removesuffix("text")
    assert closing == fence
    assert "\n".join(rows) == text
    assert not any(fence in row for row in rows)


NAMES = ["b1", "B1", "../b1", "con", "manifest", "", ".", "a" * 300, "\ud83d", "x\0y"]


@given(st.lists(st.sampled_from(NAMES) | st.text(max_size=5)))
def test_names_of_texts_are_safe_and_never_the_same(stems: list[str]) -> None:
    texts = [Text("a text", stem, "md", stem) for stem in stems]
    planned = plan_export((), PruneIndex(), "s.jsonl", texts)
    names = [name.casefold() for name in planned.files]
    assert len(set(names)) == len(stems) + 1
    assert all("/" not in name and "\\" not in name and len(name) <= 130 for name in names)
    assert planned.text_count == len(stems)


def test_the_folder_is_named_after_the_session(demo: Picture) -> None:
    assert default_folder(demo.documents) == "./refund_rounding_bug-export"


@pytest.mark.parametrize(
    ("export", "sentence"),
    [
        (Export({}, 3), "3 outputs and manifest.json written to out"),
        (Export({}, 0), "0 outputs and manifest.json written to out"),
        (Export({}, 0, 1), "1 text and manifest.json written to out"),
        (Export({}, 1, 2), "1 output, 2 texts and manifest.json written to out"),
        (
            Export({}, 2, 0, missing=1, previews=1),
            "2 outputs and manifest.json written to out; of 1 output only the preview; "
            "1 output cannot be had, see manifest.json",
        ),
    ],
)
def test_what_is_said_of_an_export(export: Export, sentence: str) -> None:
    assert export_sentence(export, Path("out")) == sentence


def test_existing_files_are_those_that_would_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "link").symlink_to("nowhere")
    assert existing_files(tmp_path, ["a", "b", "link"]) == ("a", "link")
    assert existing_files(tmp_path / "none\0", ["a"]) == ()
    assert write_files(tmp_path / "x\0y", {"a": b""}, is_forced=False) is not None
