"""What every front end does to condense a session, and to write the copy beside it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath

from condense_tui.condensing.condense import Condensed, Order, condense
from condense_tui.condensing.copying import CopyHeader, copy_pieces
from condense_tui.condensing.notes import Clerk
from condense_tui.condensing.summariser import Summariser
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.reading import read_session
from condense_tui.store import read_bytes
from condense_tui.store_condensed import (
    BLOBS_SUFFIX,
    SessionCopy,
    shared_sidecars,
    write_condensed,
)

_CHANGED = "the session has changed since it was opened: open it again"


def condensed(inspection: Inspection, summariser: Summariser, order: Order) -> Condensed | Refusal:
    """Condense what is looked at, with new ids and times of now."""
    clerk = Clerk(_entry_ids(inspection.branch.session), _now_ms)
    return condense(inspection, summariser, clerk, order)


def new_header(source: Path) -> CopyHeader:
    """What makes a copy of this session one of its own."""
    return CopyHeader(_session_id(), _now_ms(), str(source.absolute()))


class CopyPlace(Value, frozen=True):
    """Where the copy of a session goes; `header` is the copy's own."""

    source: Path
    path: Path
    header: CopyHeader

    @property
    def blobs_folder(self) -> str:
        """Where its spilled bodies will lie."""
        return f"{self.path.absolute().parent}/{self.header.id}{BLOBS_SUFFIX}"

    def write(
        self,
        raw: bytes,
        session: Session,
        found: Condensed,
        ask_on: Callable[[], None] = lambda: None,
        *,
        is_forced: bool = False,
    ) -> tuple[str, ...] | Refusal:
        """Write the copy with its sidecar files, or nothing; the folders beside it that hold them.

        Only one that `is_forced` replaces a file, also one that has come to be there just now.
        `raw` is what the session was read from.  What `ask_on` raises between two pieces ends
        the writing, and nothing of it stays.
        """
        folder = self.path.absolute().parent
        own = {
            str(Path(path).relative_to(folder)): utf8_bytes(text)
            for path, text in found.files.items()
        }
        shared = shared_sidecars(session, self.source, self.path)

        def pieces() -> Iterator[bytes]:
            for piece in copy_pieces(raw, session, self.header, found.entries):
                ask_on()
                yield piece
            ask_on()

        refusal = write_condensed(SessionCopy(self.path, pieces(), own, shared, is_forced))
        return refusal or tuple(dict.fromkeys(PurePath(name).parts[0] for name in (*shared, *own)))


def read_unchanged(path: Path, session: Session) -> bytes | Refusal:
    """The bytes of a session that was read before, or that it is no longer the same."""
    raw = read_bytes(path)
    if isinstance(raw, Refusal):
        return raw
    again = read_session(raw)
    is_same = isinstance(again, Session) and _outline(again) == _outline(session)
    return raw if is_same else Refusal(_CHANGED)


def _outline(session: Session) -> list[tuple[int, str, str | None]]:
    """pi only ever appends: the same entries in the same lines are the same session."""
    return [(entry.line, entry.type, entry.id) for entry in session.entries]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _session_id() -> str:
    """A UUID of version 7, as pi gives its sessions."""
    random = secrets.randbits(74)
    number = (_now_ms() & (1 << 48) - 1) << 80 | 7 << 76 | (random >> 62) << 64 | 2 << 62
    digits = f"{number | random & (1 << 62) - 1:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _entry_ids(session: Session) -> Callable[[], str]:
    """Ids as pi gives them, eight hex digits, that no entry has."""
    taken = {entry.id for entry in session.entries}

    def new_id() -> str:
        while (found := secrets.token_hex(4)) in taken:
            continue
        taken.add(found)
        return found

    return new_id
