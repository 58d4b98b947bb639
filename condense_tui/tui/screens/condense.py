"""`CondenseScreen`: where a condensed copy goes and who summarises; then it is made.

Nothing is sent before a person has agreed to it, and what is cancelled leaves nothing behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, ProgressBar, Static

from condense_tui.copies.condensed import CopyPlace, new_header
from condense_tui.copies.run import CopyRun, Made, StoppedError
from condense_tui.models.summariser import Progress
from condense_tui.session.entries import Refusal
from condense_tui.store import is_there, names_folder
from condense_tui.store_condensed import free_copy_path
from condense_tui.store_sessions import typed_path
from condense_tui.store_writing import folder_refusal, unwritable
from condense_tui.tui.abandoned import in_abandoned_thread
from condense_tui.tui.picture import Picture
from condense_tui.tui.preview import Preview
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.widgets.form_field import FormField
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.summariser_form import SummariserForm
from condense_tui.view.condensing import sent_words
from condense_tui.view.copying import (
    WHAT_EXTRACTS_ARE,
    WHAT_IS_SENT,
    no_answer_words,
    progress_words,
    written_rows,
)
from condense_tui.view.preview import preview_words
from condense_tui.view.printable import one_line

_CANCELLED = "cancelled: nothing was written"
_UNANSWERED = "the model gave no answer: nothing was written"


class CondenseScreen(ModalScreen[Path | None]):
    """Answers with the copy where that is to be opened, else with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Cancel", key_display="Esc")
    ]
    DEFAULT_CSS = """
    CondenseScreen {
        align: center middle;
        & > Vertical { width: 90; max-width: 96%; height: auto; padding: 0 1; }
        & .label, & #note { height: auto; }
        & #saving { margin-bottom: 1; }
        & #progress { height: auto; display: none; margin-top: 1; }
        & ProgressBar { width: 100%; }
        & ProgressBar Bar { width: 1fr; }
        &.-making #progress { display: block; }
    }
    """

    class Progressed(Message):
        """It is further than what is shown."""

    def __init__(self, picture: Picture, preview: Preview) -> None:
        super().__init__()
        self._picture = picture
        self._preview = preview
        self._run: CopyRun | None = None
        self._total = 0
        self._is_writing = False
        self._progress = Progress()
        self._is_announced = False

    def compose(self) -> ComposeResult:
        """What is saved, where to, who, at what cost; how far it is."""
        with Vertical(id="frame") as frame:
            frame.border_title = "Write a condensed copy"
            frame.border_subtitle = "the session stays as it is"
            yield Static(Content(preview_words(self._preview.found)), id="saving")
            yield Static("the copy (Enter writes it)", classes="label")
            yield FormField(id="path", compact=True)
            yield SummariserForm(self._preview.found.report)
            with Vertical(id="progress"):
                yield Static(id="state", markup=False)
                yield ProgressBar(show_eta=False)
            yield Static(id="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin with a name that nothing has."""
        self._path_field.focus()
        self._name_copy()

    @work(group="name")
    async def _name_copy(self) -> None:
        path = await asyncio.to_thread(free_copy_path, self._picture.path)
        field = self._path_field
        if not field.value:
            field.value = str(path)
            field.cursor_position = len(field.value)

    @property
    def _path_field(self) -> Input:
        return self.query_one("#path", Input)

    @property
    def _form(self) -> SummariserForm:
        return self.query_one(SummariserForm)

    def on_input_changed(self) -> None:
        """What was said of another name does not hold for this one."""
        self._say("")

    def on_summariser_form_changed(self) -> None:
        """Nor what was said of another summariser."""
        self._say("")

    def on_input_submitted(self) -> None:
        """Make the copy, once everything is agreed to."""
        if self._run is None:
            self._begin()

    def on_summariser_form_submitted(self) -> None:
        """The same."""
        self.on_input_submitted()

    # ── asking first ──

    @work(exclusive=True, group="copy")
    async def _begin(self) -> None:
        typed = self._path_field.value.strip()
        if not typed or names_folder(typed):
            self._say(f"{typed} names a folder: name a file in it" if typed else "no file is named")
            return
        path = typed_path(typed, Path.cwd())
        refusal = self._form.refusal or await asyncio.to_thread(self._refusal, path)
        if refusal:
            self._say(refusal.reason)
            return
        is_forced = await asyncio.to_thread(is_there, path)
        if is_forced and not await self._is_wanted(f"Replace {path}?", (), "replace it"):
            return
        run = await self._run_to(path, is_forced)
        if await self._is_agreed(run):
            await self._make(run, path)
        else:
            run.stop()

    def _refusal(self, path: Path) -> Refusal | None:
        """In a thread: why there can be no copy there, whatever a person would agree to."""
        return folder_refusal(path.parent) or unwritable(path, self._picture.path, True)

    async def _run_to(self, path: Path, is_forced: bool) -> CopyRun:
        """Made in a thread: the client of a model takes its time to be loaded."""
        source = self._picture.path
        return await asyncio.to_thread(
            CopyRun,
            self._picture.inspection,
            CopyPlace(source, path, new_header(source)),
            self._preview.order,
            self._form.options,
            self._tell,
            is_forced=is_forced,
        )

    async def _is_agreed(self, run: CopyRun) -> bool:
        """Whatever is to be sent, a person has seen where to and how much."""
        questions = self._form.questions
        if not run.address or not questions.count:
            return True
        question = f"{sent_words(questions, run.address)}. Go on?"
        return await self._is_wanted(question, (*WHAT_IS_SENT, self._form.cost), "send them")

    async def _is_wanted(self, question: str, about: Sequence[str], yes: str) -> bool:
        screen = ConfirmScreen(question, about, yes, "leave everything as it is")
        return await self.app.push_screen_wait(screen)

    # ── making it ──

    async def _make(self, run: CopyRun, path: Path) -> None:
        self._start(run)
        try:
            outcome = await self._outcome(run)
        except StoppedError:
            outcome = Refusal(_CANCELLED)
        finally:
            run.stop()
        self._end(outcome.reason if isinstance(outcome, Refusal) else "")
        if isinstance(outcome, Made):
            await self._offer_opening(path, outcome)

    async def _outcome(self, run: CopyRun) -> Made | Refusal:
        """What is cancelled is left alone while it is worked out, and waited for when written."""
        made = await in_abandoned_thread(run.make)
        if isinstance(made, Refusal):
            return made
        if made.progress.is_unanswered and not await self._are_extracts_wanted(run, made):
            return Refusal(_UNANSWERED)
        self._is_writing = True
        self._show_state("writing")
        return await asyncio.to_thread(run.write, made)

    async def _are_extracts_wanted(self, run: CopyRun, made: Made) -> bool:
        told = made.progress
        failure = no_answer_words(run.model, run.address, told.reason, told.failed, told.unsent)
        question = f"{failure}. Write the copy with extracts instead?"
        return await self._is_wanted(question, (WHAT_EXTRACTS_ARE,), "write it with extracts")

    async def _offer_opening(self, path: Path, made: Made) -> None:
        progress = made.progress
        about = tuple(
            written_rows(
                made.found, made.folders, progress.failed, progress.reason, progress.unsent
            )
        )
        screen = ConfirmScreen(f"Written: {path}", about, "open the copy", "stay with the session")
        self.dismiss(path if await self.app.push_screen_wait(screen) else None)

    def _start(self, run: CopyRun) -> None:
        self._run, self._is_writing, self._progress = run, False, Progress()
        self._total = self._form.questions.count
        self._say("")
        self._show_state("reading the session again")
        self.query_one(ProgressBar).update(total=max(self._total, 1), progress=0)
        self._look_busy(True)

    def _end(self, note: str) -> None:
        self._run = None
        self._look_busy(False)
        self._path_field.focus()
        self._say(note)

    def _look_busy(self, is_busy: bool) -> None:
        """Nothing can be chosen meanwhile."""
        self.set_class(is_busy, "-making")
        self._path_field.disabled = self._form.disabled = is_busy

    def _tell(self, progress: Progress) -> None:
        """In a thread: not more often than it is shown, and the last one always."""
        self._progress = progress
        if not self._is_announced:
            self._is_announced = True
            self.post_message(self.Progressed())

    def on_condense_screen_progressed(self) -> None:
        """Show it, unless that is over."""
        # In this order: what is told from now on is announced anew.
        self._is_announced = False
        progress = self._progress
        if self._run and not self._is_writing:
            usage = progress.usage if self._run.address else None
            words = progress_words(
                progress.done, self._total, progress.failed, progress.unsent, usage
            )
            self._show_state(words)
            self.query_one(ProgressBar).update(progress=progress.done)

    def _show_state(self, words: str) -> None:
        self.query_one("#state", Static).update(Content(words))

    def _say(self, note: str) -> None:
        self.query_one("#note", Static).update(Content(one_line(note)))

    def action_close(self) -> None:
        """Stop what is being made; else leave."""
        if self._run is None:
            self.dismiss(None)
            return
        self._run.stop()
        if not self._is_writing:
            self.workers.cancel_group(self, "copy")
            self._end(_CANCELLED)
