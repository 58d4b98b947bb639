"""Reading a session and planning what is sent, beside orjson on the same file.

    python -m tests.benchmarks.reading [MEGABYTES]

The peer is `orjson.loads` of every line, its results dropped, in the same process.  Everything
is CPU time of this one process, and the median of some runs, with no garbage collected.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.store_open import open_session
from condense_tui.tui.picture import picture_of
from tests.benchmarks.bigfile import write_session
from tests.benchmarks.report import Figure, median, print_figures

_RUNS = 3
_READING, _PLANNING = 0.7, 2.0
_SETTINGS_MS = 1_000


def cpu_ms(work: Callable[[], object]) -> float:
    """How long it takes."""
    gc.collect()
    gc.disable()
    begin = time.process_time()
    work()
    spent = (time.process_time() - begin) * 1000
    gc.enable()
    return spent


def decode_every_line(path: Path) -> None:
    """The peer."""
    with open(path, "rb") as file:
        for line in file:
            orjson.loads(line)


def opened(path: Path) -> Session:
    """The session, its bodies left in the file."""
    session = open_session(path)
    assert isinstance(session, Session)
    return session


def plan_everything(session: Session) -> Inspection:
    """Plan, sizes, findings and counters."""
    inspection = Inspection(default_branch(session), settings_from(None))
    find(inspection)
    _ = inspection.status_line, inspection.plan.slot_chars, inspection.pending
    return inspection


def figures(path: Path) -> list[Figure]:
    """Everything, measured in one run."""
    peer = median([cpu_ms(lambda: decode_every_line(path)) for _ in range(_RUNS)])
    reading = median([cpu_ms(lambda: opened(path)) for _ in range(_RUNS)])
    sessions = [opened(path) for _ in range(_RUNS)]
    planning = median([cpu_ms(partial(plan_everything, session)) for session in sessions])
    inspection = plan_everything(sessions[0])
    picture_of(path, inspection)
    other = inspection.under(settings_from({"recoveryGraceTurns": 3}))
    settings = cpu_ms(lambda: picture_of(path, other))
    return [
        Figure("orjson.loads of every line", peer),
        Figure("reading, bodies left in the file", reading, _READING * peer, "orjson", peer),
        Figure("plan, sizes, findings, counters", planning, _PLANNING * peer, "orjson", peer),
        Figure("all that the screens show, after a setting changed", settings, _SETTINGS_MS),
    ]


def main() -> int:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 400
    with TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        lines = write_session(path, megabytes)
        found = figures(path)
    return print_figures(f"Reading {megabytes:g} MB in {lines:,} lines", found)


if __name__ == "__main__":
    sys.exit(main())
