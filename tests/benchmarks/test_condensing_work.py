"""The work of condensing grows with the messages and with nothing else; bodies are hashed once.

Counted as in `test_render_work.py`; `condense.py` beside this file measures it in seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from condense_tui.condensing import notes
from condense_tui.condensing.condense import Condensed, Mode, Order, condense
from condense_tui.condensing.summariser import Answer
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.contenthash import content_hash
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from tests.benchmarks.test_render_work import FACTOR, ONE_CALL, StepCounter, session_of
from tests.benchmarks.workload import Story
from tests.condensing import BLOBS, Told, clerk

FEW = 200

SETTINGS = {
    "minBatchChars": 0,
    "recoveryGraceTurns": 5,
    "chainCompression": {"enabled": True, "rollingWindow": 1, "fuseRangeSummary": True},
}


def prompts(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        story.prompt()
    return story


def short_prompts(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        story.prompt(ONE_CALL)
    return story


def one_long_prompt(messages: int) -> Story:
    story = Story()
    story.user()
    while story.messages < messages:
        story.batch()
    story.final()
    return story


def recoveries(messages: int) -> Story:
    story = Story()
    while story.messages < messages:
        story.user()
        story.batch(tool="context_tree_query")
        story.final()
    return story


def condensed_before(messages: int) -> Story:
    """Everything is known already, but for the last prompt."""
    story = Story()
    while story.messages < messages:
        prompt = story.prompt(ONE_CALL)
        story.index(prompt.calls)
        story.summary(prompt.calls)
        story.chain(prompt.start_ms, prompt.final_ms, prompt.calls)
    story.prompt()
    return story


WORKLOADS = [prompts, short_prompts, one_long_prompt, recoveries, condensed_before]


def condensed(story: Story, mode: Mode) -> Condensed:
    inspection = Inspection(default_branch(session_of(story)), settings_from(SETTINGS))
    told = Told(lambda _batch: Answer("done"), lambda _texts: Answer("fused"))
    found = condense(inspection, told, clerk(), Order(BLOBS, mode))
    assert isinstance(found, Condensed)
    return found


def condensing_steps(tell: Callable[[int], Story], messages: int, mode: Mode) -> StepCounter:
    story, counter = tell(messages), StepCounter()
    condensed(story, mode)  # paths are remembered from one run to the next
    counter.run("condense", lambda: condensed(story, mode))
    return counter


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("tell", WORKLOADS, ids=lambda tell: tell.__name__)
def test_four_times_the_messages_take_four_times_the_steps(
    tell: Callable[[int], Story], mode: Mode
) -> None:
    few, many = (condensing_steps(tell, size, mode) for size in (FEW, FEW * FACTOR))
    assert many.too_steep(few) == {}


@pytest.mark.parametrize("mode", list(Mode))
def test_a_body_is_hashed_once(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: Counter[tuple[str, str]] = Counter()

    def counting(tool_name: str, text: str) -> str:
        hashed[tool_name, text] += 1
        return content_hash(tool_name, text)

    monkeypatch.setattr(notes, "content_hash", counting)
    condensed(condensed_before(FEW), mode)
    assert set(hashed.values()) == {1}
