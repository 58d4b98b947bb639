from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection import literals
from condense_tui.inspection.literals import literal_finder
from condense_tui.inspection.patterns import SearchPattern, make_pattern

# Letters with other cases, what is no letter, and what JSON writes in another way.
LETTERS = 'aAsSiIkK\u0130\u0131\u017f\u212aßéÉ. "\\\n'
words = st.text(LETTERS, min_size=1, max_size=3)


@pytest.fixture(autouse=True, scope="module")
def _small_windows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(literals, "WINDOW_CHARS", 5)
        yield


@given(words, st.text(LETTERS, max_size=40), st.booleans(), st.booleans(), st.booleans())
def test_the_same_is_found_as_by_the_expression(
    literal: str, text: str, ignores_case: bool, is_word: bool, is_json: bool
) -> None:
    pattern = make_pattern(literal, ignores_case=ignores_case, is_word=is_word)
    assert isinstance(pattern, SearchPattern)
    found = [span for spans in literal_finder(pattern)(text, is_json) for span in spans]
    assert found == list(pattern.spans(text, is_json))


def test_a_long_text_is_looked_through_window_by_window() -> None:
    pattern = make_pattern("NEEDLE")
    assert isinstance(pattern, SearchPattern)
    windows = list(literal_finder(pattern)("....needle....needle", False))
    assert windows == [[(4, 10)], [], [(14, 20)], []]
