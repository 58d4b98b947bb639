"""Preferences: what is remembered, and that nothing bad comes of a bad file."""

import json
from pathlib import Path

import pytest

from condense_tui.preferences import (
    Preferences,
    preferences_path,
    read_preferences,
    write_preferences,
)
from condense_tui.view.context import View


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "preferences.json"
    chosen = Preferences("nord", View.DIFF)
    assert write_preferences(path, chosen) is None
    assert read_preferences(path) == chosen
    assert json.loads(path.read_text()) == {"theme": "nord", "view": "diff"}
    assert list(path.parent.iterdir()) == [path]
    assert write_preferences(path, Preferences()) is None
    assert read_preferences(path) == Preferences()


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (b"", Preferences()),
        (b"{", Preferences()),
        (b"[1]", Preferences()),
        (b'{"theme": 5, "view": ["raw"]}', Preferences()),
        (b'{"theme": "", "view": "sideways"}', Preferences()),
        (b'{"view": "raw", "later": {"x": 1}}', Preferences(None, View.RAW)),
        (b'{"theme": "gone", "view": null}', Preferences("gone")),
        (b"\xff" * 9, Preferences()),
    ],
)
def test_what_does_not_fit_is_passed_over(
    tmp_path: Path, content: bytes, read: Preferences
) -> None:
    path = tmp_path / "preferences.json"
    path.write_bytes(content)
    assert read_preferences(path) == read


def test_a_missing_file_and_a_folder_in_its_place_are_no_preferences(tmp_path: Path) -> None:
    assert read_preferences(tmp_path / "none") == Preferences()
    assert read_preferences(tmp_path) == Preferences()
    failed = write_preferences(tmp_path / "none", Preferences())
    assert failed is None
    assert write_preferences(tmp_path / "none" / "below", Preferences()) is not None


def test_they_are_kept_where_the_system_keeps_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("platformdirs.user_config_path", lambda name, appauthor: tmp_path / name)
    assert preferences_path() == tmp_path / "condense-tui" / "preferences.json"
