"""Output of programs with SGR escape sequences → printable lines with tones.

Only colours and weight are read.  Every other escape sequence is left to `printable`, which
makes it visible.
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from itertools import chain

from condense_tui.session.compact import Value, changed
from condense_tui.view.lines import Line, Span, Tone
from condense_tui.view.printable import TAB_WIDTH, line_chunks, printable

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
TONED_CHARS = 16_384
"""As much of a line is given tones: a few screens of it."""

# No sequence that means anything is longer.
_SEQUENCE_CHARS = 100
_EXTENDED_LENGTH = {"5": 3, "2": 5}


class _Pen(Value, frozen=True):
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
        chunks = list(line_chunks(text))
        plain = (printable(without_colours(chunk)).split("\n") for chunk in chunks)
        self.lines = list(chain.from_iterable(plain))
        self._sources = list(chain.from_iterable(chunk.split("\n") for chunk in chunks))
        # The pen that a line begins with, of those that were asked for.
        self._pens = {0: _NEW_PEN}

    def line_at(self, number: int) -> Line:
        """One line; a colour goes on from the line before."""
        pen = self._pen_at(number)
        source = _head(self._sources[number])
        spans: list[Span] = []
        column = 0
        # Text and parameters take turns.
        for nth, piece in enumerate(_SGR.split(source)):
            if nth % 2:
                pen = _after(pen, piece)
            elif piece:
                expanded = (" " * column + piece).expandtabs(TAB_WIDTH)[column:]
                spans.append(Span(printable(expanded), pen.tone))
                column = (column + len(expanded)) % TAB_WIDTH
        if len(source) < len(self._sources[number]):
            shown = sum(len(span.text) for span in spans)
            spans.append(Span(self.lines[number][shown:], pen.tone))
        return tuple(spans)

    def _pen_at(self, number: int) -> _Pen:
        """Known from the last line before that puts the pen away, or whose pen is known."""
        first, pen = number, self._pens.get(number)
        while pen is None:
            first -= 1
            codes = _SGR.findall(self._sources[first])
            pen = _NEW_PEN if codes[-1:] == ["0"] else None
            if pen is None and (known := self._pens.get(first)):
                pen = reduce(_after, codes, known)
        for line in range(first + 1, number):
            pen = reduce(_after, _SGR.findall(self._sources[line]), pen)
        self._pens[number] = pen
        return pen


def _head(source: str) -> str:
    """As much of a line as is given tones, not cut within a sequence."""
    if len(source) <= TONED_CHARS:
        return source
    last = source.rfind(_ESCAPE, TONED_CHARS - _SEQUENCE_CHARS, TONED_CHARS)
    return source[: TONED_CHARS if last < 0 else last]


@lru_cache(1024)
def _after(pen: _Pen, parameters: str) -> _Pen:
    """The pen after one sequence; what it does not know leaves the pen as it is."""
    left = parameters.split(";")
    while left:
        code = left[0]
        if code in ("38", "48"):
            length = _EXTENDED_LENGTH.get(left[1] if len(left) > 1 else "", 1)
            pen = changed(pen, colour=_indexed(left[1:length])) if code == "38" else pen
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
        return changed(pen, colour=Tone.DIM if code == "90" else _COLOURS[int(code[1])])
    match code:
        case "1":
            return changed(pen, is_bold=True)
        case "2":
            return changed(pen, is_faint=True)
        case "22":
            return changed(pen, is_bold=False, is_faint=False)
        case "39":
            return changed(pen, colour=None)
        case _:
            return pen
