"""`SessionScreen`: the tree, the context and the detail of one picture, kept in step."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from condense_tui.inspection.links import CallTarget, ChainTarget, SlotTarget, SummaryTarget, Target
from condense_tui.session.branch import leaves
from condense_tui.session.jsontext import number_text
from condense_tui.tui.commands import COMMANDS
from condense_tui.tui.picture import Picture
from condense_tui.tui.screens.help import HelpScreen
from condense_tui.tui.screens.whole import WholeScreen
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.context import View
from condense_tui.view.contextrows import both_row, context_row, next_change, shown_slots
from condense_tui.view.detail import Document
from condense_tui.view.lines import Line
from condense_tui.view.printable import one_line
from condense_tui.view.treerows import TreeNode
from condense_tui.view.words import counted

NARROW_COLUMNS = 100
_VIEWS = (View.PRUNED, View.RAW, View.DIFF)
_VIEW_WORDS = {View.PRUNED: "pruned", View.RAW: "raw", View.DIFF: "both"}
_SORTS: tuple[tuple[str, Callable[[TreeNode], float] | None], ...] = (
    ("file order", None),
    ("size", lambda node: node.size),
    ("time", lambda node: node.moment),
)


class SessionScreen(Screen[None]):
    """Holds what is selected; the widgets only show it and say what the person does."""

    BINDINGS: ClassVar[list[BindingType]] = [command.binding for command in COMMANDS]

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture
        self._view = View.PRUNED
        self._only_changes = False
        self._slots: list[int] = []
        self._sort = 0
        self._history: list[Target] = []
        self._target: Target | None = None

    def compose(self) -> ComposeResult:
        """Header, panes, detail, status, footer."""
        yield Static(id="headline", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="tree-pane", classes="pane"):
                yield Input(placeholder="filter the tree", id="filter")
                yield FoldTree(id="tree")
            with Vertical(id="context-pane", classes="pane"):
                yield LineList(id="context")
        with Vertical(id="detail-pane", classes="pane"):
            yield DocumentView(id="detail")
        yield Static(id="status", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Show the picture; begin in the tree."""
        self.show_picture(self._picture)
        self.query_one(FoldTree).focus()

    def on_resize(self) -> None:
        """A narrow terminal shows one pane."""
        self.set_class(self.size.width < NARROW_COLUMNS, "-narrow")

    def show_picture(self, picture: Picture) -> None:
        """Show another look at the session; folds and cursor stay where they can."""
        self._picture = picture
        self.query_one("#headline", Static).update(Content(_headline(picture)))
        self.query_one("#status", Static).update(Content(picture.inspection.status_line))
        self.query_one(FoldTree).show_nodes(picture.nodes)
        self.query_one("#tree-pane").border_title = "Pruned tool calls"
        self._show_context()

    def _show_context(self, slot: int | None = None) -> None:
        plan = self._picture.inspection.plan
        context = self.query_one("#context", LineList)
        if slot is None and self._slots:
            slot = self._slots[context.cursor]
        self._slots = shown_slots(plan, self._view, self._only_changes)
        context.show_lines(len(self._slots), self._context_line, self._row_of(slot))
        word = _VIEW_WORDS[self._view]
        only = ", changes only" if self._only_changes else ""
        pane = self.query_one("#context-pane")
        pane.border_title = f"Context: {word}{only}"
        pane.border_subtitle = f"{len(self._slots)} of {counted(len(plan.slots), 'message')}"

    def _row_of(self, slot: int | None) -> int:
        """The row of a slot, or of the first one after it that the view shows."""
        return 0 if slot is None else bisect_left(self._slots, slot)

    def _context_line(self, row: int) -> Line:
        plan = self._picture.inspection.plan
        if self._view is View.DIFF:
            width = self.query_one("#context", LineList).size.width
            return both_row(plan, self._slots[row], width)
        return context_row(plan, self._slots[row], self._view)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Keep the panes in step with the one that has the focus."""
        if not event.line_list.has_focus:
            return
        if event.line_list.id == "tree":
            self._follow_tree()
        elif event.line_list.id == "context" and self._slots:
            self._select(SlotTarget(self._slots[event.row]), follows_context=False)

    def _follow_tree(self) -> None:
        node = self.query_one(FoldTree).node
        if node and node.target:
            self._select(node.target, follows_tree=False)

    def _select(
        self, target: Target, *, follows_tree: bool = True, follows_context: bool = True
    ) -> None:
        """Make a target the selected one, everywhere it can be seen."""
        self._target = target
        if follows_context and (slot := self._slot_of(target)) is not None:
            self.query_one("#context", LineList).cursor = self._row_of(slot)
        if follows_tree and (key := self._node_key_of(target)) is not None:
            self.query_one(FoldTree).reveal(key)
        if self.has_class("-detail"):
            self._show_detail(target)

    def _slot_of(self, target: Target) -> int | None:
        links = self._picture.links
        match target:
            case SlotTarget(number):
                return number
            case CallTarget(key):
                return links.slot_of_result.get(key)
            case SummaryTarget(entry_index):
                return links.slot_of_entry.get(entry_index)
            case ChainTarget(start):
                block = links.node_of_start[start].chain.block_id
                return links.slot_of_block.get(block)
            case _:
                return None

    def _node_key_of(self, target: Target) -> str | None:
        match target:
            case CallTarget(key):
                return f"call:{key}"
            case SummaryTarget(entry_index):
                return f"summary:{entry_index}"
            case SlotTarget(number):
                result = self._picture.links.key_of_slot.get(number)
                return None if result is None else f"call:{result}"
            case ChainTarget(start):
                return f"chain:{number_text(start)}"
            case _:
                return None

    def _document(self, target: Target) -> Document:
        return self._picture.documents.document(target)

    def _show_detail(self, target: Target) -> None:
        document = self._document(target)
        self.query_one("#detail-pane").border_title = Content(one_line(document.title))
        self.query_one(DocumentView).show_document(document)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a row opens its detail."""
        if event.line_list.id in ("tree", "context") and self._target:
            self.add_class("-detail")
            self._show_detail(self._target)
            self.query_one(DocumentView).focus()

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        """A link leads to another document; Backspace leads back."""
        if self._target:
            self._history.append(self._target)
        self._select(event.target)

    def action_next_view(self) -> None:
        """Pruned, raw, both."""
        self._view = _VIEWS[(_VIEWS.index(self._view) + 1) % len(_VIEWS)]
        self.set_class(self._view is View.DIFF, "-both")
        if self._view is View.DIFF:
            self.query_one("#context", LineList).focus()
        self._show_context()

    def action_only_changes(self) -> None:
        """Hide what nothing happened to."""
        self._only_changes = not self._only_changes
        self._show_context()

    def action_change(self, step: int) -> None:
        """Go to the next or previous change."""
        context = self.query_one("#context", LineList)
        row = next_change(self._picture.inspection.plan, self._slots, context.cursor, step)
        if row is None:
            self.notify("no more changes in that direction", markup=False)
            return
        self.set_class(True, "-on-context")
        context.focus()
        context.cursor = row

    def action_toggle_detail(self) -> None:
        """Show or hide the detail."""
        self.toggle_class("-detail")
        if self.has_class("-detail") and self._target:
            self._show_detail(self._target)

    def action_open_whole(self) -> None:
        """The selected thing whole, in an overlay."""
        if self._target:
            self.app.push_screen(WholeScreen(self._document(self._target)))

    def action_back_out(self) -> None:
        """Esc closes the detail, then clears the filter; it never quits."""
        if self.has_class("-detail"):
            self.remove_class("-detail")
            self.query_one(FoldTree).focus()
        elif self.query_one("#filter", Input).has_class("-shown"):
            self._close_filter()

    def action_next_pane(self) -> None:
        """Tab goes round the panes; in a narrow terminal it turns the page."""
        if self.has_class("-narrow"):
            self.toggle_class("-on-context")
            name = "#context" if self.has_class("-on-context") else "#tree"
            self.query_one(name, LineList).focus()
        else:
            self.focus_next(LineList)

    def action_filter(self) -> None:
        """Filter the tree as one types."""
        field = self.query_one("#filter", Input)
        field.add_class("-shown")
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Each key narrows the tree."""
        self.query_one(FoldTree).filter_by(event.value)

    def on_input_submitted(self) -> None:
        """Enter goes to what is left."""
        self.query_one(FoldTree).focus()

    def _close_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.value = ""
        field.remove_class("-shown")
        self.query_one(FoldTree).focus()

    def action_sort(self) -> None:
        """File order, size, time."""
        self._sort = (self._sort + 1) % len(_SORTS)
        name, key = _SORTS[self._sort]
        self.query_one(FoldTree).sort_by(key)
        self.query_one("#tree-pane").border_subtitle = "" if key is None else f"by {name}"

    def action_help(self) -> None:
        """Every key."""
        self.app.push_screen(HelpScreen())

    def action_copy(self) -> None:
        """The selected thing's own text."""
        if self._target:
            text = self._document(self._target).original
            self.app.copy_to_clipboard(text)
            self.notify(f"sent {counted(len(text), 'character')} to the terminal", markup=False)

    def action_quit(self) -> None:
        """Leave without asking."""
        self.app.exit()


def _headline(picture: Picture) -> str:
    branch = picture.inspection.branch
    session = branch.session
    model = picture.inspection.context.model
    branches = len(leaves(session))
    parts = [
        one_line(session.name or session.header.id),
        one_line(session.header.cwd or ""),
        one_line(model.id) if model else "",
        f"leaf {branch.leaf.label if branch.leaf else 'none'} "
        f"({counted(branches, 'branch', 'branches')})",
        counted(len(session.entries), "entry", "entries"),
        f"problems: {len(picture.inspection.problems)}" if picture.inspection.problems else "",
    ]
    return " · ".join(part for part in parts if part)
