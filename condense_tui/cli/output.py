"""Where text leaves the program: exact to a file or pipe, printable and coloured to a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.jsontext import json_text
from condense_tui.view.lines import Line, Tone, exact_text, printable_line, text_of
from condense_tui.view.printable import one_line

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {
    Tone.PLAIN: "",
    Tone.DIM: "dim",
    Tone.STRONG: "bold",
    Tone.ACCENT: "cyan",
    Tone.GOOD: "green",
    Tone.WARNING: "yellow",
    Tone.BAD: "bold red",
}


def write_lines(lines: Iterable[Line], is_exact: bool = False) -> None:
    """Write lines; `is_exact` leaves control characters as they are and paints nothing."""
    if is_exact:
        for row in lines:
            write_exact(exact_text(row) + "\n")
        return
    paint = _painter()
    for row in lines:
        paint(printable_line(row))


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can show screens."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and os.environ.get("TERM") != "dumb"


def shows_exact(is_raw: bool) -> bool:
    """Whether session text goes out untouched: when asked for, or when nobody looks at it."""
    return is_raw or not sys.stdout.isatty()


def write_json(value: Any, indent: int = 0) -> None:
    """One JSON value and a newline; lone surrogates stay escaped, so it is always UTF-8."""
    write_exact(json_text(value, indent) + "\n")


def write_exact(text: str) -> None:
    """Text as UTF-8, half characters as U+FFFD."""
    sys.stdout.flush()
    sys.stdout.buffer.write(utf8_bytes(text))


def complain(reason: str) -> None:
    """One clear line on stderr."""
    sys.stderr.write(f"condense-tui: {one_line(reason)}\n")


def _painter() -> Any:
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return lambda row: write_exact(text_of(row) + "\n")
    return _rich_painter()


def _rich_painter() -> Any:
    from rich.console import Console
    from rich.text import Text

    console: Console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def paint(row: Line) -> None:
        console.print(Text.assemble(*((span.text, _STYLES[span.tone]) for span in row)))

    return paint
