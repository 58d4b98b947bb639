"""Context edits: a later entry leaves a message out or replaces its content."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.session.branch import default_branch
from condense_tui.session.context import build_context
from condense_tui.session.messages import message_of
from tests.build import text
from tests.sessions import (
    Json,
    compaction,
    context_of,
    entry,
    message,
    read,
    row,
    shown,
    shown_row,
    user,
)


def edit(entry_id: str, target: Any, **fields: Any) -> Json:
    return entry(entry_id, kind="context_edit", targetId=target, **fields)


@pytest.mark.parametrize("role", ["user", "assistant", "toolResult", "custom"])
def test_an_edit_can_leave_a_message_out(role: str) -> None:
    assert shown_row(message("a", role=role), edit("e", "a", replacement=None)) == []


@pytest.mark.parametrize(
    ("role", "content"),
    [
        ("user", "new"),
        ("assistant", [text("new")]),
        ("toolResult", [text("new")]),
        ("custom", "new"),
    ],
)
def test_an_edit_replaces_the_content_only(role: str, content: Any) -> None:
    stored = message("a", role=role, toolCallId="c", isError=True)
    records = row(stored, edit("e", "a", replacement={"content": "new", "role": "x"}))
    (built,) = context_of(*records).messages
    assert built.body == stored["message"] | {"content": content}
    assert list(built.body) == list(stored["message"])


@pytest.mark.parametrize("role", ["system", "bashExecution", "branchSummary", "of the future"])
@pytest.mark.parametrize("replacement", [None, {"content": "new"}])
def test_other_roles_cannot_be_edited(role: str, replacement: Any) -> None:
    records = row(message("a", role=role, content="old"), edit("e", "a", replacement=replacement))
    assert shown(context_of(*records)) == [f"{role} old"]


def test_a_custom_message_entry_can_be_edited() -> None:
    note = entry("a", kind="custom_message", content="old")
    assert shown_row(note, edit("e", "a", replacement={"content": "new"})) == ["custom new"]
    assert shown_row(note, edit("e", "a", replacement=None)) == []


def test_the_newest_edit_of_a_target_counts() -> None:
    first, second = {"content": "first"}, {"content": "second"}
    edits = [edit("e1", "a", replacement=first), edit("e2", "a", replacement=second)]
    assert shown_row(user("a"), *edits) == ["user second"]
    assert shown_row(user("a"), *edits, edit("e3", "a", replacement=None)) == []
    assert shown_row(user("a"), edit("e0", "a", replacement=None), *edits) == ["user second"]


@pytest.mark.parametrize("fields", [{}, {"replacement": {}}, {"replacement": 5}])
def test_an_edit_without_a_content_changes_nothing(fields: Json) -> None:
    assert shown_row(user("a"), edit("e", "a", **fields)) == ["user a"]


@pytest.mark.parametrize("target", ["gone", None, 5, [], "e"])
def test_an_edit_of_nothing_changes_nothing(target: Any) -> None:
    assert shown_row(user("a"), edit("e", target, replacement=None)) == ["user a"]


def test_edits_before_what_the_compaction_kept_do_not_apply() -> None:
    early, late = (edit(name, "b", replacement={"content": name}) for name in ("early", "late"))
    kept = (user("b"), compaction("k", "b"))
    assert shown_row(user("a"), early, *kept)[1:] == ["user b"]
    assert shown_row(user("a"), user("b"), late, compaction("k", "b"))[1:] == ["user late"]
    assert shown_row(user("a"), *kept, late)[1:] == ["user late"]


def test_an_edit_on_another_branch_does_not_apply() -> None:
    records = [user("a"), edit("e", "a", replacement=None) | {"parentId": "a"}]
    assert shown(context_of(*records, message("z", "a", content="z"))) == ["user a", "user z"]


def test_the_stored_message_is_never_changed() -> None:
    session = read(*row(user("a"), edit("e", "a", replacement={"content": "new"})))
    build_context(default_branch(session))
    assert session.entries[0].body["message"]["content"] == "a"
    stored = message_of(session.entries[0])
    assert stored is not None
    assert stored.body["content"] == "a"
