"""`KeyFooter`: the keys that there is room for, each whole; the way out and the help always.

One line of one widget: Textual's own footer has a widget for every key, and all of them are made
anew whenever the focus moves, which takes longer than anything else that a key does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Footer, Input

from condense_tui.view.cells import cell_len

ALWAYS = frozenset({"help", "app.quit", "quit", "close", "back_out", "give_up"})
"""Actions that every footer shows which has them."""
_PALETTE = "command_palette"
# A blank before the key, between key and words, and behind; the palette has a line before it.
_BLANKS, _PALETTE_BLANKS = 3, 5
_PALETTE_LINE = "▏"


class _Key(NamedTuple):
    """A key of the footer."""

    key: str
    shown: str
    words: str
    action: str
    is_enabled: bool
    tooltip: str

    @property
    def cells(self) -> int:
        """How wide it is, without blanks."""
        return cell_len(self.shown) + cell_len(self.words)

    @property
    def needed(self) -> int:
        """How wide it is."""
        return self.cells + (_PALETTE_BLANKS if self.action == _PALETTE else _BLANKS)


class KeyFooter(Footer):
    """Keys stand in the order of their bindings; the last ones go first, the palette before."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key--key", "key--words", "key--line", "key--hovered"}
    _hovered: reactive[int | None] = reactive(None)

    def __init__(self) -> None:
        super().__init__()
        self._keys: list[_Key] = []

    def compose(self) -> ComposeResult:
        """Nothing: all is one line."""
        return iter(())

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Other keys do something."""
        if self.is_attached and screen is self.screen and screen.app.app_focus:
            self.call_after_refresh(self._choose_keys)

    def on_resize(self, event: events.Resize) -> None:
        """Another width has room for other keys."""
        event.stop()
        self._choose_keys()

    def _choose_keys(self) -> None:
        if not self.is_attached:
            return
        keys = [key for key in self._active_keys() if not self._is_typed(key)]
        actions, widths = [key.action for key in keys], [key.cells for key in keys]
        shown = fitting_keys(actions, widths, self.screen.size.width)
        chosen = [keys[number] for number in shown]
        if chosen != self._keys:
            self._keys = chosen
            self._hovered = None
            self.refresh()

    def _active_keys(self) -> Iterator[_Key]:
        """One for each action, then the palette."""
        active = self.screen.active_bindings
        met: set[str] = set()
        for _, binding, is_enabled, tooltip in active.values():
            if binding.show and binding.action not in met:
                met.add(binding.action)
                yield self._key(binding, is_enabled, tooltip)
        palette = active.get(self.app.COMMAND_PALETTE_BINDING)
        if palette and self.app.ENABLE_COMMAND_PALETTE:
            binding = palette.binding
            yield self._key(binding, palette.enabled, binding.tooltip or binding.description)

    def _key(self, binding: Binding, is_enabled: bool, tooltip: str) -> _Key:
        shown = self.app.get_key_display(binding)
        words = binding.description
        return _Key(binding.key, shown, words, binding.action, is_enabled, tooltip)

    def _is_typed(self, key: _Key) -> bool:
        """Whether the key would be a character of the line that one is typing."""
        is_character = key.shown.isascii() and len(key.shown) == 1
        return is_character and isinstance(self.screen.focused, Input)

    @property
    def _starts(self) -> list[int]:
        """Where each key begins, in cells; the palette stands at the right."""
        starts = list(accumulate((key.needed for key in self._keys), initial=0))[:-1]
        if self._keys and self._keys[-1].action == _PALETTE:
            starts[-1] = max(self.size.width - self._keys[-1].cells - _BLANKS, starts[-1])
        return starts

    def render(self) -> Text:
        """The keys on one line."""
        text = Text(no_wrap=True, end="")
        for number, (start, key) in enumerate(zip(self._starts, self._keys, strict=True)):
            text.append(" " * (start - text.cell_len))
            text.append_text(self._rendered(key, number == self._hovered))
        text.stylize_before(self.rich_style)
        return text

    def _rendered(self, key: _Key, is_hovered: bool) -> Text:
        key_style, words_style, line_style = (
            self.get_component_rich_style(f"key--{part}") for part in ("key", "words", "line")
        )
        shown, words = f" {key.shown} ", f"{key.words} "
        if key.action == _PALETTE:
            shown, words = key.shown, f" {key.words}"
        text = Text.assemble((shown, key_style), (words, words_style))
        if not key.is_enabled:
            text.stylize("dim")
        if is_hovered:
            text.stylize(self.get_component_rich_style("key--hovered", partial=True))
        if key.action == _PALETTE:
            return Text.assemble((_PALETTE_LINE, line_style), text, " ")
        return text

    def _key_at(self, x: int) -> int | None:
        for number, (start, key) in enumerate(zip(self._starts, self._keys, strict=True)):
            if start <= x < start + key.needed:
                return number
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What a click would do is shown, and said if there is more to say."""
        self._hovered = at = self._key_at(event.x)
        self.tooltip = self._keys[at].tooltip or None if at is not None else None

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._hovered = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click is the key."""
        at = self._key_at(event.x)
        if at is None:
            return
        if self._keys[at].is_enabled:
            self.app.simulate_key(self._keys[at].key)
        else:
            self.app.bell()


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
