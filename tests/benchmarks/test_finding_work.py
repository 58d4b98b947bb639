"""How many bytes of a session a search reads, and how many it decodes: counted, not timed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import build_links
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import search
from condense_tui.inspection.searched import sifted_texts
from condense_tui.inspection.sieve import Sieve
from condense_tui.session import bodies
from condense_tui.session.jsontext import parse_json
from condense_tui.session.linescan import WINDOW_BYTES
from tests.benchmarks.test_reading_work import RAW, Reading, read


@dataclass
class Work:
    """What a search did; `reads` are sizes in bytes, `looks` what was read at each `Found`."""

    decoded: int = 0
    hits: int = 0
    reads: list[int] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    done = Work()

    def counted(raw: bytes) -> object:
        done.decoded += len(raw)
        return parse_json(raw)

    def noted(reading: Reading, start: int, length: int) -> bytes:
        done.reads.append(length)
        return reading.raw[start : start + length]

    monkeypatch.setattr(bodies, "parse_json", counted)
    monkeypatch.setattr(Reading, "_read", noted)
    return done


def looked_for(inspection: Inspection, words: str, work: Work) -> None:
    """Counts from here on."""
    pattern = make_pattern(words)
    assert isinstance(pattern, SearchPattern)
    links = build_links(inspection, build_call_tree(inspection))
    assert inspection.plan.slots
    work.decoded = work.hits = 0
    work.reads.clear()
    texts = sifted_texts(inspection, links, lambda _: None, Sieve(pattern))
    for found in search(texts, pattern, lambda: 0.0):
        work.hits += len(found.hits)
        work.looks.append(sum(work.reads))


def test_what_is_nowhere_is_looked_for_without_decoding_anything(work: Work) -> None:
    inspection = read().inspection()
    looked_for(inspection, "No Such Word", work)
    assert work.hits == work.decoded == 0
    assert sum(work.reads) <= 2.1 * len(RAW) + 2 * WINDOW_BYTES


def test_what_is_rarely_there_decodes_the_lines_that_hold_it(work: Work) -> None:
    inspection = read().inspection()
    *_, last = inspection.index.records.values()
    looked_for(inspection, last.tool_call_id, work)
    lines = [line for line in RAW.split(b"\n") if last.tool_call_id.encode() in line]
    assert 0 < work.hits < len(lines) < 10
    assert work.decoded <= 3 * sum(map(len, lines)) < len(RAW) / 5


def test_what_hides_words_is_looked_for_once_a_session(work: Work) -> None:
    inspection = read().inspection()
    looked_for(inspection, "No Such Word", work)
    first = sum(work.reads)
    looked_for(inspection, "No Such Word Either", work)
    assert sum(work.reads) < 0.6 * first


def test_a_search_can_be_left_at_each_window(work: Work) -> None:
    looked_for(read().inspection(), "No Such Word", work)
    steps = [after - before for before, after in pairwise([0, *work.looks])]
    assert max(steps) <= WINDOW_BYTES + 100
    assert max(work.reads) <= WINDOW_BYTES + 100
