"""Settings as found and as changed: where values come from, and what a file must hold."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.checks.failures import find_settings
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.settingsdraft import MISSING, Origin, SettingsDraft
from condense_tui.pruning.settings import DEFAULTS, SettingsRemark, settings_from
from condense_tui.view.lines import text_of
from condense_tui.view.settingrows import (
    editable_text,
    next_choice,
    origin_line,
    setting_row,
    trap_text,
    typed_value,
    value_text,
)
from condense_tui.view.settingtable import SETTINGS, Kind, settings_of
from tests.build import SessionBuilder

BY_PATH = {setting.path: setting for setting in SETTINGS}
GRACE = ("recoveryGraceTurns",)
WINDOW = ("chainCompression", "rollingWindow")
ENABLED = ("chainCompression", "enabled")


def draft_of(found: object) -> SettingsDraft:
    return SettingsDraft(found, settings_from(found))


def test_the_table_holds_every_setting_once() -> None:
    known = [(key,) for key in DEFAULTS]
    known += [(key, name) for key in ("chainCompression", "purgeErrors") for name in DEFAULTS[key]]
    assert sorted(BY_PATH) == sorted(known)
    assert len(BY_PATH) == len(SETTINGS)
    assert all(setting.explanation for setting in SETTINGS)


@pytest.mark.parametrize(
    ("found", "path", "origin"),
    [
        (None, GRACE, Origin.DEFAULT),
        ("no object", GRACE, Origin.DEFAULT),
        ({"recoveryGraceTurns": 3}, GRACE, Origin.FOUND),
        ({"recoveryGraceTurns": 2.7}, GRACE, Origin.FOUND),
        ({"recoveryGraceTurns": -1}, GRACE, Origin.UNFIT),
        ({"chainCompression": 5}, WINDOW, Origin.UNFIT),
        ({"chainCompression": {"rollingWindow": 1}}, WINDOW, Origin.FOUND),
        ({"chainCompression": {"rollingWindow": 1}}, ENABLED, Origin.LACKING),
        ({"thinkingStrip": {}}, ("thinkingStrip",), Origin.FOUND),
    ],
)
def test_origin(found: object, path: tuple[str, ...], origin: Origin) -> None:
    assert draft_of(found).origin(path) is origin


def test_a_change_in_a_part_gives_the_whole_part_and_changes_nothing_else() -> None:
    changed = draft_of(None).with_value(WINDOW, 1)
    assert changed.given == {
        "chainCompression": {**DEFAULTS["chainCompression"], "rollingWindow": 1}
    }
    assert changed.origin(WINDOW) is Origin.CHANGED
    assert changed.origin(ENABLED) is Origin.DEFAULT
    assert changed.settings.chain_compression.is_enabled


def test_a_change_in_a_partial_part_leaves_it_partial() -> None:
    changed = draft_of({"chainCompression": {"rollingWindow": 1}}).with_value(ENABLED, True)
    assert changed.given == {"chainCompression": {"rollingWindow": 1, "enabled": True}}
    assert changed.lacking("chainCompression") == (
        "stripFinalAssistantThinking",
        "fuseRangeSummary",
    )


def test_a_remark_on_the_place_survives_changes() -> None:
    remark = SettingsRemark("settings", "cannot be read")
    draft = SettingsDraft(None, settings_from(None, (remark,)))
    changed = draft.with_value(GRACE, -1).with_value(GRACE, 5)
    assert changed.settings.remarks == (remark,)
    assert changed.with_value(GRACE, 3).settings == draft.settings


def test_what_was_found_stays_in_what_is_given_and_unfit_values_are_still_remarked() -> None:
    found = {"minBatchChars": -4, "old": [1], "recoveryGraceTurns": 1}
    changed = draft_of(found).with_value(GRACE, 9)
    assert changed.given == {**found, "recoveryGraceTurns": 9}
    assert [remark.key for remark in changed.settings.remarks] == ["minBatchChars"]


values = st.one_of(st.booleans(), st.integers(0, 9), st.lists(st.sampled_from("ab")), st.none())
objects = st.dictionaries(
    st.sampled_from([*DEFAULTS, "unknown"]),
    values | st.dictionaries(st.sampled_from(["enabled", "rollingWindow", "minArgChars"]), values),
)


@given(objects | values, objects)
def test_what_is_given_results_in_the_settings(found: Any, changes: dict[str, Any]) -> None:
    draft = draft_of(found)
    for key, value in changes.items():
        draft = draft.with_value((key,), value)
    assert settings_from(json.loads(json.dumps(draft.given))).merged == draft.settings.merged


@given(objects, st.sampled_from(sorted(BY_PATH)), values)
def test_a_change_taken_back_leaves_nothing_changed(
    found: dict[str, Any], path: tuple[str, ...], value: Any
) -> None:
    before = draft_of(found)
    after = before.with_value(path, value).with_value(path, before.value_found(path))
    assert after.settings.merged == before.settings.merged
    assert after.given == found


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        (GRACE, " 12 ", 12),
        (("protectedTools",), "read, bash,, ", ["read", "bash"]),
        (("protectedTools",), "", []),
        (("protectedPaths",), '["a,b", " c"]', ["a,b", " c"]),
    ],
)
def test_typed_values(path: tuple[str, ...], text: str, value: Any) -> None:
    assert typed_value(BY_PATH[path], text) == value


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (GRACE, ""),
        (GRACE, "-1"),
        (GRACE, "1.5"),
        (GRACE, "٣"),
        (GRACE, "9" * 5000),
        (("protectedTools",), "[1]"),
        (("protectedTools",), "[" * 9999),
    ],
)
def test_what_cannot_be_taken_says_what_could(path: tuple[str, ...], text: str) -> None:
    with pytest.raises(ValueError, match=r"whole number|commas"):
        typed_value(BY_PATH[path], text)


def test_a_number_that_is_too_long_is_said_to_be_so() -> None:
    with pytest.raises(ValueError, match="9 digits at most"):
        typed_value(BY_PATH[GRACE], "1234567890")
    assert typed_value(BY_PATH[GRACE], "123456789") == 123456789


def test_a_limit_of_spilling_is_more_than_nothing() -> None:
    """The extension takes 0 for no number at all."""
    with pytest.raises(ValueError, match="1 or more"):
        typed_value(BY_PATH["spillThreshold",], "0")


def test_choices_go_round() -> None:
    batching = BY_PATH["batchingMode",]
    assert next_choice(batching, "turn", 1) == "agent-message"
    assert next_choice(batching, "agent-message", 1) == "turn"
    assert next_choice(batching, "turn", -1) == "agent-message"


@given(st.lists(st.text()))
def test_a_list_survives_being_edited(items: list[str]) -> None:
    setting = BY_PATH["protectedPaths",]
    assert typed_value(setting, editable_text(setting, items)) == items


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        (ENABLED, True, "on"),
        (ENABLED, 0, "off"),
        (ENABLED, MISSING, "missing"),
        (WINDOW, "x", "no number"),
        (WINDOW, 3.0, "3"),
        (("protectedTools",), [], "none"),
        (("pruneOn",), "every-turn", '"every-turn"'),
    ],
)
def test_values_as_people_read_them(path: tuple[str, ...], value: Any, text: str) -> None:
    assert value_text(BY_PATH[path], value) == text


def test_the_trap_is_told_on_the_part_and_on_what_it_lacks_only() -> None:
    draft = draft_of({"purgeErrors": {"enabled": True}})
    told = {path: trap_text(setting, draft) for path, setting in BY_PATH.items()}
    assert {path for path, text in told.items() if text} == {
        ("purgeErrors",),
        ("purgeErrors", "cooldownTurns"),
        ("purgeErrors", "minArgChars"),
    }
    assert "without cooldownTurns failed calls are purged at once" in told["purgeErrors",]
    assert told["purgeErrors", "minArgChars"].startswith("Missing: purgeErrors replaces")


def test_rows_tell_value_default_and_origin() -> None:
    found = {"recoveryGraceTurns": 7, "ghost\x1b": 1}
    draft = draft_of(found).with_value(WINDOW, 1)
    rows = {
        setting.path: " ".join(text_of(setting_row(setting, draft, "own.json", 100)).split())
        for setting in settings_of(draft)
    }
    assert rows[GRACE] == "recoveryGraceTurns 7 3 own.json"
    assert rows[WINDOW] == "* rollingWindow 1 3 changed here"
    assert rows[ENABLED] == "enabled on on default"
    assert rows["ghost\x1b",] == "ghost␛ 1 own.json"
    long = origin_line(BY_PATH[GRACE], draft, "/etc/own.json")
    assert long == "recoveryGraceTurns: 7 · default: 3 · from: /etc/own.json"


def test_what_hangs_on_a_switch_that_is_off_has_no_effect() -> None:
    draft = draft_of(None).with_value(("chainCompression", "enabled"), False)
    row = text_of(setting_row(BY_PATH[WINDOW], draft, "own.json", 100))
    assert row.endswith(" · no effect")
    assert origin_line(BY_PATH[WINDOW], draft, "").endswith(
        "no effect while chainCompression.enabled is off"
    )
    assert "no effect" not in origin_line(BY_PATH["purgeErrors", "cooldownTurns"], draft, "")
    assert "no effect" not in origin_line(BY_PATH["chainCompression", "enabled"], draft, "")


def test_what_changes_the_plan_or_a_preview_can_be_changed() -> None:
    changeable = {
        setting.path for setting in SETTINGS if setting.kind not in (Kind.FIXED, Kind.PART)
    }
    assert len(changeable) == 18


# What is only tried


def test_a_change_is_tried_until_it_is_taken_back() -> None:
    draft = draft_of({"recoveryGraceTurns": 3})
    assert draft.settings.tried == frozenset()
    changed = draft.with_value(GRACE, 5).with_value(WINDOW, 1)
    assert changed.settings.tried == {"recoveryGraceTurns", "chainCompression"}
    back = changed.with_value(GRACE, 3).with_value(WINDOW, DEFAULTS[WINDOW[0]][WINDOW[1]])
    assert back.settings.tried == frozenset()


def test_findings_tell_what_is_tried_from_what_was_found() -> None:
    found = {"purgeErrors": {"enabled": True}, "minBatchChars": -1}
    settings = draft_of(found).with_value(("enabled",), False).settings
    branch = SessionBuilder().user().branch
    about = {one.code: one.what for one in find_settings(Inspection(branch, settings))}
    assert about["pruner-off"] == "`enabled` is false (in the settings tried)"
    assert "tried" not in about["settings-partial"] + about["settings-ignored"]
