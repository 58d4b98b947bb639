"""What a summariser is: someone who answers a batch with a text, or a chain's texts with one.

Its answers are judged here and nowhere else trusted: labels become refs, and what is unusable
or not shorter than what it stands for is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from condense_tui.pruning.pending import Batch
from condense_tui.session.compact import Value


class Usage(Value, frozen=True):
    """What answers cost: tokens, dollars, how often a model was asked, and how often in vain."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0
    calls: int = 0
    fallbacks: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
            self.calls + other.calls,
            self.fallbacks + other.fallbacks,
        )


class Answer(Value, frozen=True):
    """A text, what it cost, and why it ended: `length` is one that was cut off."""

    text: str
    usage: Usage = Usage()
    stop_reason: str = "stop"


class Summariser(Protocol):
    """Both may answer None, which is a failure: the batch stays pending, the texts stay apart."""

    def summaries(self, batches: Sequence[Batch]) -> Sequence[Answer | None]:
        """One answer for each batch, in order; each bullet under the label of its call."""

    def fused(self, texts: Sequence[str]) -> Answer | None:
        """One text for the summaries of a chain."""
