"""The extension's status line in parts, each with what it says in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import Links, SlotTarget, Target
from condense_tui.pruning.diagnostics import Diagnostic, DiagnosticKind, counts
from condense_tui.pruning.metrics import Metrics, status_line
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.session.compact import Value
from condense_tui.view.words import DIAGNOSTIC_WORDS

SEPARATOR = " · "
_NO_METRICS = Metrics(0, 0, 0)


class Part(StrEnum):
    """The parts, by the words that they begin with."""

    PRUNE = "prune"
    DIAG = "diag"
    THINK = "think"
    GAP = "gap"
    CHAIN = "chain"
    RECORDED = "recorded"


class StatusPart(Value, frozen=True):
    """`text` as the status line has it, `tooltip` for who does not know it by heart."""

    part: Part
    text: str
    tooltip: str


def status_parts(inspection: Inspection) -> tuple[StatusPart, ...]:
    """The parts that are there now; joined by `SEPARATOR` they are the status line."""
    texts: dict[Part, list[str]] = {}
    for piece in inspection.status_line.split(SEPARATOR):
        texts.setdefault(_part_of(piece, texts), []).append(piece)
    return tuple(
        StatusPart(part, SEPARATOR.join(pieces), _TOOLTIPS[part](inspection))
        for part, pieces in texts.items()
    )


def previewed_parts(before: Inspection, after: Inspection) -> tuple[StatusPart, ...]:
    """The parts of a context that does not exist yet, with sizes measured against the one of now.

    What the copy's own status line begins with has the added summaries in it, too.
    """
    sizes = (before.plan.pruned_chars, after.plan.pruned_chars)
    text = status_line(after.settings.is_enabled, sizes, (), _NO_METRICS)
    was, becomes = (compact_count(tokens(size)) for size in sizes)
    tooltip = f"The model is sent about {was} tokens now, and would be sent {becomes} of the copy."
    prune = StatusPart(Part.PRUNE, text, tooltip)
    return tuple(prune if part.part is Part.PRUNE else part for part in status_parts(after))


def _part_of(piece: str, texts: Mapping[Part, list[str]]) -> Part:
    """A piece without a word of its own, the sizes, belongs to the part before it."""
    word = piece.split(" ", 1)[0].rstrip(":")
    return _PARTS[word] if word in _PARTS else list(texts)[-1]


_PARTS = {part.value: part for part in Part}


def recorded_part(inspection: Inspection) -> StatusPart | None:
    """What the file records, which is not what is found now; None where it records nothing.

    In brackets the distinct counts, where they differ.
    """
    ledger = inspection.ledger
    if not ledger.recorded:
        return None
    recorded, distinct = counts(ledger.recorded), counts(ledger.recorded_distinct)
    letters = " ".join(f"{kind.letter}{count}" for kind, count in recorded.items() if count)
    repeated = " ".join(
        f"{kind.letter}{count}" for kind, count in distinct.items() if count != recorded[kind]
    )
    text = f"recorded {letters} ({f'distinct {repeated}' if repeated else 'all distinct'})"
    return StatusPart(Part.RECORDED, text, _recorded_words(inspection))


def _prune_words(inspection: Inspection) -> str:
    plan = inspection.plan
    if not inspection.settings.is_enabled:
        return "The settings switch the pruner off: everything is sent as it is."
    if plan.failure:
        return "The extension fails on this context, so everything is sent as it is."
    if not plan.is_pruned:
        return "The pruner is on and changes nothing in this context."
    before, after = (compact_count(tokens(size)) for size in (plan.raw_chars, plan.pruned_chars))
    return (
        f"The pruner is on. The context has about {before} tokens as pi builds it "
        f"and {after} as the model is sent it."
    )


def _diag_words(inspection: Inspection) -> str:
    return f"Found now, by this program's own render: {_in_words(inspection.plan.diagnostics)}."


def _in_words(reports: Iterable[Diagnostic]) -> str:
    listed = list(reports)
    harmless = sum(report.is_benign_overlap for report in listed)
    notes = {DiagnosticKind.UNRESOLVED_RANGE: f", {harmless} of them harmless overlaps"}
    return "; ".join(
        f"{DIAGNOSTIC_WORDS[kind]} ({kind.letter}): {count}"
        f"{notes.get(kind, '') if harmless else ''}"
        for kind, count in counts(listed).items()
        if count
    )


def _recorded_words(inspection: Inspection) -> str:
    ledger = inspection.ledger
    return (
        f"Recorded in the file by the extension: {_in_words(ledger.recorded)}. "
        f"Each cause once: {_in_words(ledger.recorded_distinct)}."
    )


def _think_words(inspection: Inspection) -> str:
    count = compact_count(inspection.metrics.open_cycle_thinking_tokens)
    return f"Thinking since the last answer without tool calls: about {count} tokens."


def _gap_words(inspection: Inspection) -> str:
    count = compact_count(inspection.metrics.frontier_gap_tokens)
    return f"Outputs that wait for a summary: about {count} tokens."


def _chain_words(inspection: Inspection) -> str:
    share = inspection.metrics.largest_chain_share_pct
    return f"The largest chain, or the open end, takes {share} % of the session."


_TOOLTIPS: Mapping[Part, Callable[[Inspection], str]] = {
    Part.PRUNE: _prune_words,
    Part.DIAG: _diag_words,
    Part.THINK: _think_words,
    Part.GAP: _gap_words,
    Part.CHAIN: _chain_words,
    Part.RECORDED: _recorded_words,
}


def first_counted(part: Part, inspection: Inspection, links: Links) -> Target | None:
    """The first place that `think` or `gap` counts; None for the other parts."""
    if part is Part.GAP:
        keys = (call.key for batch in inspection.due for call in batch.calls)
        slots = (links.slot_of_result.get(key) for key in keys)
        return next((SlotTarget(slot) for slot in slots if slot is not None), None)
    if part is Part.THINK:
        return _first_thinking(inspection)
    return None


def _first_thinking(inspection: Inspection) -> Target | None:
    """The first message with thinking after the last assistant message without calls."""
    found: Target | None = None
    for number, slot in enumerate(inspection.plan.slots):
        message = slot.before
        if message is None or message.role != "assistant":
            continue
        if not message.tool_calls:
            found = None
        elif found is None and any(part.get("type") == "thinking" for part in message.parts):
            found = SlotTarget(number)
    return found
