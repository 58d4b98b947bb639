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
_MAX_NAMES = 8
# A line of any length must not cost: what tells something stands near its beginning.
_LOOKED_AT_CHARS = 500
# What names the thing that a call was about, most telling first.
_TELLING_ARGUMENTS = ("command", "path", "file_path", "pattern", "query", "url", "name")
_READ_ARGUMENTS = ("path", "file_path")
_WAY_THERE = re.compile(r"cd \S+ && ")
_FAILURE = re.compile(
    r"\b(?:error|exception|traceback|failed|failure|fatal|panic(?:ked)?|cannot|denied|not found"
    r"|no such file|could not|assertion\w*)\b|^\s*(?:✗|✘|FAIL|not ok)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b\d[\d,.]*\s+(?:\w+\s+)?(?:passed|failed|errors?|warnings?|skipped|tests?|files?|lines?"
    r"|match(?:es)?|insertions?|deletions?|bytes|block)\b|\bexited with code \d+",
    re.IGNORECASE,
)
_DECLARATION = re.compile(
    r"\s*(?:(?:export|default|public|private|protected|static|async|abstract|pub)\s+)*"
    r"(?:def|class|function|func|fn|interface|type|struct|enum|trait|module|namespace)\s+"
    r"(?P<name>\w+)|#{1,3}\s+(?P<heading>\S.*)"
)
_REMARK = re.compile(r"\s*\[.*\]\s*$")
_WORD = re.compile(r"\w{2}")


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
    bullets = [
        (_lead(number, captured), _telling_lines(captured))
        for number, captured in enumerate(batch.calls, 1)
    ]
    room = raw_chars(batch) - utf16_length(refs_footer(["t99999"] * len(batch.calls)))
    text = ""
    for most in range(_MAX_LINES, -1, -1):
        text = "\n".join(_bullet(lead, lines, most) for lead, lines in bullets)
        if utf16_length(text) < room:
            break
    return text


def _bullet(lead: str, lines: Sequence[str], most: int) -> str:
    """The last lines tell the end, which matters more."""
    kept = lines[max(len(lines) - most, 0) :]
    return "\n".join((lead, *(f"  - {line}" for line in kept)))


def _lead(number: int, captured: CapturedCall) -> str:
    name = captured.call.name
    return f"- [[{number}:{name}]] {name}{_asked(captured.arguments)}: {_ending(captured)}"


def _asked(arguments: Any) -> str:
    """The argument that tells most, else all of them, shortened."""
    if not isinstance(arguments, Mapping) or not arguments:
        return ""
    named = (arguments.get(name) for name in _TELLING_ARGUMENTS)
    text = next((value for value in named if isinstance(value, str) and value), None)
    shown = _short(_WAY_THERE.sub("", text or json_text(arguments), 1), _MAX_ASKED_CHARS)
    quote = "``" if "`" in shown else "`"
    return f" {quote}{shown}{quote}"


def _ending(captured: CapturedCall) -> str:
    output = trim(captured.result_text)
    status = "failed" if captured.is_error else "ok"
    if not output:
        return f"{status}, no output"
    lines = output.count("\n") + 1
    chars = utf16_length(captured.result_text)
    return f"{status}, {lines} line{'' if lines == 1 else 's'}, {chars} chars"


def _telling_lines(captured: CapturedCall) -> list[str]:
    """The lines that matter, in the order of the output, each once; of a file its names."""
    lines = [line for line in captured.result_text.split("\n") if _WORD.search(line)]
    if len(lines) <= 1:
        numbers = list(range(len(lines)))
    elif _is_reading(captured):
        return [*_names(lines), *(_short(line, _MAX_LINE_CHARS) for line in _remarks(lines))]
    else:
        numbers = [*islice(_telling(lines), _MAX_LINES - 1), len(lines) - 1]
    shown = (_short(lines[number], _MAX_LINE_CHARS) for number in sorted(set(numbers)))
    return list(dict.fromkeys(shown))


def _is_reading(captured: CapturedCall) -> bool:
    """What stands in a file that was read did not happen: it is no failure and no count."""
    arguments = captured.arguments
    if captured.is_error or not isinstance(arguments, Mapping) or "command" in arguments:
        return False
    return any(name in arguments for name in _READ_ARGUMENTS)


def _telling(lines: Sequence[str]) -> Iterator[int]:
    """Line numbers: the first failures, then the last counts."""
    numbers = range(len(lines))
    yield from (at for at in numbers if _FAILURE.search(lines[at][:_LOOKED_AT_CHARS]))
    yield from (at for at in reversed(numbers) if _COUNT.search(lines[at][:_LOOKED_AT_CHARS]))


def _names(lines: Sequence[str]) -> list[str]:
    """What a file declares, or its headings."""
    found = (_DECLARATION.match(line[:_LOOKED_AT_CHARS]) for line in lines)
    names = dict.fromkeys(_short(at["name"] or at["heading"], 60) for at in found if at)
    if not names:
        return []
    more = f", {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return [f"in it: {', '.join(islice(names, _MAX_NAMES))}{more}"]


def _remarks(lines: Sequence[str]) -> list[str]:
    """What the tool says below the file's own text."""
    return [line for line in lines[-1:] if _REMARK.match(line[:_LOOKED_AT_CHARS])]


def _short(text: str, most: int) -> str:
    """On one line, cut, and unable to look like a label."""
    flat = trim(collapse_white_space(text[: most * 4])).replace("[[", "[ [")
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
