"""How dear a regular expression can become, reckoned before it runs.

Python's regular expressions backtrack, hold the interpreter while they do, and cannot be
interrupted.  Where what follows a repetition can never be taken for one more of what it repeats,
there is one way to match; elsewhere every number of times is a way to try.  The ways of a
sequence multiply, and a repetition raises the ways of what it repeats to a power: that is what
hangs.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# Private, but the only things that know what a pattern means; the same from 3.11 to 3.14.
_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")

_USUAL_CHARS = frozenset(map(chr, (*range(0x100), *range(0x100, 0x3000, 0x40))))
_NONE: frozenset[str] = frozenset()
# What follows the inside of a group that is never gone back into: no character, but the match may
# fail after it all the same, and what it ran over is run over again from the next character on.
_NO_CHARACTER = frozenset({""})
# Several repetitions in a row share a text.
_SHARE = 3
# Repeating a group costs this many times what repeating one character costs.
_GROUP_WEIGHT = 4

Chars = frozenset[str]
Item = tuple[Any, Any]


class Reckoning:
    """The cost of one pattern; raises what `re.compile` raises."""

    def __init__(self, source: str, flags: re.RegexFlag) -> None:
        self._parsed = _parser.parse(source, flags)
        self._flags = flags
        self._alphabet = _USUAL_CHARS | frozenset(_named_chars(self._parsed))
        self._chars_of: dict[int, Chars] = {}
        self._has_scan = False

    def steps(self, length: int) -> float:
        """At most about how many steps the pattern takes to fail on a text of this length."""
        ways = self._ways(self._parsed, _NONE, length)
        return length * ways * (length / _SHARE if self._has_scan else 1)

    def _ways(self, items: Sequence[Item], follow: Chars, length: int) -> float:
        """In how many ways the items can match, given what may come after them."""
        ways = 1.0
        for item in reversed(items):
            ways *= self._item_ways(item, follow, length)
            first, is_nullable = self._first_of(item)
            follow = first | follow if is_nullable else first
        return ways

    def _item_ways(self, item: Item, follow: Chars, length: int) -> float:
        kind, detail = item[0].name, item[1]
        if kind in _REPEATS:
            least, most, body = detail
            return self._repeat_ways(least, most, body, follow, length)
        if kind == "BRANCH":
            ways = [self._ways(branch, follow, length) for branch in detail[1]]
            firsts = [self._first(branch) for branch in detail[1]]
            return max(ways) if _are_apart(firsts, follow) else sum(ways)
        if kind == "GROUPREF":
            return length
        inner = _NO_CHARACTER if kind in _ATOMIC else follow
        return math.prod(self._ways(part, inner, length) for part in _parts(item))

    def _repeat_ways(
        self, least: int, most: int, body: Sequence[Item], follow: Chars, length: int
    ) -> float:
        first, is_nullable = self._first(body)
        times = min(most, max(length, least))
        numbers = min(most - least, length // _SHARE) + 1
        if first.isdisjoint(follow) and not is_nullable:
            self._has_scan = self._has_scan or (most > 1 and bool(follow))
            numbers = 1
        weight = 1 if len(body) == 1 and body[0][0].name in _SINGLES else _GROUP_WEIGHT
        after = first | follow if most > 1 else follow
        try:
            return numbers * weight * self._ways(body, after, length) ** times
        except OverflowError:
            return math.inf

    def _first(self, items: Iterable[Item]) -> tuple[Chars, bool]:
        """What the items can begin with, and whether they can match nothing at all."""
        chars = _NONE
        for item in items:
            first, is_nullable = self._first_of(item)
            chars |= first
            if not is_nullable:
                return chars, False
        return chars, True

    def _first_of(self, item: Item) -> tuple[Chars, bool]:
        kind, detail = item[0].name, item[1]
        if kind in _SINGLES:
            return self._single_chars(item), False
        if kind in _ANYTHING:
            return self._alphabet, False
        firsts = [self._first(part) for part in _parts(item)]
        chars = _NONE.union(*(first for first, _ in firsts))
        is_optional = kind in _REPEATS and detail[0] == 0
        return chars, is_optional or any(is_nullable for _, is_nullable in firsts)

    def _single_chars(self, item: Item) -> Chars:
        """Of the alphabet, what matches; in either case, whatever flags a group may set."""
        if id(item) not in self._chars_of:
            one = _parser.SubPattern(self._parsed.state, [item])
            flags = (self._flags, self._flags | re.IGNORECASE)
            either = [_compiler.compile(one, int(each)) for each in flags]
            self._chars_of[id(item)] = frozenset(
                char for char in self._alphabet if any(one.match(char) for one in either)
            )
        return self._chars_of[id(item)]


_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_SINGLES = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})
_ATOMIC = frozenset({"ASSERT", "ASSERT_NOT", "ATOMIC_GROUP"})
# Whether these match depends on more than the next character.
_ANYTHING = frozenset({"AT", "ASSERT", "ASSERT_NOT", "GROUPREF"})


def _parts(item: Item) -> list[Any]:
    """The sequences of items that an item holds."""
    kind, detail = item[0].name, item[1]
    if kind == "BRANCH":
        return list(detail[1])
    if kind == "GROUPREF_EXISTS":
        return [detail[1], detail[2] or []]
    if kind == "ATOMIC_GROUP":
        return [detail]
    return [detail[-1]] if kind in _REPEATS | _ATOMIC | {"SUBPATTERN"} else []


def _are_apart(firsts: list[tuple[Chars, bool]], follow: Chars) -> bool:
    """Whether the next character decides for one of several branches."""
    seen: Chars = _NONE
    for chars, is_nullable in firsts:
        reach = chars | follow if is_nullable else chars
        if not seen.isdisjoint(reach):
            return False
        seen |= reach
    return True


def _named_chars(tree: Any) -> Iterator[str]:
    """Every character, and every end of a range, that a parsed pattern names."""
    if isinstance(tree, int):
        if 0 <= tree <= 0x10FFFF:
            yield from {chr(tree), chr(tree).lower()[0], chr(tree).upper()[0]}
    elif isinstance(tree, (list, tuple, _parser.SubPattern)):
        for part in tree:
            yield from _named_chars(part)
