"""Copying: through the terminal (OSC 52), and through the system's own tool where there is one.

A terminal does not answer, so the sentence that comes back says what was sent, not what arrived.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from typing import Any

from textual.app import App
from textual.notifications import SeverityLevel
from textual.screen import Screen

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.numbers import compact_count
from condense_tui.session.compact import Value
from condense_tui.view.document import Document
from condense_tui.view.words import plural

MAX_TERMINAL_BYTES = 74_994
"""What fits, base64-encoded, into the 100,000 bytes that terminals take as one sequence."""

_SECONDS = 2.0


class ClipboardTool(Value, frozen=True):
    """A program that fills the clipboard from its input, where `variable` is set."""

    command: tuple[str, ...]
    variable: str = ""
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        """How people know it."""
        return self.command[0]


TOOLS: tuple[ClipboardTool, ...] = (
    ClipboardTool(("wl-copy",), "WAYLAND_DISPLAY"),
    ClipboardTool(("xclip", "-selection", "clipboard"), "DISPLAY"),
    ClipboardTool(("xsel", "--clipboard", "--input"), "DISPLAY"),
    ClipboardTool(("pbcopy",)),
    ClipboardTool(("clip.exe",), encoding="utf-16"),
)


class Copied(Value, frozen=True):
    """What happened, in a sentence; `is_sent` is False when the text went nowhere."""

    sentence: str
    is_sent: bool


async def copy_text(app: App[Any], text: str) -> Copied:
    """Copy a text, half characters as U+FFFD; a tool runs in a thread, for two seconds at most."""
    raw = utf8_bytes(text)
    whole = raw.decode()
    fits = len(raw) <= MAX_TERMINAL_BYTES
    if fits:
        app.copy_to_clipboard(whole)
    tool = system_tool()
    is_taken = tool is not None and await asyncio.to_thread(_fill, tool, whole)
    return _told(len(whole), fits, tool, is_taken)


def copy_and_say(screen: Screen[Any], text: str, note: str = "") -> None:
    """Copy in a worker, because a tool may hang, and say what became of it."""
    copy_document(screen, Document("", (), text), note)


def copy_document(screen: Screen[Any], document: Document, note: str = "") -> None:
    """The same with a document's original, which may have to be read first."""

    async def work() -> None:
        copied = await copy_text(screen.app, (await whole_of(document)).original)
        severity: SeverityLevel = "information" if copied.is_sent else "warning"
        screen.notify(copied.sentence + note, severity=severity, markup=False)

    screen.run_worker(work(), exclusive=True, group="copy")


async def whole_of(document: Document) -> Document:
    """A document made whole, in a thread where that takes time."""
    return await asyncio.to_thread(document.whole) if document.make_whole else document


def system_tool() -> ClipboardTool | None:
    """The first tool that is installed and has a screen to talk to."""
    usable = (tool for tool in TOOLS if not tool.variable or os.environ.get(tool.variable))
    return next((tool for tool in usable if shutil.which(tool.name)), None)


def _fill(tool: ClipboardTool, text: str) -> bool:
    """Whether the tool took the text; it may stay behind in the background to serve it."""
    path = shutil.which(tool.name)
    if path is None:
        return False
    try:
        subprocess.run(  # noqa: S603 - a command of the table above, and no shell
            [path, *tool.command[1:]],
            input=text.encode(tool.encoding),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            start_new_session=True,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _told(chars: int, fits: bool, tool: ClipboardTool | None, is_taken: bool) -> Copied:
    size = f"{compact_count(chars)} {plural(chars, 'character')}"
    places = ["the terminal"] if fits else []
    places += [tool.name] if tool and is_taken else []
    notes = [] if fits else [f"{size} are too many for the terminal's clipboard"]
    notes += [f"sent {size} to {' and to '.join(places)}"] if places else []
    notes += [f"{tool.name} failed"] if tool and not is_taken else []
    notes += [] if places else ["export it instead (e)"]
    return Copied("; ".join(notes), bool(places))
