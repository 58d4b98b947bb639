"""The screens that are not seen first: each is loaded when it is asked for.

`load` loads them all, for when there is nothing else to do, so that no key has to wait.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense_tui.tui.screens.branches import BranchesScreen
    from condense_tui.tui.screens.chooser import ChooserScreen
    from condense_tui.tui.screens.comparison import ComparisonScreen
    from condense_tui.tui.screens.export import ExportScreen
    from condense_tui.tui.screens.failure import FailureScreen, NextStep
    from condense_tui.tui.screens.findings import FindingsScreen
    from condense_tui.tui.screens.help import HelpScreen
    from condense_tui.tui.screens.query import QueryResult, QueryScreen
    from condense_tui.tui.screens.settings import SettingsScreen
    from condense_tui.tui.screens.whole import WholeScreen

__all__ = [
    "BranchesScreen",
    "ChooserScreen",
    "ComparisonScreen",
    "ExportScreen",
    "FailureScreen",
    "FindingsScreen",
    "HelpScreen",
    "NextStep",
    "QueryResult",
    "QueryScreen",
    "SettingsScreen",
    "WholeScreen",
]

_PACKAGE = __name__.rpartition(".")[0]
_MODULES = {
    "BranchesScreen": "branches",
    "ChooserScreen": "chooser",
    "ComparisonScreen": "comparison",
    "ExportScreen": "export",
    "FailureScreen": "failure",
    "FindingsScreen": "findings",
    "HelpScreen": "help",
    "NextStep": "failure",
    "QueryScreen": "query",
    "SettingsScreen": "settings",
    "WholeScreen": "whole",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(_loaded(_MODULES[name]), name)


def _loaded(module: str) -> Any:
    return import_module(f"{_PACKAGE}.{module}")


def load() -> None:
    """Load all of them."""
    for module in _MODULES.values():
        _loaded(module)
