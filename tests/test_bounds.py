"""However deep, long or many: nothing recurses, hangs or takes much more memory than the file."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.passages import slot_passages
from condense_tui.inspection.report import report
from condense_tui.pruning.globs import glob_matches
from condense_tui.pruning.legacy import legacy_index
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import json_text
from condense_tui.session.reading import read_session
from condense_tui.store import LoadedSettings, load_settings
from tests.build import SessionBuilder, call, record, text, thinking
from tests.sessions import written

# As deep as the reader goes, which is deeper than Python calls or compares.
DEEP: Any = "@deep@"
LEVELS = 1000
A_WHILE = 2.0


def inspect(session: SessionBuilder, levels: int = LEVELS) -> Inspection:
    """The session with every `DEEP` in it nested so many levels."""
    nested = b"[" * levels + b"]" * levels
    read = read_session(session.raw.replace(json.dumps(DEEP).encode(), nested))
    assert not isinstance(read, Refusal)
    return Inspection(default_branch(read), settings_from(None))


# Nesting


def deep_model() -> SessionBuilder:
    return SessionBuilder().assistant(text(), model=DEEP, provider=DEEP)


def deep_choices() -> SessionBuilder:
    chosen = SessionBuilder().entry("model_change", provider=DEEP, modelId=DEEP)
    return chosen.entry("thinking_level_change", thinkingLevel=DEEP).user()


def deep_record() -> SessionBuilder:
    return SessionBuilder().user().index(record("x", 5, args=DEEP)).index(DEEP, toolCalls=DEEP)


def deep_lists_of_records() -> SessionBuilder:
    return SessionBuilder().user().custom("context-prune-index", {"toolCalls": [DEEP]})


def deep_parts() -> SessionBuilder:
    """Equal ones in a message that is changed: those of before are looked for in those of after."""
    session = SessionBuilder().user(at=1000).turn("x", at=1150)
    session.assistant(thinking(), DEEP, DEEP, text(), at=1200)
    return session.chain("b1", 1000, 1200, ["x@1150"]).user(at=2000)


DEEP_SESSIONS = [deep_model, deep_choices, deep_record, deep_lists_of_records, deep_parts]


@pytest.mark.parametrize("make", DEEP_SESSIONS, ids=lambda make: make.__name__)
def test_values_may_be_as_deep_as_can_be_read(make: Callable[[], SessionBuilder]) -> None:
    inspection = inspect(make())
    assert inspection.problems == ()
    assert json_text(report(inspection))
    assert find(inspection, is_legacy=True) is not None
    assert all(passage.text for slot in inspection.plan.slots for passage in slot_passages(slot))
    legacy_index(inspection.branch.entries)


def test_only_the_changed_parts_are_said_again() -> None:
    inspection = inspect(deep_parts())
    (changed,) = (slot for slot in inspection.plan.slots if slot.before and slot.after
                  and slot.is_changed)  # fmt: skip
    assert len(slot_passages(changed)) == 4


def test_what_is_deeper_is_a_problem_of_its_line() -> None:
    inspection = inspect(deep_record(), levels=1_000_000)
    assert [problem.kind.value for problem in inspection.problems] == ["unreadable-line"] * 2
    assert len(inspection.context.messages) == 1


# Length and number


def big(**session: Any) -> bytes:
    return SessionBuilder(**session).raw


LONG = {
    "one line": lambda: SessionBuilder().user("word " * 800_000).raw,
    "an image": lambda: SessionBuilder().message(
        "user", [{"type": "image", "mimeType": "image/png", "data": "iVBO" * 1_000_000}]
    ).raw,
    "an argument": lambda: SessionBuilder().assistant(call("x", path="y" * 4_000_000)).raw,
    "a line that is no JSON": lambda: SessionBuilder().line('{"' * 2_000_000).raw,
    "a file without a line feed": lambda: SessionBuilder().raw[:-1] + b" " * 4_000_000,
    "empty lines": lambda: SessionBuilder().raw + b"\n" * 200_000,
    "many headers": lambda: SessionBuilder().raw + b'{"type":"session","id":"s"}\n' * 10_000,
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_much_of_one_thing(name: str) -> None:
    """In a moment, and in no more memory than a few times the file."""
    raw = LONG[name]()
    start = time.process_time()
    tracemalloc.start()
    try:
        read = read_session(raw)
        assert not isinstance(read, Refusal)
        inspection = Inspection(default_branch(read), settings_from(None))
        inspection.status_line, find(inspection)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert time.process_time() - start < 10 * A_WHILE
    assert peak < 25 * len(raw)


# Globs

WORST_GLOBS = {
    "directories": ("**/" * 300 + "b", "a/" * 2000),
    "segments": ("*a" * 1000 + "b", "a" * 4000),
    "anything": ("**a" * 1000 + "b", "a" * 4000),
    "anything and directories": ("**" * 500 + "**/" * 500 + "x", "a/" * 2000 + "x"),
    "every sign": ("?*" * 1000, "a" * 4000),
    "a long pattern": ("*a" * 5000 + "?", "a" * 100_000 + "/"),
    "a long path": ("**/skills/**/*.md", "x/" * 400_000 + ".md"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORST_GLOBS)
def test_no_glob_hangs(name: str) -> None:
    pattern, path = WORST_GLOBS[name]
    start = time.process_time()
    glob_matches(pattern, path)
    assert time.process_time() - start < A_WHILE


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("**/**/**/x", "x", True),
        ("**/**/**/x", "a/b/x", True),
        ("**/**/x", "ax", False),
        ("****/x", "ax", True),
        ("****/x", "a/x", True),
        ("**/**x", "a/bx", True),
        ("***", "a/b", True),
        ("***", "a\nb", True),
        ("***", "a\n/b", False),
        ("**/?", "a/", False),
        ("a*", "b", False),
        ("*.md", "x.mdx", False),
    ],
)
def test_repeated_wild_cards(pattern: str, path: str, is_match: bool) -> None:
    assert glob_matches(pattern, path) is is_match


def test_a_session_full_of_paths_and_settings_full_of_globs() -> None:
    settings = settings_from({"protectedPaths": ["**/" * 200 + "b", "*a" * 300 + "b"]})
    start = time.process_time()
    for number in range(100):
        is_protected("read", f"{number}/" + "a/" * 500 + "b", settings)
    assert time.process_time() - start < 2 * A_WHILE


# Settings of the wrong shape

SHAPES: dict[str, bytes] = {
    "a list": b'{"contextPrune":[1]}',
    "a text": b'{"contextPrune":"on"}',
    "a list for a part": b'{"contextPrune":{"chainCompression":[]}}',
    "a number for a list": b'{"contextPrune":{"protectedPaths":5}}',
    "no texts in a list": b'{"contextPrune":{"protectedTools":[null]}}',
    "an endless number": b'{"contextPrune":{"recoveryGraceTurns":1e999}}',
    "something deep": b'{"contextPrune":{"enabled":' + b"[" * 900 + b"]" * 900 + b"}}",
    "a part too few": b'{"contextPrune":{"purgeErrors":{}}}',
    "no object at all": b"[]",
}
BROKEN: dict[str, bytes] = {
    "empty": b"",
    "torn": b'{"contextPrune":{',
    "no text": b"\xff\xfe\x00",
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("raw", SHAPES.values(), ids=SHAPES)
def test_settings_of_a_wrong_shape_fall_back_and_are_said(raw: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, raw, "config.json")
    loaded = load_settings(path)
    assert isinstance(loaded, LoadedSettings)
    found = find(Inspection(SessionBuilder().user().branch, loaded.settings))
    assert [each.code for each in found if each.code.startswith("settings")]


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_broken_settings_are_refused_where_named_and_else_said(
    raw: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, raw, "settings.json")
    assert isinstance(load_settings(path), Refusal)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path))
    loaded = load_settings(None)
    assert isinstance(loaded, LoadedSettings)
    (remark,) = loaded.settings.remarks
    assert "not JSON" in remark.text
