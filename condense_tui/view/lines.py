"""`Line` and `Span`: printable text with a tone, which a front end turns into colours."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum, auto
from typing import TypeAlias

from condense_tui.session.compact import Value
from condense_tui.view.printable import NEWLINE_SIGN, one_line


class Tone(StrEnum):
    """What a piece of text is for; never a colour."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    ACCENT = "accent"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


class Giving(Enum):
    """What a piece does where its line is too wide; see `fitting`."""

    STAYS = auto()
    """Is there whole as long as there is any room."""
    GOES = auto()
    """Is there whole or not at all."""
    LINGERS = auto()
    """The same, but goes only when all that shrinks has shrunk."""
    SHRINKS = auto()
    """Is cut, but not to less than what tells it from others."""
    FILLS = auto()
    """Has what room is left by all the others, and may have none."""


class Span(Value, frozen=True):
    """A piece of one line."""

    text: str
    tone: Tone = Tone.PLAIN
    giving: Giving = Giving.STAYS


Line: TypeAlias = tuple[Span, ...]


def line(*pieces: str | Span) -> Line:
    """One line of pieces; a bare text has the plain tone."""
    return tuple(piece if isinstance(piece, Span) else Span(piece) for piece in pieces)


def dim(text: str) -> Span:
    """Of minor interest."""
    return Span(text, Tone.DIM)


def strong(text: str) -> Span:
    """A heading, or what one looks for."""
    return Span(text, Tone.STRONG)


def accent(text: str) -> Span:
    """What can be asked for: a ref, a block, an id."""
    return Span(text, Tone.ACCENT)


def going(text: str, tone: Tone = Tone.DIM) -> Span:
    """What a narrow line does without."""
    return Span(text, tone, Giving.GOES)


def shrinking(text: str, tone: Tone = Tone.PLAIN) -> Span:
    """What a narrow line shows the beginning of."""
    return Span(text, tone, Giving.SHRINKS)


def filling(text: str, tone: Tone = Tone.DIM) -> Span:
    """What comes last, as far as there is room."""
    return Span(text, tone, Giving.FILLS)


def text_of(spans: Iterable[Span]) -> str:
    """The bare text of a line."""
    return "".join(span.text for span in spans)


def printable_line(spans: Line) -> Line:
    """The line as a terminal may show it: session text cannot begin another one."""
    return tuple(Span(one_line(span.text), span.tone, span.giving) for span in spans)


def exact_text(spans: Line) -> str:
    """The line with its text as it is, but still one line."""
    return text_of(spans).replace("\n", NEWLINE_SIGN)
