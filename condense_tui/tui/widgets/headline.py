"""`Headline`: what is looked at, and below it the offer where there is one to make."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.head_bar import HeadBar
from condense_tui.tui.widgets.offer import Offer


class Headline(Vertical):
    """Told a picture."""

    DEFAULT_CSS = "Headline { height: auto; }"

    def compose(self) -> ComposeResult:
        """The two lines."""
        yield HeadBar(id="headline")
        yield Offer(id="offer")

    def show_picture(self, picture: Picture) -> None:
        """Another look at the session, or another session."""
        self.query_one(HeadBar).show_inspection(picture.inspection)
        self.query_one(Offer).show_picture(picture)
