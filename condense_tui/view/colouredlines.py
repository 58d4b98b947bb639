"""Output of programs with SGR escape sequences → printable lines with tones.

Only colours and weight are read.  Every other escape sequence is left to `printable`, which
makes it visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from condense_tui.view.lines import Line, Span, Tone
from condense_tui.view.printable import TAB_WIDTH, printable

_ESCAPE = "\x1b"
_SGR = re.compile(r"\x1b\[([0-9;:]*)m")
# Black, red, green, yellow, blue, magenta, cyan, white.
_COLOURS = (
    Tone.DIM,
    Tone.BAD,
    Tone.GOOD,
    Tone.WARNING,
    Tone.ACCENT,
    Tone.ACCENT,
    Tone.ACCENT,
    None,
)
_EXTENDED_LENGTH = {"5": 3, "2": 5}


@dataclass(frozen=True, slots=True)
class _Pen:
    """What the next character is written with."""

    colour: Tone | None = None
    is_bold: bool = False
    is_faint: bool = False

    @property
    def tone(self) -> Tone:
        weight = Tone.STRONG if self.is_bold else Tone.DIM if self.is_faint else Tone.PLAIN
        return self.colour or weight


_NEW_PEN = _Pen()


def has_colours(text: str) -> bool:
    """Whether there is any SGR sequence to read."""
    return _ESCAPE in text and _SGR.search(text) is not None


def without_colours(text: str) -> str:
    """The text without its SGR sequences."""
    return _SGR.sub("", text) if _ESCAPE in text else text


class ColouredText:
    """The lines of a text at once, their tones when they are asked for."""

    def __init__(self, text: str) -> None:
        self._sources = text.split("\n")
        self.lines = [printable(without_colours(source)) for source in self._sources]
        self._pens = list(_pens(self._sources))

    def line_at(self, number: int) -> Line:
        """One line; a colour goes on from the line before."""
        pen = self._pens[number]
        spans: list[Span] = []
        column = 0
        # Text and parameters take turns.
        for nth, piece in enumerate(_SGR.split(self._sources[number])):
            if nth % 2:
                pen = _after(pen, piece)
            elif piece:
                expanded = (" " * column + piece).expandtabs(TAB_WIDTH)[column:]
                spans.append(Span(printable(expanded), pen.tone))
                column = (column + len(expanded)) % TAB_WIDTH
        return tuple(spans)


def _pens(sources: Iterable[str]) -> Iterator[_Pen]:
    """The pen that each line begins with."""
    pen = _NEW_PEN
    for source in sources:
        yield pen
        if _ESCAPE in source:
            found = _SGR.findall(source)
            pen = _NEW_PEN if found[-1:] == ["0"] else reduce(_after, found, pen)


@lru_cache(1024)
def _after(pen: _Pen, parameters: str) -> _Pen:
    """The pen after one sequence; what it does not know leaves the pen as it is."""
    left = parameters.split(";")
    while left:
        code = left[0]
        if code in ("38", "48"):
            length = _EXTENDED_LENGTH.get(left[1] if len(left) > 1 else "", 1)
            pen = replace(pen, colour=_indexed(left[1:length])) if code == "38" else pen
            left = left[length:]
        else:
            pen = _after_code(pen, code)
            left = left[1:]
    return pen


def _indexed(arguments: list[str]) -> Tone | None:
    """Of 256 colours the first sixteen have names; the others are only shown as text."""
    is_named = len(arguments) == 2 and arguments[0] == "5" and arguments[1].isdecimal()
    number = int(arguments[1][:4]) if is_named else 7
    return _COLOURS[number % 8] if number < 16 else None


def _after_code(pen: _Pen, code: str) -> _Pen:
    if code.strip("0") == "":
        return _NEW_PEN
    if len(code) == 2 and code[0] in "39" and code[1] in "01234567":
        return replace(pen, colour=Tone.DIM if code == "90" else _COLOURS[int(code[1])])
    match code:
        case "1":
            return replace(pen, is_bold=True)
        case "2":
            return replace(pen, is_faint=True)
        case "22":
            return replace(pen, is_bold=False, is_faint=False)
        case "39":
            return replace(pen, colour=None)
        case _:
            return pen
