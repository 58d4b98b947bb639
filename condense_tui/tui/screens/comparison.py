"""`ComparisonScreen`: what is sent now beside what version 2.5.0 would send, slot by slot."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.inspection.comparison import Comparison
from condense_tui.inspection.links import SlotTarget, Target
from condense_tui.pruning.legacy import LEGACY_VERSION
from condense_tui.tui.picture import Picture
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.width import mark_narrow
from condense_tui.view.comparisonwords import comparison_words
from condense_tui.view.context import View


class ComparisonScreen(ModalScreen[Target | None]):
    """Answers with the place of the context that was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "change(1)", "Next difference"),
        Binding("N", "change(-1)", "Previous difference"),
        Binding("c", "only_changes", "Only differences"),
        Binding("V,escape,q", "close", "Close", key_display="V Esc q"),
    ]
    DEFAULT_CSS = """
    ComparisonScreen {
        align: center middle;
        & > Vertical { width: 94%; height: 92%; }
        &.-narrow > Vertical { width: 100%; height: 1fr; }
        #verdict { height: auto; padding: 0 1; }
        ContextList { height: 1fr; }
    }
    """

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture
        self._comparison: Comparison | None = None

    def compose(self) -> ComposeResult:
        """How they differ in a sentence, and the two columns."""
        with Vertical() as frame:
            frame.border_title = f"Sent now │ as {LEGACY_VERSION}"
            frame.border_subtitle = "⏎ goes to the message"
            yield Static("working it out", id="verdict", markup=False)
            yield ContextList(view=View.DIFF)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(ContextList).focus()
        self._compare()

    def on_resize(self) -> None:
        """A narrow terminal is filled."""
        mark_narrow(self)

    @work(exclusive=True)
    async def _compare(self) -> None:
        self._show(await asyncio.to_thread(self._picture.compared))

    def _show(self, comparison: Comparison) -> None:
        """Begins with the first difference."""
        self._comparison = comparison
        verdict = Content(comparison_words(comparison))
        self.query_one("#verdict", Static).update(verdict)
        rows = self.query_one(ContextList)
        rows.show_plan(comparison.plan)
        rows.go_to_first_change()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter leads to the message; what is only inserted then has no place now."""
        slot = self.query_one(ContextList).slot
        if self._comparison is None or slot is None or not self.is_active:
            return
        number = self._comparison.numbers[slot]
        if number is None:
            self.notify("the context of now has no such message", markup=False)
        else:
            self.dismiss(SlotTarget(number))

    def action_change(self, step: int) -> None:
        """Go to the next or previous difference."""
        if not self.query_one(ContextList).go_to_change(step):
            self.notify("no more differences in that direction", markup=False)

    def action_only_changes(self) -> None:
        """Hide or show what is the same."""
        self.query_one(ContextList).turn_only_changes()

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss(None)
