"""First and last bytes of a session file → `Session` of its last entries, and its `Branch`.

What can be shown before everything is read.  The entries are the file's last, and the messages
the branch's last; no more is certain: records stand behind what they are about, but chains and
calls may begin before the end that was read.  So nothing is said of problems, and what is
pruned is left to a whole reading.
"""

from __future__ import annotations

from condense_tui.session.branch import Branch, branch_to, default_branch
from condense_tui.session.compact import changed
from condense_tui.session.context import without_gap
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.heads import NOTHING_WHOLE, whole_lines
from condense_tui.session.reading import read_session

_NO_LASTING_IDS = Refusal("the ids of this version are made from the lines before")


def read_tail(start: bytes, end: bytes, size: int) -> Session | Refusal:
    """The last entries of a file of `size` bytes that begins with `start` and ends with `end`.

    The pieces do not overlap.  Line numbers are not those of the file, so there are no problems.
    """
    opening, ending = whole_lines(start, end, size)
    first = read_session(opening) if opening else NOTHING_WHOLE
    if isinstance(first, Refusal):
        return first
    if first.header.version < 2:
        return _NO_LASTING_IDS
    if len(start) + len(end) < size:
        if not ending:
            return NOTHING_WHOLE
        first = read_session(_header_line(opening) + b"\n" + ending)
    return first if isinstance(first, Refusal) else changed(first, problems=())


def _header_line(opening: bytes) -> bytes:
    """The first line that is a record; it is known to be a header."""
    lines = opening.split(b"\n")
    return next(line for line in lines if isinstance(read_session(line), Session))


def branch_in_tail(tail: Session, leaf: str | None) -> Branch | None:
    """The end of the branch that ends at an entry, or of the one that pi opens.

    It begins after the last parent that was not read; None where the leaf itself was not.
    """
    branch = default_branch(tail) if leaf is None else branch_to(tail, leaf)
    if branch is None:
        return None
    path = branch.context_entries
    is_from_root = not path or path[0].parent_id is None
    return changed(branch, context_entries=path if is_from_root else without_gap(path), problems=())
