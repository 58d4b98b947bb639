"""A summariser's labels → short refs, and the lines below a summary that name them.

A label `[[N:tool]]` at the start of a line names the batch's call N, if the tool is that
call's.  (Source: the pruning rules, section 6.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from condense_tui.session.jsontext import trim

_LABEL = r"\[\[([0-9]+):([^\]\n]+)\]\]"
_LEADING = re.compile(rf"([ \t]*(?:[-*][ \t]+)?){_LABEL}")
_DIRECTLY_AFTER = re.compile(rf"(?:{_LABEL})+")
_ANYWHERE = re.compile(rf"{_LABEL}[ \t]?")
_FENCE = "```"
_MAX_DIGITS = 9


def with_refs(text: str, refs: Sequence[str], tools: Sequence[str]) -> str:
    """Each label that names a call becomes its ref, any other label goes.

    `refs` and `tools` are the batch's, in order.  Lines inside fences are left alone.
    """
    lines = []
    is_fenced = False
    for line in text.split("\n"):
        if trim(line).startswith(_FENCE):
            is_fenced = not is_fenced
            lines.append(line)
        else:
            lines.append(line if is_fenced else _labelled(line, refs, tools))
    return "\n".join(lines)


def _labelled(line: str, refs: Sequence[str], tools: Sequence[str]) -> str:
    leading = _LEADING.match(line)
    ref = _ref_of(leading[2], leading[3], refs, tools) if leading else None
    if leading is None or ref is None:
        return _ANYWHERE.sub("", line)
    rest = line[leading.end() :]
    doubled = _DIRECTLY_AFTER.match(rest)
    return f"{leading[1]}`{ref}`{_ANYWHERE.sub('', rest[doubled.end() if doubled else 0 :])}"


def _ref_of(digits: str, tool: str, refs: Sequence[str], tools: Sequence[str]) -> str | None:
    number = int(digits[:_MAX_DIGITS])
    if not 1 <= number <= min(len(refs), len(tools)):
        return None
    is_same = trim(tool).lower() == trim(tools[number - 1]).lower()
    return refs[number - 1] if is_same else None


def refs_footer(refs: Sequence[str]) -> str:
    """What stands below a summary."""
    named = ", ".join(f"`{ref}`" for ref in refs)
    return (
        f"\n\n---\n**Summarized tool refs**: {named}\n"
        "Use `context_tree_query` with these refs to retrieve the original full outputs."
    )


def is_usable(text: str, stop_reason: str) -> bool:
    """Whether a summariser's answer is neither blank nor cut off at the length limit."""
    return bool(trim(text)) and stop_reason != "length"
