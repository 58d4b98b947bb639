"""Results whose call a context edit takes away: pi would send them without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_tui.repairing.draft import Draft, Outcome
from condense_tui.repairing.setaside import set_aside
from condense_tui.repairing.tree import NOBODY, Tree
from condense_tui.session.messages import message_from
from condense_tui.session.outlines import identifier

_ALL: Any = object()


def set_aside_results_of_edited_replies(draft: Draft) -> Outcome:
    """The results on an edit's own branch; an edit that a later one replaces does not count."""
    tree = draft.tree
    edits = _edits(tree)
    results_of: dict[int, list[int]] = {}
    for result, answer in draft.pairing.answers.items() if edits else ():
        results_of.setdefault(answer.reply, []).append(result)
    places = {
        tree.places[result]
        for target, numbers in edits.items()
        for edit in _last_ones(tree, numbers)
        for result in results_of.get(target, ())
        if _is_taken_away(tree, edit, result)
    }
    chosen = {place: draft.lines[place] for place in sorted(places)}
    return set_aside(draft, chosen, lambda _: "a result, but its call was edited away")


def _edits(tree: Tree) -> dict[int, list[int]]:
    """Reply → the edits of it on its branch, in the order of the tree."""
    edits: dict[int, list[int]] = {}
    for number in tree.order if tree.has_ids else ():
        line = tree.lines[number]
        if line.type != "context_edit":
            continue
        target = tree.number_of.get(identifier(line.body.get("targetId")), NOBODY)
        if target != NOBODY and tree.is_above(target, number) and _is_reply(tree, target):
            edits.setdefault(target, []).append(number)
    return edits


def _is_reply(tree: Tree, number: int) -> bool:
    message = tree.messages[number]
    return message is not None and message.role == "assistant"


def _last_ones(tree: Tree, edits: list[int]) -> Iterator[int]:
    """In the order of a tree whatever hangs below an entry follows it at once."""
    for edit, following in zip(edits, [*edits[1:], NOBODY], strict=True):
        if following == NOBODY or not tree.is_above(edit, following):
            yield edit


def _is_taken_away(tree: Tree, edit: int, result: int) -> bool:
    if not (tree.is_above(result, edit) or tree.is_above(edit, result)):
        return False
    kept = _kept_ids(tree.lines[edit].body.get("replacement", _ALL))
    message = tree.messages[result]
    return kept is not None and message is not None and message.tool_call_id not in kept


def _kept_ids(replacement: Any) -> set[str] | None:
    """The calls that an edited reply still has; None where the edit changes nothing."""
    if replacement is None:
        return set()
    if not isinstance(replacement, dict) or "content" not in replacement:
        return None
    edited = message_from({"role": "assistant", "content": replacement["content"]}, None)
    return {call.id for call in edited.tool_calls}
