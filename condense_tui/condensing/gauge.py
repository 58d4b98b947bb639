"""`Gauge`: the metrics of a flush, carried on from one flush to the next.

(Source: the pruning rules, section 10.)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from condense_tui.condensing.course import Course
from condense_tui.condensing.notes import Notes
from condense_tui.pruning.detection import detect_chains
from condense_tui.pruning.metrics import Metrics, measure
from condense_tui.pruning.protection import is_protected
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.context import message_of
from condense_tui.session.entries import Entry
from condense_tui.session.messages import Message


class Gauge:
    """Measures a course at ever later places; what was written in between counts too."""

    def __init__(self, course: Course, settings: CondenseSettings) -> None:
        self._course = course
        self._settings = settings
        self._messages: list[Message] = []
        self._taken = 0

    def measure(self, upto: int, notes: Notes) -> Metrics:
        """The metrics where only the messages before this place are there."""
        end = self._course.gauged_ends[upto]
        self._messages += self._course.gauged[self._taken : end]
        self._taken = end
        chains = detect_chains(self._messages, partial(is_protected, settings=self._settings))
        return measure(self._messages, chains, notes.frontier, notes.index, self._settings)

    def add_summaries(self, written: Iterable[Entry]) -> None:
        """Take in the summaries among new entries."""
        summaries = (entry for entry in written if entry.type == "custom_message")
        self._messages += [message for entry in summaries if (message := message_of(entry))]
