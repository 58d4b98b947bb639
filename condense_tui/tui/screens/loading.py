"""`LoadingScreen`: a piece of work in a thread, how far it has come, and a key to give it up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Footer, ProgressBar, Static
from textual.worker import get_current_worker

from condense_tui.session.heads import SessionHead
from condense_tui.store import Progress
from condense_tui.store_sessions import read_session_head
from condense_tui.view.printable import one_line
from condense_tui.view.sessionrows import byte_words, head_words

_Result = TypeVar("_Result")
_SECONDS_BETWEEN_REPORTS = 0.05
# What is read sooner than this shows no window that would only flash.
_SECONDS_UNSEEN = 0.2


class LoadingScreen(ModalScreen[_Result | None], Generic[_Result]):
    """Answers with what the work returned, or None where the person gave it up.

    The work is called in a thread with a `Progress` to hand on to the store; once given up it
    is told so at its next report, and whatever it still returns is dropped.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Cancel", key_display="Esc")
    ]
    DEFAULT_CSS = """
    LoadingScreen {
        align: center middle;
        & > Vertical {
            width: 64; max-width: 95%; height: auto;
            border: round $border; background: $surface; padding: 1 2;
        }
        & ProgressBar { width: 100%; margin-top: 1; }
        & ProgressBar Bar { width: 1fr; }
        & #state { color: $text-muted; }
        & #ahead { margin-top: 1; }
        &.-unseen { background: transparent; }
        &.-unseen > Vertical, &.-unseen > Footer { visibility: hidden; }
    }
    """

    class Progressed(Message):
        """So many bytes of so many were read."""

        def __init__(self, read: int, size: int) -> None:
            super().__init__()
            self.read = read
            self.size = size

    class Glimpsed(Message):
        """What the ends of the file say, long before the whole is read."""

        def __init__(self, head: SessionHead) -> None:
            super().__init__()
            self.head = head

    class Finished(Message):
        """The work returned."""

        def __init__(self, result: Any) -> None:
            super().__init__()
            self.result = result

    def __init__(self, path: Path, work: Callable[[Progress], _Result]) -> None:
        super().__init__(classes="-unseen")
        self._path = path
        self._work = work
        self._finished: LoadingScreen.Finished | None = None

    def compose(self) -> ComposeResult:
        """Name, what is going on, bar, what is known ahead."""
        with Vertical() as frame:
            frame.border_title = "Opening"
            yield Static(Content(one_line(str(self._path))), id="name")
            yield Static("reading", id="state", markup=False)
            yield ProgressBar(show_eta=False)
            yield Static(id="ahead", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.set_timer(_SECONDS_UNSEEN, self._come_in_sight)
        self.run_worker(self._run, thread=True, exclusive=True)

    def _come_in_sight(self) -> None:
        self.remove_class("-unseen")
        self.run_worker(self._look_ahead, thread=True, group="ahead")

    def _look_ahead(self) -> None:
        """In a thread: post what the ends of the file say."""
        self.post_message(self.Glimpsed(read_session_head(self._path)))

    def on_loading_screen_glimpsed(self, event: Glimpsed) -> None:
        """Show it."""
        self.query_one("#ahead", Static).update(Content(head_words(event.head)))

    def _run(self) -> None:
        """In a thread: the work, then one message."""
        worker = get_current_worker()
        reported = 0.0

        def progress(read: int, size: int) -> bool:
            nonlocal reported
            now = time.monotonic()
            if now - reported > _SECONDS_BETWEEN_REPORTS or read == size:
                self.post_message(self.Progressed(read, size))
                reported = now
            return not worker.is_cancelled

        result = self._work(progress)
        if not worker.is_cancelled:
            self.post_message(self.Finished(result))

    def on_loading_screen_progressed(self, event: Progressed) -> None:
        """What is read is not yet worked out, which has no end to measure."""
        is_read = event.read >= event.size
        size = byte_words(event.size)
        words = f"{size} read, working it out" if is_read else f"{byte_words(event.read)} of {size}"
        self.query_one("#state", Static).update(Content(words))
        self.query_one(ProgressBar).update(total=event.size, progress=event.read)

    def on_loading_screen_finished(self, event: Finished) -> None:
        """Hand the result on, at once or when nothing lies above this screen any more."""
        self._finished = event
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """Whatever lay above is gone."""
        if self._finished and self.is_active:
            self.dismiss(self._finished.result)

    def action_give_up(self) -> None:
        """Leave the work alone."""
        self.workers.cancel_node(self)
        self.dismiss(None)
