"""Tool calls as the model makes them, and the small parts of pi's entries."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tests.demo.commands import apply
from tests.demo.place import Json
from tests.demo.shop_later import SHOP, Edits


@dataclass(eq=False)
class Call:
    """A tool call; `note` is what the summariser will say of it. The rest is known once it ran."""

    name: str
    args: Json
    output: str
    note: str = ""
    is_error: bool = False
    details: Json | None = None
    id: str = ""
    turn: int = -1
    called_ms: int = 0
    result_ms: int = 0
    result: Json = field(default_factory=dict)
    ref: str = ""

    @property
    def key(self) -> str:
        return f"{self.id}@{self.result_ms}"

    @property
    def is_protected(self) -> bool:
        """Whether the default `protectedPaths` keep its output from the pruner."""
        path = self.args.get("path", "")
        return "skills/" in path and path.endswith(".md")


def bash(command: str, output: str, note: str = "", status: int = 0) -> Call:
    if not status:
        return Call("bash", {"command": command}, output, note)
    failed = f"{output}\n\nCommand exited with code {status}"
    return Call("bash", {"command": command}, failed, note, is_error=True, details={})


def read(path: str, text: str, note: str = "") -> Call:
    return Call("read", {"path": path}, text, note)


def grep(pattern: str, note: str = "") -> Call:
    """A search in `shop/`."""
    hits = [
        f"{name}:{number}: {line}"
        for name, text in SHOP.items()
        for number, line in enumerate(text.split("\n"), 1)
        if re.search(pattern, line)
    ]
    return Call("grep", {"pattern": pattern, "path": "shop"}, "\n".join(hits), note)


def write(path: str, text: str, note: str = "") -> Call:
    written = f"Successfully wrote {len(text.encode())} bytes to {path}"
    return Call("write", {"path": path, "content": text}, written, note)


def edit(path: str, edits: Edits, before: str, note: str = "") -> Call:
    """An edit that fails, as pi's does, when an old text is not in the file."""
    args = {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}
    for index, (old, _) in enumerate(edits):
        if old not in before:
            missing = f"Could not find edits[{index}] in {path}. The oldText must match exactly"
            missing += " including all whitespace and newlines."
            return Call("edit", args, missing, note, is_error=True, details={})
    done = f"Successfully replaced {len(edits)} block(s) in {path}."
    return Call("edit", args, done, note, details=edit_details(path, before, apply(edits, before)))


def edit_details(path: str, before: str, after: str) -> Json:
    """What pi keeps of an edit for its own screen: a numbered diff and a patch."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    groups = difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(4)
    changes, shown = [], []
    for group in groups:
        shown.append("    ...")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                shown += [f" {n + 1:2d} {old[n]}" for n in range(i1, i2)]
                continue
            changes.append(j1 + 1)
            shown += [f"-{n + 1:2d} {old[n]}" for n in range(i1, i2)]
            shown += [f"+{n + 1:2d} {new[n]}" for n in range(j1, j2)]
    patch = "\n".join(difflib.unified_diff(old, new, path, path, n=4, lineterm="")) + "\n"
    return {"diff": "\n".join(shown), "patch": patch, "firstChangedLine": changes[0]}


@dataclass(eq=False)
class Chain:
    """A user message and what it set off; `answered_ms` stays None if another one interrupts."""

    asked_ms: int
    answered_ms: int | None = None
    calls: list[Call] = field(default_factory=list)


class Fork(NamedTuple):
    """A place in the tree to come back to."""

    leaf: str
    message_count: int
    context_tokens: int


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def iso(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"


def is_answer(message: Json) -> bool:
    """Whether a message is the agent's and calls no tool."""
    if message["role"] != "assistant":
        return False
    return all(part["type"] != "toolCall" for part in message["content"])


def usage(fresh: int, output: int, cached: int = 0, reasoning: int = 0) -> Json:
    """Tokens and dollars of one request."""
    cost = {
        "input": round(fresh * 3e-6, 6) or 0,
        "output": round(output * 15e-6, 6) or 0,
        "cacheRead": round(cached * 3e-7, 6) or 0,
        "cacheWrite": 0,
    }
    return {
        "input": fresh,
        "output": output,
        "cacheRead": cached,
        "cacheWrite": 0,
        "reasoning": reasoning,
        "totalTokens": fresh + output + cached,
        "cost": cost | {"total": round(sum(cost.values()), 6) or 0},
    }


def file_lists(details: Json) -> str:
    """The end of pi's own summaries: which files were read and which were changed."""
    text = ""
    for tag, name in (("read-files", "readFiles"), ("modified-files", "modifiedFiles")):
        if details[name]:
            text += f"\n\n<{tag}>\n" + "\n".join(details[name]) + f"\n</{tag}>"
    return text
