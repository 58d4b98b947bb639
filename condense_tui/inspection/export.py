"""Recovered outputs → files: their names, their bytes and a manifest.

Names are safe on Linux, macOS and Windows and never lead out of the folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.query import BodySource, Match
from condense_tui.session.jsontext import json_text

MANIFEST_NAME = "manifest.json"

_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9]|manifest)(\..*)?")
_MAX_STEM = 120


@dataclass(frozen=True, slots=True)
class Export:
    """File name → bytes, the manifest among them."""

    files: dict[str, bytes]
    count: int


def plan_export(matches: Iterable[Match], index: PruneIndex, session: str) -> Export:
    """One file per occurrence, each once; an output that cannot be had is only listed."""
    files: dict[str, bytes] = {}
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    for match in {match.key: match for match in matches}.values():
        name = None
        if match.source is not BodySource.NONE:
            name = _free_name(_stem(match.key), taken)
            files[name] = match.raw
        rows.append(_row(match, index, name))
    count = len(files)
    manifest = {"session": session, "outputs": rows}
    files[MANIFEST_NAME] = utf8_bytes(json_text(manifest, indent=2) + "\n")
    return Export(files, count)


def _row(match: Match, index: PruneIndex, name: str | None) -> dict[str, Any]:
    record = match.record
    return {
        "file": name,
        "ref": index.ref_of_key.get(match.key),
        "occurrence": match.key,
        "tool": record.tool_name,
        "arguments": record.arguments,
        "status": "error" if record.is_error else "ok",
        "bytes": len(match.raw),
        "sha256": hashlib.sha256(match.raw).hexdigest(),
        "source": match.source.value,
    }


def _stem(key: str) -> str:
    """A file name without ending; a long one keeps a hash of what it lost."""
    stem = _UNSAFE.sub("_", key).lstrip(".") or "_"
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    if len(stem) > _MAX_STEM:
        digest = hashlib.sha256(utf8_bytes(key)).hexdigest()[:12]
        stem = f"{stem[: _MAX_STEM - 13]}-{digest}"
    return stem


def _free_name(stem: str, taken: set[str]) -> str:
    """Two names that differ only in case are one file on some systems."""
    candidate, number = stem, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{stem}-{number}"
    taken.add(candidate.casefold())
    return f"{candidate}.txt"
