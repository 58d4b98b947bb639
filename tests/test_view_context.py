"""The plan → lines and objects: every place, what happened to it, and why."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.pruning.render import RenderPlan
from condense_tui.session.jsontext import json_text
from condense_tui.view.context import View, context_lines, context_objects
from condense_tui.view.lines import text_of
from tests.build import SessionBuilder, call, text, thinking
from tests.sessions import Json


def walk() -> SessionBuilder:
    """One of nearly everything: stubbed, dropped, inserted, stripped, suppressed, swept, kept."""
    session = SessionBuilder()
    session.message("system", "the prompt")
    session.user("first", at=1000).turn("bash_1", "one\ntwo", at=1010)
    session.assistant(thinking("hm"), text("done"), at=1100)
    session.archive("t1", "bash_1", 1010, "one\ntwo")
    session.user("second", at=2000).turn("bash_2", "live", at=2010)
    session.assistant(call("bash_3"), at=2100).custom_message().result("bash_3", "late", at=2110)
    return session.chain("b1", 1000, 1100, ["bash_1@1010"], toolRefs=["t1"])


def titles(plan: RenderPlan, view: View) -> list[str]:
    return [text_of(row) for row in context_lines(plan, view, has_bodies=False)]


def test_what_the_model_is_sent() -> None:
    assert [title.strip().split("  ")[0] for title in titles(walk().plan(), View.PRUNED)] == [
        "sys · system",
        "0 · user",
        "+ + user",
        "3 ° assistant",
        "5 · user",
        "6 · assistant bash",
        "7 · result bash bash_2",
        "8 · assistant bash",
        "9 · custom note",
    ]


def test_what_pi_built() -> None:
    signs = [title.split()[1] for title in titles(walk().plan(), View.RAW)]
    assert "".join(signs) == "··××°-·····!"


def test_both() -> None:
    signs = [title.split()[1] for title in titles(walk().plan(), View.DIFF)]
    assert "".join(signs) == "··+××°-·····!"


@pytest.mark.parametrize("view", list(View))
def test_a_view_holds_as_many_titles_as_messages(view: View) -> None:
    plan = walk().plan()
    shown = {
        View.PRUNED: len(plan.pruned_messages) + 1,
        View.RAW: len(plan.raw_messages) + 1,
        View.DIFF: len(plan.slots),
    }
    assert len(titles(plan, view)) == shown[view]
    assert len(list(context_objects(plan, view))) == shown[view]


def test_a_title_gives_size_and_reason() -> None:
    plan = SessionBuilder().user().turn("x", "o" * 900, at=2000).archive("t1", "x", 2000).plan()
    title = titles(plan, View.PRUNED)[2]
    assert title.startswith("   2 ~ result bash x  1.0k -> ")
    assert title.endswith("  stubbed as t1")


def test_a_kept_message_needs_no_reason() -> None:
    (title,) = titles(SessionBuilder().user().plan(), View.PRUNED)
    assert title.split() == ["0", "·", "user", "80"]


def lines_of(plan: RenderPlan, view: View) -> list[str]:
    return [text_of(row) for row in context_lines(plan, view)]


def test_bodies_stand_below_their_title() -> None:
    plan = SessionBuilder().user("a\nb").plan()
    assert lines_of(plan, View.PRUNED)[1:] == ["     a", "     b", ""]


def test_a_diff_shows_what_was_and_what_is() -> None:
    plan = SessionBuilder().user().turn("x", "the output", at=2000).archive("t1", "x", 2000).plan()
    shown = lines_of(plan, View.DIFF)
    assert "   - the output" in shown
    assert any(row.startswith("   + [Summarized in pruner summary, ref `t1`.") for row in shown)


def test_a_view_shows_its_own_side_only() -> None:
    plan = SessionBuilder().user().turn("x", "the output", at=2000).archive("t1", "x", 2000).plan()
    assert "     the output" in lines_of(plan, View.RAW)
    assert not any("the output" in row for row in lines_of(plan, View.PRUNED))
    assert not any("Summarized in pruner" in row for row in lines_of(plan, View.RAW))


def test_an_empty_context_has_no_lines() -> None:
    plan = SessionBuilder().plan()
    assert [lines_of(plan, view) for view in View] == [[], [], []]


@pytest.mark.parametrize("view", [View.PRUNED, View.RAW])
def test_objects_are_the_messages_to_the_letter(view: View) -> None:
    plan = walk().plan()
    messages = plan.pruned_messages if view is View.PRUNED else plan.raw_messages
    objects = [found for found in context_objects(plan, view) if found["role"] != "system"]
    assert json_text(objects) == json_text([message.body for message in messages])


def test_objects_of_a_diff_say_why() -> None:
    plan = SessionBuilder().user().turn("x", "o", at=2000).archive("t1", "x", 2000).plan()
    stubbed: Json = list(context_objects(plan, View.DIFF))[2]
    assert stubbed["place"] == 2
    assert stubbed["fates"] == [{"kind": "stubbed", "reason": "stubbed as t1"}]
    assert stubbed["before"]["content"] == [text("o")]
    assert stubbed["after"]["content"] != stubbed["before"]["content"]


def test_objects_of_a_diff_have_no_side_that_is_not_there() -> None:
    objects = list(context_objects(walk().plan(), View.DIFF))
    kinds = {found["fates"][-1]["kind"]: found for found in objects}
    missing: dict[str, Any] = {kind: found["after"] for kind, found in kinds.items()}
    assert missing["dropped"] is missing["suppressed"] is missing["swept"] is None
    assert kinds["inserted"]["before"] is None
    assert kinds["system"]["before"] == kinds["system"]["after"]
