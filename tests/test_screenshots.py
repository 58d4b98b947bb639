"""The pictures in `screenshots` show the program as it is."""

import pytest

from tests.make_screenshots import FOLDER, PICTURES, picture, rows_of

HOW = "python tests/make_screenshots.py writes the pictures anew"


@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_shows_the_program_as_it_is(name: str) -> None:
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert len(rows_of(kept)) > 30
    assert rows_of(kept) == rows_of(await picture(PICTURES[name])), HOW


def test_there_are_no_other_pictures_and_none_is_large_or_fetches_anything() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(PICTURES)
    for path in FOLDER.glob("*.svg"):
        assert path.stat().st_size < 200_000
        assert "url(http" not in path.read_text(encoding="utf-8").replace("'", "").replace('"', "")
