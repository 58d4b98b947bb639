"""`FindPane`: the find bar with the search behind it, in a thread, and the hit it is on."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.worker import get_current_worker

from condense_tui.inspection.patterns import SearchPattern
from condense_tui.inspection.search import Found, Hit
from condense_tui.tui.finding import Finder, look_for
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.find_bar import FindBar


class FindPane(Vertical):
    """`show_picture` says what is searched; another picture is searched anew."""

    DEFAULT_CSS = "FindPane { height: auto; }"

    class Reached(Message):
        """Show this hit; its pattern is to be marked, None is not to be marked any more."""

        def __init__(
            self, picture: Picture | None, hit: Hit | None, pattern: SearchPattern | None
        ) -> None:
            super().__init__()
            self.picture = picture
            self.hit = hit
            self.pattern = pattern

    class Closed(Message):
        """The person is done."""

    class _Came(Message):
        """Some of a search that runs; `finder` is whose it is."""

        def __init__(self, finder: Finder, found: tuple[Found, ...], is_over: bool) -> None:
            super().__init__()
            self.finder = finder
            self.found = found
            self.is_over = is_over

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._picture: Picture | None = None
        self._finder = Finder()

    def compose(self) -> ComposeResult:
        """The bar."""
        yield FindBar()

    def show_picture(self, picture: Picture, is_kept: bool = False) -> None:
        """What is found of another picture is found anew; where `is_kept` the hit is the same."""
        self._picture = picture
        if self._finder.pattern is not None:
            self._seek(self._finder.pattern, self._finder.at if is_kept else None)

    def open(self) -> None:
        """Begin to find."""
        self.query_one(FindBar).open()

    def on_find_bar_sought(self, event: FindBar.Sought) -> None:
        """Another pattern: the search for the last one ends."""
        event.stop()
        self._seek(event.pattern)

    def _seek(self, pattern: SearchPattern | None, at: int | None = None) -> None:
        self._finder = finder = Finder(pattern, at)
        picture = self._picture
        if pattern is None or picture is None:
            self.workers.cancel_group(self, "find")
            self.post_message(self.Reached(self._picture, None, None))
            return
        self.post_message(self.Reached(picture, None, pattern))

        def work() -> None:
            worker = get_current_worker()

            def deliver(found: tuple[Found, ...], is_over: bool) -> None:
                self.post_message(self._Came(finder, found, is_over))

            look_for(picture, pattern, deliver, lambda: worker.is_cancelled)

        self.run_worker(work, thread=True, exclusive=True, group="find")

    def on_find_pane__came(self, event: _Came) -> None:
        """The first hit is shown as soon as it is there."""
        event.stop()
        finder = event.finder
        if finder is not self._finder:
            return
        finder.add(event.found)
        if event.is_over:
            finder.end()
        if finder.hit is None and not finder.is_resumed:
            self._step(1)
        self._count()

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        """Next or previous."""
        event.stop()
        self._step(event.step)
        self._count()

    def _step(self, step: int) -> None:
        hit = self._finder.step(step)
        if hit is not None:
            self.post_message(self.Reached(self._picture, hit, self._finder.pattern))

    def _count(self) -> None:
        self.query_one(FindBar).show_count(self._finder.count_text)

    def on_find_bar_closed(self, event: FindBar.Closed) -> None:
        """Nothing is marked any more."""
        event.stop()
        self._finder = Finder()
        self.workers.cancel_group(self, "find")
        self.post_message(self.Reached(self._picture, None, None))
        self.post_message(self.Closed())
