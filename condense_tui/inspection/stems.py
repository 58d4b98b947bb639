"""`safe_stem`: what a file may be called on every system."""

from __future__ import annotations

import hashlib
import re

from condense_tui.pruning.contenthash import utf8_bytes

_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9]|manifest)(\..*)?")
_MAX_STEM = 120


def safe_stem(key: str) -> str:
    """A file name without ending, whatever the key; a long one keeps a hash of what it lost."""
    stem = _UNSAFE.sub("_", key).lstrip(".") or "_"
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    if len(stem) > _MAX_STEM:
        digest = hashlib.sha256(utf8_bytes(key)).hexdigest()[:12]
        stem = f"{stem[: _MAX_STEM - 13]}-{digest}"
    return stem
