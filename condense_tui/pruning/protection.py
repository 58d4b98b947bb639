"""Which tool calls are protected from pruning.  (Source: the pruning rules, phase 1.)"""

from __future__ import annotations

from functools import lru_cache

from condense_tui.pruning.globs import glob_matches
from condense_tui.pruning.settings import CondenseSettings

cached_glob_matches = lru_cache(maxsize=4096)(glob_matches)


def is_protected(tool_name: str, path: str | None, settings: CondenseSettings) -> bool:
    """Whether the tool's name, or its string argument `path`, is on the protected lists."""
    if tool_name in settings.protected_tools:
        return True
    if path is None:
        return False
    path = path.replace("\\", "/")
    return any(cached_glob_matches(pattern, path) for pattern in settings.protected_paths)
