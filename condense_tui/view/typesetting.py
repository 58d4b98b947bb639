"""A text and its form → printable lines, each with its tones; only what is seen is toned.

The lines are as many as those of the text, so that a place in the text has a line here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from condense_tui.session.compact import Value
from condense_tui.view.colouredlines import TONED_CHARS, ColouredText, has_colours, without_colours
from condense_tui.view.document import Form
from condense_tui.view.jsonlines import json_line
from condense_tui.view.lines import Line, Span, accent, text_of
from condense_tui.view.markdownlines import inline, markdown_lines
from condense_tui.view.printable import line_chunks, one_line, printable

# Beyond this the source is shown.
MAX_MARKDOWN_CHARS = 500_000
_CODE = re.compile(r"`[^`]+`")
_HANGING_INDENT = 2

LineAt = Callable[[int], Line]
Column = Callable[[str], int]


class Typeset(Value, frozen=True):
    """`line_at` gives a line its tones; `indents` are those of the rows that go on.

    `column` is where what follows a beginning of a source line stands in the printable line.
    """

    lines: Sequence[str]
    line_at: LineAt
    column: Column
    is_prose: bool = False
    indents: Sequence[int] = ()


def typeset(text: str, form: Form, as_source: bool = False) -> Typeset:
    """The lines of a text; Markdown is rendered unless its source is asked for."""
    if form is Form.MARKDOWN and not as_source and len(text) <= MAX_MARKDOWN_CHARS:
        return _markdown(text)
    if form is Form.OUTPUT and has_colours(text):
        coloured = ColouredText(text)
        return Typeset(coloured.lines, coloured.line_at, _coloured_column)
    lines = _printable_lines(text)
    if form is Form.JSON:
        return Typeset(lines, lambda number: _toned(lines[number], json_line), _plain_column)
    if form is Form.OUTPUT:
        return Typeset(lines, lambda number: (Span(lines[number]),), _plain_column)
    return Typeset(lines, lambda number: _toned(lines[number], _prose), _plain_column, True)


def typeset_line(spans: Line) -> Typeset:
    """One line of a document: rows that go on are indented a little."""
    line = tuple(Span(one_line(span.text), span.tone) for span in spans)
    return Typeset([text_of(line)], lambda _: line, len, True, [_HANGING_INDENT])


def _markdown(text: str) -> Typeset:
    rendered = list(markdown_lines(text))
    lines = [text_of(line.line) for line in rendered]
    indents = [line.indent for line in rendered]
    return Typeset(lines, lambda number: rendered[number].line, _rendered_column, True, indents)


def _printable_lines(text: str) -> list[str]:
    chunks = map(printable, line_chunks(text))
    # A line of many megabytes is not copied.
    return list(chain.from_iterable(c.split("\n") if "\n" in c else (c,) for c in chunks))


def _toned(text: str, tones: Callable[[str], Iterable[Span]]) -> Line:
    """Beyond the head of a long line all has the tone that the head ends with.

    That is right for what makes lines of JSON long, a string, and no row costs more than a page.
    """
    spans = tuple(tones(text[:TONED_CHARS]))
    rest = text[TONED_CHARS:]
    return (*spans, Span(rest, spans[-1].tone)) if rest else spans


def _prose(text: str) -> Iterator[Span]:
    """The source of a line, with what stands in backquotes as code."""
    at = 0
    for found in _CODE.finditer(text):
        yield Span(text[at : found.start()])
        yield accent(found[0])
        at = found.end()
    yield Span(text[at:])


def _plain_column(beginning: str) -> int:
    return len(printable(beginning))


def _coloured_column(beginning: str) -> int:
    return len(printable(without_colours(beginning)))


def _rendered_column(beginning: str) -> int:
    """About where: signs in front of the line may be gone too."""
    return len(text_of(inline(printable(beginning))))
