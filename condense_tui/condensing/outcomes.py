"""What becomes of each call and each chain, for people to read before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from condense_tui.condensing.summariser import Usage
from condense_tui.pruning.pending import CapturedCall
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import utf16_length


class CallOutcome(StrEnum):
    """What a flush does to a call, in a few words."""

    PROTECTED = "protected"
    UNSAFE = "left alone: another result has its id and time"
    UNSEEN = "left alone: already out of the context"
    BEYOND_TEXT = "left alone: a record would not hold all of it"
    DUPLICATE = "duplicate"
    MISTAKEN = "duplicate with another text"
    SPILLED = "spilled"
    TOO_SMALL = "too small"
    SUMMARISED = "summarised"
    NOT_SHORTER = "rejected: the summary is not shorter"
    FAILED = "failed: stays pending"


class ChainOutcome(StrEnum):
    """What a flush does to a chain, in a few words."""

    COVERED = "its summaries stand for it"
    FUSED = "its summaries fused into one"
    DETERMINISTIC = "no summary: a body from its calls"
    PROTECTED = "left alone: every call is protected"
    EMPTY = "left alone: nothing to extract"
    UNPLACED = "left alone: not whole in the context"
    UNSAFE = "left alone: two results share an id and a time"
    BEYOND_TEXT = "left alone: records would not hold all of it"


class CallReport(Value, frozen=True):
    """One call; `ref` is its short ref, or of a duplicate that of its original."""

    turn_index: int
    captured: CapturedCall
    outcome: CallOutcome
    ref: str = ""


class ChainReport(Value, frozen=True):
    """One chain; `block_id` is empty where it was left alone.  `calls` counts its ids."""

    start_place: int
    end_place: int
    calls: int
    outcome: ChainOutcome
    block_id: str = ""
    backfilled: int = 0


@dataclass(slots=True)
class Questions:
    """What a summariser is asked, or would be if it were a model: how often, and how much."""

    count: int = 0
    chars: int = 0

    def add(self, texts: Iterable[str]) -> None:
        """One question a text."""
        for text in texts:
            self.count += 1
            self.chars += utf16_length(text)


@dataclass(slots=True)
class Report:
    """Everything that a run did, in order; `fusions` are questions that fusing chains takes."""

    calls: list[CallReport] = field(default_factory=list)
    chains: list[ChainReport] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    questions: Questions = field(default_factory=Questions)
    fusions: Questions = field(default_factory=Questions)
    flushes: int = 0
    batches: int = 0
    raw_chars: int = 0
    summary_chars: int = 0
