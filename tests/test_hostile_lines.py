"""Lines and words made to cost time, to be taken for another thing, or to reach the terminal."""

import json

import pytest

from condense_tui.pruning.bodies import substitute_block_refs
from condense_tui.store_sessions import typed_path
from condense_tui.view.jsonlines import json_line
from condense_tui.view.lines import Tone
from condense_tui.view.markdownlines import markdown_lines
from condense_tui.view.settingrows import editable_text, typed_value
from condense_tui.view.settingtable import SETTINGS, Kind


def test_a_heading_of_many_signs_takes_no_time() -> None:
    """Minutes, where a pattern goes back over them."""
    (shown,) = markdown_lines("# " + "# " * 50_000 + "x ##")
    assert "".join(span.text for span in shown.line).endswith("# x")


@pytest.mark.parametrize("text", ["error: not found: x", 't7": foo', ": "])
def test_only_a_key_is_shown_as_a_key(text: str) -> None:
    spans = json_line(f'  "k": {json.dumps(text)},')
    assert [span.text for span in spans if span.tone is Tone.ACCENT] == ['"k"']


@pytest.mark.parametrize("text", ["~a\0b", "~nobody-of-this-name/x", "a\0b"])
def test_whatever_is_typed_is_a_path(text: str, tmp_path: object) -> None:
    assert str(typed_path(text, tmp_path)).endswith(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", ["\x1b]0;x\x07", "\x7f", "\x9b", "\u202e", "\n"])
def test_no_control_character_stands_in_a_field(sign: str) -> None:
    setting = next(each for each in SETTINGS if each.kind is Kind.TEXTS)
    shown = editable_text(setting, [f"a{sign}b"])
    assert sign not in shown
    assert list(typed_value(setting, shown)) == [f"a{sign}b"]


def test_halves_of_a_character_meet() -> None:
    assert substitute_block_refs("\ud83d{b2}", {"b2": "\ude00"}.get, "b1") == "\N{GRINNING FACE}"
