"""`condense`: a session → the prune records that it would be given, and what they change.

Pure but for the summariser: what is to be written is handed back as values.
(Source: the pruning rules, section 6.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum

from condense_tui.condensing.capture import Desk
from condense_tui.condensing.condenser import Condenser, FlushPoint
from condense_tui.condensing.course import Course, lay_out
from condense_tui.condensing.limits import limits_from
from condense_tui.condensing.losses import Losses, losses
from condense_tui.condensing.notes import Clerk, Notes
from condense_tui.condensing.outcomes import Report
from condense_tui.condensing.summariser import Summariser
from condense_tui.inspection.inspection import Inspection
from condense_tui.pruning.detection import Chain
from condense_tui.session.branch import Branch
from condense_tui.session.compact import Value, changed
from condense_tui.session.context import Context
from condense_tui.session.entries import Entry, Refusal
from condense_tui.session.messages import Message


class Mode(StrEnum):
    """Everything that is pending at once, or flush by flush as the extension would have."""

    NOW = "now"
    REPLAY = "replay"


class Order(Value, frozen=True):
    """What is asked for; `blobs_folder` is where spilled bodies will lie."""

    blobs_folder: str
    mode: Mode = Mode.NOW
    ignores_window: bool = False
    batching_mode: str | None = None


class Condensed(Value, frozen=True):
    """`entries` go below the leaf, `files` are the spilled bodies by path.

    `before` and `after` are the branch without and with the new entries, `losses` what the
    context has of outputs before and nobody gives back after.
    """

    entries: tuple[Entry, ...]
    files: Mapping[str, str]
    report: Report
    before: Inspection
    after: Inspection
    losses: Losses


def condense(
    inspection: Inspection, summariser: Summariser, clerk: Clerk, order: Order
) -> Condensed | Refusal:
    """Condense the branch that is looked at.

    A replay writes what the extension would have written, its losses included; a flush of now
    loses nothing.  The master switch counts as on: who asks for it wants to see it.
    """
    if not inspection.settings.is_enabled:
        inspection = inspection.under(changed(inspection.settings, is_enabled=True))
    branch, settings = inspection.branch, inspection.settings
    notes = Notes(branch.entries, branch.leaf_id, clerk, _first_free(branch))
    if not notes.is_readable:
        return Refusal("a broken index entry: the extension would not read what is added")
    desk = Desk(
        course=lay_out(branch.entries),
        notes=notes,
        settings=settings,
        limits=limits_from(settings, order.batching_mode),
        blobs_folder=order.blobs_folder,
        is_lossless=order.mode is Mode.NOW,
        shown_entries=_indexes(inspection.context.prunable),
        whole_entries=_indexes(
            slot.message for slot in inspection.plan.slots if not slot.is_changed
        ),
        report=Report(),
        files={},
    )
    condenser = Condenser(desk, summariser, placed_in(desk.course, inspection.context))
    for point in _points(desk, order):
        condenser.flush(point)
    after = changed(inspection, branch=_with_entries(branch, tuple(notes.written)))
    if after.plan.failure and not inspection.plan.failure:
        return Refusal(f"the extension would fail on the copy: {after.plan.failure.reason}")
    lost = losses(inspection, after, desk.files)
    return Condensed(tuple(notes.written), desk.files, desk.report, inspection, after, lost)


def _first_free(branch: Branch) -> tuple[int, int]:
    """The index and the line of the next entry."""
    last_line = max((entry.line for entry in branch.session.entries[-1:]), default=1)
    return len(branch.session.entries), last_line + 1


def _indexes(messages: Iterable[Message]) -> frozenset[int]:
    entries = (message.entry for message in messages)
    return frozenset(entry.index for entry in entries if entry)


def _points(desk: Desk, order: Order) -> Iterator[FlushPoint]:
    """Where the flushes happen; what lies before the frontier has been flushed already."""
    course = desk.course
    if order.mode is Mode.REPLAY:
        settled_turn = desk.notes.settled_turn
        for turn, place in enumerate(course.turn_places):
            if turn > settled_turn and not course.messages[place].tool_calls:
                yield FlushPoint(place, has_final=True, trigger="message-end")
    if order.mode is Mode.NOW or order.ignores_window:
        yield FlushPoint(len(course.messages), ignores_window=order.ignores_window)


def placed_in(course: Course, context: Context) -> Callable[[Chain], bool]:
    """Whether a chain's two ends are found in the context, each by its time and just once."""
    ends: dict[tuple[str, object], list[Entry | None]] = defaultdict(list)
    for message in context.prunable:
        if message.role in ("user", "assistant"):
            ends[message.role, message.timestamp].append(message.entry)

    def is_placed(chain: Chain) -> bool:
        start, end = course.messages[chain.start_place], course.messages[chain.end_place]
        return ends["user", start.timestamp] == [start.entry] and ends[
            "assistant", end.timestamp
        ] == [end.entry]

    return is_placed


def _with_entries(branch: Branch, added: tuple[Entry, ...]) -> Branch:
    """The branch as it is once these are appended to the file."""
    if not added:
        return branch
    session = changed(branch.session, entries=branch.session.entries + added)
    return changed(
        branch,
        session=session,
        leaf=added[-1],
        entries=branch.entries + added,
        context_entries=branch.context_entries + added,
    )
