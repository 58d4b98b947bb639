"""Recovered outputs and texts → files: their names, their bytes and a manifest.

Names are safe on Linux, macOS and Windows and never lead out of the folder.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

from condense_tui.inspection.redaction import Redactor
from condense_tui.inspection.stems import safe_stem
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.query import BodySource, Match
from condense_tui.session.compact import Value, changed
from condense_tui.session.jsontext import json_text

MANIFEST_NAME = "manifest.json"


class Text(Value, frozen=True):
    """A text that is written beside outputs: `what` it is, in words, and its file's name."""

    what: str
    stem: str
    ending: str
    body: str


class Export(Value, frozen=True):
    """File name → bytes, the manifest among them; `count` outputs and `text_count` texts.

    `missing` outputs cannot be had and are only listed; of `previews` there is only the head.
    `masked` credentials were taken out of files and manifest.
    """

    files: dict[str, bytes]
    count: int
    text_count: int = 0
    missing: int = 0
    previews: int = 0
    masked: int = 0


def plan_export(
    matches: Iterable[Match],
    index: PruneIndex,
    session: str,
    texts: Iterable[Text] = (),
    redactor: Redactor | None = None,
) -> Export:
    """One file per occurrence, each once, and one per text; the manifest lists them.

    Exactly the recovered bytes, unless a `redactor` masks them.  An alias and a record that have
    the same key are two occurrences.
    """
    if redactor:
        texts = (changed(text, body=redactor.text(text.body)) for text in texts)
    files: dict[str, bytes] = {}
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    text_rows = [_add_text(text, files, taken) for text in texts]
    sources: Counter[BodySource] = Counter()
    for match in {(match.key, match.raw): match for match in matches}.values():
        name = None
        sources[match.source] += 1
        match = _masked(match, redactor) if redactor else match
        if match.source is not BodySource.NONE:
            name = _free_name(safe_stem(match.key), "txt", taken)
            files[name] = match.raw
        rows.append(_row(match, index, name))
    manifest: dict[str, Any] = {"session": session, "outputs": rows}
    if text_rows:
        manifest["texts"] = text_rows
    if redactor:
        manifest["masked"] = redactor.masked
    files[MANIFEST_NAME] = utf8_bytes(json_text(manifest, indent=2) + "\n")
    missing = sources[BodySource.NONE]
    return Export(
        files=files,
        count=len(rows) - missing,
        text_count=len(text_rows),
        missing=missing,
        previews=sources[BodySource.PREVIEW],
        masked=redactor.masked if redactor else 0,
    )


def _masked(match: Match, redactor: Redactor) -> Match:
    record = match.record.with_arguments(redactor.value(match.record.arguments))
    raw = utf8_bytes(redactor.text(match.raw.decode("utf-8", "replace")))
    return changed(match, record=record, raw=raw)


def _add_text(text: Text, files: dict[str, bytes], taken: set[str]) -> dict[str, Any]:
    name = _free_name(safe_stem(text.stem), text.ending, taken)
    raw = files[name] = utf8_bytes(text.body)
    digest = hashlib.sha256(raw).hexdigest()
    return {"file": name, "what": text.what, "bytes": len(raw), "sha256": digest}


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


def _free_name(stem: str, ending: str, taken: set[str]) -> str:
    """Two names that differ only in case are one file on some systems."""
    candidate, number = stem, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{stem}-{number}"
    taken.add(candidate.casefold())
    return f"{candidate}.{ending}"
