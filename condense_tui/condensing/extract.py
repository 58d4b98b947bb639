"""`Extract`: a summariser that needs no model.  Each bullet says what a call itself says.

What was asked, how it ended, and the lines that matter, word for word; nothing is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from condense_tui.condensing.batches import raw_chars
from condense_tui.condensing.labels import refs_footer
from condense_tui.condensing.summariser import Answer
from condense_tui.pruning.pending import Batch, CapturedCall
from condense_tui.session.jsontext import collapse_white_space, json_text, trim, utf16_length

_MAX_ASKED_CHARS = 120
_MAX_LINE_CHARS = 160
_MAX_LINES = 4
_MANY_LINES = 6
# What names the thing that a call was about, most telling first.
_TELLING_ARGUMENTS = ("command", "path", "file_path", "pattern", "query", "url", "name")
_FAILURE = re.compile(
    r"\b(?:error|exception|traceback|failed|failure|fatal|panic|cannot|denied|not found"
    r"|no such file|undefined|assert\w*|E\d{3,4})\b|^\s*(?:✗|✘|FAIL|not ok)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b\d[\d,.]*\s+(?:\w+\s+)?(?:passed|failed|errors?|warnings?|skipped|tests?|files?|lines?"
    r"|match(?:es)?|insertions?|deletions?|bytes|block)\b|\bexited with code \d+",
    re.IGNORECASE,
)


class Extract:
    """Answers at once, always the same, and costs nothing."""

    def summaries(self, batches: Sequence[Batch]) -> list[Answer | None]:
        """One bullet a call; fewer lines where all would be as long as the outputs."""
        return [Answer(_fitting(batch)) for batch in batches]

    def fused(self, texts: Sequence[str]) -> Answer | None:
        """Nobody here could make one text of several."""
        return None


def _fitting(batch: Batch) -> str:
    """The fullest text that is shorter than the outputs, else the barest."""
    room = raw_chars(batch) - utf16_length(refs_footer([f"t{10**4}"] * len(batch.calls)))
    text = ""
    for most in (_MAX_LINES, 2, 1, 0):
        text = "\n".join(
            _bullet(number, captured, most) for number, captured in enumerate(batch.calls, 1)
        )
        if utf16_length(text) < room:
            break
    return text


def _bullet(number: int, captured: CapturedCall, most: int) -> str:
    name = captured.call.name
    output = captured.result_text
    lead = f"- [[{number}:{name}]] {name}{_asked(captured.arguments)}: {_ending(captured, output)}"
    return "\n".join((lead, *(f"  - {line}" for line in _telling_lines(output, most))))


def _asked(arguments: Any) -> str:
    """The argument that tells most, else all of them, shortened."""
    if not isinstance(arguments, Mapping) or not arguments:
        return ""
    named = (arguments.get(name) for name in _TELLING_ARGUMENTS)
    text = next((value for value in named if isinstance(value, str) and value), None)
    shown = _short(text or json_text(arguments), _MAX_ASKED_CHARS)
    quote = "``" if "`" in shown else "`"
    return f" {quote}{shown}{quote}"


def _ending(captured: CapturedCall, output: str) -> str:
    status = "failed" if captured.is_error else "ok"
    if not trim(output):
        return f"{status}, no output"
    lines = trim(output).count("\n") + 1
    return f"{status}, {lines} line{'' if lines == 1 else 's'}, {utf16_length(output)} chars"


def _telling_lines(output: str, most: int) -> list[str]:
    """Failures, counts and the last line, in the order of the output, each once."""
    if not most:
        return []
    lines = [line for line in output.split("\n") if trim(line)]
    numbers = list(islice(_telling(lines), most - 1))
    if lines:
        numbers.append(len(lines) - 1)
    if len(lines) <= min(most, _MANY_LINES):
        numbers = list(range(len(lines)))
    shown = (_short(lines[number], _MAX_LINE_CHARS) for number in sorted(set(numbers)))
    return list(dict.fromkeys(shown))


def _telling(lines: Sequence[str]) -> Iterator[int]:
    """Line numbers, failures before counts."""
    for pattern in (_FAILURE, _COUNT):
        yield from (number for number, line in enumerate(lines) if pattern.search(line[:1000]))


def _short(text: str, most: int) -> str:
    """On one line, cut, and unable to look like a label."""
    flat = trim(collapse_white_space(text)).replace("[[", "[ [")
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
