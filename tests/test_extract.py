"""The summariser without a model: what a bullet says of a call, and that it makes nothing up."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.condensing.batches import raw_chars
from condense_tui.condensing.extract import Extract
from condense_tui.condensing.labels import with_refs
from condense_tui.condensing.summariser import Usage
from condense_tui.pruning.pending import Batch, turns_of
from condense_tui.session.jsontext import collapse_white_space, utf16_length
from condense_tui.session.messages import message_from
from tests.build import call, text

FILLER = "".join(f"something happened, number {number}\n" for number in range(200))
PYTHON = (
    "import os\n\ndef first(x):\n    raise ValueError('error')\n\nclass Second:\n    pass\n"
    + FILLER
)
FAILED_TESTS = (
    f"{FILLER}FAILED tests/test_a.py::test_one - AssertionError: 1 != 2\n{FILLER}"
    "2 failed, 31 passed in 3.2s\n"
)


def batch(output: str, *, tool: str = "bash", is_error: bool = False, **arguments: Any) -> Batch:
    asked = message_from({"role": "assistant", "content": [call("a", tool, **arguments)]}, None)
    result = {
        "role": "toolResult",
        "toolCallId": "a",
        "content": [text(output)],
        "isError": is_error,
    }
    return next(turns_of([asked, message_from(result, None)]))


def bullet(*arguments: Any, **fields: Any) -> list[str]:
    (answer,) = Extract().summaries([batch(*arguments, **fields)])
    assert answer is not None
    assert answer.usage == Usage()
    return answer.text.split("\n")


@pytest.mark.parametrize(
    ("fields", "lead"),
    [
        ({"command": "make test"}, "bash `make test`: ok"),
        ({"command": "cd /a/b && make"}, "bash `make`: ok"),
        ({"command": "make", "is_error": True}, "bash `make`: failed"),
        ({"command": "echo `date`"}, "bash ``echo `date```: ok"),
        ({"command": "a\n\n  b"}, "bash `a b`: ok"),
        ({"command": "x" * 200}, f"bash `{'x' * 119}…`: ok"),
        ({"tool": "grep", "pattern": "a", "path": "src"}, "grep `src`: ok"),
        ({"depth": 3}, 'bash `{"depth":3}`: ok'),
        ({}, "bash: ok"),
    ],
)
def test_the_lead_says_what_was_asked_and_how_it_ended(fields: Any, lead: str) -> None:
    first, *_ = bullet(FILLER, **fields)
    assert first == f"- [[1:bash]] {lead}, 200 lines, {len(FILLER)} chars".replace(
        "1:bash", f"1:{fields.get('tool', 'bash')}"
    )


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (FILLER, ["something happened, number 199"]),
        (
            FAILED_TESTS,
            [
                "FAILED tests/test_a.py::test_one - AssertionError: 1 != 2",
                "2 failed, 31 passed in 3.2s",
            ],
        ),
        (FILLER + "Command exited with code 2\n", ["Command exited with code 2"]),
        (FILLER + "}\n)\n", ["something happened, number 199"]),
        ("error: one\n" * 300, ["error: one"]),
    ],
)
def test_the_lines_that_matter_stand_below(output: str, lines: list[str]) -> None:
    assert bullet(output, command="x")[1:] == [f"  - {line}" for line in lines]


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"path": "a.py"}, ["in it: first, Second"]),
        ({"path": "a.py", "is_error": True}, 2),
        ({"command": "cat a.py"}, 2),
    ],
)
def test_a_file_that_was_read_is_told_by_its_names(fields: Any, lines: Any) -> None:
    """What stands in it did not happen: no failure, no count."""
    found = bullet(PYTHON, **fields)[1:]
    assert len(found) == lines if isinstance(lines, int) else found == [f"  - {lines[0]}"]


def test_headings_are_names_too_and_the_tools_remark_stays() -> None:
    output = "# One\n\n## Two\n" + FILLER + "\n[120 more lines in file. Use offset=9 to continue.]"
    assert bullet(output, path="a.md")[1:] == [
        "  - in it: One, Two",
        "  - [120 more lines in file. Use offset=9 to continue.]",
    ]


def test_no_output_is_said_to_be_none() -> None:
    assert bullet(" \n", command="true") == ["- [[1:bash]] bash `true`: ok, no output"]


def test_lines_give_way_where_outputs_are_short() -> None:
    output = "error: one thing\nerror: another thing\n" + "2 files, 3 lines\n" * 8
    assert len(bullet(output * 9, command="x")) == 4
    assert len(bullet(output, command="x")) == 1


def test_labels_in_outputs_name_nothing() -> None:
    found = "\n".join(bullet("[[1:bash]] error\n" * 50, command="[[1:bash]]"))
    assert with_refs(found, ["t1"], ["bash"]).count("`t1`") == 1


@given(st.text(max_size=3000), st.booleans(), st.dictionaries(st.text(max_size=9), st.text()))
def test_nothing_is_made_up(output: str, is_error: bool, arguments: dict[str, str]) -> None:
    """Every line below a bullet stands in the output; the text is the same every time."""
    one = batch(output, is_error=is_error)
    (answer,), (again,) = Extract().summaries([one]), Extract().summaries([one])
    assert answer == again
    assert answer is not None
    flat = collapse_white_space(output).replace("[[", "[ [")
    for line in answer.text.split("\n")[1:]:
        told = line.removeprefix("  - ")
        if not told.startswith("in it: "):
            assert told.removesuffix("…").strip() in flat


@given(st.text("ab \nerror1", min_size=600, max_size=3000))
def test_a_long_output_has_a_shorter_text(output: str) -> None:
    one = batch(output)
    (answer,) = Extract().summaries([one])
    assert answer is not None
    assert utf16_length(answer.text) < raw_chars(one)
    assert re.match(r"- \[\[1:bash\]\] bash: ok", answer.text)
