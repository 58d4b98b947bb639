"""Where the extension itself fails, and what its settings do in silence."""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.inspection.finding import Finding, finding_at
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.settings import CondenseSettings


def find_failures(inspection: Inspection) -> Iterator[Finding]:
    """The two places where an input can stop the extension."""
    if failure := inspection.plan.failure:
        named = [
            (number, slot)
            for number, slot in enumerate(inspection.plan.slots)
            if failure.place is not None and slot.place == failure.place
        ]
        for number, slot in named:
            yield finding_at("render-failed", failure.reason, number, slot)
        if not named:
            yield Finding("render-failed", failure.reason)
    if failed := inspection.index.failure:
        yield Finding("rebuild-failed", failed.reason, entry=failed.entry)


def find_settings(inspection: Inspection) -> Iterator[Finding]:
    """Values that the extension passes over."""
    settings = inspection.settings
    for remark in settings.remarks:
        code = "settings-partial" if remark.is_partial else "settings-ignored"
        yield Finding(code, f"`{remark.key}` {remark.text}{_whose(remark.key, settings)}")
    if not settings.is_enabled:
        yield Finding("pruner-off", f"`enabled` is false{_whose('enabled', settings)}")


def _whose(key: str, settings: CondenseSettings) -> str:
    return " (in the settings tried)" if key in settings.tried else ""
