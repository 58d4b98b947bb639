"""Short refs → the ranges that they come to, in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

_REF = re.compile(r"(\D*)(\d{1,9})")
_MOST_RANGES = 4


def ref_spans(refs: Iterable[str]) -> str:
    """In order, those that follow each other as a range: `t1–t7, t63`; the first few of many."""
    spans = list(islice(_spans(_numbered(refs)), _MOST_RANGES + 1))
    return ", ".join([*spans[:_MOST_RANGES], *("…" for _ in spans[_MOST_RANGES:])])


def _numbered(refs: Iterable[str]) -> list[tuple[str, int]]:
    """The letters and the number of each; what is no ref of the extension's is left out."""
    matches = filter(None, map(_REF.fullmatch, refs))
    return sorted({(match[1], int(match[2])) for match in matches})


def _spans(refs: Sequence[tuple[str, int]]) -> Iterator[str]:
    first = 0
    for last, (letters, number) in enumerate(refs):
        if refs[last + 1 : last + 2] != [(letters, number + 1)]:
            start, end = refs[first], refs[last]
            far = f"–{letters}{number}" if start != end else ""
            yield f"{start[0]}{start[1]}{far}"
            first = last + 1
