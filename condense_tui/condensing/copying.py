"""A session's bytes and new entries → the bytes of a copy that pi opens and goes on from.

Every line stays as it is but the header's, which gets an id of its own and names its parent.
"""

from __future__ import annotations

from collections.abc import Sequence

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.branch import Branch
from condense_tui.session.compact import Value
from condense_tui.session.dates import iso_text
from condense_tui.session.entries import Entry, Refusal, Session
from condense_tui.session.jsontext import json_text, parse_json


class CopyHeader(Value, frozen=True):
    """What makes the copy a session of its own; `parent` is the path of the original."""

    id: str
    created_ms: int
    parent: str


def why_no_copy(branch: Branch) -> Refusal | None:
    """Why entries cannot be appended below this leaf, or None where they can."""
    is_last = branch.session.entries[-1:] == (branch.leaf,)
    if branch.session.header.version < 2 and not is_last and branch.leaf:
        return Refusal("a version 1 file has but one branch: its leaf is the last entry")
    return None


def copy_pieces(
    raw: bytes, session: Session, header: CopyHeader, entries: Sequence[Entry]
) -> list[bytes]:
    """The copy, piece by piece; `raw` is what the session was read from."""
    start, end = _header_place(raw)
    body = {
        **session.header.body,
        "id": header.id,
        "timestamp": iso_text(header.created_ms),
        "parentSession": header.parent,
    }
    rest = raw[end:]
    line_feed = b"" if rest.endswith(b"\n") else b"\n"
    added = [utf8_bytes(json_text(entry.body) + "\n") for entry in entries]
    return [raw[:start], utf8_bytes(json_text(body)), rest, line_feed, *added]


def _header_place(raw: bytes) -> tuple[int, int]:
    """Where the first record stands; lines before it are no records and stay."""
    start = 0
    while start < len(raw):
        end = raw.find(b"\n", start)
        end = len(raw) if end < 0 else end
        if _is_record(raw[start:end]):
            return start, end
        start = end + 1
    return 0, 0


def _is_record(line: bytes) -> bool:
    try:
        value = parse_json(line)
    except ValueError:
        return False
    return bool(value) or isinstance(value, dict | list)
