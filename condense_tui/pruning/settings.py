"""`CondenseSettings`: the extension's settings, read as the extension reads them.

A top-level value of the wrong type or range falls back to its default.  Merging is shallow: a
given `chainCompression` or `purgeErrors` replaces the whole default, and what it lacks is
missing, which counts as off.  (Source: the pruning rules, section 6.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number, as_number

SettingsObject = Mapping[str, Any]

SETTINGS_KEY = "contextPrune"
"""The key of a settings file under which the extension keeps its settings."""

DEFAULTS: SettingsObject = {
    "enabled": True,
    "showPruneStatusLine": True,
    "summarizerModel": "default",
    "summarizerThinking": "default",
    "pruneOn": "agent-message",
    "batchingMode": "turn",
    "quietOversizedSkips": False,
    "minBatchChars": 1000,
    "recoveryGraceTurns": 3,
    "summarizerIdleTimeoutMs": 20000,
    "summarizerMaxTimeoutMs": 180000,
    "protectedTools": [],
    "protectedPaths": ["**/skills/**/*.md"],
    "chainCompression": {
        "enabled": True,
        "rollingWindow": 3,
        "stripFinalAssistantThinking": True,
        "fuseRangeSummary": True,
    },
    "purgeErrors": {"enabled": True, "cooldownTurns": 2, "minArgChars": 500},
    "dedupByContentHash": True,
    "autoBudgetThreshold": None,
    "spillThreshold": 65536,
    "spillPreviewBytes": 2048,
    "budgetTurnDelta": None,
}
_THINKING_LEVELS = ("default", "off", "minimal", "low", "medium", "high", "xhigh")
_PRUNE_TRIGGERS = ("every-turn", "on-context-tag", "on-demand", "agent-message", "agentic-auto")


class SettingsRemark(Value, frozen=True):
    """Something about the settings that a person should know; `key` is the setting's name."""

    key: str
    text: str
    is_partial: bool = False


class ChainCompression(Value, frozen=True):
    """Settings of phase 3; None where the extension finds nothing."""

    is_enabled: bool
    rolling_window: Number | None
    strips_final_thinking: bool


class PurgeErrors(Value, frozen=True):
    """Settings of phase 2; a bound that is None holds nothing back."""

    is_enabled: bool
    cooldown_turns: Number | None
    min_arg_chars: Number | None


class CondenseSettings(Value, frozen=True):
    """The settings in force.  `merged` is the object that the extension would hold.

    `tried` are the keys of values that nobody has given to the extension: they are only tried.
    """

    is_enabled: bool
    recovery_grace_turns: Number
    protected_tools: frozenset[str]
    protected_paths: tuple[str, ...]
    chain_compression: ChainCompression
    purge_errors: PurgeErrors
    merged: SettingsObject
    remarks: tuple[SettingsRemark, ...]
    tried: frozenset[str] = frozenset()


def settings_from(given: object, found: tuple[SettingsRemark, ...] = ()) -> CondenseSettings:
    """The settings that result from a `contextPrune` value; anything but an object is none.

    `found` is what is to be said about the place where the value was looked for.
    """
    remarks = list(found)
    if not isinstance(given, dict):
        if given is not None:
            remarks.append(SettingsRemark(SETTINGS_KEY, "is no object: the defaults apply"))
        given = {}
    merged = {**DEFAULTS, **given}
    for key, rule in _RULES.items():
        merged[key], remark = _checked(key, merged[key], rule)
        remarks += [remark] if remark else []
    remarks += _missing_parts(given)
    return _typed(merged, tuple(remarks))


def _typed(merged: SettingsObject, remarks: tuple[SettingsRemark, ...]) -> CondenseSettings:
    chain, purge = merged["chainCompression"], merged["purgeErrors"]
    return CondenseSettings(
        is_enabled=merged["enabled"] is True,
        recovery_grace_turns=merged["recoveryGraceTurns"],
        protected_tools=frozenset(merged["protectedTools"]),
        protected_paths=tuple(merged["protectedPaths"]),
        chain_compression=ChainCompression(
            is_enabled=bool(chain.get("enabled")),
            rolling_window=as_number(chain.get("rollingWindow")),
            strips_final_thinking=bool(chain.get("stripFinalAssistantThinking")),
        ),
        purge_errors=PurgeErrors(
            is_enabled=bool(purge.get("enabled")),
            cooldown_turns=as_number(purge.get("cooldownTurns")),
            min_arg_chars=as_number(purge.get("minArgChars")),
        ),
        merged=merged,
        remarks=remarks,
    )


_UNFIT = object()
Rule = Callable[[Any], Any]


def _checked(key: str, value: Any, rule: Rule) -> tuple[Any, SettingsRemark | None]:
    fitting = rule(value)
    if fitting is not _UNFIT:
        return fitting, None
    return DEFAULTS[key], SettingsRemark(key, "has a wrong type or range: its default applies")


def _boolean(value: Any) -> Any:
    return value if isinstance(value, bool) else _UNFIT


def _text(value: Any) -> Any:
    return value if isinstance(value, str) and value else _UNFIT


def _one_of(*words: str) -> Rule:
    return lambda value: value if value in words else _UNFIT


def _whole(value: Any) -> Any:
    """Not negative; a fraction is cut off."""
    number = as_number(value)
    is_fit = number is not None and math.isfinite(number) and number >= 0
    return math.floor(number) if number is not None and is_fit else _UNFIT


def _whole_above_zero(value: Any) -> Any:
    return _UNFIT if as_number(value) == 0 else _whole(value)


def _fraction_or_none(value: Any) -> Any:
    number = as_number(value)
    is_fraction = number is not None and 0 < number <= 1
    return value if value is None or is_fraction else _UNFIT


def _texts(value: Any) -> Any:
    is_texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return value if is_texts else _UNFIT


def _object(value: Any) -> Any:
    return value if isinstance(value, dict) else _UNFIT


_RULES: Mapping[str, Rule] = {
    "enabled": _boolean,
    "showPruneStatusLine": _boolean,
    "summarizerModel": _text,
    "summarizerThinking": _one_of(*_THINKING_LEVELS),
    "pruneOn": _one_of(*_PRUNE_TRIGGERS),
    "batchingMode": _one_of("turn", "agent-message"),
    "quietOversizedSkips": _boolean,
    "minBatchChars": _whole,
    "recoveryGraceTurns": _whole,
    "summarizerIdleTimeoutMs": _whole,
    "summarizerMaxTimeoutMs": _whole,
    "protectedTools": _texts,
    "protectedPaths": _texts,
    "chainCompression": _object,
    "purgeErrors": _object,
    "dedupByContentHash": _boolean,
    "autoBudgetThreshold": _fraction_or_none,
    "spillThreshold": _whole_above_zero,
    "spillPreviewBytes": _whole,
    "budgetTurnDelta": _fraction_or_none,
}


def _missing_parts(given: SettingsObject) -> list[SettingsRemark]:
    """What a partial object changes without anyone having asked for it."""
    remarks = []
    for key in ("chainCompression", "purgeErrors"):
        part = given.get(key)
        missing = [name for name in DEFAULTS[key] if isinstance(part, dict) and name not in part]
        if missing:
            effects = "; ".join(f"without {name} {_WITHOUT[name]}" for name in missing)
            text = f"replaces the whole default: {effects}"
            remarks.append(SettingsRemark(key, text, is_partial=True))
    return remarks


_WITHOUT: Mapping[str, str] = {
    "enabled": "it is off",
    "rollingWindow": "no chain is ever ready",
    "stripFinalAssistantThinking": "final thinking stays",
    "fuseRangeSummary": "summaries are not fused",
    "cooldownTurns": "failed calls are purged at once",
    "minArgChars": "arguments of any length are purged",
}
