"""What a person looks for → a pattern that cannot hang.

A literal costs no more than the length of what it is looked for in.  A regular expression is
run on pieces of lines so short that even the worst text is done in a moment, and one that is too
dear for the shortest piece is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from condense_tui.inspection.backtracking import Reckoning
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import string_json

_MAX_PATTERN_CHARS = 250
_ENDLESS = 2**62
_PIECES_CHARS = (20_000, 5_000, 2_000, 1_000, 700, 400, 250, 150, 100, 60)
# About a fifth of a second for the worst text.
_MAX_STEPS = 5e6

Span = tuple[int, int]


class SearchPattern(Value, frozen=True):
    r"""`expression` is for text, `json_expression` for JSON, where a quote stands as `\"`.

    `literal` is the text itself if it is to be taken as it is.  `piece_chars` is how much of a
    line may be looked at in one go.
    """

    expression: re.Pattern[str]
    json_expression: re.Pattern[str]
    literal: str | None
    piece_chars: int

    def spans(self, line: str, is_json: bool = False) -> Iterator[Span]:
        """Every match in one line."""
        position: int | None = 0
        while position is not None:
            spans, position = self.piece_spans(line, position, is_json)
            yield from spans

    def piece_spans(
        self, line: str, position: int, is_json: bool = False
    ) -> tuple[list[Span], int | None]:
        """The matches in one piece of a line, and where the next piece begins.

        Pieces overlap by half, so that a match of up to that length is found whole.
        """
        expression = self.json_expression if is_json else self.expression
        stop = position + self.piece_chars
        is_last = stop >= len(line)
        next_position = position + self.piece_chars // 2
        spans: list[Span] = []
        for found in expression.finditer(line, position, stop):
            if found.start() >= next_position and not is_last:
                break
            if found.end() > found.start():
                spans.append(found.span())
            next_position = max(next_position, found.end())
        return spans, None if is_last else next_position


class BadPattern(Value, frozen=True):
    """Why a pattern is not looked for."""

    reason: str


def make_pattern(
    text: str, *, ignores_case: bool = True, is_word: bool = False, is_regex: bool = False
) -> SearchPattern | BadPattern:
    """The pattern of a non-empty text; see the module's contract."""
    flags = re.IGNORECASE if ignores_case else re.NOFLAG
    if is_regex:
        return _regex(text, flags, is_word)
    json_text = string_json(text)[1:-1]
    plain, in_json = (_bounded(re.escape(source), is_word) for source in (text, json_text))
    return SearchPattern(re.compile(plain, flags), re.compile(in_json, flags), text, _ENDLESS)


def _bounded(source: str, is_word: bool) -> str:
    return rf"(?<!\w)(?:{source})(?!\w)" if is_word else source


def _regex(text: str, flags: re.RegexFlag, is_word: bool) -> SearchPattern | BadPattern:
    if len(text) > _MAX_PATTERN_CHARS:
        return BadPattern("the pattern is too long")
    source = _bounded(text, is_word)
    try:
        expression = re.compile(source, flags)
        piece_chars = _affordable_chars(source, flags)
    except re.error as error:
        return BadPattern(f"not a regex: {error.msg}")
    except (RecursionError, OverflowError):
        return BadPattern("not a regex: nested too deeply")
    if piece_chars is None:
        return BadPattern("too slow: repetitions of repetitions")
    return SearchPattern(expression, expression, None, piece_chars)


def _affordable_chars(source: str, flags: re.RegexFlag) -> int | None:
    """The longest text on which the pattern stays within its steps."""
    reckoning = Reckoning(source, flags)
    pieces = (chars for chars in _PIECES_CHARS if reckoning.steps(chars) <= _MAX_STEPS)
    return next(pieces, None)
