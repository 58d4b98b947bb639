"""Text → the same text with common credential shapes masked, and how many there were.

A courtesy before a session is shared, no proof: what has no known shape is not seen.  Every
pattern is bounded, so the time is linear in the text.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from condense_tui.session.compact import Value

# Where a token may begin: behind no word, or behind an escape of a JSON text.
_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
_NAMES = (
    r"(?:passw(?:or)?d|passphrase|pwd|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|credentials?|auth)"
)
# A name, the quote that may end it, and what stands between it and its value.
_NAMED = rf"(?i:{_NAMES})\\?[\"']?"
_BETWEEN = r"[ \t]{0,4}[:=][ \t]{0,4}"
_BARE = r"[^\s\"'\\,;&<>(){}\[\]$`]"
_BEGIN_KEY = r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"


class _Shape(Value, frozen=True):
    """`what` the mask says; without one of the `hints` in the text, in lower case, it is not there.

    Of a pattern with a part called `value` that part is masked, else the whole.
    """

    what: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(what: str, hints: str, pattern: str) -> _Shape:
    return _Shape(what, tuple(hints.split()), re.compile(pattern))


_NAME_HINTS = "passw passphrase pwd secret token key credential auth"
_SHAPES = (
    _shape(
        "private key",
        "private",
        rf"{_BEGIN_KEY}[^-]*(?:-(?!----)[^-]*)*-----END [A-Z ]{{0,40}}KEY-----",
    ),
    _shape("private key", "private", rf"{_BEGIN_KEY}[A-Za-z0-9+/=\r\n\\]{{16,}}"),
    _shape(
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        rf"{_START}(?:gh[pousr]_[A-Za-z0-9]{{20,255}}|github_pat_[A-Za-z0-9_]{{20,255}})",
    ),
    _shape("GitLab token", "glpat-", rf"{_START}glpat-[A-Za-z0-9_-]{{16,64}}"),
    _shape("Slack token", "xox", rf"{_START}xox[abeoprs]-[A-Za-z0-9-]{{10,255}}"),
    _shape("npm token", "npm_", rf"{_START}npm_[A-Za-z0-9]{{30,64}}"),
    _shape("PyPI token", "pypi-", rf"{_START}pypi-[A-Za-z0-9_-]{{30,255}}"),
    _shape("Hugging Face token", "hf_", rf"{_START}hf_[A-Za-z0-9]{{20,64}}"),
    _shape("Google key", "aiza", rf"{_START}AIza[A-Za-z0-9_-]{{30,64}}"),
    _shape(
        "AWS key id",
        "akia asia agpa aida aroa",
        rf"{_START}(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{{16}}(?![A-Za-z0-9])",
    ),
    _shape("Stripe key", "_live_ _test_", rf"{_START}[srp]k_(?:live|test)_[A-Za-z0-9]{{10,255}}"),
    _shape("API key", "sk-", rf"{_START}sk-[A-Za-z0-9_-]{{16,255}}"),
    _shape(
        "JSON web token",
        "eyj",
        rf"{_START}eyJ[A-Za-z0-9_-]{{8,4096}}\.[A-Za-z0-9_-]{{8,8192}}\.[A-Za-z0-9_-]{{8,1024}}",
    ),
    _shape(
        "password in a URL",
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'\\]{0,100}:(?P<value>[^\s/@\"'\\]{3,200})@",
    ),
    _shape(
        "authorization",
        "bearer basic",
        r"(?i:\b(?:bearer|basic)) {1,4}(?P<value>[A-Za-z0-9+/=._~-]{16,4096})",
    ),
    _shape(
        "secret",
        _NAME_HINTS,
        rf"{_NAMED}{_BETWEEN}\\?[\"'](?P<value>(?:[^\"'\\\n]|\\[^\"'\n]){{4,512}})\\?[\"']",
    ),
    _shape("secret", _NAME_HINTS, rf"{_NAMED}=(?P<value>{_BARE}{{8,512}})(?![\w.\[(])"),
    # Prose and code put blanks there as well: a digit tells a secret from a word.
    _shape(
        "secret",
        _NAME_HINTS,
        rf"{_NAMED}{_BETWEEN}(?P<value>(?=\D{{0,64}}\d){_BARE}{{8,512}})(?![\w.\[(])",
    ),
)
_SECRET_NAME = re.compile(rf"(?i){_NAMES}$")
_LEAST_CHARS = 4


class Redactor:
    """Masks text after text; `masked` counts what was masked in all of them."""

    def __init__(self) -> None:
        self.masked = 0

    def text(self, text: str) -> str:
        """The text with each credential replaced by what it was: `[masked: GitHub token]`."""
        lowered = text.lower()
        for shape in _SHAPES:
            if any(hint in lowered for hint in shape.hints):
                text, count = shape.pattern.subn(partial(_mask_found, shape.what), text)
                self.masked += count
        return text

    def value(self, value: Any) -> Any:
        """A JSON value with its texts masked: what a name calls secret is masked whole.

        A loop, because a session may nest values deeply.
        """
        holder: list[Any] = [None]
        waiting: list[tuple[Any, str, Any, Any]] = [(value, "", holder, 0)]
        while waiting:
            item, name, into, place = waiting.pop()
            into[place] = item
            if isinstance(item, str):
                into[place] = self._named(name, item)
            elif isinstance(item, dict):
                into[place] = parts = dict.fromkeys(item)
                waiting += [(part, key, parts, key) for key, part in item.items()]
            elif isinstance(item, list):
                into[place] = parts_list = [None] * len(item)
                waiting += [(part, name, parts_list, at) for at, part in enumerate(item)]
        return holder[0]

    def _named(self, name: str, text: str) -> str:
        if len(text) >= _LEAST_CHARS and _SECRET_NAME.search(name):
            self.masked += 1
            return _mask("secret")
        return self.text(text)


def _mask(what: str) -> str:
    return f"[masked: {what}]"


def _mask_found(what: str, found: re.Match[str]) -> str:
    if "value" not in found.re.groupindex:
        return _mask(what)
    start, end = found.start("value") - found.start(), found.end("value") - found.start()
    whole = found[0]
    return whole[:start] + _mask(what) + whole[end:]
