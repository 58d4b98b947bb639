"""Find over a session of 100 MB, ignoring case: `python -m tests.benchmarks.finding`.

The thread of the search, timed alone: when it delivers the first hits, when it is through, and
how long it goes on once it is cancelled.  Beside it, in the same run, what every text of the
session takes to go through with an expression that ignores case.
"""

from __future__ import annotations

import re
import sys
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.searched import searched_texts
from condense_tui.pruning.settings import settings_from
from condense_tui.session.entries import Refusal
from condense_tui.tui.finding import look_for
from condense_tui.tui.picture import Picture, read_picture
from tests.benchmarks.report import Figure, median, print_figures
from tests.benchmarks.sessionfiles import write_session

_MEGABYTES = 100
_RUNS = 5
_FIRST_MS, _ALL_MS, _CANCEL_MS = 100, 250, 20
# In every long message; in one that lies before the middle; nowhere.
_WORDS = {"often": "CART.PY", "rarely": "CALL_0004321 TOTAL", "nowhere": "No Such Word"}


def searched(picture: Picture, pattern: SearchPattern) -> tuple[float, float]:
    """Milliseconds until the first hits are delivered, and until all are."""
    first = 0.0
    begin = time.perf_counter()

    def deliver(found: object, is_over: bool) -> None:
        nonlocal first
        first = first or (time.perf_counter() - begin) * 1000

    look_for(picture, pattern, deliver, lambda: False)
    return first, (time.perf_counter() - begin) * 1000


def cancelled(picture: Picture, pattern: SearchPattern) -> float:
    """The longest that a search goes on between two looks at whether it is cancelled."""
    looks = [time.perf_counter()]

    def is_cancelled() -> bool:
        looks.append(time.perf_counter())
        return False

    look_for(picture, pattern, lambda *_: None, is_cancelled)
    looks.append(time.perf_counter())
    return max(later - earlier for earlier, later in pairwise(looks)) * 1000


def with_expression(picture: Picture, words: str) -> float:
    """What an expression that ignores case takes for the same texts."""
    begin = time.perf_counter()
    expression = re.compile(re.escape(words), re.IGNORECASE)
    documents = picture.documents.read_sidecar
    for text in searched_texts(picture.inspection, picture.links, documents):
        sum(1 for _ in expression.finditer(text.passage.text))
    return (time.perf_counter() - begin) * 1000


def figures(picture: Picture) -> list[Figure]:
    """Everything."""
    unknown = make_pattern("Nowhere Either")
    assert isinstance(unknown, SearchPattern)
    _, once = searched(picture, unknown)
    found = [Figure("all hits, nowhere there, in the first search of a session", once, _ALL_MS)]
    for how, words in _WORDS.items():
        pattern = make_pattern(words)
        assert isinstance(pattern, SearchPattern)
        runs = [searched(picture, pattern) for _ in range(_RUNS)]
        peer = with_expression(picture, words)
        if how != "nowhere":
            first = median([first for first, _ in runs])
            found.append(Figure(f"first hits, {how} there", first, _FIRST_MS))
        everything = median([end for _, end in runs])
        found.append(Figure(f"all hits, {how} there", everything, _ALL_MS, "re.I", peer))
        stop = median([cancelled(picture, pattern) for _ in range(_RUNS)])
        found.append(Figure(f"goes on when cancelled, at most, {how} there", stop, _CANCEL_MS))
    return found


def main() -> int:
    with TemporaryDirectory() as folder:
        path = write_session(Path(folder), _MEGABYTES)
        picture = read_picture(path, None, settings_from(None))
        if isinstance(picture, Refusal):
            raise SystemExit(picture.reason)
        return print_figures(f"Find over {_MEGABYTES} MB, ignoring case", figures(picture))


if __name__ == "__main__":
    sys.exit(main())
