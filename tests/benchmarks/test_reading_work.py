"""How many bytes of a session are looked at, and how often: counted, not timed."""

from __future__ import annotations

from dataclasses import replace

from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.session.reading import SessionReader
from condense_tui.view.contextrows import View, context_row
from tests.benchmarks.workload import Story

OUTPUT = "a line of output\n" * 4_000
PROMPTS = 30
ROWS = 40


def long_session() -> bytes:
    """Prompts of two calls with long outputs, every other one archived."""
    story = Story()
    for number in range(PROMPTS):
        prompt = story.prompt((1, 1), lambda call: OUTPUT + call.id)
        if number % 2:
            story.index(prompt.calls)
            for batch in prompt.batches:
                story.summary(batch)
            story.chain(prompt.start_ms, prompt.final_ms, prompt.calls)
    return story.raw


class Reading:
    """A session of which every look at a body is counted in bytes."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.looked_at = 0
        self.reader = SessionReader(self._read)

    def _read(self, start: int, length: int) -> bytes:
        self.looked_at += length
        return self.raw[start : start + length]

    def inspection(self) -> Inspection:
        session = self.reader.session()
        assert isinstance(session, Session)
        return Inspection(default_branch(session), settings_from(None))


RAW = long_session()


def read() -> Reading:
    reading = Reading(RAW)
    reading.reader.feed(RAW)
    return reading


def test_reading_looks_at_no_body() -> None:
    reading = read()
    reading.inspection()
    assert reading.looked_at == 0


def test_the_plan_looks_at_no_output_that_is_sent_or_stubbed() -> None:
    """At the archive, which holds outputs itself, and at the few messages that decide."""
    reading = read()
    inspection = reading.inspection()
    _ = inspection.index
    archive = reading.looked_at
    assert archive < 1.1 * sum(len(line) for line in RAW.split(b"\n") if b"-index" in line[:200])
    _ = inspection.plan.slots, find(inspection), inspection.chains
    assert reading.looked_at - archive < len(OUTPUT)


def test_sizes_look_at_every_message_once_whatever_the_settings() -> None:
    reading = read()
    inspection = reading.inspection()
    _ = inspection.plan
    before = reading.looked_at
    _ = inspection.plan.slot_chars, inspection.status_line
    looked_at = reading.looked_at - before
    assert looked_at <= len(RAW)
    other = inspection.under(settings_from({"recoveryGraceTurns": 9, "protectedTools": ["read"]}))
    _ = other.plan.slot_chars, other.status_line
    assert reading.looked_at - before - looked_at < len(RAW) / 20


def test_a_page_of_rows_looks_at_that_page() -> None:
    reading = read()
    plan = reading.inspection().plan
    _ = plan.slot_chars
    before = reading.looked_at
    for number in range(ROWS):
        context_row(plan, number, View.RAW)
    assert reading.looked_at - before < 2 * ROWS * (len(OUTPUT) + 1_000)


def test_what_is_appended_costs_what_is_appended() -> None:
    """The pieces that were fed before are not parsed again, and sizes that are known stay."""
    story = Story()
    story.prompt((1,) * 50, lambda call: OUTPUT)
    reading = Reading(story.take())
    reading.reader.feed(reading.raw)
    _ = reading.inspection().plan.slot_chars
    appended = story_of_one_more(story)
    before = reading.looked_at
    reading.raw += appended
    reading.reader.feed(appended)
    inspection = reading.inspection()
    _ = inspection.plan.slot_chars
    assert len(inspection.plan.slots) == story.messages
    assert reading.looked_at - before <= 2 * len(appended)


def story_of_one_more(story: Story) -> bytes:
    story.user()
    for call in story.calls(1):
        story.result(replace(call, output=OUTPUT))
    return story.take()
