"""`LeafPath` → a row of the chooser of branches."""

from __future__ import annotations

from condense_tui.inspection.leaves import LeafPath
from condense_tui.session.dates import iso_text, time_ms
from condense_tui.view.columns import cell
from condense_tui.view.lines import Line, Span, Tone, dim, line

_WHEN, _ENTRIES, _STATE = 16, 8, 10
_GAP = "  "
_FIXED_WIDTH = 2 + _STATE + _WHEN + _ENTRIES + 3 * len(_GAP)


def leaf_row(path: LeafPath, is_shown: bool, width: int) -> Line:
    """Sign and word of its state, what was last asked, when, and how many entries it has."""
    sign, word, tone = _state(path)
    return line(
        Span("▸" if is_shown else " ", Tone.ACCENT),
        Span(f"{sign}", tone),
        Span(cell(f" {word}", _STATE), tone),
        _GAP,
        Span(cell(_asked(path), max(width - _FIXED_WIDTH, 8)), _prompt_tone(path)),
        _GAP,
        dim(cell(_when(path), _WHEN)),
        _GAP,
        dim(f"{path.entries:>{_ENTRIES}}"),
    )


def leaf_heading(width: int) -> Line:
    """The names of the columns."""
    asked = cell("last asked", max(width - _FIXED_WIDTH, 8))
    names = f"  {cell(' branch', _STATE)}{_GAP}{asked}{_GAP}{cell('last entry', _WHEN)}{_GAP}"
    return line(dim(f"{names}{'entries':>{_ENTRIES}}"))


def _state(path: LeafPath) -> tuple[str, str, Tone]:
    if path.is_active:
        return "●", "active", Tone.GOOD
    if path.is_leaf:
        return "○", "abandoned", Tone.DIM
    return "·", "earlier", Tone.WARNING


def _asked(path: LeafPath) -> str:
    return " ".join((path.last_prompt or f"nothing asked: {path.leaf.label}").split())


def _prompt_tone(path: LeafPath) -> Tone:
    return Tone.PLAIN if path.last_prompt else Tone.DIM


def _when(path: LeafPath) -> str:
    """Date and minute, UTC."""
    moment = time_ms(path.leaf.timestamp)
    text = iso_text(moment) if moment is not None else None
    return text[:16].replace("T", " ") if text else "no time"
