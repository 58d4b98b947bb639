"""New ids for some calls, with everything that refers to them following.

An id in a record of the extension is told apart by the time beside it.  Where there is none, or
where two results share id and time, nobody can tell which call is meant: such a reference stays
with the call that keeps the id, and the report says so.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from condense_tui.pruning.records import EntryType
from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.lines import Line, Note
from condense_tui.repairing.pairing import Answer, Pairing
from condense_tui.repairing.tree import Tree
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import Number, as_number
from condense_tui.session.occurrences import bare_id_of, occurrence_key, parse_key
from condense_tui.session.outlines import identifier

Renames = Mapping[Answer, str]
"""The new id of a call, by the reply's number and the part of its content."""

Json = dict[str, Any]

_RENAMED_TYPES = frozenset(
    {EntryType.INDEX, EntryType.SUMMARY, EntryType.ALIAS, EntryType.CHAIN, EntryType.FRONTIER}
)
_ID_LISTS = ("droppedToolCallIds", "protectedToolCallIds", "toolRefs")
_CHAIN_LISTS = (*_ID_LISTS, "droppedOccurrenceKeys")


class _Call(Value, frozen=True):
    """A call whose id others have as well: what it was and is called, and where it lies."""

    reply: int
    old: str
    new: str
    time: Number | None


def rename_calls(draft: Draft, renames: Renames) -> Outcome:
    """Give these calls and their results new ids, and let every record follow."""
    if not renames:
        return Outcome(draft)
    tree = draft.tree
    renaming = _Renaming(tree, draft.pairing, renames)
    renaming.rename_messages()
    renaming.rename_records()
    done = [
        tree.lines[call.reply].note(f"the call {old} is now {name}")
        for call, name in renames.items()
        if (old := renaming.old_ids[call])
    ]
    changed = {tree.places[number]: line for number, line in renaming.changed.items()}
    return Outcome(draft.with_lines(changed), tuple(done), tuple(renaming.left()))


@dataclass(slots=True)
class _Renaming:
    tree: Tree
    pairing: Pairing
    renames: Renames
    changed: dict[int, Line] = field(default_factory=dict)
    unclear: dict[int, dict[str, None]] = field(default_factory=dict)
    old_ids: dict[Answer, str] = field(default_factory=dict)
    new_of_key: dict[str, str] = field(default_factory=dict)
    ambiguous: set[str] = field(default_factory=set)
    calls_of_id: dict[str, list[_Call]] = field(default_factory=dict)

    def left(self) -> Iterator[Note]:
        """The records that name a call in a way that several are named."""
        for number, keys in self.unclear.items():
            names = ", ".join(keys)
            what = f"it names {names}, as several calls were: it stays with the first of them"
            yield self.tree.lines[number].note(what)

    # Calls and results

    def rename_messages(self) -> None:
        parts_of: dict[int, dict[int, str]] = {}
        for call, name in self.renames.items():
            parts_of.setdefault(call.reply, {})[call.part] = name
        for number, parts in parts_of.items():
            self._rename_reply(number, parts)
        shared = set(self.old_ids.values())
        for number in self.tree.order:
            self._note_calls(number, shared)
        for calls in self.calls_of_id.values():
            calls.sort(key=_time_of)
        for result, answer in self.pairing.answers.items():
            self._rename_result(result, answer, shared)

    def _rename_reply(self, number: int, parts: Mapping[int, str]) -> None:
        message = self.tree.lines[number].message or {}
        content = list(message["content"])
        for part, name in parts.items():
            self.old_ids[Answer(number, part)] = identifier(content[part].get("id"))
            content[part] = {**content[part], "id": name}
        self._set(number, message={**message, "content": content})

    def _note_calls(self, number: int, shared: set[str]) -> None:
        message = self.tree.messages[number]
        for call in message.tool_calls if message else ():
            if call.id in shared:
                name = self.renames.get(Answer(number, call.part), call.id)
                time = message.timestamp if message else None
                found = _Call(number, call.id, name, time)
                self.calls_of_id.setdefault(call.id, []).append(found)

    def _rename_result(self, result: int, answer: Answer, shared: set[str]) -> None:
        message = self.tree.lines[result].message or {}
        old = identifier(message.get("toolCallId"))
        if old not in shared:
            return
        name = self.renames.get(answer, old)
        key = occurrence_key(old, as_number(message.get("timestamp")))
        if self.new_of_key.setdefault(key, name) != name or key == old:
            self.ambiguous.add(key)
        if name != old:
            self._set(result, message={**message, "toolCallId": name})

    def _set(self, number: int, **fields: Any) -> None:
        line = self.changed.get(number, self.tree.lines[number])
        self.changed[number] = line.with_fields(**fields)

    # Records

    def rename_records(self) -> None:
        replies: list[int] = []
        depth_of: dict[int, int] = {}
        for number in self.tree.order:
            parent = self.tree.parents[number]
            del replies[depth_of.get(parent, 0) :]
            line = self.tree.lines[number]
            if line.message and line.message.get("role") == "assistant":
                replies.append(number)
            depth_of[number] = len(replies)
            self._rename_record(number, line, replies)

    def _rename_record(self, number: int, line: Line, replies: list[int]) -> None:
        kind = identifier(line.body.get("customType"))
        name = "details" if kind == EntryType.SUMMARY else "data"
        held = line.body.get(name)
        if kind not in _RENAMED_TYPES or not isinstance(held, dict):
            return
        renamed = self._renamed(EntryType(kind), held, number, replies)
        if renamed != held:
            self._set(number, **{name: renamed})

    def _renamed(self, kind: EntryType, held: Json, number: int, replies: list[int]) -> Json:
        match kind:
            case EntryType.INDEX:
                return self._listed(held, number, ("toolCalls", "refs"))
            case EntryType.SUMMARY:
                return self._summary(held, number)
            case EntryType.ALIAS:
                return self._alias(held, number)
            case EntryType.CHAIN:
                return self._chain(held, number)
        return self._frontier(held, replies)

    def _listed(self, held: Json, number: int, names: Iterable[str]) -> Json:
        lists = {
            name: [self._ref(element, number) for element in held[name]]
            for name in names
            if isinstance(held.get(name), list)
        }
        return {**held, **lists}

    def _summary(self, held: Json, number: int) -> Json:
        for text in _texts_in(held, "toolCallIds"):
            self._named(text, None, number)
        return self._listed(held, number, ("toolCallRefs",))

    def _ref(self, element: Any, number: int) -> Any:
        if not isinstance(element, dict):
            return element
        name = self._named(element.get("toolCallId"), element.get("resultTimestamp"), number)
        return element if name is None else {**element, "toolCallId": name}

    def _alias(self, held: Json, number: int) -> Json:
        renamed = dict(held)
        for side in ("new", "original"):
            field_name = f"{side}ToolCallId"
            name = self._named(held.get(field_name), held.get(f"{side}ResultTimestamp"), number)
            if name is not None:
                renamed[field_name] = name
        return renamed

    def _named(self, call_id: Any, time: Any, number: int) -> str | None:
        """The new id of the call that a record names; None where that stays as it is."""
        if not isinstance(call_id, str) or call_id not in self.calls_of_id:
            return None
        key = occurrence_key(call_id, as_number(time))
        if key == call_id or key in self.ambiguous:
            self.unclear.setdefault(number, {})[key] = None
            return None
        return self.new_of_key.get(key)

    def _chain(self, held: Json, number: int) -> Json:
        dropped = self._dropped(held, number)
        lists = {
            name: [now for was in held[name] for now in self._in_chain(was, dropped)]
            for name in _CHAIN_LISTS
            if isinstance(held.get(name), list)
        }
        return {**held, **lists}

    def _dropped(self, held: Json, number: int) -> dict[str, list[str]]:
        """Old id → present names of the calls in a chain: by its keys, and by its two times."""
        names: dict[str, list[str]] = {}
        for key in _texts_in(held, "droppedOccurrenceKeys"):
            if key in self.new_of_key and key not in self.ambiguous:
                names.setdefault(bare_id_of(key), []).append(self.new_of_key[key])
        bare_ids = (name for field_name in _ID_LISTS for name in _texts_in(held, field_name))
        for call in self._calls_between(held, dict.fromkeys(bare_ids)):
            if self.tree.is_above(call.reply, number):
                names.setdefault(call.old, []).append(call.new)
        return names

    def _calls_between(self, held: Json, bare_ids: Iterable[str]) -> Iterator[_Call]:
        """The calls of these ids from the first to the final time of a chain."""
        start = as_number(held.get("startUserTimestamp"))
        final = as_number(held.get("finalAssistantTimestamp"))
        if start is None:
            return
        for bare_id in bare_ids:
            calls = self.calls_of_id.get(bare_id, [])
            first = bisect_left(calls, start, key=_time_of)
            last = len(calls) if final is None else bisect_right(calls, final, key=_time_of)
            yield from calls[first:last]

    def _in_chain(self, name: Any, dropped: Mapping[str, list[str]]) -> list[Any]:
        """What a chain names: a bare id by the calls that lie in it, else an occurrence key."""
        if isinstance(name, str) and name in self.calls_of_id:
            return list(dict.fromkeys(dropped.get(name, [name])))
        return [self._key(name)]

    def _key(self, key: Any) -> Any:
        """An occurrence key by its present name; a short ref stays."""
        if not isinstance(key, str) or key in self.ambiguous:
            return key
        name = self.new_of_key.get(key)
        return key if name is None else occurrence_key(name, parse_key(key).timestamp)

    def _frontier(self, held: Json, replies: list[int]) -> Json:
        turn = as_number(held.get("lastAttemptedTurnIndex"))
        call_id = held.get("lastAttemptedToolCallId")
        if (
            not isinstance(turn, int)
            or not 0 <= turn < len(replies)
            or not isinstance(call_id, str)
        ):
            return held
        calls = self.calls_of_id.get(call_id, ())
        name = next((call.new for call in calls if call.reply == replies[turn]), None)
        return held if name is None else {**held, "lastAttemptedToolCallId": name}


def _time_of(call: _Call) -> float:
    """A call without a time lies in no chain."""
    return -math.inf if call.time is None else call.time


def _texts_in(held: Json, name: str) -> Iterator[str]:
    elements = held.get(name)
    for element in elements if isinstance(elements, list) else ():
        if isinstance(element, str):
            yield element


def ids_in_use(tree: Tree) -> set[str]:
    """Every id that a call, a result or a record has: no new one may be among them."""
    used: set[str] = set()
    for line, message in zip(tree.lines, tree.messages, strict=True):
        if message:
            used.update(call.id for call in message.tool_calls)
            used.add(message.tool_call_id)
        used.update(_ids_of_record(line))
    return used


def _ids_of_record(line: Line) -> Iterable[str]:
    held = line.body.get("data", line.body.get("details"))
    if not identifier(line.body.get("customType")).startswith("context-prune-"):
        return
    for value in held.values() if isinstance(held, dict) else ():
        for element in value if isinstance(value, list) else [value]:
            named = element.get("toolCallId") if isinstance(element, dict) else element
            if isinstance(named, str):
                yield bare_id_of(named)
