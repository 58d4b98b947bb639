"""Light Markdown: each line of a source → one line with tones, its signs taken away.

No parser: what spans lines, but for fenced code, stays as it is written.  Code alone has the
accent tone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from condense_tui.session.compact import Value
from condense_tui.view.lines import Line, Span, Tone, accent, dim, strong
from condense_tui.view.printable import printable

_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r" {0,3}#{1,6} +")
_RULE = re.compile(r" {0,3}([-*_])( *\1){2,} *$")
_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)]) +")
_QUOTE = re.compile(r" {0,3}> ?")
_TAG = re.compile(r"</?[a-z][a-z-]*( [^<>]*)?>$")
_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__")
_BULLETS = frozenset("-*+")


class MarkdownLine(Value, frozen=True):
    """`indent` is where the text begins: rows that go on begin there too."""

    line: Line
    indent: int = 0


def markdown_lines(text: str) -> Iterator[MarkdownLine]:
    """One printable line for each line of the source, in one walk."""
    fence: str | None = None
    for source in map(printable, text.split("\n")):
        found = _FENCE.match(source)
        if found and fence in (None, found[1]):
            fence = None if fence else found[1]
            yield MarkdownLine((dim(source),))
        elif fence:
            yield MarkdownLine((Span(source),))
        else:
            yield _markdown_line(source)


def _markdown_line(source: str) -> MarkdownLine:
    if found := _HEADING.match(source):
        return MarkdownLine(tuple(inline(source[found.end() :].rstrip(" #"), Tone.STRONG)))
    if _RULE.match(source):
        return MarkdownLine((dim("─" * 8),))
    if found := _ITEM.match(source):
        sign = "•" if found[2] in _BULLETS else found[2]
        lead = f"{found[1]}{sign} "
        return MarkdownLine((Span(lead), *inline(source[found.end() :])), len(lead))
    if found := _QUOTE.match(source):
        return MarkdownLine((dim("▎ "), *inline(source[found.end() :], Tone.DIM)), 2)
    if _TAG.match(source):
        return MarkdownLine((dim(source),))
    return MarkdownLine(tuple(inline(source)))


def inline(source: str, tone: Tone = Tone.PLAIN) -> Iterator[Span]:
    """The pieces of one line: code, bold, and the rest in the tone that is given."""
    at = 0
    for found in _INLINE.finditer(source):
        if found.start() > at:
            yield Span(source[at : found.start()], tone)
        if found[1] is not None:
            yield accent(found[1])
        else:
            yield from _bold(found[2] or found[3])
        at = found.end()
    if at < len(source) or not source:
        yield Span(source[at:], tone)


def _bold(source: str) -> Iterator[Span]:
    """Code may stand in bold text; nothing else may."""
    for number, piece in enumerate(source.split("`")):
        if piece:
            yield accent(piece) if number % 2 else strong(piece)
