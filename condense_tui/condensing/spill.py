"""Spilled outputs: what a single long result becomes, and the file that keeps it.

Two occurrences of one id never share a file.  (Source: the pruning rules, section 6.)
"""

from __future__ import annotations

import re
from typing import Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.jsontext import utf16_length

_UNSAFE = re.compile("[^A-Za-z0-9_-]")


def safe_name(key: str) -> str:
    """A key as a file name: every other code unit becomes `_`."""
    return _UNSAFE.sub(lambda found: "_" * utf16_length(found[0]), key)


def head_preview(text: str, max_bytes: int) -> str:
    """At most so many UTF-8 bytes, cut at a character and then at the last newline."""
    whole = utf8_bytes(text)
    if len(whole) <= max_bytes:
        return text
    head = whole[:max_bytes].decode("utf-8", "ignore")
    newline = head.rfind("\n")
    return head[:newline] if newline > 0 else head


def spill_fields(text: str, path: str, preview_bytes: int) -> dict[str, Any]:
    """What a record says of a body that lies in a file."""
    return {
        "spillPath": path,
        "spillBytes": len(utf8_bytes(text)),
        "resultPreview": head_preview(text, preview_bytes),
    }
