"""Tone → style: the only place where printable lines become colours.

The colours themselves stand in the stylesheet, as component classes of the widgets.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from condense_tui.view.lines import Line, Tone
from condense_tui.view.printable import one_line

TONE_CLASSES = frozenset(f"tone--{tone.value}" for tone in Tone)
# A row never costs more than it shows: what lies beyond is looked at in the detail.
_MAX_ROW_CHARS = 2000


def tone_styles(widget: Widget) -> dict[Tone, Style]:
    """The styles of a widget that has the tone component classes."""
    return {tone: widget.get_component_rich_style(f"tone--{tone.value}") for tone in Tone}


def laid_on(base: Style, styles: dict[Tone, Style]) -> dict[Tone, Style]:
    """The styles as they are on a row of this style."""
    return {tone: style + base for tone, style in styles.items()}


def painted(line: Line, styles: dict[Tone, Style]) -> Strip:
    """One line as a strip; session text goes through `one_line`, so nothing reaches the
    terminal raw."""
    segments: list[Segment] = []
    left = _MAX_ROW_CHARS
    for span in line:
        text = one_line(span.text[:left])
        left -= len(text)
        segments.append(Segment(text, styles[span.tone]))
        if left <= 0:
            break
    return Strip(segments)
