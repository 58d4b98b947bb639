"""`SessionHead` → a row of the chooser: columns that fit the width, and what a filter looks at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import TypeAlias

from condense_tui.pruning.numbers import compact_count
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.session.heads import Head, SessionHead
from condense_tui.view.cells import cell_len
from condense_tui.view.columns import cell
from condense_tui.view.lines import Giving, Line, Span, Tone, dim, line
from condense_tui.view.printable import one_line
from condense_tui.view.words import counted

OrderKey: TypeAlias = tuple[bool, bool, float, str]

_AGE, _SIZE, _ENTRIES, _PRUNED = 8, 9, 8, 8
_FIXED_WIDTH = _AGE + _SIZE + _ENTRIES + _PRUNED
_DIRECTORY_SHARE = 0.36
_LEAST_DIRECTORY = 17
_NAME_SHARE = 0.3
_NARROW = 64
_GAP = 2
_PRUNED_WORDS = {True: "pruned", False: "", None: "?"}
_AGE_UNITS = (
    ("y", 365 * 86_400),
    ("mo", 30 * 86_400),
    ("d", 86_400),
    ("h", 3_600),
    ("min", 60),
)
_SIZE_UNITS = (("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


class SessionRows(Value, frozen=True):
    """Makes rows as seen from one directory at one moment (seconds since the epoch)."""

    directory: PurePath
    home: str
    now: float

    def row(self, head: SessionHead, width: int) -> Line:
        """One session on one line of `width` cells."""
        if isinstance(head.content, Refusal):
            return self._refused(head, head.content, width)
        content = head.content
        title, where = _flexible_widths(width)
        about = "~" if content.is_estimate else ""
        pruned = _PRUNED_WORDS[content.is_pruned]
        return line(
            _left(content.title, title),
            self._where(head, content, where),
            *self._dated(head),
            dim(f"{about + compact_count(content.entries):>{_ENTRIES}}"),
            Span(f"{pruned:>{_PRUNED}}", Tone.GOOD),
        )

    def _refused(self, head: SessionHead, refusal: Refusal, width: int) -> Line:
        room = sum(_flexible_widths(width))
        name = int(room * _NAME_SHARE)
        return line(
            _left(head.path.name, name),
            Span(_left(f"unreadable: {refusal.reason}", room - name), Tone.WARNING),
            *self._dated(head),
        )

    def _where(self, head: SessionHead, content: Head, width: int) -> Span:
        if head.is_of(self.directory):
            return Span(_left("this directory", width), Tone.ACCENT)
        return dim(_right(self.shortened(content.cwd or "no directory"), width))

    def _dated(self, head: SessionHead) -> tuple[Span, Span]:
        age = age_words(self.now - head.modified)
        return dim(f"{age:>{_AGE}}"), dim(f"{byte_words(head.size):>{_SIZE}}")

    def shortened(self, path: str) -> str:
        """A path with the home folder as `~`."""
        if path == self.home or path.startswith(self.home.rstrip("/") + "/"):
            return "~" + path[len(self.home.rstrip("/")) :]
        return path


def head_words(head: SessionHead) -> str:
    """A few lines about a session of which only the ends are read; none of a broken one."""
    content = head.content
    if isinstance(content, Refusal):
        return ""
    about = "about " if content.is_estimate else ""
    entries = f"{about}{compact_count(content.entries)} entries {_PRUNED_WORDS[content.is_pruned]}"
    rows = (content.title, content.cwd or "", entries.rstrip(" ?"))
    return "\n".join(one_line(row) for row in rows if row)


def tail_line(head: SessionHead, entries: int) -> Line:
    """What is known while only so many entries at the end of a session are read, first of all.

    In a narrow line the last parts give way.
    """
    content = head.content
    if isinstance(content, Refusal):
        return ()
    number = counted(entries, "entry", "entries")
    known = f"only the last {number} so far" if content.is_estimate else number
    about = (text for text in (content.title, content.cwd) if text)
    return line(
        f"Reading · {known} · what was pruned is not known yet",
        *(Span(f" · {one_line(text)}", giving=Giving.GOES) for text in about),
    )


def heading(width: int) -> Line:
    """The names of the columns."""
    title, where = _flexible_widths(width)
    names = f"{'age':>{_AGE}}{'size':>{_SIZE}}{'entries':>{_ENTRIES}}"
    return line(dim(_left("session", title) + _left("directory", where) + names))


def _flexible_widths(width: int) -> tuple[int, int]:
    """Cells for the title and the directory, gaps included; a narrow row has no directory."""
    left = max(width - _FIXED_WIDTH, 10)
    where = max(int(left * _DIRECTORY_SHARE), _LEAST_DIRECTORY) if width >= _NARROW else 0
    return left - where, where


def _left(text: str, width: int) -> str:
    """The beginning of a text in so many cells, the last of them a gap."""
    room = max(width - _GAP, 0)
    return cell(" ".join(text.split()), room) + " " * (width - room)


def _right(text: str, width: int) -> str:
    """The end of a text in so many cells, which says more of a path."""
    shown = one_line(text)
    room = max(width - _GAP, 0)
    if cell_len(shown) > room > 0:
        shown = shown[len(shown) - room + 1 :]
        while cell_len(shown) > room - 1:
            shown = shown[1:]
        shown = "…" + shown
    return _left(shown, width)


def age_words(seconds: float) -> str:
    """`5 min`, `3 h`, `12 d`: the largest unit that fits, rounded down."""
    for unit, length in _AGE_UNITS:
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return "now"


def byte_words(count: int) -> str:
    """`512 B`, `1.2 MB`."""
    for unit, length in _SIZE_UNITS:
        if count >= length:
            return f"{count / length:.1f} {unit}"
    return f"{count} B"


def is_match(head: SessionHead, words: Iterable[str]) -> bool:
    """Whether the session has all of these lower-case words, wherever."""
    text = _search_text(head) if words else ""
    return all(word in text for word in words)


def _search_text(head: SessionHead) -> str:
    texts: list[str | None] = [str(head.path)]
    if isinstance(head.content, Head):
        content = head.content
        texts += [content.name, content.first_prompt, content.cwd, content.session_id]
    return "\n".join(text for text in texts if text).lower()


def order_key(head: SessionHead, directory: PurePath) -> OrderKey:
    """This directory's sessions first, the newest first, and last what cannot be read."""
    is_refused = isinstance(head.content, Refusal)
    return is_refused, not head.is_of(directory), -head.modified, str(head.path)


def nothing_found(looked_in: Iterable[tuple[PurePath, bool]]) -> str:
    """What an empty list says: where was looked."""
    places = (
        f"  {place}{'' if is_there else '   (there is no such folder)'}"
        for place, is_there in looked_in
    )
    return "\n".join(
        ("No sessions found. Looked in", "", *places, "", "Type the path of one and press Enter.")
    )
