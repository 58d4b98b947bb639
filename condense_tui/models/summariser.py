"""`ModelSummariser`: a summariser that asks a model, several batches at a time.

What a model answered is kept by what it was asked, so that it is paid for once.  Where it fails
the offline summariser answers in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from condense_tui.condensing.extract import Extract
from condense_tui.condensing.labels import is_usable
from condense_tui.condensing.summariser import Answer, Usage
from condense_tui.models.atonce import at_once
from condense_tui.models.prompts import Question, about_batch, about_chain
from condense_tui.pruning.pending import Batch
from condense_tui.session.compact import Value, changed

# Where so many questions failed and none was answered, the others are not asked.
_FIRST_FAILURES = 5


class ModelError(Exception):
    """A question was not answered; with `is_final` no other one will be either."""

    def __init__(self, reason: str, is_final: bool = False) -> None:
        super().__init__(reason)
        self.is_final = is_final


class Model(Protocol):
    """Answers questions, from several threads at once."""

    @property
    def name(self) -> str:
        """What it is called at its address."""

    @property
    def address(self) -> str:
        """Where questions are sent, without secrets."""

    def ask(self, question: Question) -> Answer:
        """Raises ModelError."""

    def close(self) -> None:
        """End what is still being asked."""


class Answers(Protocol):
    """Keeps answers by their questions."""

    def find(self, question: Question) -> str | None:
        """The text that this was answered with before."""

    def keep(self, question: Question, text: str) -> None:
        """Remember it."""


class Progress(Value, frozen=True):
    """`done` of `asked` questions; `failed` of them fell back, `kept` were answered before.

    Of the failed ones `unsent` were not sent any more.
    """

    asked: int = 0
    done: int = 0
    failed: int = 0
    kept: int = 0
    usage: Usage = Usage()
    reason: str = ""
    unsent: int = 0

    @property
    def is_unanswered(self) -> bool:
        """Whether something was asked, and nothing was answered."""
        return 0 < self.failed == self.done - self.kept


Tell = Callable[[Progress], None]


class ModelSummariser:
    """Asks up to `jobs` questions at a time and tells how far it is."""

    def __init__(
        self, model: Model, answers: Answers, tell: Tell, *, jobs: int = 4, fuses: bool = False
    ) -> None:
        self.model = model
        self._answers = answers
        self._tell = tell
        self._jobs = jobs
        self._fuses = fuses
        self._lock = Lock()
        self._has_ended = False
        self.progress = Progress()

    def summaries(self, batches: Sequence[Batch]) -> list[Answer | None]:
        """One answer for each batch: the model's, else the extract's."""
        self._note(asked=len(batches))
        try:
            return at_once(self._summary, batches, self._jobs)
        except BaseException:
            self.model.close()
            raise

    def fused(self, texts: Sequence[str]) -> Answer | None:
        """One text for a chain, where that is wanted; None leaves its summaries side by side."""
        if not self._fuses:
            return None
        self._note(asked=1)
        answer = self._answer(about_chain(texts))
        is_shorter = answer is not None and len(answer.text) < sum(map(len, texts))
        return answer if is_shorter else None

    def _summary(self, batch: Batch) -> Answer | None:
        answer = self._answer(about_batch(batch))
        if answer is not None and is_usable(answer.text, answer.stop_reason):
            return answer
        (instead,) = Extract().summaries([batch])
        paid = answer.usage if answer else Usage()
        return changed(instead, usage=paid + Usage(fallbacks=1)) if instead else None

    def _answer(self, question: Question) -> Answer | None:
        kept = self._answers.find(question)
        if kept is not None:
            self._note(done=1, kept=1)
            return Answer(kept)
        if self._has_ended:
            self._note(done=1, failed=1, unsent=1)
            return None
        try:
            answer = self.model.ask(question)
        except ModelError as error:
            self._note(done=1, failed=1, reason=str(error))
            self._has_ended = self._has_ended or error.is_final or self._is_hopeless
            return None
        if is_usable(answer.text, answer.stop_reason):
            self._answers.keep(question, answer.text)
            self._note(done=1, usage=answer.usage)
        else:
            reason = "an empty answer" if not answer.text.strip() else "an answer that was cut off"
            self._note(done=1, failed=1, usage=answer.usage, reason=reason)
        return answer

    @property
    def _is_hopeless(self) -> bool:
        return self.progress.is_unanswered and self.progress.failed >= _FIRST_FAILURES

    def _note(
        self,
        *,
        asked: int = 0,
        done: int = 0,
        failed: int = 0,
        kept: int = 0,
        usage: Usage | None = None,
        reason: str = "",
        unsent: int = 0,
    ) -> None:
        with self._lock:
            so_far = self.progress
            self.progress = Progress(
                so_far.asked + asked,
                so_far.done + done,
                so_far.failed + failed,
                so_far.kept + kept,
                so_far.usage + (usage or Usage()),
                reason or so_far.reason,
                so_far.unsent + unsent,
            )
            self._tell(self.progress)
