"""The extension's settings, read as the extension reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from condense_tui.pruning.settings import DEFAULTS, CondenseSettings, settings_from
from condense_tui.session.entries import Refusal
from condense_tui.store import LoadedSettings, agent_folder, load_settings
from tests.sessions import written


def keys_of_remarks(settings: CondenseSettings) -> list[str]:
    return [remark.key for remark in settings.remarks]


@pytest.mark.parametrize("given_value", [None, {}, dict(DEFAULTS)])
def test_the_defaults(given_value: Any) -> None:
    settings = settings_from(given_value)
    assert settings.merged == DEFAULTS
    assert settings.remarks == ()
    assert settings.is_enabled
    assert settings.recovery_grace_turns == 3
    assert settings.protected_tools == frozenset()
    assert settings.protected_paths == ("**/skills/**/*.md",)
    chain, purge = settings.chain_compression, settings.purge_errors
    assert (chain.is_enabled, chain.rolling_window, chain.strips_final_thinking) == (True, 3, True)
    assert (purge.is_enabled, purge.cooldown_turns, purge.min_arg_chars) == (True, 2, 500)


@pytest.mark.parametrize("value", [5, "text", [], [{}], True])
def test_a_value_that_is_no_object_is_none_and_said(value: Any) -> None:
    settings = settings_from(value)
    assert settings.merged == DEFAULTS
    assert keys_of_remarks(settings) == ["contextPrune"]


FITTING = [
    ("enabled", False),
    ("minBatchChars", 0),
    ("recoveryGraceTurns", 0),
    ("recoveryGraceTurns", 2.0),
    ("protectedTools", []),
    ("protectedTools", ["a", "b"]),
    ("protectedPaths", ["**"]),
    ("batchingMode", "agent-message"),
    ("pruneOn", "on-demand"),
    ("summarizerThinking", "xhigh"),
    ("summarizerModel", "any/model"),
    ("spillThreshold", 1),
    ("spillPreviewBytes", 1),
    ("autoBudgetThreshold", 0.5),
    ("autoBudgetThreshold", 1),
    ("budgetTurnDelta", None),
    ("dedupByContentHash", False),
    ("quietOversizedSkips", True),
]


@pytest.mark.parametrize(("key", "value"), FITTING)
def test_a_fitting_value_counts(key: str, value: Any) -> None:
    settings = settings_from({key: value})
    assert settings.merged == {**DEFAULTS, key: value}
    assert settings.remarks == ()


@pytest.mark.parametrize(
    ("key", "value", "floored"),
    [("minBatchChars", 10.9, 10), ("recoveryGraceTurns", 0.5, 0), ("spillThreshold", 1.99, 1)],
)
def test_whole_numbers_are_floored(key: str, value: float, floored: int) -> None:
    assert settings_from({key: value}).merged[key] == floored


UNFIT: list[tuple[str, Any]] = [
    *[("enabled", value) for value in (0, 1, "true", None, [])],
    *[("minBatchChars", value) for value in (-1, "1000", None, True, [], 1e999)],
    *[("recoveryGraceTurns", value) for value in (-1, -0.5, "3", None, False)],
    *[("spillThreshold", value) for value in (-1, "x", None)],
    *[("spillPreviewBytes", value) for value in (-1, True)],
    *[("summarizerIdleTimeoutMs", value) for value in (-1, None)],
    *[("protectedTools", value) for value in ("bash", [1], ["a", None], {}, None)],
    *[("protectedPaths", value) for value in ("**", [[]], None)],
    *[("batchingMode", value) for value in ("message", "", None, 1, [], {})],
    *[("pruneOn", value) for value in ("never", None, ["on-demand"])],
    *[("summarizerModel", value) for value in ("", None, 5)],
    *[("autoBudgetThreshold", value) for value in (0, 1.1, -0.5, "0.5", True)],
    *[("chainCompression", value) for value in (None, True, False, [], "on", 1)],
    *[("purgeErrors", value) for value in (None, True, [], "off")],
]


@pytest.mark.parametrize(("key", "value"), UNFIT, ids=lambda value: repr(value)[:24])
def test_an_unfit_value_gives_way_to_its_default_and_is_said(key: str, value: Any) -> None:
    settings = settings_from({key: value})
    assert settings.merged == DEFAULTS
    assert keys_of_remarks(settings) == [key]
    assert not settings.remarks[0].is_partial


def test_unknown_keys_are_inert_and_kept() -> None:
    old = {"thinkingStrip": {"enabled": True}, "__proto__": 1, "": None}
    settings = settings_from(old)
    assert settings.merged == {**DEFAULTS, **old}
    assert settings.remarks == ()


# Shallow merging


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({}, (False, None, False)),
        ({"rollingWindow": 1}, (False, 1, False)),
        ({"enabled": True}, (True, None, False)),
        ({"enabled": True, "rollingWindow": 0}, (True, 0, False)),
        ({"enabled": False, "stripFinalAssistantThinking": True}, (False, None, True)),
        ({"enabled": True, "rollingWindow": "3"}, (True, None, False)),
    ],
)
def test_a_partial_chain_compression_replaces_the_whole(part: Any, expected: Any) -> None:
    settings = settings_from({"chainCompression": part})
    chain = settings.chain_compression
    got = (chain.is_enabled, chain.rolling_window, chain.strips_final_thinking)
    assert got == expected
    assert settings.merged["chainCompression"] == part
    (remark,) = settings.remarks
    assert (remark.key, remark.is_partial) == ("chainCompression", True)
    missing = DEFAULTS["chainCompression"].keys() - part.keys()
    assert all(name in remark.text for name in missing)
    assert not any(name in remark.text for name in part)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({}, (False, None, None)),
        ({"cooldownTurns": 0}, (False, 0, None)),
        ({"enabled": True}, (True, None, None)),
        ({"enabled": True, "minArgChars": 0}, (True, None, 0)),
    ],
)
def test_a_partial_purge_errors_replaces_the_whole(part: Any, expected: Any) -> None:
    settings = settings_from({"purgeErrors": part})
    purge = settings.purge_errors
    assert (purge.is_enabled, purge.cooldown_turns, purge.min_arg_chars) == expected
    assert [(r.key, r.is_partial) for r in settings.remarks] == [("purgeErrors", True)]


def test_a_whole_part_is_no_remark() -> None:
    part = {**DEFAULTS["chainCompression"], "enabled": False, "more": 1}
    settings = settings_from({"chainCompression": part})
    assert settings.remarks == ()
    assert not settings.chain_compression.is_enabled


def test_the_given_object_is_not_changed() -> None:
    value = {"recoveryGraceTurns": 1.5, "protectedTools": 5, "chainCompression": {}}
    before = repr(value)
    settings_from(value)
    assert repr(value) == before


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS)


@given(st.dictionaries(st.sampled_from([*DEFAULTS, "other"]), VALUES))
def test_any_settings_settle(value: dict[str, Any]) -> None:
    """What settled once stays as it is: the extension would read it back the same.

    But for a threshold below one: above zero, so fit, and then cut off to zero.
    """
    merged = settings_from(value).merged
    assume(merged["spillThreshold"] != 0)
    assert merged.keys() == DEFAULTS.keys() | value.keys()
    assert settings_from(dict(merged)).merged == merged


# Where they are found


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "agent"
    folder.mkdir()
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(folder))
    return folder


def reason_of(result: LoadedSettings | Refusal) -> str:
    assert isinstance(result, Refusal)
    return result.reason


def value_of(result: LoadedSettings | Refusal) -> Any:
    assert isinstance(result, LoadedSettings)
    return result.value


BARE = {"recoveryGraceTurns": 7}


@pytest.mark.parametrize("content", [BARE, {"contextPrune": BARE}, {"x": 1, "contextPrune": BARE}])
def test_a_named_file_holds_the_settings_or_has_them_under_their_key(
    tmp_path: Path, content: Any
) -> None:
    path = written(tmp_path, json.dumps(content).encode(), "config.json")
    assert load_settings(path) == LoadedSettings(BARE, path)


def test_the_agents_own_file_has_them_under_their_key_only(agent: Path) -> None:
    path = written(agent, json.dumps(BARE).encode(), "settings.json")
    assert value_of(load_settings(None)) is None
    assert value_of(load_settings(path)) is None
    written(agent, json.dumps({"contextPrune": BARE}).encode(), "settings.json")
    assert load_settings(None) == LoadedSettings(BARE, path)


def test_a_named_file_goes_before_the_agents(agent: Path, tmp_path: Path) -> None:
    written(agent, b'{"contextPrune":{"enabled":false}}', "settings.json")
    assert value_of(load_settings(written(tmp_path, b"{}", "config.json"))) == {}


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"nonsense", b'{"contextPrune":{},}', b"null"])
def test_useless_settings_of_the_agent_are_none(agent: Path, raw: bytes) -> None:
    written(agent, raw, "settings.json")
    assert value_of(load_settings(None)) is None


def test_broken_settings_of_the_agent_are_said(agent: Path) -> None:
    path = written(agent, b"{", "settings.json")
    loaded = load_settings(None)
    assert isinstance(loaded, LoadedSettings)
    assert (loaded.trouble or "").startswith(f"{path}: not JSON")


def test_missing_settings_of_the_agent_are_nothing_to_speak_of(agent: Path) -> None:
    assert load_settings(None) == LoadedSettings(None, None)
    (agent / "settings.json").symlink_to("gone")
    assert load_settings(None) == LoadedSettings(None, None)


def test_a_folder_in_place_of_the_agents_settings(agent: Path) -> None:
    (agent / "settings.json").mkdir()
    assert value_of(load_settings(None)) is None


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"nonsense", b"{} {}"])
def test_a_named_file_must_be_json(tmp_path: Path, raw: bytes) -> None:
    path = written(tmp_path, raw, "config.json")
    assert reason_of(load_settings(path)).startswith(f"{path}: not JSON")


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_named_file_must_be_there(tmp_path: Path, name: str) -> None:
    assert reason_of(load_settings(tmp_path / name)).startswith(str(tmp_path))


@pytest.mark.parametrize("value", [b"[]", b"5", b'"text"', b"null", b'{"contextPrune":[1]}'])
def test_what_a_named_file_holds_is_given_on_as_it_is(tmp_path: Path, value: bytes) -> None:
    """Whether it makes sense is for the settings to say."""
    loaded = json.loads(value)
    expected = loaded["contextPrune"] if isinstance(loaded, dict) else loaded
    assert value_of(load_settings(written(tmp_path, value, "config.json"))) == expected


def test_the_agents_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "~/elsewhere")
    assert agent_folder() == tmp_path / "elsewhere"
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "")
    assert agent_folder() == tmp_path / ".pi" / "agent"
    monkeypatch.delenv("PI_CODING_AGENT_DIR")
    assert agent_folder() == tmp_path / ".pi" / "agent"
