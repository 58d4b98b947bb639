"""`ContextList`: the messages of a plan, in one of three views."""

from __future__ import annotations

from bisect import bisect_left

from condense_tui.pruning.render import RenderPlan
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.context import View
from condense_tui.view.contextrows import both_row, context_row, next_change, shown_slots
from condense_tui.view.lines import Line, dim, line
from condense_tui.view.words import counted

_VIEWS = (View.PRUNED, View.RAW, View.DIFF)
_VIEW_WORDS = {View.PRUNED: "pruned", View.RAW: "raw", View.DIFF: "both"}


class ContextList(LineList):
    """Shows slots by row; the slot under the cursor stays when the view changes."""

    def __init__(self, *, id: str | None = None, view: View = View.PRUNED) -> None:
        super().__init__(id=id)
        self._plan: RenderPlan | None = None
        self._view = view
        self._only_changes = False
        self._slots: list[int] = []

    @property
    def view(self) -> View:
        """The view in force."""
        return self._view

    @property
    def slot(self) -> int | None:
        """The number of the slot under the cursor."""
        return self._slots[self.cursor] if self._slots else None

    @property
    def title(self) -> str:
        """Which view this is."""
        return f"Context: {_VIEW_WORDS[self._view]}{', changes only' * self._only_changes}"

    @property
    def tally(self) -> str:
        """How many of the messages are shown."""
        total = len(self._plan.slots) if self._plan else 0
        return f"{len(self._slots)} of {counted(total, 'message')}"

    def show_plan(self, plan: RenderPlan) -> None:
        """Show another plan."""
        self._plan = plan
        self._lay_out()

    def next_view(self) -> None:
        """Pruned, raw, both."""
        self._view = _VIEWS[(_VIEWS.index(self._view) + 1) % len(_VIEWS)]
        self._lay_out()

    def turn_only_changes(self) -> None:
        """Hide or show what nothing happened to."""
        self._only_changes = not self._only_changes
        self._lay_out()

    def go_to(self, slot: int) -> None:
        """The cursor to a slot, or to the first one after it that the view shows."""
        self.cursor = bisect_left(self._slots, slot)

    def go_to_first_change(self) -> None:
        """The cursor to the first change, if there is one."""
        row = next_change(self._plan, self._slots, -1, 1) if self._plan else None
        self.cursor = row or 0

    def go_to_change(self, step: int) -> bool:
        """The cursor to the next or previous change; False when there is none."""
        row = next_change(self._plan, self._slots, self.cursor, step) if self._plan else None
        if row is not None:
            self.cursor = row
        return row is not None

    def _lay_out(self) -> None:
        if self._plan is None:
            return
        slot = self.slot or 0
        self._slots = shown_slots(self._plan, self._view, self._only_changes)
        self.nothing = line(dim("nothing was changed" if self._only_changes else "no messages"))
        self.show_lines(len(self._slots), self._line, bisect_left(self._slots, slot))

    def _line(self, row: int) -> Line:
        if self._plan is None:
            return ()
        number = self._slots[row]
        if self._view is View.DIFF:
            return both_row(self._plan, number, self.scrollable_content_region.width)
        return context_row(self._plan, number, self._view)
