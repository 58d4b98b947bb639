"""`KeyFooter`: the keys that there is room for, each whole; the way out and the help always."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.events import Resize
from textual.widgets import Footer, Input
from textual.widgets._footer import FooterKey

from condense_tui.view.cells import cell_len

ALWAYS = frozenset({"help", "app.quit", "quit", "close", "back_out", "give_up"})
"""Actions that every footer shows which has them."""
_PALETTE = "command_palette"
# A blank before the key, between key and words, and behind; the palette has a line before it.
_BLANKS, _PALETTE_BLANKS = 3, 5


class KeyFooter(Footer):
    """Keys stand in the order of their bindings; the last ones go first, the palette before."""

    def compose(self) -> ComposeResult:
        """The keys of Textual's footer, as far as there is room."""
        found = (key for key in super().compose() if isinstance(key, FooterKey))
        keys = [key for key in found if not self._is_typed(key)]
        widths = [cell_len(key.key_display) + cell_len(key.description) for key in keys]
        shown = fitting_keys([key.action for key in keys], widths, self.screen.size.width)
        yield from (keys[number] for number in shown)

    def _is_typed(self, key: FooterKey) -> bool:
        """Whether the key would be a character of the line that one is typing."""
        is_character = key.key_display.isascii() and len(key.key_display) == 1
        return is_character and isinstance(self.screen.focused, Input)

    async def on_resize(self, event: Resize) -> None:
        """Another width has room for other keys."""
        event.stop()
        await self.recompose()


def fitting_keys(actions: Sequence[str], widths: Sequence[int], width: int) -> list[int]:
    """The numbers of the keys to show; `widths` are of their texts, without blanks."""
    needed = [
        cells + (_PALETTE_BLANKS if action == _PALETTE else _BLANKS)
        for action, cells in zip(actions, widths, strict=True)
    ]
    numbers = range(len(actions))
    chosen = {number for number in numbers if actions[number] in ALWAYS}
    left = width - sum(needed[number] for number in chosen)
    for number in numbers:
        if number in chosen:
            continue
        if needed[number] > left:
            break
        chosen.add(number)
        left -= needed[number]
    return sorted(chosen)
