"""`Line` and `Span`: printable text with a tone, which a front end turns into colours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

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


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of one line."""

    text: str
    tone: Tone = Tone.PLAIN


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


def text_of(spans: Iterable[Span]) -> str:
    """The bare text of a line."""
    return "".join(span.text for span in spans)


def printable_line(spans: Line) -> Line:
    """The line as a terminal may show it: session text cannot begin another one."""
    return tuple(Span(one_line(span.text), span.tone) for span in spans)


def exact_text(spans: Line) -> str:
    """The line with its text as it is, but still one line."""
    return text_of(spans).replace("\n", NEWLINE_SIGN)
