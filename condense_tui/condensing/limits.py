"""The settings that only the write side looks at.  (Source: the pruning rules, section 6.)"""

from __future__ import annotations

from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number


class Limits(Value, frozen=True):
    """Sizes are in UTF-16 code units but for the preview's, which is in bytes."""

    min_batch_chars: Number
    spill_threshold: Number
    preview_bytes: int
    batching_mode: str
    finds_duplicates: bool
    fuses_summaries: bool


def limits_from(settings: CondenseSettings, batching_mode: str | None = None) -> Limits:
    """The limits in force; `batching_mode` goes before the setting."""
    merged = settings.merged
    return Limits(
        min_batch_chars=merged["minBatchChars"],
        spill_threshold=merged["spillThreshold"],
        preview_bytes=merged["spillPreviewBytes"],
        batching_mode=batching_mode or merged["batchingMode"],
        finds_duplicates=merged["dedupByContentHash"],
        fuses_summaries=bool(merged["chainCompression"].get("fuseRangeSummary")),
    )
