r"""The extension's path globs: `**/` any whole directories, `**` anything on one line,
`*` and `?` within one segment; everything else is literal.

Matched without going back, all ways through the pattern at once as the bits of one number, so
that no pattern of a settings file can make it slow.  (Source: the pruning rules, phase 1.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache

from condense_tui.session.compact import Value


class _Wild(Enum):
    """`DIRECTORIES` is skipped as a whole or entered; only a slash leads out of `INSIDE`."""

    DIRECTORIES = "**/"
    ANYTHING = "**"
    SEGMENT = "*"
    CHARACTER = "?"
    INSIDE = ""


_Token = _Wild | str
_LINE_ENDS = "\n\r\u2028\u2029"
_REPEATING = (_Wild.DIRECTORIES, _Wild.ANYTHING)


def glob_matches(pattern: str, path: str) -> bool:
    """Whether the whole `path` matches `pattern`."""
    places = _places(pattern)
    units = _code_units(path)
    if not units.endswith(places.tail):
        return False
    reached = places.closed(1)
    for character in units:
        reached = places.after(reached, character)
        if not reached:
            return False
    return bool(reached & places.end)


def _code_units(text: str) -> str:
    """JavaScript matches code units: a character beyond the BMP counts as two."""
    if text.isascii():
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(raw[i] | raw[i + 1] << 8) for i in range(0, len(raw), 2))


class _Places(Value, frozen=True):
    """The tokens of a pattern by kind, each a number with a bit for every place of that kind.

    A place is the one before a token, `end` the one behind all of them; `tail` is what every
    path ends in that matches.
    """

    literals: Mapping[str, int]
    directories: int
    anything: int
    segment: int
    character: int
    inside: int
    end: int
    tail: str

    def closed(self, reached: int) -> int:
        """All places that are reached without reading."""
        empty = self.directories | self.anything | self.segment
        while True:
            further = reached | (reached & empty) << 1 | (reached & self.directories) << 2
            if further == reached:
                return reached
            reached = further

    def after(self, reached: int, character: str) -> int:
        """All places that are reached by reading one character."""
        leaving, staying = self.literals.get(character, 0), 0
        if character == "/":
            leaving |= self.inside
        else:
            leaving |= self.character
            staying |= self.segment
        if character not in _LINE_ENDS:
            staying |= self.anything | self.inside
        return self.closed((reached & leaving) << 1 | reached & staying)


@lru_cache(maxsize=256)
def _places(pattern: str) -> _Places:
    of: dict[_Token, int] = {}
    place, tail = 1, ""
    for token in _tokens(pattern):
        of[token] = of.get(token, 0) | place
        place <<= 1
        tail = tail + token if isinstance(token, str) else ""
    return _Places(
        literals={token: places for token, places in of.items() if isinstance(token, str)},
        directories=of.get(_Wild.DIRECTORIES, 0),
        anything=of.get(_Wild.ANYTHING, 0),
        segment=of.get(_Wild.SEGMENT, 0),
        character=of.get(_Wild.CHARACTER, 0),
        inside=of.get(_Wild.INSIDE, 0),
        end=place,
        tail=tail,
    )


def _tokens(pattern: str) -> Iterator[_Token]:
    """Of directories and anything that follow each other one is enough, anything if it is there."""
    units = _code_units(pattern)
    position = 0
    run: _Wild | None = None
    while position < len(units):
        wild = next((w for w in _Wild if w.value and units.startswith(w.value, position)), None)
        position += len(wild.value) if wild else 1
        if wild in _REPEATING:
            run = wild if run is not _Wild.ANYTHING else run
            continue
        yield from _run_tokens(run)
        run = None
        yield wild or units[position - 1]
    yield from _run_tokens(run)


def _run_tokens(run: _Wild | None) -> Iterator[_Token]:
    if run is not None:
        yield run
    if run is _Wild.DIRECTORIES:
        yield _Wild.INSIDE
