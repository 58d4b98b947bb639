"""Which call each tool result answers, on every branch at once.

The rules are those of pi's provider layer and of the extension's sweep: a call is open from its
reply to the first message that is neither reply nor result, or to the next reply.  Unlike there
two calls of one reply that share an id are two: the first result answers the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from condense_tui.inspection.provider import CUT_SHORT
from condense_tui.repairing.lines import Line
from condense_tui.repairing.tree import NOBODY, Tree
from condense_tui.session.compact import Value
from condense_tui.session.messages import Message, ToolCall


class Stray(StrEnum):
    """Why a result has no open call where it stands."""

    BEHIND = "a message stands between it and its call"
    CUT_SHORT_REPLY = "its reply was cut short and is not sent"
    ANSWERED = "its call has a result already"
    NO_CALL = "no open call before it has its id"


class Answer(Value, frozen=True):
    """The call that a result answers: the number of the reply and the part of its content."""

    reply: int
    part: int


class Orphan(Value, frozen=True):
    """A result without an open call.

    `barrier` is the message that it can be put before to answer its call, `NOBODY` if it cannot.
    """

    result: int
    stray: Stray
    barrier: int = NOBODY


class Pairing(Value, frozen=True):
    """By number of the result's entry; a result that can be put back has an answer as well."""

    answers: Mapping[int, Answer]
    orphans: tuple[Orphan, ...]


def pair_results(tree: Tree) -> Pairing:
    """One walk over the tree; what is open is handed down from each entry to its children."""
    answers: dict[int, Answer] = {}
    orphans: list[Orphan] = []
    for number, message, turn in _turns(tree):
        if message is None or message.role != "toolResult":
            continue
        found = turn.answered_by(message)
        if isinstance(found, Stray):
            orphans.append(Orphan(number, found))
            continue
        answers[number] = Answer(turn.reply, found.part)
        if turn.barrier != NOBODY:
            orphans.append(Orphan(number, Stray.BEHIND, turn.barrier))
    return Pairing(answers, tuple(orphans))


Calls = dict[str, list[ToolCall]]


@dataclass(slots=True)
class _Turn:
    """The calls of the last reply above an entry.

    `barrier` is the first message that closed open ones, and `is_straight` whether no branch
    leaves between it and here: only then can a result be moved without another branch losing it.
    """

    reply: int = NOBODY
    open: Calls = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    barrier: int = NOBODY
    is_straight: bool = True
    cut_short: set[str] = field(default_factory=set)

    def copy(self) -> _Turn:
        """For a branch of its own."""
        return replace(
            self,
            open={name: list(calls) for name, calls in self.open.items()},
            answered=set(self.answered),
            cut_short=set(self.cut_short),
        )

    def enter(self, number: int, message: Message | None, line: Line) -> None:
        """Take in an entry that is no result."""
        if message is None:
            if line.type == "branch_summary" and line.body.get("summary"):
                self._close(number)
        elif message.role == "assistant":
            self._begin(number, message)
        elif message.role not in ("toolResult", "system"):
            self._close(number)

    def _begin(self, number: int, message: Message) -> None:
        calls: Calls = {}
        for call in message.tool_calls:
            calls.setdefault(call.id, []).append(call)
        self.forget()
        if message.body.get("stopReason") in CUT_SHORT:
            self.cut_short.update(calls)
        else:
            self.reply, self.open = number, calls
            self.cut_short.difference_update(calls)

    def forget(self) -> None:
        """The reply is no longer there to be answered."""
        self.reply, self.open, self.answered = NOBODY, {}, set()
        self.barrier, self.is_straight = NOBODY, True

    def _close(self, number: int) -> None:
        if self.open and self.barrier == NOBODY:
            self.barrier = number

    def answered_by(self, result: Message) -> ToolCall | Stray:
        """The call that this result answers, which is then no longer open."""
        call_id = result.tool_call_id
        calls = self.open.get(call_id)
        if not calls:
            return self._stray(call_id)
        may_move = self.is_straight and result.tool_name in ("", calls[0].name)
        if self.barrier != NOBODY and not may_move:
            return Stray.BEHIND
        call = calls.pop(0)
        self.answered.add(call_id)
        if not calls:
            del self.open[call_id]
        return call

    def _stray(self, call_id: str) -> Stray:
        if call_id in self.cut_short:
            return Stray.CUT_SHORT_REPLY
        return Stray.ANSWERED if call_id in self.answered else Stray.NO_CALL


def _turns(tree: Tree) -> Iterator[tuple[int, Message | None, _Turn]]:
    """Every entry with its message and the turn that it stands in."""
    turns: dict[int, _Turn] = {}
    for number in tree.order:
        turn = turns.pop(number, None) or _Turn()
        message = tree.messages[number]
        if tree.lines[number].type == "compaction":
            _compact(turn, number, tree)
        else:
            turn.enter(number, message, tree.lines[number])
        yield number, message, turn
        children = tree.children[number]
        if len(children) > 1:
            turn.is_straight = turn.is_straight and turn.barrier == NOBODY
        for child in children[1:]:
            turns[child] = turn.copy()
        if children:
            turns[children[0]] = turn


def _compact(turn: _Turn, number: int, tree: Tree) -> None:
    """After a compaction a reply is only there if it was kept."""
    boundary = tree.boundary(number)
    kept = boundary != NOBODY and (boundary == turn.reply or tree.is_above(boundary, turn.reply))
    if turn.reply != NOBODY and not kept:
        turn.forget()
