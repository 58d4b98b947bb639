"""What can still be told of a record that is lost: where it hung, and how it began."""

from __future__ import annotations

import re
from collections.abc import Iterable

# The order in which pi writes the keys of everything but its extensions' records.
_HEAD = re.compile(
    r'\{\s*"type"\s*:\s*"[^"\\]*"\s*,\s*"id"\s*:\s*"(?P<id>[^"\\]+)"\s*,'
    r'\s*"parentId"\s*:\s*(?:null|"(?P<parent>[^"\\]*)")'
)
_MAX_QUOTED_CHARS = 60


def lost_parents(texts: Iterable[str]) -> dict[str, str | None]:
    """Id → parent of each record whose beginning can be read in these broken texts."""
    return {
        found["id"]: found["parent"] or None for text in texts for found in _HEAD.finditer(text)
    }


def quoted(text: str) -> str:
    """How a text begins, for people."""
    head = text.strip()
    short = head if len(head) <= _MAX_QUOTED_CHARS else f"{head[:_MAX_QUOTED_CHARS]}…"
    return f"{len(text.encode('utf-8', 'replace'))} bytes: {short}"
