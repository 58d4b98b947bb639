"""What the command palette offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.app import SystemCommand
from textual.screen import Screen

from condense_tui.tui.screens.session import SessionScreen

# What Textual offers and the table of commands does better: its help and its way out.
_HAVE_OURS = frozenset({"Keys", "Quit"})


def palette_commands(
    offered: Iterable[SystemCommand], screen: Screen[Any]
) -> Iterable[SystemCommand]:
    """Textual's own commands, and in a session every command of the screen's table."""
    if not isinstance(screen, SessionScreen):
        yield from offered
        return
    yield from (command for command in offered if command.title not in _HAVE_OURS)
    for command in screen.commands:
        yield SystemCommand(
            command.label,
            command.explanation,
            lambda action=command.action: screen.call_later(screen.run_action, action),
        )
