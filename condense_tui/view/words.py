"""Signs, words and counts that every front end shows alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from condense_tui.inspection.codes import Severity
from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.slots import SYSTEM, FateKind, Slot
from condense_tui.session.jsontext import Number
from condense_tui.view.lines import Tone

FATE_SIGNS: Mapping[FateKind, str] = {
    FateKind.KEPT: "·",
    FateKind.SYSTEM: "·",
    FateKind.PROTECTED: "=",
    FateKind.IN_GRACE: "=",
    FateKind.STUBBED: "~",
    FateKind.PURGED: "%",
    FateKind.DROPPED: "×",
    FateKind.SUPPRESSED: "-",
    FateKind.THINKING_STRIPPED: "°",
    FateKind.SWEPT: "!",
    FateKind.INSERTED: "+",
    FateKind.BLOCK_PRESENT: "?",
}
FATE_WORDS: Mapping[FateKind, str] = {
    FateKind.KEPT: "kept as they are",
    FateKind.SYSTEM: "system messages",
    FateKind.PROTECTED: "kept: protected",
    FateKind.IN_GRACE: "kept: in grace",
    FateKind.STUBBED: "stubbed",
    FateKind.PURGED: "arguments purged",
    FateKind.DROPPED: "dropped into a block",
    FateKind.SUPPRESSED: "summaries suppressed",
    FateKind.THINKING_STRIPPED: "thinking stripped",
    FateKind.SWEPT: "swept as orphans",
    FateKind.INSERTED: "blocks inserted",
    FateKind.BLOCK_PRESENT: "blocks not inserted: already there",
}
FATE_TONES: Mapping[FateKind, Tone] = {
    FateKind.KEPT: Tone.PLAIN,
    FateKind.SYSTEM: Tone.DIM,
    FateKind.PROTECTED: Tone.GOOD,
    FateKind.IN_GRACE: Tone.GOOD,
    FateKind.STUBBED: Tone.ACCENT,
    FateKind.PURGED: Tone.WARNING,
    FateKind.DROPPED: Tone.DIM,
    FateKind.SUPPRESSED: Tone.DIM,
    FateKind.THINKING_STRIPPED: Tone.DIM,
    FateKind.SWEPT: Tone.BAD,
    FateKind.INSERTED: Tone.GOOD,
    FateKind.BLOCK_PRESENT: Tone.WARNING,
}
SEVERITY_SIGNS: Mapping[Severity, str] = {
    Severity.ERROR: "E",
    Severity.WARNING: "W",
    Severity.NOTE: "i",
}
SEVERITY_TONES: Mapping[Severity, Tone] = {
    Severity.ERROR: Tone.BAD,
    Severity.WARNING: Tone.WARNING,
    Severity.NOTE: Tone.DIM,
}
DIAGNOSTIC_WORDS: Mapping[DiagnosticKind, str] = {
    DiagnosticKind.UNRESOLVED_RANGE: "unresolved ranges",
    DiagnosticKind.RANGE_ID_MISMATCH: "range id mismatches",
    DiagnosticKind.ORPHAN_SWEEP: "orphan sweeps",
    DiagnosticKind.BACKFILL_EMPTY: "empty backfills",
}
# Of one, where that is not the same as of many.
_FATE_WORDS_OF_ONE: Mapping[FateKind, str] = {
    FateKind.KEPT: "kept as it is",
    FateKind.SYSTEM: "system message",
    FateKind.SUPPRESSED: "summary suppressed",
    FateKind.SWEPT: "swept as an orphan",
    FateKind.INSERTED: "block inserted",
    FateKind.BLOCK_PRESENT: "block not inserted: already there",
}
PASSED_OVER = "Left as they are"
ROLE_WORDS: Mapping[str, str] = {
    "toolResult": "result",
    "branchSummary": "branch summary",
    "compactionSummary": "compaction",
    "bashExecution": "bash",
}
WORKING = "working it out…"


def role_word(role: str) -> str:
    """The role as people read it."""
    return ROLE_WORDS.get(role, role or "no role")


def place_text(slot: Slot) -> str:
    """Where a slot stands among the messages that the extension sees."""
    if slot.fates is SYSTEM:
        return "sys"
    return "+" if slot.place is None else str(slot.place)


def chars(count: Number) -> str:
    """`12.4k chars`."""
    return f"{compact_count(count)} {plural(count, 'char')}"


def plural(count: Number, word: str, of_many: str | None = None) -> str:
    """The word, or what it is of many: `call`, `calls`, `branches`."""
    return word if count == 1 else of_many or f"{word}s"


def counted(count: int, word: str, of_many: str | None = None) -> str:
    """`1 call`, `3 calls`, `2 leaves`."""
    return f"{count} {plural(count, word, of_many)}"


def fate_words(kind: FateKind, count: int) -> str:
    """What happened to so many messages."""
    return plural(count, _FATE_WORDS_OF_ONE.get(kind, FATE_WORDS[kind]), FATE_WORDS[kind])


def tally(severities: Iterable[Severity]) -> str:
    """`1 error · 2 warnings · 4 notes`."""
    counts = Counter(severities)
    words = [counted(counts[each], each.value) for each in Severity if counts[each]]
    return " · ".join(words) or "nothing found"


def masked_words(count: int) -> str:
    """What `--redact` did; it sees known shapes only, so it promises nothing."""
    return f"{counted(count, 'credential')} masked: only common shapes are known"


def shortened(text: str, width: int) -> str:
    """The text, cut to `width` characters with a sign where it is longer."""
    return text if len(text) <= width else text[: width - 1] + "…"
