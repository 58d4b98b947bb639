"""How the pruner writes into a session."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from tests.demo.calls import Call, Chain, Fork, compact, is_answer
from tests.demo.place import BLOBS, BLOBS_AT_HOME, Json
from tests.demo.story import Story


class Block(NamedTuple):
    """A chain to compress; `forgotten` ids will be missing from its list of dropped ids."""

    name: str
    chain: Chain
    text: str | None = None
    forgotten: Sequence[str] = ()


@dataclass
class Spending:
    """The summariser's running totals; every stats entry is a full snapshot of them."""

    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float = 0
    calls: int = 0
    chains: int = 0
    ranges: int = 0

    def spend(self, chars_in: int, chars_out: int) -> None:
        tokens_in, tokens_out = 480 + chars_in // 4, chars_out // 4
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.dollars = round(self.dollars + tokens_in * 6e-7 + tokens_out * 2.5e-6, 6)
        self.calls += 1

    def snapshot(self) -> Json:
        return {
            "totalInputTokens": self.tokens_in,
            "totalOutputTokens": self.tokens_out,
            "totalCost": self.dollars,
            "callCount": self.calls,
            "chainsCompressed": self.chains,
            "rangesSummarized": self.ranges,
        }


def content_hash(call: Call) -> str:
    lines = call.output.replace("\r\n", "\n").split("\n")
    normal = "\n".join(line.rstrip(" \t") for line in lines).strip()
    return hashlib.sha1(f"{call.name}\0{normal}".encode()).hexdigest()


def preview(text: str, limit: int = 2048) -> str:
    return text.encode()[:limit].decode(errors="ignore").rpartition("\n")[0]


def rounded(value: float) -> int:
    return int(value + 0.5)


def chain_sizes(messages: Sequence[Json]) -> Iterator[int]:
    """The size of each closed or interrupted chain, then that of the open tail."""
    sizes = [len(compact(message)) for message in messages]
    start, tail = None, 0
    for index, message in enumerate(messages):
        is_end = is_answer(message)
        if start is not None and (is_end or message["role"] == "user"):
            yield sum(sizes[start : index + is_end])
        if is_end:
            start, tail = None, index + 1
        elif message["role"] == "user":
            start = index
    yield sum(sizes[tail:])


def record(call: Call) -> Json:
    """The archived call, as index entries hold it."""
    return {
        "toolCallId": call.id,
        "toolName": call.name,
        "args": call.args,
        "resultText": call.output,
        "isError": call.is_error,
        "turnIndex": call.turn,
        "timestamp": call.called_ms,
        "resultTimestamp": call.result_ms,
    }


def query_answer(call: Call) -> str:
    """What `context_tree_query` answers for one short ref."""
    args = json.dumps(call.args, ensure_ascii=False, indent=2)
    status = "ERROR" if call.is_error else "OK"
    head = f"## toolRef: {call.ref}\nTool: {call.name}\nArgs: {args}\nStatus: {status}\n"
    return f"{head}Turn: {call.turn}\n\n{call.output}"


def summary_text(calls: Sequence[Call]) -> str:
    bullets = "\n".join(f"- `{call.ref}` {call.note}" for call in calls)
    refs = ", ".join(f"`{call.ref}`" for call in calls)
    return (
        f"{bullets}\n\n---\n**Summarized tool refs**: {refs}\n"
        "Use `context_tree_query` with these refs to retrieve the original full outputs."
    )


def summary_details(calls: Sequence[Call]) -> Json:
    refs = [
        {"shortId": call.ref, "toolCallId": call.id, "resultTimestamp": call.result_ms}
        for call in calls
    ]
    names = [call.name for call in calls]
    turn, called_ms = calls[0].turn, calls[0].called_ms
    return {"toolCallRefs": refs, "toolNames": names, "turnIndex": turn, "timestamp": called_ms}


def dedup_alias(repeat: Call, original: Call) -> Json:
    return {
        "newToolCallId": repeat.id,
        "originalToolCallId": original.id,
        "newResultTimestamp": repeat.result_ms,
        "originalResultTimestamp": original.result_ms,
    }


def frontier(captured: Sequence[Call], summary_chars: int) -> Json:
    last = captured[-1]
    return {
        "lastAttemptedToolCallId": last.id,
        "lastAttemptedToolName": last.name,
        "lastAttemptedTurnIndex": last.turn,
        "lastAttemptedTimestamp": last.called_ms,
        "attemptedBatchCount": len({call.turn for call in captured}),
        "attemptedToolCallCount": len(captured),
        "rawCharCount": sum(len(call.output) for call in captured),
        "summaryCharCount": summary_chars,
        "outcome": "summarized",
    }


def chain_record(block: Block, compressed_ms: int) -> Json:
    calls = block.chain.calls
    protected = [call.id for call in calls if call.is_protected]
    return {
        "blockId": block.name,
        "startUserTimestamp": block.chain.asked_ms,
        "droppedToolCallIds": [call.id for call in calls if call.id not in block.forgotten],
        "finalAssistantTimestamp": block.chain.answered_ms,
        "toolRefs": [call.ref for call in calls if call.ref],
        "compressedAt": compressed_ms,
        **({} if block.text is None else {"rangeSummaryText": block.text}),
        **({"protectedToolCallIds": protected} if protected else {}),
        "droppedOccurrenceKeys": [call.key for call in calls],
    }


class PrunedStory(Story):
    """A story that the pruner listens to."""

    def __init__(self) -> None:
        super().__init__()
        self.sidecars: dict[str, bytes] = {}
        self.waiting: list[Call] = []  # since the last flush
        self.spending = Spending()
        self.next_ref = 1

    def _result(self, call: Call) -> None:
        super()._result(call)
        self.waiting.append(call)

    def go_back(self, fork: Fork, summary: str, details: Json) -> None:
        self.waiting.clear()
        super().go_back(fork, summary, details)

    def diagnose(self, kind: str, detail: str) -> None:
        self.custom("context-prune-diagnostic", {"kind": kind, "detail": detail})

    def spill(self, call: Call) -> None:
        """Move an oversized output to a file of its own, as soon as its turn has ended."""
        name = re.sub(r"[^A-Za-z0-9_-]", "_", call.key) + ".txt"
        self.sidecars[f"{BLOBS}/{name}"] = call.output.encode()
        spilled = {
            "resultText": "",
            "spillPath": f"{BLOBS_AT_HOME}/{name}",
            "spillBytes": len(call.output.encode()),
            "resultPreview": preview(call.output),
            "contentHash": content_hash(call),
        }
        self.custom("context-prune-index", {"toolCalls": [record(call) | spilled]})
        self.waiting.remove(call)
        self.context_tokens -= len(call.output) // 4

    def flush(
        self, aliases: Sequence[tuple[Call, Call]] = (), blocks: Sequence[Block] = ()
    ) -> None:
        """Summarise what waits and has a note, while the answer that follows is being stored."""
        self.answering_ms = self.wait(0.01)
        self.wait(6)
        metrics = self._metrics()
        for repeat, original in aliases:
            self.custom("context-prune-dedup-alias", dedup_alias(repeat, original))
        noted = [call for call in self.waiting if call.note]
        batches = [[*calls] for _, calls in groupby(noted, lambda call: call.turn)]
        summary_chars = sum(self._summarise(calls) for calls in batches)
        captured = [call for call in self.waiting if call.note or not call.is_protected]
        self.custom("context-prune-frontier", frontier(captured, summary_chars))
        self.custom("context-prune-stats", self.spending.snapshot())
        self.compress(*blocks)
        count = len({call.turn for call in captured})
        flushed = {"ts": self.now, "trigger": "message-end"}
        flushed |= {"capturedBatches": count, "processedBatches": count}
        flushed |= {"outcome": "summarized", "metrics": metrics}
        self.custom("context-prune-flush-metrics", flushed)
        self.waiting.clear()

    def _metrics(self) -> Json:
        """What the extension measures before it summarises."""
        answers = [n for n, message in enumerate(self.messages) if is_answer(message)]
        cycle = [m for m in self.messages[answers[-1] + 1 :] if m["role"] == "assistant"]
        thinking = [p for m in cycle for p in m["content"] if p["type"] == "thinking"]
        sizes = [*chain_sizes(self.messages)]
        gap = [len(compact(call.result)) for call in self.waiting if not call.is_protected]
        total = sum(len(compact(message)) for message in self.messages)
        return {
            "openCycleThinkingTokens": rounded(sum(len(compact(p)) for p in thinking) / 4),
            "largestChainSharePct": rounded(100 * max(sizes) / total),
            "frontierGapTokens": sum(rounded(size / 4) for size in gap),
        }

    def _summarise(self, calls: Sequence[Call]) -> int:
        """One batch: the summary that the model reads, and the records behind it."""
        for call in calls:
            call.ref = f"t{self.next_ref}"
            self.next_ref += 1
        text = summary_text(calls)
        self.custom_message("context-prune-summary", text, summary_details(calls), display=False)
        self.custom("context-prune-index", {"toolCalls": [record(call) for call in calls]})
        self.spending.spend(sum(len(call.output) for call in calls), len(text))
        return len(text)

    def compress(self, *blocks: Block) -> None:
        """Chains become blocks; without a text of its own, a block's summaries stand in."""
        for block in blocks:
            self.wait(3)
            self.spending.chains += 1
            if block.text is not None:
                self.spending.ranges += 1
                self.spending.spend(1_900, len(block.text))
            self.custom("context-prune-chain", chain_record(block, self.now))
            self.custom("context-prune-stats", self.spending.snapshot())
