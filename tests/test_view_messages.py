"""A message → the text that a person reads."""

from __future__ import annotations

from typing import Any

import pytest

from condense_tui.session.branch import default_branch
from condense_tui.session.context import build_context
from condense_tui.session.messages import Message
from condense_tui.view.messages import message_text, message_title
from tests.build import call, text, thinking
from tests.sessions import entry, message, read


def built(**fields: Any) -> Message:
    (one,) = build_context(default_branch(read(message("a", **fields)))).messages
    return one


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("words", "words"),
        ("", ""),
        ([], ""),
        ([text("a"), text("b\nc")], "a\nb\nc"),
        ([thinking("so")], "(thinking) so"),
        ([thinking("")], "(thinking, not readable)"),
        ([call("x", "bash", command="ls")], '-> bash({"command":"ls"})  x'),
        (
            [{"type": "image", "mimeType": "image/png", "data": "A" * 4000}],
            "[image image/png, 3.0k",
        ),
        ([{"type": "image"}], "[image of no type, 0 bytes]"),
        ([{"type": "of the future", "x": 1}], '{"type":"of the future","x":1}'),
        ([{"x": [1]}], '{"x":[1]}'),
        (["text", 5, None, [1]], '"text"\n5\nnull\n[1]'),
        (5, "5"),
        ({"a": 1}, '{"a":1}'),
        ([text("\x1b[31m")], "\x1b[31m"),
    ],
)
def test_contents(content: Any, shown: str) -> None:
    got = message_text(built(content=content))
    assert got.startswith(shown) if shown.startswith("[image image") else got == shown


def test_image_data_is_not_shown() -> None:
    assert "AAAA" not in message_text(built(content=[{"type": "image", "data": "A" * 4000}]))


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"role": "bashExecution", "command": "ls", "output": "a\nb"}, "$ ls\na\nb"),
        ({"role": "bashExecution"}, "$ \n"),
        ({"role": "branchSummary", "summary": "s"}, "s"),
        ({"role": "compactionSummary", "summary": "s"}, "s"),
        ({"role": "system", "content": "prompt"}, "prompt"),
        ({"role": "of the future", "content": [text("x")]}, "x"),
    ],
)
def test_roles(fields: Any, shown: str) -> None:
    assert message_text(built(**fields)) == shown


def test_a_role_without_content_is_shown_as_json() -> None:
    record = entry("a", kind="message", message={"role": "of the future", "x": 1})
    (one,) = build_context(default_branch(read(record))).messages
    assert message_text(one) == '{"role":"of the future","x":1}'


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"role": "user"}, ""),
        ({"role": "toolResult", "toolName": "read", "toolCallId": "r_1"}, "read r_1"),
        ({"role": "toolResult"}, ""),
        ({"role": "custom", "customType": "note"}, "note"),
        ({"role": "custom"}, ""),
        ({"role": "assistant", "content": [call("a", "x"), call("b", "y")]}, "x, y"),
        ({"role": "assistant", "content": "text"}, ""),
    ],
)
def test_titles(fields: Any, title: str) -> None:
    assert message_title(built(**fields)) == title
