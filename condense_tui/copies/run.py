"""`CopyRun`: the making of one copy, in two steps, which may be stopped from another thread."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from condense_tui.condensing.condense import Condensed, Order
from condense_tui.condensing.copying import why_no_copy
from condense_tui.condensing.extract import Extract
from condense_tui.condensing.summariser import Answer
from condense_tui.copies.condensed import CopyPlace, condensed, read_unchanged
from condense_tui.copies.summarisers import ModelOptions, asking, model_for
from condense_tui.inspection.inspection import Inspection
from condense_tui.models.summariser import ModelSummariser, Progress, Tell
from condense_tui.pruning.pending import Batch
from condense_tui.session.compact import Value, changed
from condense_tui.session.entries import Refusal
from condense_tui.store_writing import unwritable


class StoppedError(Exception):
    """The run was stopped before there was a copy; nothing of it is left."""


class Made(Value, frozen=True):
    """What is going to be written, and what the session was read from.

    Once it is written, `folders` beside the copy hold its spilled outputs.
    """

    raw: bytes
    found: Condensed
    progress: Progress
    folders: tuple[str, ...] = ()


class ToldExtract:
    """The offline summariser, telling how far it is as one does that asks a model."""

    def __init__(self, tell: Tell) -> None:
        self._extract = Extract()
        self._tell = tell
        self.progress = Progress()

    def summaries(self, batches: Sequence[Batch]) -> list[Answer | None]:
        """Batch by batch; what `tell` raises ends it."""
        return [self._summary(batch) for batch in batches]

    def fused(self, texts: Sequence[str]) -> Answer | None:
        """As the extract has it."""
        return self._extract.fused(texts)

    def _summary(self, batch: Batch) -> Answer | None:
        (answer,) = self._extract.summaries([batch])
        done = self.progress.done + 1
        self.progress = changed(self.progress, asked=done, done=done)
        self._tell(self.progress)
        return answer


class CopyRun:
    """`make`, then `write`; both raise StoppedError once `stop` was called."""

    def __init__(
        self,
        inspection: Inspection,
        place: CopyPlace,
        order: Order,
        options: ModelOptions,
        tell: Tell,
        *,
        is_forced: bool = False,
    ) -> None:
        """Sends nothing; `options` have no refusal."""
        self._inspection = inspection
        self._place = place
        self._order = changed(order, blobs_folder=place.blobs_folder)
        self._options = options
        self._tell = tell
        self._is_forced = is_forced
        self._stopped = Event()
        is_offline = options.is_offline
        self._model = None if is_offline else model_for(options, inspection.settings)

    @property
    def address(self) -> str:
        """Where questions are sent; empty where none are."""
        return self._model.address if self._model else ""

    @property
    def model(self) -> str:
        """What is asked there; empty where nothing is."""
        return self._model.name if self._model else ""

    def make(self) -> Made | Refusal:
        """Condense; whatever may be refused is refused before anything is sent."""
        branch = self._inspection.branch
        refusal = why_no_copy(branch) or self._why_not_there()
        raw = refusal or read_unchanged(self._place.source, branch.session)
        if isinstance(raw, Refusal):
            return raw
        self._ask_on()
        summariser = self._summariser()
        found = condensed(self._inspection, summariser, self._order)
        self._ask_on()
        return found if isinstance(found, Refusal) else Made(raw, found, summariser.progress)

    def write(self, made: Made) -> Made | Refusal:
        """Write the copy with its sidecar files, or nothing."""
        session = self._inspection.branch.session
        refusal = self._why_not_there()
        written = refusal or self._place.write(
            made.raw, session, made.found, self._ask_on, is_forced=self._is_forced
        )
        return written if isinstance(written, Refusal) else changed(made, folders=written)

    def stop(self) -> None:
        """End it as soon as may be; what a model was asked already is not waited for."""
        self._stopped.set()
        if self._model:
            self._model.close()

    def _why_not_there(self) -> Refusal | None:
        return unwritable(self._place.path, self._place.source, self._is_forced)

    def _summariser(self) -> ModelSummariser | ToldExtract:
        if self._model is None:
            return ToldExtract(self._note)
        return asking(self._model, self._options, self._note)

    def _note(self, progress: Progress) -> None:
        self._ask_on()
        self._tell(progress)

    def _ask_on(self) -> None:
        if self._stopped.is_set():
            raise StoppedError
