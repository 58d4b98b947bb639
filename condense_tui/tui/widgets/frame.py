"""`Frame`: a border around other widgets, whose subtitle changes with every key."""

from __future__ import annotations

from typing import Self

from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region


class Frame(Vertical):
    """A container with a border that says where one is in what it holds."""

    DEFAULT_CSS = "Frame { height: 1fr; }"
    _is_below_only = False

    def show_below(self, words: str) -> None:
        """Another subtitle; drawn is its row alone, where Textual draws the whole again."""
        self._is_below_only = True
        self.border_subtitle = Content(words)
        self._is_below_only = False

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw again, or some of it."""
        if self._is_below_only:
            outer = self.outer_size
            # Counted from where the content begins.
            left, top = self.content_offset
            regions = (Region(-left, outer.height - 1 - top, outer.width, 1),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
