"""The making of a condensed copy → who can summarise, what it costs, how far it is, what came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from condense_tui.condensing.amounts import cost_text
from condense_tui.condensing.condense import Condensed
from condense_tui.condensing.outcomes import Questions
from condense_tui.condensing.summariser import Usage
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.view.condensing import losses_words
from condense_tui.view.preview import preview_words
from condense_tui.view.words import counted

_MILLION = 1_000_000


class Who(Enum):
    """Who makes the summaries, as a row of the dialog."""

    EXTRACT = "extract: offline, from what the calls themselves say"
    MODEL = "a model, at an endpoint that speaks as OpenAI's does"
    FUSING = "a model, which also makes one summary of each chain"

    @property
    def is_model(self) -> bool:
        """Whether anything is sent."""
        return self is not Who.EXTRACT


WHAT_EXTRACTS_ARE = "Extracts are made offline, from what the calls themselves say."
OFFLINE_COST = "Nothing is sent anywhere, and it costs nothing."
WHAT_IS_SENT = (
    "Sent are the arguments of each call and the first 2,000 characters of each output.",
    "Answers are kept in your cache folder: what was asked before is not asked again.",
)


def cost_words(questions: Questions, read_price: float) -> str:
    """What a model is asked, and what reading that costs; what it writes is not known before."""
    if not questions.count:
        return "Nothing is left to ask: nothing is sent."
    amount = tokens(questions.chars)
    asked = counted(questions.count, "question")
    about = f"Up to {asked}, about {compact_count(amount)} tokens (characters / 4)"
    if not read_price:
        return f"{about}; without a price the cost is not known."
    cost = cost_text(amount * read_price / _MILLION)
    return f"{about}: {cost} to read, and what it writes."


def asked_words(model: str, address: str, questions: Questions, read_price: float) -> str:
    """What a model would be asked, in a line."""
    if not questions.count:
        return f"{model} at {address}: nothing is left to ask"
    amount = tokens(questions.chars)
    asked = counted(questions.count, "question")
    about = f"{model} at {address}: {asked}, about {compact_count(amount)} tokens"
    if not read_price:
        return f"{about}; without a price the cost is not known"
    return f"{about}, {cost_text(amount * read_price / _MILLION)} to read"


def progress_words(
    done: int, total: int, failed: int = 0, unsent: int = 0, usage: Usage | None = None
) -> str:
    """How far it is; tokens and money where a model answers.

    Of those that failed some were `unsent`: not asked at all.
    """
    if usage is None:
        return f"{done} of {counted(total, 'batch', 'batches')}"
    spent = compact_count(usage.input_tokens + usage.output_tokens)
    asked = f"{done - unsent} of {counted(total, 'question')}"
    words = f"{asked} · {spent} tokens · {cost_text(usage.cost)}"
    return f"{words} · {failed_count(failed, unsent)}" if failed else words


def failed_count(failed: int, unsent: int) -> str:
    """How many questions came to nothing, and how many of them were not sent any more."""
    words = f"{failed - unsent} failed"
    return f"{words}, {unsent} not sent" if unsent else words


def no_answer_words(model: str, address: str, reason: str, failed: int = 0, unsent: int = 0) -> str:
    """That a model answered none of its questions, the last reason, and how many were sent."""
    why = f": {reason}" if reason else ""
    sent = f" ({failed - unsent} asked, {unsent} not sent)" if unsent else ""
    return f"{model} at {address} gave no answer{why}{sent}"


def failed_words(failed: int, reason: str, unsent: int = 0) -> str:
    """That a model did not answer some of its questions, and the last reason."""
    why = f": {reason}" if reason else ""
    left = f" and {unsent} not sent" if unsent else ""
    asked = counted(failed - unsent, "question")
    return f"{asked} failed{left}, answered offline instead{why}"


def written_rows(
    found: Condensed, folders: Sequence[str], failed: int, reason: str, unsent: int = 0
) -> Iterator[str]:
    """What was written, what it comes to, what is lost, and where a model failed."""
    yield f"{counted(len(found.entries), 'entry', 'entries')} added: {preview_words(found)}"
    if lost := losses_words(found.losses):
        yield f"Lost: {lost}"
    if folders:
        yield f"Spilled outputs beside it ({len(found.files)} new): {', '.join(folders)}"
    if failed:
        yield failed_words(failed, reason, unsent)
