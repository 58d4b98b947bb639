"""How long it takes to preview a session that was never pruned, by its size.

    python -m tests.benchmarks.condense [MEGABYTES…]

Prints seconds for reading, laying out, condensing with the offline summariser and planning the
result; each megabyte should cost the same.
"""

from __future__ import annotations

import sys
import time
from itertools import count

from condense_tui.condensing.condense import Condensed, Mode, Order, condense
from condense_tui.condensing.extract import Extract
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from tests.build import SessionBuilder
from tests.condensing import BLOBS, NOW_MS, Clerk

_MEGABYTE = 1_000_000
_CALLS = 8


def session_of(megabytes: float) -> bytes:
    """Prompts of eight calls, each with some twenty kilobytes of output of its own."""
    story, size, number = SessionBuilder(), 0, count()
    while size < megabytes * _MEGABYTE:
        story.user()
        for _ in range(_CALLS):
            at = next(number)
            output = f"line of the output of call {at}: error, or 3 files changed\n" * 350
            story.turn(f"call_{at}", output)
            size += len(output)
        story.answer()
    return story.raw


def seconds(raw: bytes, mode: Mode) -> tuple[float, float, Condensed]:
    """To read, to condense; and what that came to."""
    start = time.perf_counter()
    session = read_session(raw)
    assert isinstance(session, Session)
    inspection = Inspection(default_branch(session), settings_from(None))
    read = time.perf_counter()
    ids = count()
    clerk = Clerk(lambda: f"{next(ids):08x}", lambda: NOW_MS)
    found = condense(inspection, Extract(), clerk, Order(BLOBS, mode))
    assert isinstance(found, Condensed)
    assert found.after.plan.pruned_chars < found.before.plan.pruned_chars
    return read - start, time.perf_counter() - read, found


def main() -> None:
    for megabytes in [float(size) for size in sys.argv[1:]] or [10.0, 100.0]:
        raw = session_of(megabytes)
        for mode in Mode:
            read, condensing, found = seconds(raw, mode)
            print(
                f"{len(raw) / _MEGABYTE:8.1f} MB  {mode:7}  read {read:6.2f} s  "
                f"condense {condensing:6.2f} s  "
                f"{condensing / len(raw) * _MEGABYTE * 1000:6.1f} ms/MB  "
                f"{len(found.entries)} entries"
            )


if __name__ == "__main__":
    main()
