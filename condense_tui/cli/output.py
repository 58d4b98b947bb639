"""Where text leaves the program: exact to a file or pipe, printable and coloured to a terminal.

Always UTF-8, whatever the terminal says it knows, and never through `print`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.session.jsontext import json_text
from condense_tui.view.lines import Line, Tone, exact_text, printable_line, text_of
from condense_tui.view.printable import one_line, printable

PROGRAM = "condense-tui"
# Select Graphic Rendition: the sixteen colours that every terminal and every theme has.
_CODES: Mapping[Tone, str] = {
    Tone.PLAIN: "",
    Tone.DIM: "2",
    Tone.STRONG: "1",
    Tone.ACCENT: "36",
    Tone.GOOD: "32",
    Tone.WARNING: "33",
    Tone.BAD: "1;31",
}
_LINES_AT_ONCE = 1000


def write_lines(lines: Iterable[Line], is_exact: bool = False) -> None:
    """Write lines; `is_exact` leaves control characters as they are and paints nothing."""
    written = exact_text if is_exact else _painted if _shows_colours() else _plain
    texts = (written(row) + "\n" for row in lines)
    while chunk := "".join(islice(texts, _LINES_AT_ONCE)):
        write_exact(chunk)


def _plain(row: Line) -> str:
    return text_of(printable_line(row))


def _painted(row: Line) -> str:
    return "".join(
        f"\x1b[{_CODES[span.tone]}m{span.text}\x1b[0m" if _CODES[span.tone] else span.text
        for span in printable_line(row)
    )


def _shows_colours() -> bool:
    """As no-color.org has it: an empty NO_COLOR asks for nothing."""
    return is_terminal() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def is_terminal() -> bool:
    """Whether a person looks at what is written."""
    return sys.stdout is not None and sys.stdout.isatty()


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can show screens."""
    can_type = sys.stdin is not None and sys.stdin.isatty()
    return can_type and is_terminal() and os.environ.get("TERM") != "dumb"


def shows_exact(is_raw: bool) -> bool:
    """Whether session text goes out untouched: when asked for, or when nobody looks at it."""
    return is_raw or not is_terminal()


def write_json(value: Any, indent: int = 0) -> None:
    """One JSON value and a newline; lone surrogates stay escaped, so it is always UTF-8."""
    write_exact(json_text(value, indent) + "\n")


def write_exact(text: str) -> None:
    """Text as UTF-8, half characters as U+FFFD; a closed output takes nothing."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(utf8_bytes(text))


def write_session_text(text: str, is_raw: bool) -> None:
    """Session text as it is, or printable where a person looks at it."""
    write_exact(text if shows_exact(is_raw) else printable(text))
    if is_terminal():
        write_exact("\n")


def flush_output() -> None:
    """Send what is still waiting; raises OSError where it cannot be taken."""
    if sys.stdout is not None:
        sys.stdout.flush()


def complain(reason: str) -> None:
    """One clear line on stderr, if there is one and it can be written to."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{PROGRAM}: {one_line(reason)}\n")
