r"""The extension's path globs: `**/` any whole directories, `**` anything on one line,
`*` and `?` within one segment; everything else is literal.

Matched without backtracking over pattern and path, so no pattern of a settings file can make
it slow: time is at most pattern length x path length.  (Source: the pruning rules, phase 1.)
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache


class _Wild(Enum):
    """`DIRECTORIES` is skipped as a whole or entered; only a slash leads out of `INSIDE`."""

    DIRECTORIES = "**/"
    ANYTHING = "**"
    SEGMENT = "*"
    CHARACTER = "?"
    INSIDE = ""


_Token = _Wild | str
_LINE_ENDS = "\n\r\u2028\u2029"


def glob_matches(pattern: str, path: str) -> bool:
    """Whether the whole `path` matches `pattern`."""
    tokens = _tokens(pattern)
    states = _closure({0}, tokens)
    for character in _code_units(path):
        states = _closure(_step(states, tokens, character), tokens)
        if not states:
            return False
    return len(tokens) in states


def _code_units(text: str) -> str:
    """JavaScript matches code units: a character beyond the BMP counts as two."""
    if text.isascii():
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(raw[i] | raw[i + 1] << 8) for i in range(0, len(raw), 2))


@lru_cache(maxsize=256)
def _tokens(pattern: str) -> tuple[_Token, ...]:
    units = _code_units(pattern)
    tokens: list[_Token] = []
    position = 0
    while position < len(units):
        wild = next((w for w in _Wild if w.value and units.startswith(w.value, position)), None)
        tokens.append(wild or units[position])
        if wild is _Wild.DIRECTORIES:
            tokens.append(_Wild.INSIDE)
        position += len(wild.value) if wild else 1
    return tuple(tokens)


def _closure(states: set[int], tokens: tuple[_Token, ...]) -> set[int]:
    """All states reachable without reading."""
    closed: set[int] = set()
    pending = list(states)
    while pending:
        state = pending.pop()
        if state in closed:
            continue
        closed.add(state)
        token = tokens[state] if state < len(tokens) else None
        if token is _Wild.DIRECTORIES:
            pending += [state + 1, state + 2]
        elif token in (_Wild.ANYTHING, _Wild.SEGMENT):
            pending.append(state + 1)
    return closed


def _step(states: set[int], tokens: tuple[_Token, ...], character: str) -> set[int]:
    """All states reached by reading one character."""
    following: set[int] = set()
    for state in states:
        token = tokens[state] if state < len(tokens) else None
        is_slash, is_line_end = character == "/", character in _LINE_ENDS
        if token == character or (token is _Wild.CHARACTER and not is_slash):
            following.add(state + 1)
        elif token is _Wild.INSIDE:
            following |= {state + 1} if is_slash else set()
            following |= set() if is_line_end else {state}
        elif (token is _Wild.SEGMENT and not is_slash) or (
            token is _Wild.ANYTHING and not is_line_end
        ):
            following.add(state)
    return following
