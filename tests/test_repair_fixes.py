"""Each fix with its smallest case, and a healthy twin that it leaves alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.render import RenderPlan
from condense_tui.pruning.settings import settings_from
from condense_tui.repairing.repair import Repair, repair
from condense_tui.repairing.setaside import SET_ASIDE_TYPE
from condense_tui.repairing.table import FIX_OF_NAME, FIXES
from condense_tui.session.branch import default_branch
from condense_tui.session.context import build_context
from tests.build import SessionBuilder, call, record, ref, text
from tests.sessions import (
    NOON,
    Json,
    compaction,
    entry,
    file_of,
    header,
    line_of,
    message,
    nested,
    session_in,
    shown,
    user,
)


def mended(raw: bytes, *names: str) -> Repair:
    """Mended by these fixes alone."""
    done = repair(raw, [FIX_OF_NAME[name] for name in names])
    assert isinstance(done, Repair), done
    again = repair(done.raw, [FIX_OF_NAME[name] for name in names])
    assert isinstance(again, Repair)
    assert again.raw == done.raw
    return done


def bodies(done: Repair) -> list[Any]:
    return [json.loads(line) for line in done.raw.split(b"\n") if line.strip()]


def changes(done: Repair) -> list[tuple[int | None, str]]:
    return [(change.line, change.what) for change in done.report.changes]


def links(done: Repair) -> dict[str, str | None]:
    """Id → parent of every entry, in file order."""
    return {body["id"]: body["parentId"] for body in bodies(done)[1:]}


def conversation(done: Repair) -> list[str]:
    return shown(build_context(default_branch(session_in(done.raw))))


def call_ids(done: Repair) -> list[str]:
    """The ids of calls and results in file order, results with an arrow."""
    found: list[str] = []
    for body in bodies(done):
        inner = body.get("message", {})
        content = inner.get("content")
        parts = content if isinstance(content, list) else []
        found += [part["id"] for part in parts if part.get("type") == "toolCall"]
        if inner.get("role") == "toolResult":
            found.append(f"→{inner['toolCallId']}")
    return found


# Sessions that are well


WELL = {
    "a turn": SessionBuilder().user().turn("x").answer().raw,
    "a fork": SessionBuilder().user().answer().back_to("e1").answer().raw,
    "several roots": file_of(header(), user("a"), user("b")),
    "an open call at the end": SessionBuilder().user().assistant(call("x")).raw,
    "an unanswered call": SessionBuilder().user().assistant(call("x")).user().raw,
    "a message after a turn": SessionBuilder().turn("x").custom_message().raw,
    "two calls answered in another order": SessionBuilder()
    .assistant(call("x"), call("y"))
    .result("y")
    .result("x")
    .raw,
    "a label between call and result": SessionBuilder()
    .assistant(call("x"))
    .entry("label", targetId="e1", label="l")
    .result("x")
    .raw,
    "a compaction that keeps from a reply": file_of(
        header(), user("a"), user("b") | {"parentId": "a"}, compaction("c", "b") | {"parentId": "b"}
    ),
    "a compaction that keeps nothing": file_of(
        header(), user("a"), compaction("c", "c") | {"parentId": "a"}
    ),
    "a reused id": SessionBuilder().turn("x").turn("x").raw,
    "records": SessionBuilder().user(at=1).turn("x", at=5).answer(at=9).archive("t1", "x", 5).raw,
    "blank lines": file_of(header(), b"", user("a"), b"  "),
    "other line ends": file_of(header(), user("a"), ending=b"\r\n", last=b"\r\n"),
    "other numbers and spaces": file_of(header(), b'{ "id": "a", "n": 1.50, "type":"custom"}'),
    "version 1": file_of(
        header(version=1), {"type": "message", "timestamp": NOON, "message": {"role": "user"}}
    ),
    "version 2": SessionBuilder(version=2).user().message("hookMessage", "words").raw,
    "a child before its parent": file_of(header(), user("b") | {"parentId": "a"}, user("a")),
    "a header alone": SessionBuilder().raw,
}


@pytest.mark.parametrize("name", WELL)
def test_what_is_well_stays_as_it_is(name: str) -> None:
    done = repair(WELL[name])
    assert isinstance(done, Repair)
    assert (done.raw, done.report.changes, done.report.left) == (WELL[name], (), ())


@pytest.mark.parametrize("name", WELL)
@pytest.mark.parametrize("fix", [fix.name for fix in FIXES if not fix.must_be_named])
def test_each_fix_leaves_what_is_well_alone(name: str, fix: str) -> None:
    assert mended(WELL[name], fix).raw == WELL[name]


# Lines


def test_welded_records_get_lines_of_their_own() -> None:
    first, second = line_of(user("a")), line_of(user("b") | {"parentId": "a"})
    done = mended(file_of(header(), first + second), "welded-lines")
    assert done.raw == file_of(header(), first, second)
    assert changes(done) == [(2, "2 records recovered: a, b")]


def test_records_without_a_name_are_only_counted() -> None:
    welded = b"".join(line_of({"type": "message", "timestamp": n}) for n in (1, 2))
    done = mended(file_of(header(), welded), "welded-lines")
    assert changes(done) == [(2, "2 records recovered")]


def test_a_record_behind_a_torn_one_is_recovered_to_the_byte() -> None:
    odd = b'{"type": "custom", "id":"b","parentId":null,"timestamp":"x","n":1.50e1,"t":"\\u00e9"}'
    torn = line_of(user("a"))[:60]
    done = mended(file_of(header(), torn + odd), "welded-lines")
    assert done.raw == file_of(header(), odd)
    assert [what.partition(":")[0] for _, what in changes(done)] == [
        "1 record recovered",
        "left out, no whole record",
    ]


def test_a_header_that_is_welded_or_marked_makes_a_session_again() -> None:
    for broken in (line_of(header()) + line_of(user("a")), b"\xef\xbb\xbf" + line_of(header())):
        done = mended(file_of(broken, user("b")), "welded-lines")
        assert bodies(done)[0] == header()
        assert [found.id for found in session_in(done.raw).entries][-1] == "b"


def test_what_is_recovered_before_the_header_comes_after_it() -> None:
    raw = file_of(line_of(header())[:40] + line_of(user("a")), header(), user("b"))
    assert bodies(mended(raw, "welded-lines")) == [header(), user("a"), user("b")]


@pytest.mark.parametrize("fix", ["welded-lines", "torn-end", "unreadable-lines"])
def test_a_record_is_not_lost_when_its_fix_is_not_asked_for(fix: str) -> None:
    raw = file_of(header(), line_of(user("a")) + line_of(user("b")), last=b"")
    assert b'"a"' in mended(raw, fix).raw
    assert b'"b"' in mended(raw, fix).raw


def test_half_a_record_at_the_end_is_left_out() -> None:
    done = mended(file_of(header(), user("a"), b'{"type":"mess', last=b""), "torn-end")
    assert done.raw == file_of(header(), user("a"))
    assert changes(done) == [(3, 'left out, cut off: 13 bytes: {"type":"mess')]


def test_the_last_line_is_ended() -> None:
    whole = file_of(header(), user("a"))
    assert mended(whole[:-1], "torn-end").raw == whole


def test_a_line_without_a_record_is_left_out_and_quoted() -> None:
    done = mended(file_of(header(), b"once upon a time", user("a")), "unreadable-lines")
    assert done.raw == file_of(header(), user("a"))
    assert changes(done) == [(2, "left out, not JSON: 16 bytes: once upon a time")]


def test_what_only_python_cannot_read_stays() -> None:
    deep = line_of(user("a"))[:-1] + b',"n":' + nested(9999) + b"}"
    raw = file_of(header(), deep, user("b") | {"parentId": "a"})
    done = repair(raw)
    assert isinstance(done, Repair)
    assert done.raw == raw
    assert "unreadable-lines" in [remark.kind for remark in done.report.left]


@pytest.mark.parametrize("bare", [b"42", b"null", b'"words"', b"[1]", b"true", b"[]"])
def test_a_bare_value_is_left_out(bare: bytes) -> None:
    done = mended(file_of(header(), user("a"), bare), "bare-values")
    assert done.raw == file_of(header(), user("a"))
    assert conversation(done) == ["user a"]


def test_a_second_header_is_left_out() -> None:
    raw = file_of(header(), user("a"), header(id="other"), user("b"))
    assert mended(raw, "second-header").raw == file_of(header(), user("a"), user("b"))


# Ids and parents


def test_an_entry_without_an_id_gets_one_and_hangs_below_the_one_before() -> None:
    nameless = {"type": "message", "timestamp": NOON, "message": {"role": "user", "content": "b"}}
    done = mended(file_of(header(), user("a"), nameless), "missing-ids")
    assert conversation(done) == ["user a", "user b"]


def test_a_root_without_an_id_stays_a_root() -> None:
    nameless = {key: value for key, value in user("b").items() if key != "id"}
    assert conversation(mended(file_of(header(), user("a"), nameless), "missing-ids")) == ["user b"]


def test_a_reused_entry_id_takes_later_children_and_references_along() -> None:
    raw = file_of(
        header(),
        user("a"),
        user("b") | {"parentId": "a"},
        message("a", "b", content="second"),
        user("c") | {"parentId": "a"},
        entry("l", "c", "label", targetId="a", label="x"),
    )
    done = mended(raw, "duplicate-ids")
    fresh = bodies(done)[3]["id"]
    assert links(done) == {"a": None, "b": "a", fresh: "b", "c": fresh, "l": "c"}
    assert bodies(done)[5]["targetId"] == fresh
    assert conversation(done) == ["user a", "user b", "user second", "user c"]
    assert [line for line, _ in changes(done)] == [4, 5, 6]


def test_a_compaction_keeps_the_entry_of_its_own_branch() -> None:
    raw = file_of(
        header(),
        user("a"),
        user("k") | {"parentId": "a"},
        message("k", "a", content="other branch"),
        entry("z", "a", "custom"),
        compaction("c", "k") | {"parentId": "b"},
    ).replace(b'"parentId": "b"', b'"parentId": "z"')
    # Neither is on the branch: the nearest one before is meant.
    assert bodies(mended(raw, "duplicate-ids"))[5]["firstKeptEntryId"] != "k"


@pytest.mark.parametrize("parent", ["b", "c"])
def test_a_loop_is_cut_at_its_first_entry(parent: str) -> None:
    raw = file_of(
        header(), user("a"), user("b") | {"parentId": parent}, user("c") | {"parentId": "b"}
    )
    done = mended(raw, "cycles")
    assert links(done) == {"a": None, "b": "a", "c": "b"}
    assert len(changes(done)) == 1


def test_a_loop_with_nothing_before_it_begins_there() -> None:
    done = mended(file_of(header(), user("a") | {"parentId": "a"}), "cycles")
    assert links(done) == {"a": None}


def test_a_link_closes_no_loop() -> None:
    """What stands before the loop hangs below it."""
    raw = file_of(
        header(),
        user("x") | {"parentId": "a"},
        user("a") | {"parentId": "b"},
        user("b") | {"parentId": "a"},
    )
    assert links(mended(raw, "cycles")) == {"x": "a", "a": None, "b": "a"}


def test_a_branch_without_its_parent_follows_the_entry_before_it() -> None:
    raw = file_of(header(), user("a"), user("b") | {"parentId": "lost"})
    done = mended(raw, "missing-parents")
    assert links(done) == {"a": None, "b": "a"}
    assert changes(done) == [
        (3, "its parent lost is missing: it now follows a, the last entry before it")
    ]


def test_children_of_one_missing_entry_stay_siblings() -> None:
    raw = file_of(
        header(), user("a"), user("b") | {"parentId": "lost"}, user("c") | {"parentId": "lost"}
    )
    assert links(mended(raw, "missing-parents")) == {"a": None, "b": "a", "c": "a"}


def test_the_parent_of_a_torn_record_is_the_honest_link() -> None:
    raw = file_of(
        header(),
        user("a"),
        user("b") | {"parentId": "a"},
        b'{"type":"message","id":"t","parentId":"a","timest'
        + line_of(user("c") | {"parentId": "t"}),
    )
    done = mended(raw, "welded-lines", "missing-parents")
    assert links(done) == {"a": None, "b": "a", "c": "a"}


def test_no_link_is_needed_where_the_parent_is_recovered() -> None:
    raw = file_of(
        header(),
        line_of(user("a")) + line_of(user("b") | {"parentId": "a"}),
        user("c") | {"parentId": "b"},
    )
    done = mended(raw, "welded-lines", "missing-parents")
    assert [change.kind for change in done.report.changes] == ["welded-lines"]
    assert conversation(done) == ["user a", "user b", "user c"]


def test_the_first_entry_without_its_parent_is_a_beginning() -> None:
    done = mended(file_of(header(), user("a") | {"parentId": "lost"}), "missing-parents")
    assert links(done) == {"a": None}


# Messages


def test_an_entry_without_a_message_is_set_aside_and_keeps_its_place() -> None:
    broken = entry("b", "a", "message", message="words")
    done = mended(
        file_of(header(), user("a"), broken, user("c") | {"parentId": "b"}), "missing-messages"
    )
    aside = bodies(done)[2]
    assert (aside["type"], aside["customType"]) == ("custom", SET_ASIDE_TYPE)
    assert aside["data"]["entry"] == broken
    assert conversation(done) == ["user a", "user c"]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("words", [text("words")]),
        (text("words"), [text("words")]),
        ([None, text("words")], [text("words")]),
        (7, [text("7")]),
        ({"a": 1}, [text('{"a":1}')]),
    ],
)
def test_a_reply_gets_a_list_of_parts(content: Any, parts: list[Json]) -> None:
    raw = SessionBuilder().message("assistant", content).raw
    assert bodies(mended(raw, "reply-contents"))[1]["message"]["content"] == parts


@pytest.mark.parametrize("content", [None, [], [text()]])
def test_a_reply_that_pi_can_send_stays(content: Any) -> None:
    raw = SessionBuilder().message("assistant", content).message("user", "words").raw
    assert mended(raw, "reply-contents").raw == raw


# Records of the extension


@pytest.mark.parametrize(
    ("custom_type", "broken", "sound"),
    [
        ("context-prune-index", None, {"toolCalls": []}),
        (
            "context-prune-index",
            {"toolCalls": [7, {"toolCallId": "x"}, record("y")]},
            {"toolCalls": [record("y")]},
        ),
        (
            "context-prune-index",
            {"toolCalls": [{"toolCallId": "x", "spillPath": "p"}]},
            {"toolCalls": [{"toolCallId": "x", "spillPath": "p", "resultText": ""}]},
        ),
        (
            "context-prune-chain",
            {"blockId": "b1", "startUserTimestamp": 1},
            {"blockId": "b1", "startUserTimestamp": 1, "toolRefs": [], "droppedToolCallIds": []},
        ),
    ],
)
def test_a_record_on_which_the_extension_fails_is_completed(
    custom_type: str, broken: Any, sound: Any
) -> None:
    raw = SessionBuilder().custom(custom_type, broken).raw
    assert bodies(mended(raw, "prune-records"))[1]["data"] == sound


def test_a_summary_gets_a_list_of_refs() -> None:
    for refs in ("t1", [None, ref("t1", "x")]):
        done = mended(SessionBuilder().summary(toolCallRefs=refs).raw, "prune-records")
        assert all(isinstance(one, dict) for one in bodies(done)[1]["details"]["toolCallRefs"])


# Calls and results


def test_an_id_that_one_reply_has_twice_is_told_apart_by_position() -> None:
    session = SessionBuilder().assistant(call("x"), call("x")).result("x", at=5).result("x", at=6)
    session.archive("t1", "x", 5).archive("t2", "x", 6)
    done = mended(session.raw, "doubled-ids")
    assert call_ids(done) == ["x", "x_2", "→x", "→x_2"]
    index = session_in(done.raw)
    refs = [e.body["details"]["toolCallRefs"][0] for e in index.entries if "details" in e.body]
    assert [one["toolCallId"] for one in refs] == ["x", "x_2"]
    assert done.report.left == ()


def test_a_record_that_names_several_calls_is_left_and_told() -> None:
    session = SessionBuilder().assistant(call("x"), call("x")).result("x").result("x")
    done = mended(session.index(record("x")).raw, "doubled-ids")
    assert bodies(done)[-1]["data"] == {"toolCalls": [record("x")]}
    assert [(left.kind, left.line) for left in done.report.left] == [("doubled-ids", 5)]


def test_a_new_id_is_nobodys() -> None:
    session = SessionBuilder().assistant(call("x"), call("x"), call("x_2"))
    session.index(record("x_3", 1)).user()
    assert call_ids(mended(session.raw, "doubled-ids")) == ["x", "x_4", "x_2"]


BARRIERS = {
    "custom message": SessionBuilder.custom_message,
    "user": SessionBuilder.user,
    "unknown role": lambda session: session.message("weird", "words"),
    "branch summary": lambda session: session.entry("branch_summary", summary="s"),
}


@pytest.mark.parametrize("barrier", BARRIERS)
@pytest.mark.parametrize("version", [2, 3])
def test_a_result_is_put_back_behind_its_call(barrier: str, version: int) -> None:
    session = SessionBuilder(version=version).user().assistant(call("x"))
    BARRIERS[barrier](session)
    session.result("x").answer()
    done = mended(session.raw, "orphan-results")
    assert links(done) == {"e1": None, "e2": "e1", "e3": "e4", "e4": "e2", "e5": "e3"}
    assert [line for line, _ in changes(done)] == [4, 5, 6]


def test_several_results_are_put_back_in_their_order() -> None:
    session = SessionBuilder().assistant(call("x"), call("y"), call("z")).result("x")
    session.custom_message().result("y").custom_message().result("z").user()
    done = mended(session.raw, "orphan-results")
    path = [e.id for e in default_branch(session_in(done.raw)).entries]
    assert path == ["e1", "e2", "e4", "e6", "e3", "e5", "e7"]


def test_the_branch_that_pi_opens_keeps_its_messages() -> None:
    """The result is the last line, and another branch was written just before it."""
    session = SessionBuilder().user().assistant(call("x")).custom_message(content="between")
    session.back_to("e1").answer("elsewhere").back_to("e3").result("x")
    done = mended(session.raw, "orphan-results")
    assert [e.id for e in default_branch(session_in(done.raw)).entries] == ["e1", "e2", "e5", "e3"]


def test_before_version_2_the_line_is_moved() -> None:
    session = SessionBuilder(version=1).user().assistant(call("x")).custom_message().result("x")
    raw = session.user().raw
    lines = raw.split(b"\n")
    lines[3], lines[4] = lines[4], lines[3]
    assert mended(raw, "orphan-results").raw == b"\n".join(lines)


ORPHANS = {
    "no call": SessionBuilder().user().result("x"),
    "an earlier reply": SessionBuilder().assistant(call("x")).answer().result("x"),
    "a second result": SessionBuilder().turn("x").result("x"),
    "another tool": SessionBuilder().assistant(call("x")).custom_message().result("x", tool="read"),
    "a compaction that kept nothing": SessionBuilder()
    .assistant(call("x"))
    .entry("compaction", summary="s", firstKeptEntryId="e2")
    .result("x"),
}


@pytest.mark.parametrize("name", ORPHANS)
def test_any_other_result_without_a_call_is_set_aside(name: str) -> None:
    session = ORPHANS[name]
    done = mended(session.raw, "orphan-results")
    last = bodies(done)[-1]
    assert last["data"]["entry"] == session.session.entries[-1].body
    assert (last["id"], last["parentId"]) == (
        session.session.entries[-1].id,
        session.branch.entries[-2].id,
    )
    assert len(changes(done)) == 1


def test_a_result_stays_where_another_branch_would_lose_it() -> None:
    session = SessionBuilder().assistant(call("x")).custom_message().user("another branch")
    session.back_to("e2").result("x")
    assert bodies(mended(session.raw, "orphan-results"))[-1]["customType"] == SET_ASIDE_TYPE


@pytest.mark.parametrize("reason", ["error", "aborted"])
def test_results_of_a_reply_that_was_cut_short_are_set_aside(reason: str) -> None:
    session = SessionBuilder().assistant(call("x"), stopReason=reason).result("x").user()
    done = mended(session.raw, "cut-short-results")
    assert [body.get("customType") for body in bodies(done)[1:]] == [None, SET_ASIDE_TYPE, None]
    assert mended(session.raw, "orphan-results").raw == session.raw


def edited(*replacements: Any) -> SessionBuilder:
    """A turn, and edits of its reply one after another."""
    session = SessionBuilder().user().assistant(call("x"), call("y")).result("x").result("y")
    for replacement in replacements:
        session.entry("context_edit", targetId="e2", replacement=replacement)
    return session.user()


@pytest.mark.parametrize(
    ("replacements", "gone"),
    [
        ([None], ["e3", "e4"]),
        ([{"content": "words"}], ["e3", "e4"]),
        ([{"content": [call("y")]}], ["e3"]),
        ([{"content": [call("x"), call("y")]}], []),
        ([{"other": 1}], []),
        ([None, {"content": [call("x"), call("y")]}], []),
        ([{"content": [call("x"), call("y")]}, None], ["e3", "e4"]),
    ],
)
def test_results_of_a_call_that_was_edited_away_are_set_aside(
    replacements: list[Any], gone: list[str]
) -> None:
    session = edited(*replacements)
    done = mended(session.raw, "edited-replies")
    assert [body["id"] for body in bodies(done) if body.get("customType")] == gone
    assert done.report.left == ()


def test_an_edit_on_another_branch_takes_nothing_away() -> None:
    session = SessionBuilder().assistant(call("x"))
    session.entry("context_edit", targetId="e1", replacement=None).back_to("e1").result("x")
    assert mended(session.raw, "edited-replies").raw == session.raw


# Compactions


def test_a_boundary_that_is_missing_is_put_where_its_place_is_known() -> None:
    raw = file_of(
        header(),
        user("a"),
        user("b") | {"parentId": "lost"},
        compaction("c", "lost") | {"parentId": "b"},
    )
    done = mended(raw, "missing-parents", "compaction-boundary")
    assert bodies(done)[3]["firstKeptEntryId"] == "b"
    assert conversation(done) == ["compactionSummary c", "user b"]


def test_a_boundary_that_nobody_knows_is_told_and_left() -> None:
    raw = file_of(header(), user("a"), compaction("c", "lost") | {"parentId": "a"})
    done = mended(raw, "compaction-boundary")
    assert done.raw == raw
    assert [(left.kind, left.line) for left in done.report.left] == [("compaction-boundary", 3)]


def test_what_is_kept_does_not_begin_between_call_and_result() -> None:
    session = SessionBuilder().user().turn("x")
    session.entry("compaction", summary="s", firstKeptEntryId="e3")
    done = mended(session.raw, "compaction-boundary")
    assert bodies(done)[-1]["firstKeptEntryId"] == "e2"


def test_before_version_2_a_boundary_counts_records() -> None:
    """It goes on keeping the same line when records were recovered before it."""
    old = [
        {"type": "message", "timestamp": NOON, "message": {"role": "user", "content": n}}
        for n in "abcd"
    ]
    welded = line_of(old[0]) + line_of(old[1])
    shortened = {"type": "compaction", "timestamp": NOON, "summary": "s", "firstKeptEntryIndex": 2}
    raw = file_of(header(version=1), welded, old[2], old[3], shortened)
    done = repair(raw)
    assert isinstance(done, Repair)
    assert bodies(done)[-1]["firstKeptEntryIndex"] == 4
    assert conversation(done) == ["compactionSummary s", "user d"]
    assert (5, "its boundary, a count of records, follows the records") in changes(done)


def test_before_version_2_what_is_kept_does_not_begin_between_call_and_result() -> None:
    session = SessionBuilder(version=1).user().turn("x").user()
    session.entry("compaction", summary="s", firstKeptEntryIndex=3)
    assert bodies(mended(session.raw, "compaction-boundary"))[-1]["firstKeptEntryIndex"] == 2


# Ids that several replies use


def reused() -> SessionBuilder:
    """Two chains that use the same id, archived and compressed, and a live third use."""
    session = SessionBuilder().user(at=100).turn("x", "one", at=150).answer(at=190)
    session.user(at=200).turn("x", "two", at=250).answer(at=290)
    session.archive("t1", "x", 150, "one").archive("t2", "x", 250, "two")
    session.alias(("x", 250), ("x", 150))
    session.index(record("x", 250), backfilled=True, refs=[ref("t2", "x", 250)])
    fields = {"protectedToolCallIds": ["x"]}
    session.chain("b1", 100, 190, ["x@150"], toolRefs=["t1"], **fields)
    session.chain("b2", 200, 290, ["x@250"], toolRefs=["x", "x@250"], **fields)
    frontier = {"lastAttemptedToolCallId": "x", "lastAttemptedTurnIndex": 2}
    session.custom("context-prune-frontier", frontier)
    return session.user(at=300).turn("x", "live", at=350)


def held_in(done: Repair, custom_type: str) -> list[Any]:
    found = [body for body in bodies(done) if body.get("customType") == custom_type]
    return [body.get("data", body.get("details")) for body in found]


def test_reused_ids_are_left_alone_unless_asked_for() -> None:
    raw = reused().raw
    done = repair(raw)
    assert isinstance(done, Repair)
    assert done.raw == raw


def test_every_later_use_of_an_id_gets_its_own() -> None:
    done = mended(reused().raw, "reused-ids")
    assert call_ids(done) == ["x", "→x", "x_2", "→x_2", "x_3", "→x_3"]
    assert done.report.left == ()


def test_every_reference_follows() -> None:
    done = mended(reused().raw, "reused-ids")
    index = held_in(done, "context-prune-index")
    assert [one["toolCallId"] for held in index for one in held["toolCalls"]] == ["x", "x_2", "x_2"]
    assert index[2]["refs"] == [ref("t2", "x_2", 250)]
    summaries = held_in(done, "context-prune-summary")
    assert [held["toolCallRefs"] for held in summaries] == [
        [ref("t1", "x", 150)],
        [ref("t2", "x_2", 250)],
    ]
    (alias,) = held_in(done, "context-prune-dedup-alias")
    assert (alias["newToolCallId"], alias["originalToolCallId"]) == ("x_2", "x")
    first, second = held_in(done, "context-prune-chain")
    assert (first["droppedToolCallIds"], first["droppedOccurrenceKeys"]) == (["x"], ["x@150"])
    assert (second["droppedToolCallIds"], second["droppedOccurrenceKeys"]) == (["x_2"], ["x_2@250"])
    assert second["protectedToolCallIds"] == ["x_2"]
    assert second["toolRefs"] == ["x_2", "x_2@250"]
    (frontier,) = held_in(done, "context-prune-frontier")
    assert frontier["lastAttemptedToolCallId"] == "x_2"


def test_what_follows_is_named() -> None:
    told = [what for _, what in changes(mended(reused().raw, "reused-ids"))]
    assert "it refers to x, now x_2, and follows" in told
    assert any(what.endswith("references)") for what in told)
    assert not any("an entry or a call" in what for what in told)


def test_the_plan_stays_the_same() -> None:
    session = reused()
    done = mended(session.raw, "reused-ids")
    before, after = session.plan(), plan_of(done)
    assert [[fate.kind for fate in slot.fates] for slot in after.slots] == [
        [fate.kind for fate in slot.fates] for slot in before.slots
    ]
    assert after.diagnostics == before.diagnostics


def plan_of(done: Repair) -> RenderPlan:
    return Inspection(default_branch(session_in(done.raw)), settings_from(None)).plan


def test_a_spilled_output_keeps_its_recorded_place() -> None:
    session = SessionBuilder().turn("x", at=5).turn("x", at=6)
    session.index(record("x", 6, "", spillPath="s-blobs/x_6.txt", spillBytes=9))
    done = mended(session.raw, "reused-ids")
    (held,) = held_in(done, "context-prune-index")
    assert (held["toolCalls"][0]["toolCallId"], held["toolCalls"][0]["spillPath"]) == (
        "x_2",
        "s-blobs/x_6.txt",
    )
    assert done.spill_paths == ("s-blobs/x_6.txt",)


@pytest.mark.parametrize(
    "legacy",
    [
        lambda session: session.index(record("x")),
        lambda session: session.alias(("x", None), ("y", 1)),
        lambda session: session.summary(toolCallRefs=ABSENT_REFS, toolCallIds=["x"]),
    ],
)
def test_a_record_without_a_time_is_left_and_told(legacy: Any) -> None:
    session = SessionBuilder().turn("x", at=5).turn("x", at=6)
    legacy(session)
    done = mended(session.raw, "reused-ids")
    assert bodies(done)[-1] == session.session.entries[-1].body
    assert [left.line for left in done.report.left] == [6]


ABSENT_REFS: Any = None


# The table


def test_names_are_unique_and_the_order_is_that_of_the_table() -> None:
    assert len(FIX_OF_NAME) == len(FIXES)
    raw = file_of(header(), user("a"), b"42", b"nonsense", user("b") | {"parentId": "lost"})
    done = repair(raw, reversed(FIXES))
    assert isinstance(done, Repair)
    order = [list(FIX_OF_NAME).index(change.kind) for change in done.report.changes]
    assert order == sorted(order)
    assert len(order) == 3
