"""The work of a render grows with the messages and with nothing else.

Proved by counting and not by the clock: every line of Python that runs is a step, and each pass
of a loop, a comprehension or a generator runs one at least.  Four times the messages may take
four times the steps.  What the interpreter does within one step (a search through a list, say)
is not seen here; `render.py` beside this file measures that in seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any, TypeVar

import pytest

from condense_tui.pruning.diagnostics import DiagnosticKind, DiagnosticSink
from condense_tui.pruning.indexbuilder import build_index
from condense_tui.pruning.render import PHASES, plan_render
from condense_tui.pruning.settings import settings_from
from condense_tui.pruning.slots import FateKind, Slot
from condense_tui.session.branch import default_branch
from condense_tui.session.context import build_context
from condense_tui.session.entries import Session
from condense_tui.session.reading import read_session
from tests.benchmarks.workload import Prompt, Story, condensed_session

FEW, FACTOR = 600, 4
MAX_GROWTH = 1.2 * FACTOR

ONE_CALL = (1,)  # the batches of a short prompt: four messages, so that there are many chains

Value = TypeVar("Value")


@dataclass(frozen=True)
class Workload:
    """A kind of session; what it is about must itself be found `FACTOR` times as often."""

    tell: Callable[[int], Story]
    found: FateKind | DiagnosticKind
    settings: Mapping[str, Any] = field(default_factory=dict)


def chains(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        _compress(story, story.prompt(ONE_CALL), body="short")
    return story


def summaries(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        prompt = story.prompt(ONE_CALL)
        story.index(prompt.calls)
        story.summary(prompt.calls)
        _compress(story, prompt)
    return story


def block_references(messages: int) -> Story:
    """Each block's body names the first block, the one before and the one after."""
    story = Story()
    block = 1
    while story.messages < messages:
        body = f"{{b1}} {{b{block - 1}}} {{b{block + 1}}} {{b{block}}}" if block > 1 else "short"
        _compress(story, story.prompt(ONE_CALL), body=body)
        block += 1
    return story


def references_to_a_long_block(messages: int) -> Story:
    """Half of the messages are in the first block, which all the others name twice."""
    story = Story()
    start_ms = story.user()
    calls = [call for _ in range(messages // 4) for call in story.batch()]
    story.index(calls)
    final_ms = story.final()
    story.summary(calls, "short")
    story.chain(start_ms, final_ms, calls)
    while story.messages < messages:
        start_ms = story.user()
        story.chain(start_ms, story.final(), [], "{b1} {b1}")
    return story


def nested_ranges(messages: int) -> Story:
    """Every range lies within all that were before it."""
    story, prompts = _prompts(messages)
    for outer, inner in zip(prompts, reversed(prompts), strict=True):
        if outer.start_ms < inner.final_ms:
            story.chain(outer.start_ms, inner.final_ms, [], "short")
    return story


def overlapping_ranges(messages: int) -> Story:
    """Every range reaches over half of the session."""
    story, prompts = _prompts(messages)
    half = len(prompts) // 2
    for first, last in zip(prompts, prompts[half:], strict=False):
        story.chain(first.start_ms, last.final_ms, [], "short")
    return story


def ranges_side_by_side(messages: int) -> Story:
    """Many ranges within one that is itself not accepted, because a third holds its start."""
    story, prompts = _prompts(messages)
    story.chain(prompts[0].start_ms, prompts[1].final_ms, [], "short")
    story.chain(prompts[1].start_ms, prompts[-1].final_ms, [], "short")
    for prompt in prompts[2:]:
        story.chain(prompt.start_ms, prompt.final_ms, [], "short")
    return story


def aliases(messages: int) -> Story:
    """Every output is a duplicate of the first one."""
    story = Story()
    story.user()
    [original] = story.batch()
    story.index([original])
    story.summary([original])
    while story.messages < messages:
        [duplicate] = story.batch()
        story.alias(duplicate, original)
    return story


def recoveries(messages: int) -> Story:
    """Every call fetches something back, is summarised and still in grace."""
    story = Story()
    while story.messages < messages:
        story.user()
        story.index(story.batch(3, tool="context_tree_query"))
    return story


def orphans(messages: int) -> Story:
    """One message makes all the calls, and another extension speaks before the results."""
    story = Story()
    story.user()
    calls = story.calls(messages // 2)
    while story.messages < messages // 2:
        story.foreign()
    for call in calls:
        story.result(call)
    return story


def failures(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        story.user()
        story.batch(3, fails=True)
    return story


def one_long_chain(messages: int) -> Story:
    story = Story()
    start_ms = story.user()
    calls = []
    while story.messages < messages:
        batch = story.batch()
        story.index(batch)
        story.summary(batch)
        calls += batch
    story.chain(start_ms, story.final(), calls)
    return story


def _prompts(messages: int) -> tuple[Story, list[Prompt]]:
    story = Story()
    prompts = []
    while story.messages < messages:
        prompts.append(story.prompt(ONE_CALL))
    return story, prompts


def _compress(story: Story, prompt: Prompt, body: str | None = None) -> None:
    story.chain(prompt.start_ms, prompt.final_ms, prompt.calls, body)


WORKLOADS = {
    "the benchmark": Workload(condensed_session, FateKind.INSERTED),
    "chains": Workload(chains, FateKind.DROPPED),
    "summaries": Workload(summaries, FateKind.SUPPRESSED),
    "block references": Workload(block_references, FateKind.INSERTED),
    "references to a long block": Workload(references_to_a_long_block, FateKind.INSERTED),
    "nested ranges": Workload(nested_ranges, DiagnosticKind.UNRESOLVED_RANGE),
    "overlapping ranges": Workload(overlapping_ranges, DiagnosticKind.UNRESOLVED_RANGE),
    "ranges side by side": Workload(ranges_side_by_side, DiagnosticKind.UNRESOLVED_RANGE),
    "aliases": Workload(aliases, FateKind.STUBBED),
    "recoveries": Workload(recoveries, FateKind.IN_GRACE, {"recoveryGraceTurns": 1_000_000}),
    "orphans": Workload(orphans, FateKind.SWEPT),
    "failures": Workload(failures, FateKind.PURGED),
    "one long chain": Workload(one_long_chain, FateKind.DROPPED),
}


class StepCounter:
    """Counts the lines of Python that each stage runs."""

    def __init__(self) -> None:
        self.steps: dict[str, int] = {}

    def run(self, stage: str, work: Callable[[], Value]) -> Value:
        steps = 0

        def count(_frame: FrameType, _event: str, _argument: Any) -> Any:
            nonlocal steps
            steps += 1
            return count

        previous = sys.gettrace()
        sys.settrace(count)
        try:
            return work()
        finally:
            sys.settrace(previous)
            self.steps[stage] = steps

    def too_steep(self, fewer: StepCounter) -> Mapping[str, float]:
        """The stages that grew too much beyond `fewer`, and how much."""
        growth = {stage: self.steps[stage] / steps for stage, steps in fewer.steps.items()}
        return {stage: by for stage, by in growth.items() if by > MAX_GROWTH}


def render_steps(workload: Workload, messages: int) -> tuple[StepCounter, int]:
    """The steps of the index and of each phase, and how often is found what it is about."""
    branch = default_branch(session_of(workload.tell(messages)))
    settings = settings_from(dict(workload.settings))
    counter, sink = StepCounter(), DiagnosticSink()
    index = counter.run("build_index", lambda: build_index(branch.entries))
    context = build_context(branch)
    plan_render(context, index, settings)  # paths are remembered from one render to the next
    slots: Sequence[Slot] = [Slot(place, each, each) for place, each in enumerate(context.prunable)]
    for phase in PHASES:
        slots = counter.run(phase.__name__, partial(phase, slots, index, settings, sink))
    kinds: list[object] = [fate.kind for slot in slots for fate in slot.fates]
    kinds += [diagnostic.kind for diagnostic in sink.collected]
    return counter, kinds.count(workload.found)


def session_of(story: Story) -> Session:
    session = read_session(story.raw)
    assert isinstance(session, Session)
    return session


@pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS.keys())
def test_four_times_the_messages_take_four_times_the_steps(workload: Workload) -> None:
    few, found_in_few = render_steps(workload, FEW)
    many, found_in_many = render_steps(workload, FEW * FACTOR)
    assert many.too_steep(few) == {}
    assert found_in_many / found_in_few == pytest.approx(FACTOR, rel=0.1)


def steps_around(messages: int) -> StepCounter:
    """The steps of everything before and after the phases."""
    counter, story = StepCounter(), condensed_session(messages)
    session = counter.run("read_session", lambda: session_of(story))
    branch = counter.run("default_branch", lambda: default_branch(session))
    context = counter.run("build_context", lambda: build_context(branch))
    index = build_index(branch.entries)
    plan = plan_render(context, index, settings_from(None))
    counter.run("sizes", lambda: (plan.raw_chars, plan.pruned_chars))
    return counter


def test_reading_before_and_measuring_after_grow_no_faster() -> None:
    assert steps_around(FEW * FACTOR).too_steep(steps_around(FEW)) == {}


def test_a_scan_for_each_message_is_seen() -> None:
    def scans(messages: int) -> StepCounter:
        places, counter = range(messages), StepCounter()
        counter.run("scan", lambda: [any(other < 0 for other in places) for _ in places])
        return counter

    assert scans(10 * FACTOR).too_steep(scans(10)).keys() == {"scan"}
