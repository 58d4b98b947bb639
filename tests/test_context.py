"""`Branch` → `Context`: the messages that pi builds, before any extension sees them."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.session.branch import default_branch
from condense_tui.session.context import Model, build_context
from tests.build import SessionBuilder, text, thinking
from tests.sessions import (
    NOON,
    Json,
    compaction,
    context_of,
    entry,
    file_of,
    header,
    message,
    row,
    session_in,
    shown,
    shown_row,
    user,
)

NOON_MS = 1_767_268_800_000


# Which entries become messages


@pytest.mark.parametrize(
    "kind",
    [
        "thinking_level_change",
        "model_change",
        "custom",
        "label",
        "session_info",
        "usage",
        "leaf",
        "active_tools_change",
        "of the future",
        "context_edit",
    ],
)
def test_entries_that_are_no_messages(kind: str) -> None:
    assert shown_row(user("a"), entry("b", kind=kind, content="x", summary="x")) == ["user a"]


@pytest.mark.parametrize(
    "role",
    ["user", "assistant", "toolResult", "custom", "system", "bashExecution", "of the future"],
)
def test_messages_are_as_stored(role: str) -> None:
    body = {"role": role, "content": [text()], "timestamp": 5, "extra": {"a": [1]}}
    (built,) = context_of(entry("a", None, "message", message=body)).messages
    assert built.body == body
    assert built.entry is not None
    assert built.entry.id == "a"


def test_a_custom_message_is_built_in_pis_order() -> None:
    custom = entry("a", None, "custom_message", details={"d": 1}, display=False, content="c")
    (built,) = context_of(custom | {"customType": "note"}).messages
    assert list(built.body.items()) == [
        ("role", "custom"),
        ("customType", "note"),
        ("content", "c"),
        ("display", False),
        ("details", {"d": 1}),
        ("timestamp", NOON_MS),
    ]


def test_absent_fields_stay_absent() -> None:
    (built,) = context_of(entry("a", None, "custom_message", customType="note")).messages
    assert list(built.body) == ["role", "customType", "timestamp"]


@pytest.mark.parametrize(
    ("stamp", "ms"), [(NOON, NOON_MS), (NOON_MS, NOON_MS), ("never", None), (None, None)]
)
def test_the_time_of_a_message_that_is_made_is_its_entrys(stamp: Any, ms: int | None) -> None:
    (built,) = context_of(entry("a", None, "custom_message") | {"timestamp": stamp}).messages
    assert (built.body["timestamp"], built.timestamp) == (ms, ms)


@pytest.mark.parametrize("summary", ["", None, 0])
def test_a_branch_summary_without_words_is_no_message(summary: Any) -> None:
    assert shown_row(user("a"), entry("b", kind="branch_summary", summary=summary)) == ["user a"]


def test_a_branch_summary() -> None:
    (built,) = context_of(entry("a", None, "branch_summary", fromId="root", summary="s")).messages
    assert list(built.body.items()) == [
        ("role", "branchSummary"),
        ("summary", "s"),
        ("fromId", "root"),
        ("timestamp", NOON_MS),
    ]


@pytest.mark.parametrize("content", [None, "absent"])
@pytest.mark.parametrize("role", ["user", "assistant", "toolResult"])
def test_no_content_reads_as_an_empty_list(role: str, content: Any) -> None:
    body = {"role": role} if content else {"role": role, "content": None}
    (built,) = context_of(entry("a", None, "message", message=body)).messages
    assert built.body["content"] == []


@pytest.mark.parametrize("role", ["custom", "of the future"])
def test_other_roles_keep_their_null(role: str) -> None:
    (built,) = context_of(message("a", role=role, content=None)).messages
    assert built.body["content"] is None


@pytest.mark.parametrize("role", [None, 5, True, [], [[]], {}])
def test_a_role_may_be_anything(role: Any) -> None:
    stored = message("a", role=role, content=None)
    edited = entry("e", kind="context_edit", targetId="a", replacement={"content": "new"})
    (built,) = context_of(*row(stored, edited)).messages
    assert (built.role, built.body["role"], built.body["content"]) == ("", role, None)


@pytest.mark.parametrize("body", [None, "text", 5, []])
def test_a_message_entry_without_a_message_is_left_out(body: Any) -> None:
    assert shown_row(user("a"), entry("b", kind="message", message=body)) == ["user a"]


# Compaction


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        pytest.param("a", ["user a", "user b"], id="everything"),
        pytest.param("b", ["user b"], id="from the second on"),
        pytest.param("l", [], id="from a label on"),
        pytest.param("k", [], id="its own id"),
        pytest.param("d", [], id="an entry after it"),
        pytest.param("gone", [], id="an id not in the file"),
        pytest.param(None, [], id="no boundary"),
    ],
)
def test_what_a_compaction_keeps(kept: str | None, words: list[str]) -> None:
    records = (user("a"), user("b"), entry("l", kind="label"), compaction("k", kept), user("d"))
    assert shown_row(*records) == ["compactionSummary k", *words, "user d"]


def test_any_record_may_be_the_boundary() -> None:
    records = (user("a"), entry("l", kind="label"), user("b"), compaction("k", "l"))
    assert shown_row(*records) == ["compactionSummary k", "user b"]


def test_a_boundary_on_another_branch_keeps_nothing() -> None:
    records = [user("a"), message("x", "a"), compaction("k", "x") | {"parentId": "a"}]
    assert shown(context_of(*records)) == ["compactionSummary k"]


def test_the_newest_compaction_counts_and_older_ones_give_nothing() -> None:
    records = (user("a"), compaction("k1", "a"), user("b"), compaction("k2", "a"), user("c"))
    assert shown_row(*records) == ["compactionSummary k2", "user a", "user b", "user c"]


def test_newest_means_along_the_path_not_in_the_file() -> None:
    records = [user("a"), compaction("k1", "a") | {"parentId": "a"}]
    records += [compaction("k2", "a") | {"parentId": "a"}, message("z", "k1", content="z")]
    assert shown(context_of(*records)) == ["compactionSummary k1", "user a", "user z"]


def test_a_compaction_message_is_built_in_pis_order() -> None:
    (built,) = context_of(compaction("k", details={"x": 1}, usage={})).messages
    assert list(built.body.items()) == [
        ("role", "compactionSummary"),
        ("summary", "k"),
        ("tokensBefore", 7),
        ("timestamp", NOON_MS),
    ]


def test_system_messages_are_not_kept_but_the_compactions_own_is_sent() -> None:
    system = message("s1", role="system", content="old")
    checkpoint = compaction("k", "s1", systemMessage={"role": "system", "content": "new"})
    later = message("s2", role="system", content="patch")
    records = (system, user("a"), checkpoint, later, user("b"))
    assert shown_row(*records) == [
        "system new",
        "compactionSummary k",
        "user a",
        "system patch",
        "user b",
    ]


@pytest.mark.parametrize("system", [None, "text", []])
def test_a_wrong_system_message_of_a_compaction_is_left_out(system: Any) -> None:
    assert shown_row(compaction("k", systemMessage=system)) == ["compactionSummary k"]


def test_a_retained_tail_is_not_what_pi_reads() -> None:
    tail = [{"role": "user", "content": "tail"}]
    assert shown_row(user("a"), compaction("k", retainedTail=tail)) == ["compactionSummary k"]


def test_extensions_are_not_handed_system_messages() -> None:
    context = context_of(*row(message("s", role="system", content="x"), user("a")))
    assert [found.role for found in context.messages] == ["system", "user"]
    assert [found.role for found in context.prunable] == ["user"]


@pytest.mark.parametrize(
    ("index", "words"),
    [(0, []), (1, ["user a", "user b"]), (2, ["user b"]), (3, []), (99, []), (None, [])],
)
def test_version_1_boundaries(index: int | None, words: list[str]) -> None:
    """Pointing at the header, at itself or beyond the end, the compaction keeps nothing."""
    records = [{"type": "message", "message": {"role": "user", "content": word}} for word in "ab"]
    compacted = {"type": "compaction", "summary": "k", "firstKeptEntryIndex": index}
    raw = file_of({"type": "session", "id": "s"}, *records, compacted)
    context = build_context(default_branch(session_in(raw)))
    assert shown(context) == ["compactionSummary k", *words]


# Settings of the branch


CHANGE = entry("m", kind="model_change", provider="p1", modelId="m1")
REPLY = message("r", role="assistant", provider="p2", model="m2")


@pytest.mark.parametrize(
    ("records", "model"),
    [
        ([], None),
        ([user("a")], None),
        ([CHANGE], Model("p1", "m1")),
        ([REPLY], Model("p2", "m2")),
        ([CHANGE, REPLY, user("a")], Model("p2", "m2")),
        ([REPLY, CHANGE], Model("p1", "m1")),
        ([REPLY, compaction("k"), user("a")], Model("p2", "m2")),
    ],
)
def test_the_model_is_the_last_one_chosen_or_used(records: list[Json], model: Model | None) -> None:
    assert (context_of(*row(*records)) if records else context_of()).model == model


# Messages


def test_a_message_made_typed() -> None:
    session = SessionBuilder().assistant(thinking(), text("a"), text("b"), at=5)
    (built,) = build_context(session.branch).messages
    assert (built.role, built.timestamp, built.text) == ("assistant", 5, "a\nb")
    assert (built.tool_calls, built.has_part_list, built.is_summary) == ((), True, False)


@pytest.mark.parametrize("stamp", [None, "5", True, [], {}])
def test_a_time_is_a_json_number(stamp: Any) -> None:
    (built,) = context_of(message("a", timestamp=stamp)).messages
    assert built.timestamp is None


@pytest.mark.parametrize(
    "content",
    ["text", 5, {}, [None], ["x"], [5], [{"type": "toolCall"}], [{"type": ["x"]}], [{"text": 5}]],
    ids=repr,
)
@pytest.mark.parametrize("role", ["user", "assistant", "toolResult", "custom", None, 5])
def test_any_content_makes_a_message(role: Any, content: Any) -> None:
    (built,) = context_of(message("a", role=role, content=content)).messages
    assert built.body["content"] == content
    assert isinstance(built.text, str)
    assert all(call.id == call.name == "" for call in built.tool_calls)


def test_a_header_alone_gives_an_empty_context() -> None:
    context = build_context(default_branch(session_in(file_of(header()))))
    assert (context.messages, context.entries, context.model) == ((), (), None)
