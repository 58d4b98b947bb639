"""`Offer`: a line that is there where a session was never pruned, and says what that costs."""

from __future__ import annotations

from functools import partial
from threading import Lock

from textual import work

from condense_tui.tui.abandoned import in_abandoned_thread
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.view.headline import OFFER_TO_COME, has_prune_records
from condense_tui.view.lines import Line


class Offer(LineBar):
    """Told a picture, it works out the saving after that is shown."""

    DEFAULT_CSS = """
    Offer {
        display: none; height: 1; padding: 0 1;
        &.-on { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._picture: Picture | None = None
        self._turn = Lock()

    def show_picture(self, picture: Picture) -> None:
        """Another look at the session, or another session."""
        self._picture = picture
        is_offering = not has_prune_records(picture.inspection)
        self.set_class(is_offering, "-on")
        if is_offering:
            self.show(OFFER_TO_COME)
            self._work_out(picture)

    @work(exclusive=True)
    async def _work_out(self, picture: Picture) -> None:
        found = await in_abandoned_thread(partial(_offered, picture), self._turn)
        if self._picture is picture:
            self.show(found)


def _offered(picture: Picture) -> Line:
    """In a thread; loads what condenses, of which a session that was pruned needs nothing."""
    from condense_tui.condensing.condense import Order
    from condense_tui.tui import preview
    from condense_tui.view.preview import offer_line

    return offer_line(preview.expected(picture, Order("")))
