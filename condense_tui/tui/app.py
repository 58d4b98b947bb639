"""`CondenseApp`: opens sessions, keeps the picture in force, and leads from screen to screen.

Another leaf or other settings are another picture: computed in a thread, posted once, frozen.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import SystemCommand
from textual.message import Message
from textual.reactive import var
from textual.screen import Screen
from textual.worker import get_current_worker

from condense_tui.preferences import (
    Preferences,
    read_preferences,
    write_preferences,
)
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.entries import Refusal
from condense_tui.store import LoadedSettings, Progress
from condense_tui.store_sessions import session_places
from condense_tui.tui.collections_off import collect_from_now_on, spare_what_there_is
from condense_tui.tui.following import Following
from condense_tui.tui.glimpse import Glimpse, read_glimpse
from condense_tui.tui.keeping import show_in_place
from condense_tui.tui.keysinturn import KeysInTurn
from condense_tui.tui.marks import Mark, begin_at
from condense_tui.tui.palette import palette_commands
from condense_tui.tui.picture import AbandonedError, Picture, ask_on_while, look_again, read_picture
from condense_tui.tui.screens import others
from condense_tui.tui.screens.loading import Loaded, LoadingScreen
from condense_tui.tui.screens.session import SessionScreen
from condense_tui.tui.signals import leave_on_signals
from condense_tui.tui.themes import is_colourless, wear_theme
from condense_tui.view.printable import one_line

if TYPE_CHECKING:
    from condense_tui.condensing.condense import Order
    from condense_tui.tui.screens.preview import PreviewScreen

_Screen = TypeVar("_Screen", bound=Screen[Any])

# By then the first rows are seen.
_SECONDS_UNTIL_IDLE = 1.0


class CondenseApp(KeysInTurn):
    """Holds one picture; every screen is handed it and none changes it."""

    TITLE = "condense-tui"
    # They lie over the status line.
    NOTIFICATION_TIMEOUT = 3
    CSS_PATH: ClassVar[list[str | PurePath]] = ["condense.tcss", "monochrome.tcss"]

    live: var[str] = var("")
    """In what state the following is; empty while nothing is followed."""

    class PictureTaken(Message):
        """Another look at the session is ready."""

        def __init__(self, picture: Picture) -> None:
            super().__init__()
            self.picture = picture

    def __init__(
        self,
        path: Path | None,
        found: LoadedSettings | None = None,
        leaf: str | None = None,
        preferences: Path | None = None,
        is_followed: bool = False,
    ) -> None:
        """`preferences` is the file that remembers theme and view; None remembers nothing.

        A session that `is_followed` is so from the beginning.
        """
        super().__init__(ansi_color=True if is_colourless() else None)
        self._path = path
        self._found = found or LoadedSettings(None, None)
        self._settings = self._found.settings
        self._leaf = leaf
        self._pinned_leaf = leaf
        self._is_to_follow = is_followed
        self._is_asked = False
        self._following = Following(self, self._followed)
        self._preferences_path = preferences
        self._preferences = read_preferences(preferences) if preferences else Preferences()
        self.picture: Picture | None = None
        self._order: Order | None = None

    def on_mount(self) -> None:
        """Open what was named, else let the person choose."""
        leave_on_signals(self)
        self.set_timer(_SECONDS_UNTIL_IDLE, collect_from_now_on)
        self.screen_change_signal.subscribe(self, lambda _screen: self._following.look_if_due())
        wear_theme(self, self._preferences.theme)
        if self._path is None:
            self.action_choose()
        else:
            self.open_session(self._path, self._leaf)

    async def on_unmount(self) -> None:
        """Nothing goes on watching."""
        await self._following.end()

    # ── opening ──

    def open_session(self, path: Path, leaf: str | None = None) -> None:
        """Read a session and show it."""

        def work(progress: Progress) -> Picture | Refusal:
            return read_picture(path, leaf, self._settings, progress)

        def look_ahead() -> Glimpse:
            return read_glimpse(path, leaf, self._settings)

        def take(loaded: Loaded[Picture | Refusal] | None) -> None:
            if loaded is None:
                self.action_choose()
            elif isinstance(loaded.result, Refusal):
                self._say_failure(path, leaf, loaded.result.reason)
            else:
                self.workers.cancel_group(self, "picture")
                self._leaf = self._pinned_leaf = leaf
                self._show(loaded.result, loaded.mark)
                self._following.take_up(loaded.result)
                self.live = self._following.mark
                if self._is_to_follow:
                    self.action_follow()
                self._is_to_follow = False

        self.push_screen(LoadingScreen(path, work, look_ahead), take)

    def _say_failure(self, path: Path, leaf: str | None, reason: str) -> None:
        def take(step: others.NextStep | None) -> None:
            if step is others.NextStep.TRY_AGAIN:
                self.open_session(path, leaf)
            elif step is others.NextStep.QUIT:
                self._leave()
            else:
                self.action_choose()

        self.push_screen(others.FailureScreen(path, reason), take)

    def action_choose(self) -> None:
        """Choose another session."""
        has_way_back = self.picture is not None

        def take(path: Path | None) -> None:
            if path is not None:
                self.open_session(path)

        self.push_screen(others.ChooserScreen(session_places(), has_way_back), take)

    # ── looking ──

    def look_at(self, leaf: str | None) -> None:
        """Show the branch that ends at this entry; None is what pi would open."""
        self._leaf = leaf
        self._look_again()

    def look_with(self, settings: CondenseSettings) -> None:
        """Show what other settings would make of the session."""
        self._settings = settings
        self._look_again()

    def _look_again(self) -> None:
        picture, leaf, settings = self.picture, self._leaf, self._settings
        if picture is None:
            return

        def work() -> None:
            with suppress(AbandonedError):
                taken = look_again(picture, leaf, settings, ask_on_while(get_current_worker()))
                self.post_message(self.PictureTaken(taken))

        self.run_worker(work, thread=True, exclusive=True, group="picture")

    def on_condense_app_picture_taken(self, event: PictureTaken) -> None:
        """Show it, unless another session was opened since, or more of it was read."""
        if self.picture is None:
            return
        if event.picture.inspection.branch.session is self.picture.inspection.branch.session:
            self._show(event.picture)
        elif event.picture.file and event.picture.file is self.picture.file:
            self._look_again()

    def _show(self, picture: Picture, mark: Mark | None = None) -> None:
        """In the screens that are there, or in a new one; begun at the mark if there is one."""
        is_other = self.picture is None or self.picture.path != picture.path
        self.picture = picture
        if picture.leaf is None:
            self._following.catch_up()
            self.live = self._following.mark
        shown = self._open(SessionScreen)
        if is_other or not shown:
            self._order = None
            fresh = SessionScreen(picture, shown[0].view if shown else self._preferences.view)
            # Chooser and loading have answered, so the session before is in front.
            _ = self.switch_screen(fresh) if shown else self.push_screen(fresh)
            self.set_timer(_SECONDS_UNTIL_IDLE, self._load_others)
            shown = [fresh]
        else:
            for screen in (each for kind in _showing() for each in self._open(kind)):
                screen.show_picture(picture)
        if mark is not None:
            shown[0].call_later(begin_at, mark, shown[0], picture)

    def _load_others(self) -> None:
        self.run_worker(_load_the_rest, thread=True, group="others")

    # ── following ──

    def action_follow(self) -> None:
        """Follow the session as it grows, or no more."""
        self._following.turn()
        self.live = self._following.mark

    def action_read_on(self) -> None:
        """Look once what was added."""
        self._is_asked = True
        self._following.look()

    def _followed(self) -> tuple[Picture, bool] | None:
        """What is shown, while nothing lies above it that was made from it."""
        front = next(reversed(self.screen_stack), None)
        if self.picture is None or type(front) is not SessionScreen:
            return None
        return self.picture, self._leaf is not None and self._leaf == self._pinned_leaf

    def on_following_stepped(self, event: Following.Stepped) -> None:
        """Go along, or say why not."""
        step = self._following.taken(event)
        if step and step.picture:
            self._go_along(step.picture, event.shown)
        if step and step.said:
            self.notify(
                step.said, severity="warning" if step.is_trouble else "information", markup=False
            )
        elif step is None and self._is_asked:
            self.notify(self._following.standing, markup=False)
        self._is_asked = False
        self.live = self._following.mark
        self._following.look_if_due()

    def _go_along(self, picture: Picture, origin: Picture) -> None:
        """What was asked for since, another leaf or other settings, is asked for again."""
        before, self.picture = self.picture, picture
        for screen in self._open(SessionScreen):
            show_in_place(screen, before or origin, picture)
        if before is not origin or self._is_looking:
            self._look_again()
        elif self._leaf is None or self._leaf != self._pinned_leaf:
            self._leaf = picture.leaf

    @property
    def _is_looking(self) -> bool:
        pending = (worker for worker in self.workers if worker.group == "picture")
        return any(not worker.is_finished for worker in pending)

    # ── branches and settings ──

    def action_branches(self) -> None:
        """Choose another branch of this session."""
        if self.picture is None:
            return
        branch = self.picture.inspection.branch

        def take(leaf: str | None) -> None:
            if leaf is not None:
                self.look_at(leaf or None)

        self.push_screen(others.BranchesScreen(branch.session, branch.leaf_id), take)

    def action_settings(self) -> None:
        """Look at the settings and try others."""
        if self.picture is not None:
            previews = self._open(others.PreviewScreen)
            words = previews[0].words if previews else ""
            self.push_screen(others.SettingsScreen(self.picture, self._found, words))

    def on_settings_screen_changed(self, event: others.SettingsScreen.Changed) -> None:
        """Show at once what they would do."""
        self.look_with(event.settings)

    def action_condense(self) -> None:
        """Look at what condensing would make of this session."""

        def take(copy: Path | None) -> None:
            if copy is not None:
                self.open_session(copy)

        if self.picture is not None:
            self.push_screen(others.PreviewScreen(self.picture, self._order), take)

    def on_preview_screen_previewed(self, event: PreviewScreen.Previewed) -> None:
        """Settings are changed to see what comes of it; the order is that of the next one."""
        self._order = event.order
        for screen in self._open(others.SettingsScreen):
            screen.show_preview(event.words)

    def _open(self, kind: type[_Screen]) -> list[_Screen]:
        """The screens of just this kind: a previewed session is no session screen of the app's."""
        return [screen for screen in self.screen_stack if type(screen) is kind]

    # ── leaving ──

    async def action_quit(self) -> None:
        """Leave without asking."""
        self._leave()

    def _leave(self) -> None:
        """Theme and view are remembered; why they cannot be is said on stderr afterwards."""
        failed = self._remember()
        self.exit(message=one_line(f"theme and view not kept: {failed.reason}") if failed else None)

    def _remember(self) -> Refusal | None:
        if self._preferences_path is None:
            return None
        shown = self._open(SessionScreen)
        view = shown[0].view if shown else self._preferences.view
        theme = self._preferences.theme if is_colourless() else self.theme
        chosen = Preferences(theme, view)
        is_new = chosen != self._preferences
        return write_preferences(self._preferences_path, chosen) if is_new else None

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette offers every command of the table beside Textual's own."""
        return palette_commands(super().get_system_commands(screen), screen)


def _load_the_rest() -> None:
    """Whatever may be asked for next; it stays, as does what is shown now."""
    others.load()
    spare_what_there_is()


def _showing() -> tuple[type[Any], ...]:
    """The screens that are told of another picture; a previewed one is told by its preview."""
    return SessionScreen, others.SettingsScreen, others.PreviewScreen
