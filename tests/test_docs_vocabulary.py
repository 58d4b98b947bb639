"""The vocabulary speaks of what there is."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import get_args

import pytest

from condense_tui.inspection.links import Target

PAGE = Path(__file__).parent.parent / "docs" / "vocabulary.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text(encoding="utf-8").split("\n")
    if line.startswith("| ")
]
CLASSES = [row for row in ROWS if len(row) == 3 and row[0].startswith("`")]
WORDS = {word.strip(): row[1] for row in ROWS if len(row) == 2 for word in row[0].split(",")}


def test_the_tables_are_found() -> None:
    assert len(CLASSES) > 20
    assert {"slot", "fate", "tone", "picture", "hit"} <= WORDS.keys()


@pytest.mark.parametrize(("name", "path"), [(row[0], row[1]) for row in CLASSES])
def test_every_class_is_where_it_is_said_to_be(name: str, path: str) -> None:
    module = "condense_tui." + path.strip("`").removesuffix(".py").replace("/", ".")
    found = getattr(importlib.import_module(module), name.strip("`"))
    assert isinstance(found, type)
    assert found.__module__ == module


@pytest.mark.parametrize("name", [row[0].strip("`") for row in CLASSES])
def test_every_class_is_called_by_a_word_that_is_explained(name: str) -> None:
    words = {word.lower() for word in re.findall(r"[A-Z][a-z]+", name)}
    assert (words | {word.removesuffix("s") for word in words}) & WORDS.keys()


def test_no_word_is_explained_twice() -> None:
    words = [row[0] for row in ROWS if len(row) == 2 and row[0] not in ("word", "---")]
    assert sorted(set(words)) == sorted(words)


def test_every_target_is_named() -> None:
    kinds = {kind.__name__.removesuffix("Target").lower() for kind in get_args(Target)}
    assert {kind for kind in kinds if kind not in WORDS["target"]} == set()
