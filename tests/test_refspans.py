"""Refs of a block as people read them."""

from __future__ import annotations

import pytest

from condense_tui.view.refspans import ref_spans


@pytest.mark.parametrize(
    ("refs", "words"),
    [
        ([], ""),
        (["t3"], "t3"),
        (["t1", "t2", "t3"], "t1–t3"),
        (["t63", *(f"t{number}" for number in range(7, 0, -1))], "t1–t7, t63"),
        (["t7", "t4"], "t4, t7"),
        (["t1", "x", "t1", ""], "t1"),
        (["t1", "t3", "t5", "t7", "t9"], "t1, t3, t5, t7, …"),
    ],
)
def test_in_order_and_only_what_is_there(refs: list[str], words: str) -> None:
    assert ref_spans(refs) == words
