"""Phase 4: tool results without their open call are swept.

A barrier is any message that is neither assistant nor tool result: it closes every open call.
The rule is structural and knows no provider.  (Source: the pruning rules, section 3, phase 4.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha1

from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.diagnostics import DiagnosticKind, DiagnosticSink
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.pruning.slots import Fate, FateKind, Slot, require_parts
from condense_tui.session.jsontext import utf16_sort_key
from condense_tui.session.messages import Message

_IDS_SHOWN = 5
_DEDUP_KEY_DIGITS = 16


def sweep_orphans(
    slots: Sequence[Slot],
    _index: PruneIndex,
    _settings: CondenseSettings,
    sink: DiagnosticSink,
) -> Sequence[Slot]:
    """Remove every result whose call is not open where it stands."""
    swept: dict[int, Slot] = {}
    open_calls: set[str] = set()
    barrier_of: dict[str, Slot] = {}
    for number, slot in enumerate(slots):
        message = slot.after
        if message is None:
            continue
        if message.role == "assistant":
            require_parts(message, slot.place)
            open_calls, barrier_of = {call.id for call in message.tool_calls}, {}
        elif message.role != "toolResult":
            barrier_of.update(dict.fromkeys(open_calls, slot))
            open_calls.clear()
        elif message.tool_call_id in open_calls:
            open_calls.remove(message.tool_call_id)
        else:
            barrier = barrier_of.get(message.tool_call_id)
            swept[number] = slot.with_fate(_fate(message, barrier), None)
    if not swept:
        return slots
    _report(swept.values(), sink)
    return [swept.get(number, slot) for number, slot in enumerate(slots)]


def _fate(result: Message, barrier: Slot | None) -> Fate:
    closer = barrier.after if barrier else None
    reason = f"a {closer.role} message closed its call" if closer else "no open call has its id"
    return Fate(
        FateKind.SWEPT,
        f"swept: {reason}",
        bare_ids=(result.tool_call_id,),
        place=barrier.place if barrier else None,
        source=closer.entry if closer else None,
    )


def _report(swept: Iterable[Slot], sink: DiagnosticSink) -> None:
    ids = sorted((slot.fates[-1].bare_ids[0] for slot in swept), key=utf16_sort_key)
    digest = sha1(utf8_bytes(",".join(ids)), usedforsecurity=False).hexdigest()
    more = f" ... +{len(ids) - _IDS_SHOWN} more" if len(ids) > _IDS_SHOWN else ""
    detail = f"swept {len(ids)} orphan toolResult(s): {', '.join(ids[:_IDS_SHOWN])}{more}"
    sink.report(DiagnosticKind.ORPHAN_SWEEP, digest[:_DEDUP_KEY_DIGITS], detail)
