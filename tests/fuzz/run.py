"""Judge many cases: `python -m tests.fuzz.run --count N --seed S`.

Prints what became of them; the exit code is 1 if any raised, took too long or changed a file.
`--only NUMBER` judges one again, and writes its files down.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.fuzz.cases import Case, make_case
from tests.fuzz.judge import SESSION_NAME, SETTINGS_NAME, ChangedError, judge
from tests.fuzz.material import Material, digest_of, is_shared_at_hand, material
from tests.fuzz.shrink import shrunk

MAX_SECONDS = 1.0
_ENDLESS_SECONDS = 20.0
_BATCH = 50
_SAID_EVERY = 5000


@dataclass(frozen=True)
class Outcome:
    """What became of a case; `trouble` is empty where nothing went wrong."""

    number: int
    kind: str
    origin: str
    size: int
    word: str
    seconds: float
    trouble: str = ""

    @property
    def is_slow(self) -> bool:
        return self.seconds > MAX_SECONDS


class EndlessError(Exception):
    """It did not end by itself."""


def outcome_of(case: Case, folder: Path) -> Outcome:
    """Judge a case and see how that went."""
    start = time.perf_counter()
    try:
        with _ending():
            word, trouble = judge(case.raw, case.settings, folder), ""
    except EndlessError:
        word, trouble = "endless", "did not end"
    except ChangedError as change:
        word, trouble = "changed", str(change)
    except Exception:
        word, trouble = "raised", traceback.format_exc()
    seconds = time.perf_counter() - start
    return Outcome(case.number, case.kind, case.origin, len(case.raw), word, seconds, trouble)


@contextmanager
def _ending() -> Iterator[None]:
    """Whatever never ends is ended, where the system has such alarms."""

    def end(_signal: int, _frame: Any) -> None:
        raise EndlessError

    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, _ENDLESS_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@dataclass
class Tally:
    """All outcomes so far, counted."""

    words: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    slowest: Outcome | None = None
    slow: list[Outcome] = field(default_factory=list)
    troubled: list[Outcome] = field(default_factory=list)
    bytes: int = 0

    @property
    def count(self) -> int:
        return self.words.total()

    def add(self, outcome: Outcome) -> None:
        self.words[outcome.word] += 1
        self.kinds[outcome.kind] += 1
        self.origins[outcome.origin] += 1
        self.bytes += outcome.size
        if outcome.trouble:
            self.troubled.append(outcome)
        elif outcome.is_slow:
            self.slow.append(outcome)
        if self.slowest is None or outcome.seconds > self.slowest.seconds:
            self.slowest = outcome

    def line(self, seconds: float) -> str:
        words = ", ".join(f"{count:,} {word}" for word, count in sorted(self.words.items()))
        rate = self.count / max(seconds, 0.001)
        return f"{self.count:,} judged: {words}; {rate:.0f} a second"


def run(seed: int, numbers: range, sessions: tuple[Material, ...], jobs: int) -> Tally:
    """Judge these numbers; what took too long is judged once more, alone."""
    tally, start = Tally(), time.perf_counter()
    try:
        for outcome in _outcomes(seed, numbers, sessions, jobs):
            tally.add(outcome)
            if tally.count % _SAID_EVERY == 0:
                print(tally.line(time.perf_counter() - start), file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("given up; so far:", file=sys.stderr)
    for slow in tally.slow:
        again = _one(seed, sessions, slow.number)
        if again.is_slow or again.trouble:
            tally.troubled.append(again)
    return tally


def _outcomes(
    seed: int, numbers: range, sessions: tuple[Material, ...], jobs: int
) -> Iterator[Outcome]:
    batches = [numbers[at : at + _BATCH] for at in range(0, len(numbers), _BATCH)]
    judged = partial(_batch, seed, sessions)
    if jobs == 1:
        for batch in batches:
            yield from judged(batch)
        return
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for outcomes in pool.imap(judged, batches):
            yield from outcomes


def _batch(seed: int, sessions: tuple[Material, ...], numbers: Iterable[int]) -> list[Outcome]:
    with case_folder() as folder:
        return [outcome_of(make_case(seed, number, sessions), folder) for number in numbers]


def _one(seed: int, sessions: tuple[Material, ...], number: int) -> Outcome:
    return _batch(seed, sessions, [number])[0]


@contextmanager
def case_folder() -> Iterator[Path]:
    """In memory where there is such a place."""
    memory = Path("/dev/shm")  # noqa: S108
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def show(tally: Tally, seconds: float, sessions: tuple[Material, ...]) -> None:
    """The whole tally, for people."""
    print(tally.line(seconds))
    print(", ".join(f"{count:,} {kind}" for kind, count in sorted(tally.kinds.items())))
    names = {session.name for session in sessions}
    print(f"{len(names & set(tally.origins))} of {len(names)} sessions mutated")
    print(f"{tally.bytes / max(tally.count, 1):,.0f} bytes each, {seconds:,.0f} s in all")
    if tally.slowest:
        slowest = tally.slowest
        print(f"slowest: number {slowest.number}, {slowest.seconds:.3f} s, of {slowest.origin}")
    print(f"{len(tally.slow)} took over {MAX_SECONDS:g} s at first")
    _show_memory()
    for outcome in tally.troubled[:5]:
        print(f"\nnumber {outcome.number} ({outcome.kind}, {outcome.origin}) {outcome.word}:")
        print(outcome.trouble or f"{outcome.seconds:.2f} s")


def _show_memory() -> None:
    if sys.platform != "win32":
        import resource

        who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        peak = max(resource.getrusage(each).ru_maxrss for each in who)
        print(f"{peak / 1024:,.0f} MB at most in memory (as Linux counts)")


def write_smallest(outcome: Outcome, case: Case, to: Path) -> None:
    """The smallest case that fails in the same way."""
    end = outcome.trouble.strip().rsplit("\n", 1)[-1]

    def fails(raw: bytes, settings: bytes) -> bool:
        with case_folder() as folder:
            tried = outcome_of(Case(case.number, "", "", raw, settings), folder)
        return tried.word == outcome.word and tried.trouble.strip().rsplit("\n", 1)[-1] == end

    raw, settings = shrunk(case.raw, case.settings, fails)
    write_case(raw, settings, to)


def write_case(raw: bytes, settings: bytes, to: Path) -> None:
    """Both files of a case."""
    to.mkdir(parents=True, exist_ok=True)
    (to / SESSION_NAME).write_bytes(raw)
    if settings:
        (to / SETTINGS_NAME).write_bytes(settings)
    print(f"written to {to}: {len(raw):,} and {len(settings):,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--only", type=int, help="judge this number alone")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--own", action="store_true", help="mutate the project's sessions only")
    parser.add_argument("--to", type=Path, default=Path("fuzz-failures"))
    return parser.parse_args()


def main() -> int:
    """Run as the arguments say; the exit code."""
    asked = _arguments()
    sessions = material(is_shared_at_hand() and not asked.own)
    print(f"seed {asked.seed}, {len(sessions)} sessions, digest {digest_of(sessions)}")
    # What is loaded by now stays; no need to look at it in every collection.
    gc.freeze()
    numbers = range(asked.start, asked.start + asked.count)
    if asked.only is not None:
        numbers = range(asked.only, asked.only + 1)
        case = make_case(asked.seed, asked.only, sessions)
        write_case(case.raw, case.settings, asked.to / f"{asked.seed}-{asked.only}")
    start = time.perf_counter()
    tally = run(asked.seed, numbers, sessions, asked.jobs)
    show(tally, time.perf_counter() - start, sessions)
    for outcome in tally.troubled[:5]:
        case = make_case(asked.seed, outcome.number, sessions)
        write_smallest(outcome, case, asked.to / f"{asked.seed}-{outcome.number}-smallest")
    return 1 if tally.troubled else 0


if __name__ == "__main__":
    sys.exit(main())
