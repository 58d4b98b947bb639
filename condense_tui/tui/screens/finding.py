"""`FindingScreen`: a screen with a find bar; looks in a thread, and steps from hit to hit."""

from __future__ import annotations

from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from condense_tui.inspection.patterns import SearchPattern
from condense_tui.inspection.search import Found, Hit
from condense_tui.tui.finding import Finder, look_for
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.find_bar import FindBar


class FindingScreen(Screen[None]):
    """What is searched and how a hit is shown is for the screen to say; it composes the bar."""

    class FoundMore(Message):
        """Some texts were looked at: the last ones if it is over."""

        def __init__(self, finder: Finder, found: tuple[Found, ...], is_over: bool) -> None:
            super().__init__()
            self.finder = finder
            self.found = found
            self.is_over = is_over

    def __init__(self) -> None:
        super().__init__()
        self._finder = Finder()
        self._awaited_step = 0

    def searched_picture(self) -> Picture:
        """What to look through."""
        raise NotImplementedError

    def show_hit(self, hit: Hit) -> None:
        """Show a hit, opening whatever hides it."""
        raise NotImplementedError

    def mark_hits(self, pattern: SearchPattern | None) -> None:
        """Mark wherever this is found, if anything."""
        raise NotImplementedError

    def leave_find(self) -> None:
        """The bar is closed: give the focus to something else."""
        raise NotImplementedError

    def action_find(self) -> None:
        """Open the bar."""
        self.query_one(FindBar).open()

    def find_again(self) -> None:
        """There is something else to look through."""
        if self._finder.pattern:
            self._begin(self._finder.pattern)

    def on_find_bar_sought(self, event: FindBar.Sought) -> None:
        """Look for something else."""
        self._begin(event.pattern)

    def _begin(self, pattern: SearchPattern | None) -> None:
        self._finder = finder = Finder(pattern)
        self._awaited_step = 0
        self.mark_hits(pattern)
        self.workers.cancel_group(self, "find")
        if pattern:
            picture = self.searched_picture()
            self.run_worker(
                lambda: self._look(picture, finder), thread=True, exclusive=True, group="find"
            )

    def _look(self, picture: Picture, finder: Finder) -> None:
        """In a thread."""
        worker = get_current_worker()
        if finder.pattern is None:
            return

        def deliver(found: tuple[Found, ...], is_over: bool) -> None:
            self.post_message(self.FoundMore(finder, found, is_over))

        look_for(picture, finder.pattern, deliver, lambda: worker.is_cancelled)

    def on_finding_screen_found_more(self, event: FoundMore) -> None:
        """Count; what an earlier search still found is of no interest."""
        if event.finder is not self._finder:
            return
        self._finder.add(event.found)
        if event.is_over:
            self._finder.end()
        self._show_count()
        if self._awaited_step:
            self._step(self._awaited_step)

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        """Go to another hit."""
        self._step(event.step)

    def _step(self, step: int) -> None:
        """A step that comes before anything is found is taken when something is."""
        hit = self._finder.step(step)
        self._awaited_step = 0 if hit else step
        if hit:
            self.show_hit(hit)
            self._show_count()

    def on_find_bar_closed(self) -> None:
        """Nothing is marked any more."""
        self._begin(None)
        self.leave_find()

    def _show_count(self) -> None:
        self.query_one(FindBar).show_count(self._finder.count_text)
