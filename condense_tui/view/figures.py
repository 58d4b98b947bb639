"""`Inspection` → its figures on one line, compared with those of another look at the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.slots import FateKind
from condense_tui.view.lines import Line, Span, Tone, dim
from condense_tui.view.words import FATE_SIGNS, FATE_WORDS

_UNTOUCHED = (FateKind.KEPT, FateKind.SYSTEM)


def figure_line(now: Inspection, before: Inspection) -> Line:
    """What differs first, with what it was; then the sizes, what happened and what waits."""
    pairs = zip(_figures(now), _figures(before), strict=True)
    shown = [(figure, was) for figure, was in pairs if figure.is_shown or was.is_shown]
    spans: list[Span] = []
    for figure, was in sorted(shown, key=lambda pair: pair[0] == pair[1]):
        spans += [dim(" · "), Span(figure.text, Tone.STRONG if figure != was else Tone.PLAIN)]
        spans += [Span(f" (was {was.count})", Tone.ACCENT)] if figure != was else []
    return tuple(spans[1:])


@dataclass(frozen=True, slots=True)
class _Figure:
    count: str
    words: str
    sign: str = ""

    @property
    def is_shown(self) -> bool:
        return self.count != "0"

    @property
    def text(self) -> str:
        return f"{self.sign} {self.count} {self.words}".strip()


def _figures(inspection: Inspection) -> Iterator[_Figure]:
    plan = inspection.plan
    yield _Figure(str(len(plan.pruned_messages)), "messages")
    yield _Figure(compact_count(plan.pruned_chars), "chars sent")
    tally = Counter(fate.kind for slot in plan.slots for fate in slot.fates)
    for kind in FateKind:
        if kind not in _UNTOUCHED:
            yield _Figure(str(tally[kind]), FATE_WORDS[kind], FATE_SIGNS[kind])
    pending = sum(len(batch.calls) for batch in inspection.pending)
    yield _Figure(str(pending), "calls to be summarised")
    yield _Figure(str(len(inspection.eligible)), "chains to be compressed")
