"""A context → `Request`: what pi's provider layer makes of it, after every extension.

Other roles become user messages or vanish, a reply that was cut short is left out, and a call
without a result gets an invented one.  Results are never taken away, so one whose call is not
open goes out as well, and providers refuse that.  (Source: the pruning rules, section 9.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from condense_tui.session.compact import Compact, Value
from condense_tui.session.messages import Message, ToolCall

CUT_SHORT = ("aborted", "error")
_SENT_AS: Mapping[str, str] = {
    "user": "user",
    "custom": "user",
    "bashExecution": "user",
    "branchSummary": "user",
    "compactionSummary": "user",
    "assistant": "assistant",
    "toolResult": "toolResult",
}


class Cause(StrEnum):
    """Why a result has no open call where it stands."""

    CUT_SHORT_REPLY = "its reply was cut short and is left out"
    BARRIER = "a message stands between it and its call"
    ANSWERED = "its call has a result already"
    EARLIER_REPLY = "its call belongs to an earlier reply"
    NO_CALL = "no call before it has its id"


class Sent(Compact, frozen=True):
    """One message of a request, made from the context's message number `place`.

    Where the result was invented, `invented` is its call, and `place` that of the reply.
    """

    place: int
    role: str
    call_id: str = ""
    invented: ToolCall | None = None


class Orphan(Compact, frozen=True):
    """A result without an open call; `index` is its place in the request."""

    index: int
    sent: Sent
    cause: Cause
    caller: int | None


class Request(Value, frozen=True):
    """What goes to the provider.  `left_out` are the places of replies that were cut short."""

    sent: tuple[Sent, ...]
    orphans: tuple[Orphan, ...]
    left_out: tuple[int, ...]

    @property
    def invented(self) -> Iterator[tuple[int, Sent]]:
        """Every invented result with its place in the request."""
        return ((index, sent) for index, sent in enumerate(self.sent) if sent.invented)


def plan_request(messages: Iterable[Message]) -> Request | None:
    """What is sent of a context without its system messages; None where pi fails on it."""
    builder = _RequestBuilder()
    for place, message in enumerate(messages):
        if message.role == "assistant" and not message.has_part_list:
            return None
        builder.add(place, message)
    return builder.finished()


class _RequestBuilder:
    """One pass: which calls wait for a result, and which results have none that waits."""

    def __init__(self) -> None:
        self._sent: list[Sent] = []
        self._orphans: list[Orphan] = []
        self._left_out: list[int] = []
        self._reply = -1
        self._unanswered: list[ToolCall] = []
        self._open: set[str] = set()
        self._answered: set[str] = set()
        self._caller_of: dict[str, int] = {}
        self._cut_short: dict[str, int] = {}

    def add(self, place: int, message: Message) -> None:
        role = _SENT_AS.get(message.role)
        if role == "toolResult":
            self._answer(place, message.outline.tool_call_id)
            return
        if role is None or (role == "user" and _is_excluded(message)):
            return
        self._invent()
        if role == "user":
            self._sent.append(Sent(place, role))
            self._open.clear()
        elif message.outline.stop_reason in CUT_SHORT:
            self._left_out.append(place)
            self._cut_short.update((call.id, place) for call in message.tool_calls)
        else:
            self._reply_with(place, message)

    def finished(self) -> Request:
        self._invent()
        return Request(tuple(self._sent), tuple(self._orphans), tuple(self._left_out))

    def _reply_with(self, place: int, message: Message) -> None:
        calls = message.tool_calls
        self._sent.append(Sent(place, "assistant"))
        self._reply, self._unanswered = place, list(calls)
        self._open = ids = {call.id for call in calls}
        self._answered = set()
        for call_id in ids:
            self._caller_of[call_id] = place
            self._cut_short.pop(call_id, None)

    def _answer(self, place: int, call_id: str) -> None:
        self._unanswered = [call for call in self._unanswered if call.id != call_id]
        self._send_result(Sent(place, "toolResult", call_id))

    def _invent(self) -> None:
        if not self._unanswered:
            return
        for call in self._unanswered:
            self._send_result(Sent(self._reply, "toolResult", call.id, call))
        self._unanswered = []

    def _send_result(self, sent: Sent) -> None:
        if sent.call_id not in self._open:
            self._orphans.append(self._orphan(sent))
        elif not sent.invented:
            self._answered.add(sent.call_id)
        self._open.discard(sent.call_id)
        self._sent.append(sent)

    def _orphan(self, sent: Sent) -> Orphan:
        call_id = sent.call_id
        caller = self._caller_of.get(call_id)
        if call_id in self._cut_short:
            cause, caller = Cause.CUT_SHORT_REPLY, self._cut_short[call_id]
        elif caller is None:
            cause = Cause.NO_CALL
        elif caller != self._reply:
            cause = Cause.EARLIER_REPLY
        elif sent.invented or call_id in self._answered:
            cause = Cause.ANSWERED
        else:
            cause = Cause.BARRIER
        return Orphan(len(self._sent), sent, cause, caller)


def _is_excluded(message: Message) -> bool:
    return message.role == "bashExecution" and message.outline.is_excluded
