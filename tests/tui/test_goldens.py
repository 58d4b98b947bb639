"""Whole screens of the demo, as text.  `python -m tests.tui.write_goldens` writes them anew."""

import difflib

import pytest

from tests.tui.scenes import GOLDENS, SCENES, SIZES, staged
from tests.tui.stage import screen_text

HOW = "if this is how it should look: python -m tests.tui.write_goldens"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES)
async def test_the_screen_is_as_it_was(scene: str, size: str) -> None:
    golden = GOLDENS / f"{scene}-{size}.txt"
    was = golden.read_text(encoding="utf-8")
    async with staged(scene, SIZES[size]) as pilot:
        now = screen_text(pilot.app)
    if now != was:
        rows = difflib.unified_diff(was.splitlines(), now.splitlines(), "was", "is", lineterm="")
        pytest.fail("\n".join([f"{golden.name} differs; {HOW}", *rows]), pytrace=False)


def test_there_is_no_golden_of_a_scene_that_is_gone() -> None:
    assert {golden.stem for golden in GOLDENS.iterdir()} == {
        f"{scene}-{size}" for scene in SCENES for size in SIZES
    }
