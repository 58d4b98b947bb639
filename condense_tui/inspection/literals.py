"""Finding a literal: what `SearchPattern.spans` finds, in a fraction of the time.

A plain look through a text in lower case is many times as fast as an expression that ignores
case.  It finds the same in all but a few characters that are another letter's lower or upper
case; where these are about, the expression itself looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from condense_tui.inspection.patterns import SearchPattern, Span
from condense_tui.session.jsontext import string_json

WINDOW_CHARS = 4_000_000
"""As much is looked through at once: whoever asks can stop in between."""

# İ and ı are an i to an expression, ſ an s; only the first has a lower case, of two characters.
_OTHER_CASES = "\u0130\u0131\u017f"

_NOTHING: tuple[list[Span]] = ([],)

LiteralFinder = Callable[[str, bool], Iterable[list[Span]]]


def literal_finder(pattern: SearchPattern) -> LiteralFinder:
    """A function from a text, and whether it is JSON, to its matches window by window."""
    literal = pattern.literal or ""
    plain = _Needle(literal, pattern.expression)
    in_json = _Needle(string_json(literal)[1:-1], pattern.json_expression)
    return lambda text, is_json: (in_json if is_json else plain).spans(text)


class _Needle:
    """One literal, and the expression that says what is a match of it."""

    def __init__(self, literal: str, expression: re.Pattern[str]) -> None:
        self._expression = expression
        self._ignores_case = bool(expression.flags & re.IGNORECASE)
        self._is_plain = literal.isascii() or not self._ignores_case
        self._literal = literal.lower() if self._ignores_case else literal

    def spans(self, text: str) -> Iterable[list[Span]]:
        """The matches of each window, in order; one that is begun in it may end in the next."""
        if not self._is_plain or (self._ignores_case and _has_other_cases(text)):
            return ([found.span() for found in self._expression.finditer(text)],)
        if len(text) > WINDOW_CHARS:
            return self._spans_by_window(text)
        # Most texts are short and hold nothing.
        return (self._spans_from(text, 0, len(text)),) if self._may_hold(text) else _NOTHING

    def _may_hold(self, text: str) -> bool:
        return self._literal in (text.lower() if self._ignores_case else text)

    def _spans_by_window(self, text: str) -> Iterator[list[Span]]:
        position = 0
        for start in range(0, len(text), WINDOW_CHARS):
            spans = self._spans_from(text, max(start, position), start + WINDOW_CHARS)
            yield spans
            position = spans[-1][1] if spans else position

    def _spans_from(self, text: str, start: int, end: int) -> list[Span]:
        """Those that begin between two characters."""
        literal, spans = self._literal, []
        looked_at = text[start : end + len(literal) - 1]
        if self._ignores_case:
            looked_at = looked_at.lower()
        at = looked_at.find(literal)
        while at >= 0:
            found = self._expression.match(text, start + at)
            if found:
                spans.append(found.span())
            at = looked_at.find(literal, at + (len(literal) if found else 1))
        return spans


def _has_other_cases(text: str) -> bool:
    return not text.isascii() and any(char in text for char in _OTHER_CASES)
