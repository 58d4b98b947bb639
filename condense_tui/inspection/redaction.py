"""Text → the same text with common credential shapes masked, and how many there were.

A courtesy before a session is shared, no proof: what has no known shape is not seen.  Every
pattern is bounded, so the time is linear in the text.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from condense_tui.session.jsontext import json_text, parse_json

_NAMES = (
    r"(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|client[_-]?secret|credentials?|auth)"
)
_NAMED = rf"(?i:{_NAMES})[\w-]{{0,24}}\\?[\"']?[ \t]{{0,4}}[:=][ \t]{{0,4}}"
# A name in the pattern is what the mask says; the part called `value` is masked, else the whole.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("private key", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*-----END [A-Z ]{0,40}KEY-----"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{16,64}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,64}"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{30,255}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{20,64}"),
    ("Google key", r"\bAIza[A-Za-z0-9_-]{30,64}"),
    ("AWS key id", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b"),
    ("Stripe key", r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}"),
    ("API key", r"\bsk-[A-Za-z0-9_-]{16,255}"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,1024}"),
    (
        "password in a URL",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'\\]{0,100}:(?P<value>[^\s/@\"'\\]{3,200})@",
    ),
    ("authorization", r"(?i:\b(?:bearer|basic)) {1,4}(?P<value>[A-Za-z0-9+/=._~-]{16,4096})"),
    ("secret", rf"{_NAMED}\\?[\"'](?P<value>(?:[^\"'\\\n]|\\[^\"'\n]){{4,512}})\\?[\"']"),
    ("secret", rf"{_NAMED}(?P<value>[^\s\"'\\,;&<>(){{}}\[\]$`]{{8,512}})(?![\w.\[(])"),
)
_PATTERNS = tuple((what, re.compile(shape)) for what, shape in _SHAPES)


class Redactor:
    """Masks text after text; `masked` counts what was masked in all of them."""

    def __init__(self) -> None:
        self.masked = 0

    def text(self, text: str) -> str:
        """The text with each credential replaced by what it was: `[masked: GitHub token]`."""
        for what, pattern in _PATTERNS:
            text, count = pattern.subn(partial(_mask, what), text)
            self.masked += count
        return text

    def value(self, value: Any) -> Any:
        """A JSON value, masked as its text: a name tells what the value beside it is."""
        return parse_json(self.text(json_text(value)).encode("utf-8", "surrogatepass"))


def _mask(what: str, found: re.Match[str]) -> str:
    mask = f"[masked: {what}]"
    if "value" not in found.re.groupindex:
        return mask
    start, end = found.start("value") - found.start(), found.end("value") - found.start()
    whole = found[0]
    return whole[:start] + mask + whole[end:]
