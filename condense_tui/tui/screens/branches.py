"""`BranchesScreen`: every branch of a session; the active one is marked, all can be shown."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Static

from condense_tui.inspection.leaves import LeafPath, leaf_paths
from condense_tui.session.entries import Session
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.leafrows import leaf_heading, leaf_row
from condense_tui.view.lines import Line, text_of
from condense_tui.view.words import counted


class BranchesScreen(ModalScreen[str | None]):
    """Answers with the entry id of the leaf, or None where the person goes back.

    A last record without an id cannot be asked for by one: its answer is the empty text, which
    stands for the end of the file.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,q", "close", "Close", key_display="Esc"),
    ]
    DEFAULT_CSS = """
    BranchesScreen {
        align: center middle;
        & > Vertical {
            width: 110; max-width: 95%; height: auto; max-height: 80%;
        }
        & #heading { height: 1; }
        & LineList { height: auto; max-height: 1fr; min-height: 1; scrollbar-gutter: stable; }
    }
    """

    class BranchesFound(Message):
        """Every branch, with what its row shows."""

        def __init__(self, paths: tuple[LeafPath, ...]) -> None:
            super().__init__()
            self.paths = paths

    def __init__(self, session: Session, shown: str | None) -> None:
        super().__init__()
        self._session = session
        self._shown = shown
        self._paths: tuple[LeafPath, ...] = ()

    def compose(self) -> ComposeResult:
        """One list."""
        with Vertical() as frame:
            frame.border_title = "Branches"
            yield Static(id="heading", markup=False)
            yield LineList()
        yield KeyFooter()

    def on_mount(self) -> None:
        """All entries are walked, so in a thread."""
        self.query_one(LineList).focus()
        self.run_worker(self._find, thread=True, exclusive=True)

    def _find(self) -> None:
        self.post_message(self.BranchesFound(leaf_paths(self._session, self._shown)))

    def on_branches_screen_branches_found(self, event: BranchesFound) -> None:
        """Begin on the one that is shown."""
        self._paths = event.paths
        ids = [path.leaf.id for path in event.paths]
        row = ids.index(self._shown) if self._shown in ids else 0
        rows = self.query_one(LineList)
        rows.show_lines(len(ids), self._row, row)
        rows.styles.height = len(ids)
        leaves = sum(path.is_leaf or path.is_active for path in event.paths)
        count = counted(leaves, "branch", "branches")
        self.query_one(Vertical).border_subtitle = f"▸ shown now · ⏎ shows another · {count}"

    def on_resize(self) -> None:
        """The columns fit the width, once the list has its own."""
        self.call_after_refresh(self._show_heading)

    def _show_heading(self) -> None:
        names = text_of(leaf_heading(self._width))
        self.query_one("#heading", Static).update(Content(names))

    def _row(self, row: int) -> Line:
        path = self._paths[row]
        return leaf_row(path, path.leaf.id == self._shown, self._width)

    @property
    def _width(self) -> int:
        return self.query_one(LineList).scrollable_content_region.width

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a row answers with its leaf; a second Enter may still be on its way."""
        event.stop()
        if self.is_active:
            self.dismiss(self._paths[event.row].leaf.id or "")

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss(None)
