"""Settings files of any shape: mostly objects that mean something, sometimes anything at all."""

from __future__ import annotations

from random import Random
from typing import Any

from condense_tui.pruning.settings import DEFAULTS
from condense_tui.session.jsontext import json_text
from tests.fuzz.odd import TEXTS, TOOLS, odd_value

_GLOBS = (
    "**/skills/**/*.md",
    "*",
    "**",
    "**/",
    "?" * 50,
    "a*" * 200 + "b",
    "**/" * 300,
    "",
    "[",
    "\\",
)
_PARTS = ("chainCompression", "purgeErrors")
_BARE = (
    b"",
    b"null",
    b"[]",
    b"3",
    b'"x"',
    b"{",
    b"\xff",
    b'{"contextPrune":[]}',
    b"[" * 5000,
    b"{}",
)


def made_settings(random: Random) -> bytes:
    """The bytes of a settings file."""
    if random.random() < 0.15:
        return random.choice(_BARE)
    value: dict[str, Any] = {
        name: _given(random, name) for name in DEFAULTS if random.random() < 0.3
    }
    if random.random() < 0.2:
        value[random.choice((*DEFAULTS, *TEXTS))] = odd_value(random)
    is_wrapped = random.random() < 0.5
    return json_text({"contextPrune": value} if is_wrapped else value).encode("utf-8", "replace")


def _given(random: Random, name: str) -> Any:
    if random.random() < 0.2:
        return odd_value(random)
    if name == "protectedPaths":
        return [random.choice(_GLOBS) for _ in range(random.randrange(4))]
    if name == "protectedTools":
        return [random.choice(TOOLS) for _ in range(random.randrange(3))]
    if name in _PARTS:
        parts = DEFAULTS[name]
        return {part: _nearby(random, parts[part]) for part in parts if random.random() < 0.7}
    return _nearby(random, DEFAULTS[name])


def _nearby(random: Random, default: Any) -> Any:
    """A value of the same kind, at the ends of what is allowed."""
    if isinstance(default, bool):
        return random.random() < 0.7
    if isinstance(default, int):
        return random.choice((0, 1, 2, default, 10**6, 0.5, -1))
    return random.choice((default, None, 0.5, "turn", "agentic-auto"))
