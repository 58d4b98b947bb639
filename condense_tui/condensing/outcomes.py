"""What becomes of each call and each chain, for people to read before and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from condense_tui.condensing.summariser import Usage
from condense_tui.pruning.pending import CapturedCall


class CallOutcome(StrEnum):
    """What a flush does to a call, in a few words."""

    PROTECTED = "protected"
    UNSAFE = "left alone: another result has its id and time"
    DUPLICATE = "duplicate"
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
    UNPLACED = "left alone: not a range of the context"
    UNSAFE = "left alone: two results share an id and a time"


@dataclass(frozen=True, slots=True)
class CallReport:
    """One call; `ref` is its short ref, or of a duplicate that of its original."""

    turn_index: int
    captured: CapturedCall
    outcome: CallOutcome
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ChainReport:
    """One chain; `block_id` is empty where it was left alone.  `calls` counts its ids."""

    start_place: int
    end_place: int
    calls: int
    outcome: ChainOutcome
    block_id: str = ""
    backfilled: int = 0


@dataclass(slots=True)
class Report:
    """Everything that a run did, in order."""

    calls: list[CallReport] = field(default_factory=list)
    chains: list[ChainReport] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    flushes: int = 0
    batches: int = 0
    raw_chars: int = 0
    summary_chars: int = 0
