"""How pi writes a session."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from tests.demo.calls import Call, Chain, Fork, compact, file_lists, iso, usage
from tests.demo.place import CWD, SESSION_ID, START_MS, SYSTEM_TOKENS, Json


class Story:
    """Tells a session, entry by entry, the way pi writes one."""

    def __init__(self) -> None:
        self.now = START_MS
        header = {"type": "session", "version": 3, "id": SESSION_ID, "timestamp": iso(self.now)}
        self.entries: list[Json] = [header | {"cwd": CWD}]
        self.leaf: str | None = None
        self.model = ("", "")
        self.messages: list[Json] = []  # those of the branch, an extension's included
        self.chain = Chain(0)
        self.next_call = 1
        self.responses = 0
        self.context_tokens = self.cached_tokens = 0
        self.answering_ms: int | None = None

    def wait(self, seconds: float = 0, minutes: float = 0) -> int:
        """Let time pass, never quite evenly."""
        self.now += int(seconds * 1000 + minutes * 60_000) + len(self.entries) * 37 % 61
        return self.now

    def _think(self, text: str) -> None:
        self.wait(2 + len(text) / 90)

    def _tree_fields(self) -> Json:
        entry_id = hashlib.sha1(f"{SESSION_ID}/{len(self.entries)}".encode()).hexdigest()[:8]
        fields = {"id": entry_id, "parentId": self.leaf, "timestamp": iso(self.now)}
        self.leaf = entry_id
        return fields

    def entry(self, kind: str, /, **fields: Any) -> str:
        """An entry of pi's own; returns its id."""
        tree_fields = self._tree_fields()
        self.entries.append({"type": kind, **tree_fields, **fields})
        return str(tree_fields["id"])

    def custom(self, custom_type: str, content: Json) -> None:
        """An entry of an extension that the model never sees."""
        fields = {"type": "custom", "customType": custom_type, "data": content}
        self.entries.append(fields | self._tree_fields())

    def custom_message(self, custom_type: str, text: str, details: Json, display: bool) -> None:
        """An entry of an extension that is part of the context."""
        fields = {"customType": custom_type, "content": text, "display": display}
        fields["details"] = details
        self.entries.append({"type": "custom_message", **fields, **self._tree_fields()})
        self._remember({"role": "custom", **fields, "timestamp": self.now})

    def message(self, message: Json) -> str:
        self._remember(message)
        return self.entry("message", message=message)

    def _remember(self, message: Json) -> None:
        self.messages.append(message)
        self.context_tokens += len(compact(message)) // 4

    def use_model(self, provider: str, model: str) -> None:
        self.model = (provider, model)
        self.entry("model_change", provider=provider, modelId=model)

    def restart_call_ids(self) -> None:
        """This provider numbers calls by the context it is sent, so a shorter one starts anew."""
        self.next_call = 1

    def user(self, text: str, after_minutes: float) -> Chain:
        self.wait(minutes=after_minutes)
        self.chain = Chain(self.now)
        content = [{"type": "text", "text": text}]
        self.message({"role": "user", "content": content, "timestamp": self.now})
        return self.chain

    def turn(
        self, thinking: str, text: str, *calls: Call, meanwhile: tuple[str, str, Json] | None = None
    ) -> str:
        """The agent calls tools and their results follow; `meanwhile` slips in before them."""
        started = self.wait(0.01)
        self._think(thinking + text)
        for call in calls:
            call.id, call.called_ms = f"{call.name}_{self.next_call}", self.now
            call.turn = sum(message["role"] == "assistant" for message in self.messages)
            self.next_call += 1
        entry_id = self._assistant(started, thinking, text, calls)
        if meanwhile:
            self.wait(1.2)
            self.custom_message(*meanwhile, display=True)
        for call in calls:
            self._result(call)
        self.chain.calls += calls
        return entry_id

    def _result(self, call: Call) -> None:
        call.result_ms = self.wait(0.2 + len(call.output) / 4000)
        call.result = {
            "role": "toolResult",
            "toolCallId": call.id,
            "toolName": call.name,
            "content": [{"type": "text", "text": call.output}],
            **({} if call.details is None else {"details": call.details}),
            "isError": call.is_error,
            "timestamp": call.result_ms,
        }
        self.message(call.result)

    def answer(self, thinking: str, text: str) -> str:
        """The text that closes a chain; it has begun already if a flush came before."""
        started = self.answering_ms or self.wait(0.01)
        if not self.answering_ms:
            self._think(thinking + text)
        self.answering_ms = None
        self.chain.answered_ms = started
        return self._assistant(started, thinking, text)

    def abort(self, thinking: str, text: str) -> None:
        """The user pressed Esc in the middle of an answer."""
        started = self.wait(0.01)
        self.wait(3)
        self._assistant(started, thinking, text, aborted=True)

    def _assistant(
        self,
        started: int,
        thinking: str,
        text: str,
        calls: Sequence[Call] = (),
        aborted: bool = False,
    ) -> str:
        self.responses += 1
        parts: list[Json] = []
        if thinking:
            signed = {"thinkingSignature": "reasoning_content"}
            parts.append({"type": "thinking", "thinking": thinking} | signed)
        if text:
            parts.append({"type": "text", "text": text})
        for call in calls:
            asked = {"id": call.id, "name": call.name, "arguments": call.args}
            parts.append({"type": "toolCall"} | asked)
        message: Json = {"role": "assistant", "content": parts, "api": "orchard-chat"}
        message |= {"provider": self.model[0], "model": self.model[1]}
        if aborted:
            message |= {"usage": usage(0, 0), "stopReason": "aborted", "timestamp": started}
            return self.message(message | {"errorMessage": "Request was aborted."})
        message["usage"] = self._usage(len(compact(parts)) // 4, len(thinking) // 4)
        message |= {"stopReason": "toolUse" if calls else "stop", "timestamp": started}
        message["responseId"] = f"resp_{self.responses}"
        return self.message(message | {"rawStopReason": "tool_calls" if calls else "stop"})

    def _usage(self, output: int, reasoning: int) -> Json:
        """What was sent with the request before is read from the provider's cache."""
        context = SYSTEM_TOKENS + self.context_tokens
        cached = min(self.cached_tokens, context)
        self.cached_tokens = context
        return usage(context - cached, output, cached, reasoning)

    def run_bash(self, command: str, output: str) -> None:
        """The user's own `!command`."""
        ran = {"role": "bashExecution", "command": command, "output": output, "exitCode": 0}
        self.message(ran | {"cancelled": False, "truncated": False, "timestamp": self.now})

    def warm_cache(self) -> None:
        provider, model = self.model
        spent = usage(0, 8, self.cached_tokens)
        self.entry("usage", kind="cache_warm", provider=provider, model=model, usage=spent)

    def compact_before(self, kept_id: str, summary: str, details: Json) -> None:
        """pi's own compaction: what lies before the entry `kept_id` is out of the context."""
        self.wait(9)
        before = SYSTEM_TOKENS + self.context_tokens
        self.entry(
            "compaction",
            summary=summary + file_lists(details),
            firstKeptEntryId=kept_id,
            tokensBefore=before,
            details=details,
            usage=usage(before, len(summary) // 4),
            fromHook=False,
        )
        kept = [e["id"] for e in self.entries].index(kept_id)
        self.context_tokens = sum(len(compact(e)) for e in self.entries[kept:]) // 8
        self.cached_tokens = 0

    def fork(self) -> Fork:
        assert self.leaf is not None
        return Fork(self.leaf, len(self.messages), self.context_tokens)

    def go_back(self, fork: Fork, summary: str, details: Json) -> None:
        """`/tree`: leave this branch for an earlier entry, with a summary of what is left."""
        self.wait(8)
        left, self.leaf = self.leaf, fork.leaf
        del self.messages[fork.message_count :]
        self.context_tokens, self.cached_tokens = fork.context_tokens + len(summary) // 4, 0
        opening = "The user explored a different conversation branch before returning here.\n"
        self.entry(
            "branch_summary",
            fromId=left,
            summary=f"{opening}Summary of that exploration:\n\n{summary}{file_lists(details)}",
            details=details,
            usage=usage(2_871, len(summary) // 4),
            fromHook=False,
        )
