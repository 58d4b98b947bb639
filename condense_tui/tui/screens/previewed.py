"""`PreviewedScreen`: a context that does not exist yet, in the views of one that does."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.screen import Screen

from condense_tui.inspection.links import Target
from condense_tui.tui.commands import COMMANDS, Command
from condense_tui.tui.picture import Picture
from condense_tui.tui.preview import Preview
from condense_tui.tui.screens.session import Keep, SessionScreen
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.tui.widgets.status_bar import StatusBar
from condense_tui.tui.widgets.tree_pane import TreePane
from condense_tui.view.lines import line
from condense_tui.view.preview import preview_headline
from condense_tui.view.statusparts import previewed_parts, recorded_part

# They are about the session as it is.
_NOT_HERE = frozenset({"app.branches", "app.choose", "app.condense", "app.follow", "app.read_on"})


class PreviewedScreen(SessionScreen, inherit_bindings=False):
    """Begins at a target; Esc leads back to the preview that it belongs to."""

    commands: ClassVar[tuple[Command, ...]] = tuple(
        command for command in COMMANDS if command.action not in _NOT_HERE
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *Screen.BINDINGS,
        *(key for one in commands for key in one.bindings),
    ]

    def __init__(self, preview: Preview, target: Target | None) -> None:
        super().__init__(preview.picture)
        self._preview = preview
        self._begins_at = target

    def on_mount(self) -> None:
        """Begin once the session screen has: Textual calls its `on_mount` after this one."""
        self.call_later(self._begin)

    def _begin(self) -> None:
        """In the context, which is what one wants to see."""
        self._headline()
        self.add_class("-on-context")
        self._context_list.focus()
        if self._begins_at is None:
            self._context_list.go_to_first_change()
        else:
            self.select(self._begins_at)

    def show_picture(self, picture: Picture, keep: Keep | None = None) -> None:
        """Show another look, with sizes that are measured as the preview measures them."""
        super().show_picture(picture, keep)
        found = self._preview.found
        parts = previewed_parts(found.before, found.after)
        self.query_one(StatusBar).show_parts(parts, recorded_part(found.after))

    def show_preview(self, preview: Preview) -> None:
        """Show another one, of other settings."""
        self._preview = preview
        self.show_picture(preview.picture)
        self._headline()

    def show_none(self, reason: str) -> None:
        """What is shown is no longer what would come of it."""
        self.query_one("#headline", LineBar).show(line(f"PREVIEW of other settings: {reason}"))

    def _headline(self) -> None:
        preview = self._preview
        told = preview_headline(preview.picture.inspection, preview.order)
        self.query_one("#headline", LineBar).show(told)

    def _title_context(self) -> None:
        super()._title_context()
        pane = self.query_one("#context-pane")
        pane.border_title = f"PREVIEW · {self._context_list.title}"

    def action_back_out(self) -> None:
        """Esc closes the detail, then clears the filter, then leads back."""
        if self.has_class("-detail"):
            super().action_back_out()
        elif not self.query_one(TreePane).close_filter():
            self.dismiss(None)
