"""Sessions of any length for the benchmark and for the counts of work, built in memory.

`Story` writes a session entry by entry, everything on one branch.  Nothing depends on chance or
on the clock: ids, refs, blocks and times follow from counters, so one call gives the same bytes
every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import orjson

_BATCH_SIZES = (1, 1, 1, 1, 1, 1, 2)  # a user, seven assistants, eight results, an answer: 17
_START_MS = 1_789_000_000_000
_PATHS = 997
_OUTPUT = (
    "src/cart.py:41: total = sum(line.amount for line in lines)  # naïve, cents are lost\n" * 4
)
_THOUGHT = "The refund is a cent short, so the rounding happens before the sum and not after it. "


@dataclass(frozen=True, slots=True)
class Call:
    """One call with its result, as a record or a summary will name it."""

    id: str
    name: str
    arguments: dict[str, Any]
    ref: str
    result_ms: int
    is_error: bool = False

    @property
    def key(self) -> str:
        return f"{self.id}@{self.result_ms}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A finished chain: its two boundaries, and the calls of each assistant message."""

    start_ms: int
    final_ms: int
    batches: tuple[tuple[Call, ...], ...]

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(call for batch in self.batches for call in batch)


class Story:
    """Writes a session; `messages` counts those that pi would put into the context,
    `written` the bytes so far."""

    def __init__(self) -> None:
        header = {"type": "session", "version": 3, "id": "benchmark", "cwd": "/home/mara/shop"}
        self._lines = [orjson.dumps(header)]
        self._call_numbers, self._block_numbers = count(1), count(1)
        self.messages = 0
        self.written = len(self._lines[0])

    @property
    def raw(self) -> bytes:
        """The session file."""
        return b"\n".join(self._lines) + b"\n"

    def user(self, text: str = "The refund is a cent short. Find out why.") -> int:
        """A user message; returns its timestamp, as all of these do."""
        return self._message("user", content=[{"type": "text", "text": text}])

    def final(self) -> int:
        """The assistant's answer: thinking and text, no call."""
        thinking = {"type": "thinking", "thinking": _THOUGHT}
        answer = {"type": "text", "text": "The cents are rounded too early."}
        return self._message("assistant", content=[thinking, answer], stopReason="stop")

    def foreign(self) -> None:
        """Another extension's message: a barrier when it lands between a call and its result."""
        self._entry("custom_message", customType="todo", content="3 left", display=False)
        self.messages += 1

    def batch(self, size: int = 1, *, tool: str | None = None, fails: bool = False) -> list[Call]:
        """An assistant message with `size` calls, then their results."""
        return [self.result(call) for call in self.calls(size, tool=tool, fails=fails)]

    def calls(self, size: int, *, tool: str | None = None, fails: bool = False) -> list[Call]:
        """Only the assistant message: its calls have no results yet."""
        calls = [self._call(tool, fails) for _ in range(size)]
        parts = [
            {"type": "toolCall", "id": call.id, "name": call.name, "arguments": call.arguments}
            for call in calls
        ]
        thinking = {"type": "thinking", "thinking": _THOUGHT}
        self._message("assistant", content=[thinking, *parts], stopReason="toolUse")
        return calls

    def result(self, call: Call) -> Call:
        """Only the result of a call; returns the call with its time."""
        result_ms = self._message(
            "toolResult",
            toolCallId=call.id,
            toolName=call.name,
            content=[{"type": "text", "text": _OUTPUT}],
            isError=call.is_error,
        )
        return Call(call.id, call.name, call.arguments, call.ref, result_ms, call.is_error)

    def prompt(self, batch_sizes: Sequence[int] = _BATCH_SIZES) -> Prompt:
        """All messages of one prompt, 17 unless other batches are wanted."""
        start_ms = self.user()
        batches = tuple(tuple(self.batch(size)) for size in batch_sizes)
        return Prompt(start_ms, self.final(), batches)

    def index(self, calls: Iterable[Call]) -> None:
        """The extension's archive of these calls."""
        self._custom("context-prune-index", toolCalls=[_record(call) for call in calls])

    def summary(self, calls: Sequence[Call], text: str | None = None) -> None:
        """The message that stands for these calls."""
        bullets = "\n".join(f"- `{call.ref}` {call.name}: the cents are lost." for call in calls)
        details = {"toolCallRefs": [_ref(call) for call in calls], "turnIndex": 1}
        self._entry(
            "custom_message",
            customType="context-prune-summary",
            content=text or bullets,
            display=False,
            details=details,
        )
        self.messages += 1

    def alias(self, new: Call, original: Call) -> None:
        """A duplicate output: `new` is known by `original`'s record."""
        self._custom(
            "context-prune-dedup-alias",
            newToolCallId=new.id,
            originalToolCallId=original.id,
            newResultTimestamp=new.result_ms,
            originalResultTimestamp=original.result_ms,
        )

    def chain(
        self, start_ms: int, final_ms: int, calls: Sequence[Call], body: str | None = None
    ) -> str:
        """A compressed chain, with a range summary when it has a body; returns its block."""
        block = f"b{next(self._block_numbers)}"
        range_summary = {} if body is None else {"rangeSummaryText": body}
        self._custom(
            "context-prune-chain",
            blockId=block,
            startUserTimestamp=start_ms,
            finalAssistantTimestamp=final_ms,
            droppedToolCallIds=[call.id for call in calls],
            droppedOccurrenceKeys=[call.key for call in calls],
            toolRefs=[call.ref for call in calls],
            compressedAt=final_ms + 1,
            **range_summary,
        )
        return block

    def _call(self, tool: str | None, fails: bool) -> Call:
        number = next(self._call_numbers)
        path = f"src/module_{number % _PATHS}.py"
        name = tool or ("read", "bash", "edit")[number % 3]
        arguments = {"command": f"pytest {path} " + "-v " * 200} if fails else {"path": path}
        return Call(f"call_{number:07d}", name, arguments, f"t{number}", 0, fails)

    def _message(self, role: str, **fields: Any) -> int:
        timestamp_ms = _START_MS + len(self._lines)
        self._entry("message", message={"role": role, **fields, "timestamp": timestamp_ms})
        self.messages += 1
        return timestamp_ms

    def _custom(self, custom_type: str, **payload: Any) -> None:
        self._entry("custom", customType=custom_type, data=payload)

    def _entry(self, entry_type: str, **fields: Any) -> None:
        number = len(self._lines)
        moment = datetime.fromtimestamp((_START_MS + number) / 1000, UTC)
        entry = {
            "type": entry_type,
            "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number > 1 else None,
            "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **fields,
        }
        self._lines.append(orjson.dumps(entry))
        self.written += len(self._lines[-1]) + 1


def _record(call: Call) -> dict[str, Any]:
    return {
        "toolCallId": call.id,
        "toolName": call.name,
        "args": call.arguments,
        "resultText": _OUTPUT,
        "isError": call.is_error,
        "turnIndex": 1,
        "timestamp": call.result_ms - 1,
        "resultTimestamp": call.result_ms,
        "contentHash": f"{call.result_ms:040x}",
    }


def _ref(call: Call) -> dict[str, Any]:
    return {"shortId": call.ref, "toolCallId": call.id, "resultTimestamp": call.result_ms}


def condensed_session(messages: int) -> Story:
    """About `messages` messages in the context, every prompt compressed to a block.

    Half of the blocks have a range summary; the other half lives on the summaries of its
    batches, which stand in the context beside the 17 messages of their prompt.
    """
    story = Story()
    while story.messages < messages:
        _tell_prompt(story, has_range_summary=False)
        _tell_prompt(story, has_range_summary=True)
    return story


def _tell_prompt(story: Story, *, has_range_summary: bool) -> None:
    prompt = story.prompt()
    story.index(prompt.calls)
    for batch in () if has_range_summary else prompt.batches:
        story.summary(batch)
    body = "The cents were lost in `src/cart.py`." if has_range_summary else None
    story.chain(prompt.start_ms, prompt.final_ms, prompt.calls, body)
