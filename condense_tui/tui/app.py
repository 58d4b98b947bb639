"""`CondenseApp`: opens a session in a thread, keeps the picture in force, shows the screens.

Another leaf or other settings are another picture: computed in a thread, posted once, frozen.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.branch import Branch, branch_to, default_branch
from condense_tui.session.entries import Refusal, Session
from condense_tui.store import open_session
from condense_tui.tui.picture import Picture, take_picture
from condense_tui.tui.screens.session import SessionScreen


class CondenseApp(App[None]):
    """Holds one picture; every screen is handed it and none changes it."""

    TITLE = "condense-tui"
    CSS_PATH = "condense.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False)]

    class PictureTaken(Message):
        """A look at the session is ready."""

        def __init__(self, picture: Picture) -> None:
            super().__init__()
            self.picture = picture

    class OpenFailed(Message):
        """A file could not be opened."""

        def __init__(self, path: Path, reason: str) -> None:
            super().__init__()
            self.path = path
            self.reason = reason

    def __init__(self, path: Path, settings: CondenseSettings, leaf: str | None = None) -> None:
        super().__init__()
        self._path = path
        self._settings = settings
        self._leaf = leaf
        self._session: Session | None = None
        self.picture: Picture | None = None

    def on_mount(self) -> None:
        """Begin to read."""
        self.open_session(self._path, self._leaf)

    def open_session(self, path: Path, leaf: str | None = None) -> None:
        """Read a session and show it; `OpenFailed` says why it cannot be read."""
        self._path, self._leaf, self._session = path, leaf, None
        self._take_picture()

    def look_at(self, leaf: str | None) -> None:
        """Show the branch that ends at this entry; None is the end of the file."""
        self._leaf = leaf
        self._take_picture()

    def look_with(self, settings: CondenseSettings) -> None:
        """Show what other settings would make of the session."""
        self._settings = settings
        self._take_picture()

    def _take_picture(self) -> None:
        path, leaf, settings, session = self._path, self._leaf, self._settings, self._session
        self.run_worker(
            lambda: self._work(path, leaf, settings, session),
            thread=True,
            exclusive=True,
            group="picture",
        )

    def _work(
        self, path: Path, leaf: str | None, settings: CondenseSettings, session: Session | None
    ) -> None:
        """In a thread: everything that takes time, then one message."""
        read = session or open_session(path)
        if isinstance(read, Refusal):
            self.post_message(self.OpenFailed(path, read.reason))
            return
        branch = _branch(read, leaf)
        if branch is None:
            self.post_message(self.OpenFailed(path, f"no entry has the id {leaf}"))
            return
        picture = take_picture(path, branch, settings)
        if not get_current_worker().is_cancelled:
            self.post_message(self.PictureTaken(picture))

    def on_condense_app_picture_taken(self, event: PictureTaken) -> None:
        """Show it: in the screen that is there, or in a new one."""
        self.picture = event.picture
        self._session = event.picture.inspection.branch.session
        for screen in self.screen_stack:
            if isinstance(screen, SessionScreen):
                screen.show_picture(event.picture)
                return
        self.push_screen(SessionScreen(event.picture))

    def on_condense_app_open_failed(self, event: OpenFailed) -> None:
        """Say why."""
        self.exit(return_code=2, message=f"condense-tui: {event.path}: {event.reason}")


def _branch(session: Session, leaf: str | None) -> Branch | None:
    return default_branch(session) if leaf is None else branch_to(session, leaf)
