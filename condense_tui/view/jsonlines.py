"""Lines of indented JSON → spans: keys, strings, numbers and words have tones of their own."""

from __future__ import annotations

import re

from condense_tui.view.lines import Line, Span, Tone

_OPEN_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*'
_TOKEN = re.compile(
    rf'(?P<key>{_OPEN_STRING}"(?=: ))|(?P<string>{_OPEN_STRING}"?)'
    r"|(?P<number>-?[0-9][0-9.eE+-]*)|(?P<word>true|false|null)|(?P<other>[^\"0-9tfn-]+|.)"
)
_TONES = {
    "key": Tone.ACCENT,
    "string": Tone.GOOD,
    "number": Tone.WARNING,
    "word": Tone.STRONG,
    "other": Tone.DIM,
}


def json_line(text: str) -> Line:
    """One line of `json_text(value, indent=2)`; a string that was cut off is one too."""
    tokens = _TOKEN.finditer(text)
    return tuple(Span(token[0], _TONES[token.lastgroup or "other"]) for token in tokens)
