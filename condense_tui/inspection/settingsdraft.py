"""`SettingsDraft`: settings as found and as they are now: what was changed, and where from.

A setting is known by its path in `contextPrune`: `("recoveryGraceTurns",)`, or within a part
`("purgeErrors", "cooldownTurns")`.  What was changed follows from comparing the settings in
force with those that were found; nothing is remembered besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any

from condense_tui.pruning.settings import (
    DEFAULTS,
    SETTINGS_KEY,
    CondenseSettings,
    SettingsObject,
    settings_from,
)
from condense_tui.session.compact import Value, changed

SettingPath = tuple[str, ...]
_VALUES = frozenset({SETTINGS_KEY, *DEFAULTS})
MISSING = object()
"""The value of a setting that a given part lacks; set, it takes the setting away."""


class Origin(StrEnum):
    """Where the value of a setting comes from."""

    DEFAULT = "default"
    FOUND = "found"
    UNFIT = "unfit"
    LACKING = "lacking"
    CHANGED = "changed"


class SettingsDraft(Value, frozen=True, dict=True):
    """`found` is the `contextPrune` value as loaded, of any shape; None where there was none."""

    found: object
    settings: CondenseSettings

    @cached_property
    def _before(self) -> CondenseSettings:
        return settings_from(self.found)

    def value(self, path: SettingPath) -> Any:
        """The value in force, or `MISSING`."""
        return value_at(self.settings.merged, path)

    def value_found(self, path: SettingPath) -> Any:
        """The value before anything was changed, or `MISSING`."""
        return value_at(self._before.merged, path)

    def origin(self, path: SettingPath) -> Origin:
        """Where the value in force comes from."""
        value = self.value(path)
        if value != self.value_found(path):
            return Origin.CHANGED
        if value is MISSING:
            return Origin.LACKING
        if not isinstance(self.found, dict) or path[0] not in self.found:
            return Origin.DEFAULT
        unfit = {remark.key for remark in self._before.remarks if not remark.is_partial}
        return Origin.UNFIT if path[0] in unfit else Origin.FOUND

    def lacking(self, part: str) -> tuple[str, ...]:
        """What a part lacks of its default; the extension counts that as off."""
        return tuple(name for name in DEFAULTS[part] if self.value((part, name)) is MISSING)

    @property
    def given(self) -> dict[str, Any]:
        """The `contextPrune` object that results in these settings: what was found, and changes."""
        now = self.settings.merged
        changed = {key: now[key] for key in now if now[key] != self.value_found((key,))}
        return {**(self.found if isinstance(self.found, dict) else {}), **changed}

    def with_value(self, path: SettingPath, value: Any) -> SettingsDraft:
        """The same with one value changed.

        A changed part is given with everything that is in force in it: nothing else changes.
        What was remarked on the place where the settings were looked for still holds.
        """
        on_place = tuple(item for item in self.settings.remarks if item.key not in _VALUES)
        key, *inner = path
        if inner:
            part = {**self.settings.merged[key], inner[0]: value}
            value = {name: item for name, item in part.items() if item is not MISSING}
        settings = settings_from({**self.given, key: value}, on_place)
        before = self._before.merged
        tried = frozenset(key for key, now in settings.merged.items() if now != before.get(key))
        return SettingsDraft(self.found, changed(settings, tried=tried))


def value_at(merged: SettingsObject, path: SettingPath) -> Any:
    """The value at a path of a settings object, or `MISSING`."""
    value: Any = merged
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return MISSING
        value = value[name]
    return value


def default_at(path: SettingPath) -> Any:
    """The extension's default of a setting, or `MISSING`."""
    return value_at(DEFAULTS, path)
