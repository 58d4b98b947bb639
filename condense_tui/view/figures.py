"""`Inspection` → its figures, compared with those of another look at the session."""

from __future__ import annotations

from collections.abc import Iterator

from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.slots import FateKind
from condense_tui.session.compact import Value
from condense_tui.view.words import FATE_SIGNS, chars, counted, fate_words

_UNTOUCHED = (FateKind.KEPT, FateKind.SYSTEM)


def figure_texts(now: Inspection, before: Inspection) -> list[str]:
    """What differs first, with what it was; then the sizes, what happened and what waits."""
    pairs = zip(_figures(now), _figures(before), strict=True)
    shown = [(figure, was) for figure, was in pairs if figure.is_shown or was.is_shown]
    shown.sort(key=lambda pair: pair[0] == pair[1])
    return [
        figure.text if figure == was else f"{figure.text} (was {was.count})"
        for figure, was in shown
    ]


class _Figure(Value, frozen=True):
    """`words` begin with the count."""

    words: str
    sign: str = ""

    @property
    def count(self) -> str:
        return self.words.split(" ", 1)[0]

    @property
    def is_shown(self) -> bool:
        return self.count != "0"

    @property
    def text(self) -> str:
        return f"{self.sign} {self.words}".strip()


def _figures(inspection: Inspection) -> Iterator[_Figure]:
    plan = inspection.plan
    yield _Figure(counted(len(plan.pruned_messages), "message"))
    yield _Figure(f"{chars(plan.pruned_chars)} sent")
    tally = plan.fate_counts
    for kind in FateKind:
        if kind not in _UNTOUCHED:
            yield _Figure(f"{tally[kind]} {fate_words(kind, tally[kind])}", FATE_SIGNS[kind])
    due = sum(len(batch.calls) for batch in inspection.due)
    yield _Figure(f"{counted(due, 'call')} due at the next flush")
    yield _Figure(f"{counted(len(inspection.ready_chains), 'chain')} eligible at the next flush")
