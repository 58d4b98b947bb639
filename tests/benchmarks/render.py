"""How long a render takes, and how that grows: `python tests/benchmarks/render.py --help`.

Builds sessions of 17 messages a prompt in memory, every prompt compressed to a block, and times
each stage from bytes to sizes in the CPU time of this one process.  As in `timeit`, no garbage is
collected while the clock runs; with `--gc` each stage also pays for what its own objects set off.

Exit code 1 when the time of `plan_render` grows faster than messages^1.1, or when it takes more
than a second for 100,000 messages.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # this checkout, not an installed one

from condense_tui.pruning.diagnostics import DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.indexbuilder import build_index
from condense_tui.pruning.render import PHASES, plan_render
from condense_tui.pruning.settings import settings_from
from condense_tui.pruning.slots import Phase, Slot
from condense_tui.session.branch import default_branch
from condense_tui.session.context import Context, build_context
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.reading import read_session
from tests.benchmarks.workload import condensed_session

Value = TypeVar("Value")

PLAN = "plan_render"
PUBLISHED_MS: Mapping[str, Mapping[int, float]] = {
    "published, on Bun": {10_000: 42, 50_000: 850, 100_000: 3_900},
    "published, on Node": {10_000: 65, 50_000: 1_600, 100_000: 16_000},
}
MAX_EXPONENT = 1.1
MAX_MS = 1_000
GATED_MESSAGES = 100_000
SETTINGS = settings_from(None)


@dataclass(frozen=True)
class Measurement:
    """A session of about `messages` messages; `ms` is the median time of each stage."""

    messages: int
    context_messages: int
    file_bytes: int
    ms: Mapping[str, float]


class Stopwatch:
    """Notes how long each stage took, in milliseconds."""

    def __init__(self, *, has_gc: bool) -> None:
        self.ms: dict[str, float] = {}
        self._has_gc = has_gc

    def lap(self, stage: str, work: Callable[[], Value]) -> Value:
        gc.collect()
        if not self._has_gc:
            gc.disable()
        begin_ns = time.process_time_ns()
        value = work()
        self.ms[stage] = (time.process_time_ns() - begin_ns) / 1e6
        gc.enable()
        return value


def measure(messages: int, repeats: int, *, has_gc: bool = False) -> Measurement:
    """The medians of some runs over one session."""
    story = condensed_session(messages)
    raw, context_messages = story.raw, story.messages
    del story
    runs = [run_stages(raw, Stopwatch(has_gc=has_gc)) for _ in range(repeats)]
    medians = {stage: statistics.median(run[stage] for run in runs) for stage in runs[0]}
    return Measurement(messages, context_messages, len(raw), medians)


def run_stages(raw: bytes, watch: Stopwatch) -> dict[str, float]:
    """One run from the bytes to the sizes: stage → milliseconds."""
    session = watch.lap("read_session", lambda: _session(raw))
    branch = watch.lap("default_branch", lambda: default_branch(session))
    context = watch.lap("build_context", lambda: build_context(branch))
    index = watch.lap("build_index", lambda: build_index(branch.entries))
    plan = watch.lap(PLAN, lambda: plan_render(context, index, SETTINGS))
    watch.lap("slot_chars", lambda: plan.slot_chars)
    watch.lap("raw_chars, pruned_chars", lambda: (plan.raw_chars, plan.pruned_chars))
    _run_phases(watch, context, index)
    return watch.ms


def _session(raw: bytes) -> Session:
    session = read_session(raw)
    if isinstance(session, Refusal):
        raise ValueError(session.reason)
    return session


def _run_phases(watch: Stopwatch, context: Context, index: PruneIndex) -> None:
    """The phases one by one, as `plan_render` runs them."""
    slots: Sequence[Slot] = [
        Slot(place, message, message) for place, message in enumerate(context.prunable)
    ]
    for number, phase in enumerate(PHASES, 1):
        stage = f"phase {number}: {phase.__name__}"
        slots = watch.lap(stage, _bound(phase, slots, index))


def _bound(phase: Phase, slots: Sequence[Slot], index: PruneIndex) -> Callable[[], Sequence[Slot]]:
    return lambda: phase(slots, index, SETTINGS, DiagnosticSink())


def growth_exponent(times: Mapping[int, float]) -> float:
    """The slope of the least-squares line through (log messages, log time)."""
    if len(times) < 2:
        return math.nan
    messages, taken = zip(*times.items(), strict=True)
    logs = [math.log(number) for number in messages]
    return statistics.linear_regression(logs, [math.log(max(ms, 1e-6)) for ms in taken]).slope


def growth(measurements: Sequence[Measurement]) -> dict[str, float]:
    """Stage → growth exponent."""
    return {
        stage: growth_exponent({each.messages: each.ms[stage] for each in measurements})
        for stage in measurements[0].ms
    }


def failures(measurements: Sequence[Measurement]) -> list[str]:
    """Which promises these measurements break."""
    broken = []
    exponent = growth(measurements)[PLAN]
    if exponent > MAX_EXPONENT:
        broken.append(f"{PLAN} grows with messages^{exponent:.2f}, more than ^{MAX_EXPONENT}")
    broken += [
        f"{PLAN} takes {each.ms[PLAN]:,.0f} ms for {each.messages:,}, more than {MAX_MS:,} ms"
        for each in measurements
        if each.messages == GATED_MESSAGES and each.ms[PLAN] > MAX_MS
    ]
    return broken


def table(measurements: Sequence[Measurement]) -> Iterator[str]:
    """The measurements for people, in milliseconds."""
    sizes = [each.messages for each in measurements]
    yield _row("messages", [f"{size:,}" for size in sizes], "growth")
    yield _row("in the context", [f"{each.context_messages:,}" for each in measurements])
    yield _row("file, MB", [f"{each.file_bytes / 1e6:,.1f}" for each in measurements])
    yield ""
    for stage, exponent in growth(measurements).items():
        yield _row(f"{stage}, ms", [f"{each.ms[stage]:,.1f}" for each in measurements], exponent)
        if stage == PLAN:
            yield from _published_rows(sizes)


def _published_rows(sizes: Sequence[int]) -> Iterator[str]:
    for name, times in PUBLISHED_MS.items():
        cells = [f"{times[size]:,.0f}" if size in times else "-" for size in sizes]
        yield _row(f"  {name}*, ms", cells, growth_exponent(times))
    yield "  * the extension's own figures as published, not measured here"


def _row(name: str, cells: Sequence[str], last: str | float = math.nan) -> str:
    if isinstance(last, float):
        last = f"{last:.2f}" if math.isfinite(last) else ""
    return f"{name:<36}" + "".join(f"{cell:>12}" for cell in cells) + f"{last:>10}"


def as_json(measurements: Sequence[Measurement]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "measurements": [vars(each) for each in measurements],
        "growth": {stage: _finite(exponent) for stage, exponent in growth(measurements).items()},
        "published_ms": PUBLISHED_MS,
        "failures": failures(measurements),
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the render of long sessions.")
    parser.add_argument(
        "--messages",
        type=_sizes,
        default="10000,50000,100000,200000",
        metavar="N,N,…",
        help="messages in the context of each session, by default %(default)s",
    )
    parser.add_argument(
        "--repeat", type=int, default=3, metavar="N", help="take the median of N runs"
    )
    parser.add_argument("--gc", action="store_true", help="collect garbage while the clock runs")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--no-gate", action="store_true", help="exit with 0 however slow it is")
    return parser.parse_args(given)


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


def main(given: Sequence[str] | None = None) -> int:
    arguments = _arguments(given)
    measurements = [
        measure(size, arguments.repeat, has_gc=arguments.gc) for size in arguments.messages
    ]
    if arguments.json:
        print(json.dumps(as_json(measurements), indent=2))
    else:
        print("\n".join(table(measurements)))
    broken = [] if arguments.no_gate else failures(measurements)
    for reason in broken:
        print(reason, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
