"""First and last bytes of a session file → `Head`: what a list of sessions shows of it.

A head is what `read_session` makes of the lines that can tell something: a list of sessions is
read while one looks at it, and most lines are long and say nothing here.  What lies between the
two pieces is estimated, and said to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import PurePath

from condense_tui.session.compact import Value
from condense_tui.session.entries import Entry, Refusal
from condense_tui.session.messages import content_text, message_body
from condense_tui.session.reading import read_session

_PRUNE_PREFIX = "context-prune-"
_MAX_PROMPT_CHARS = 400
# Garbage before the header is skipped, by pi and here.
_FIRST_LINES = 16
# Inside a string these quotes would be escaped; so each stands in a line as itself or not at all.
# The counts allow for lines that hold them in another place.
_TELLING_MARKS: tuple[tuple[tuple[bytes, ...], int | None], ...] = (
    ((b'"user"',), 8),
    ((b'"customType"', b'"context-prune-'), 8),
    ((b'"session_info"',), None),
)
NOTHING_WHOLE = Refusal("no whole record in the part that was read")


class Head(Value, frozen=True):
    """What the beginning and the end of a session say.

    `entries` counts the lines after the header, readable or not; where `is_estimate` it is an
    estimate.  `is_pruned` is None where a part
    was not read and the rest holds no record of the extension.
    """

    session_id: str
    name: str | None
    first_prompt: str | None
    cwd: str | None
    entries: int
    is_estimate: bool
    is_pruned: bool | None

    @property
    def title(self) -> str:
        """The name, else the first prompt, else the id."""
        return self.name or self.first_prompt or self.session_id


class SessionHead(Value, frozen=True):
    """A session file in a list; `modified` is in seconds since the epoch, `size` in bytes."""

    path: PurePath
    modified: float
    size: int
    content: Head | Refusal

    def is_of(self, directory: PurePath) -> bool:
        """Whether the session was held in this directory, or its file lies in it."""
        cwd = self.content.cwd if isinstance(self.content, Head) else None
        return self.path.parent == directory or _is_same(cwd, directory)


def _is_same(cwd: str | None, directory: PurePath) -> bool:
    return bool(cwd) and PurePath(cwd or "") == directory


def read_head(start: bytes, end: bytes, size: int) -> Head | Refusal:
    """The head of a file of `size` bytes that begins with `start` and ends with `end`.

    The pieces do not overlap; `end` is empty where `start` is the whole file.
    """
    unread = size - len(start) - len(end)
    raw = b"".join(whole_lines(start, end, size))
    lines = [line for line in raw.split(b"\n") if line and not line.isspace()]
    session = read_session(b"\n".join(_telling(lines)))
    if isinstance(session, Refusal):
        return NOTHING_WHOLE if unread > 0 and not raw else session
    count = len(lines) - 1
    return Head(
        session_id=session.header.id,
        name=session.name,
        first_prompt=_first_prompt(session.entries),
        cwd=session.header.cwd,
        entries=count if unread <= 0 else _estimated(count, len(raw), size),
        is_estimate=unread > 0,
        is_pruned=any(map(_is_prune_record, session.entries)) or (None if unread > 0 else False),
    )


def whole_lines(start: bytes, end: bytes, size: int) -> tuple[bytes, bytes]:
    """Without the line that `start` breaks off in, and the one that `end` begins in.

    Pieces that meet are a whole file of `size` bytes, and it is the first.
    """
    if len(start) + len(end) >= size:
        return start + end, b""
    return start[: start.rfind(b"\n") + 1], end.partition(b"\n")[2]


def _telling(lines: Sequence[bytes]) -> list[bytes]:
    """The first lines, and those with a mark, in order."""
    chosen = set(range(min(_FIRST_LINES, len(lines))))
    for marks, most in _TELLING_MARKS:
        found = (at for at, line in enumerate(lines) if all(mark in line for mark in marks))
        chosen.update(islice(found, most))
    return [lines[at] for at in sorted(chosen)]


def _estimated(count: int, read: int, size: int) -> int:
    return round(count * size / max(read, 1))


def _first_prompt(entries: Iterable[Entry]) -> str | None:
    return next((text for entry in entries if (text := prompt_of(entry))), None)


def prompt_of(entry: Entry) -> str | None:
    """What the user wrote in this entry, cut where it is long; None when it is no prompt."""
    if entry.type != "message" or entry.message is None or entry.message.role != "user":
        return None
    return content_text(message_body(entry).get("content"))[:_MAX_PROMPT_CHARS].strip() or None


def _is_prune_record(entry: Entry) -> bool:
    is_custom = entry.type in ("custom", "custom_message")
    return is_custom and (entry.custom_type or "").startswith(_PRUNE_PREFIX)
