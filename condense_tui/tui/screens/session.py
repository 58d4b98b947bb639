"""`SessionScreen`: the tree, the context and the detail of one picture, kept in step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen

from condense_tui.inspection.links import SlotTarget, Target
from condense_tui.tui.clipboard import copy_document
from condense_tui.tui.commands import COMMANDS, Command
from condense_tui.tui.outside import EDITOR, PAGER, open_document
from condense_tui.tui.picture import Picture, while_shown
from condense_tui.tui.screens import others
from condense_tui.tui.widgets.context_list import ContextList
from condense_tui.tui.widgets.document_view import DocumentView
from condense_tui.tui.widgets.find_pane import FindPane
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.headline import Headline
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.status_bar import StatusBar
from condense_tui.tui.widgets.tree_pane import TreePane
from condense_tui.tui.width import mark_narrow
from condense_tui.view.context import View
from condense_tui.view.detail import Document
from condense_tui.view.printable import one_line
from condense_tui.view.statusparts import Part, first_counted, recorded_part, status_parts

Keep = Callable[[Target], Target | None]
_KINDS = {Part.DIAG: "diagnostic", Part.RECORDED: "diagnostic"}


class SessionScreen(Screen[None]):
    """Holds what is selected; the widgets only show it and say what the person does."""

    commands: ClassVar[tuple[Command, ...]] = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = [key for one in COMMANDS for key in one.bindings]

    def __init__(self, picture: Picture, view: View = View.PRUNED) -> None:
        super().__init__()
        self._picture = picture
        # Both has no room for the tree, which is where one begins.
        self._first_view = View.PRUNED if view is View.DIFF else view
        self._target: Target | None = None
        self._history: list[Target] = []
        self._queries: list[str] = []

    def compose(self) -> ComposeResult:
        """Header, panes, detail, status, footer."""
        yield Headline()
        with Horizontal(id="panes"):
            yield TreePane(id="tree-pane", classes="pane")
            with Vertical(id="context-pane", classes="pane"):
                yield ContextList(id="context", view=self._first_view)
        with Vertical(id="detail-pane", classes="pane"):
            yield DocumentView(id="detail")
        yield FindPane(id="find")
        yield StatusBar(id="status")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the picture; begin in the tree, or where there is none in the context."""
        self.show_picture(self._picture)
        self.set_class(not self._picture.nodes, "-on-context")
        self.query_one("#tree" if self._picture.nodes else "#context").focus()

    def on_resize(self) -> None:
        """A narrow terminal shows one pane."""
        mark_narrow(self)

    @property
    def _context_list(self) -> ContextList:
        return self.query_one(ContextList)

    @property
    def _fold_tree(self) -> FoldTree:
        return self.query_one(FoldTree)

    @property
    def view(self) -> View:
        """The view that the context is in."""
        return self._context_list.view

    # ── showing ──

    def show_picture(self, picture: Picture, keep: Keep | None = None) -> None:
        """Show another look at the session; `keep` finds in it what was selected before."""
        is_same = picture.inspection.branch is self._picture.inspection.branch
        again = keep or (lambda target: target if is_same else None)
        history, self._picture = self._history if keep else [], picture
        self._history = [kept for target in history if (kept := again(target))]
        self._target = self._target and again(self._target)
        inspection = picture.inspection
        self.query_one(Headline).show_picture(picture)
        self.query_one(StatusBar).show_parts(status_parts(inspection), recorded_part(inspection))
        self.query_one(TreePane).show_nodes(picture.order)
        self._context_list.show_plan(inspection.plan)
        self._title_context()
        self.query_one(FindPane).show_picture(picture, is_kept=keep is not None)
        tree, context = self._fold_tree, self._context_list
        self._target = self._target or self._target_in(tree) or self._target_in(context)
        if self._target and self.has_class("-detail"):
            self._show_detail(self._target, is_again=keep is not None)

    def _title_context(self) -> None:
        pane = self.query_one("#context-pane")
        pane.border_title, pane.border_subtitle = self._context_list.title, self._context_list.tally
        self.set_class(self._context_list.view is View.DIFF, "-both")

    def _show_detail(self, target: Target, is_again: bool = False) -> None:
        document = self._picture.documents.document(target)
        self.query_one("#detail-pane").border_title = Content(one_line(document.title))
        self.query_one(DocumentView).show_document(document, is_again)

    # ── selecting ──

    def _target_in(self, rows: LineList) -> Target | None:
        if rows is self._fold_tree:
            return self._fold_tree.target
        slot = self._context_list.slot if rows is self._context_list else None
        return None if slot is None else SlotTarget(slot)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """What the cursor of the focused pane is on is selected; the other pane follows."""
        rows = event.line_list
        is_leading = rows.has_focus and rows in (self._fold_tree, self._context_list)
        if is_leading and (target := self._target_in(rows)):
            self.select(target, leader=rows)

    def select(self, target: Target, leader: LineList | None = None) -> None:
        """Make a target the selected one everywhere it can be seen but where it comes from."""
        self._target = target
        slot, key = self._picture.slot_of(target), self._picture.node_key(target)
        with self.prevent(LineList.Highlighted):
            if leader is not self._context_list and slot is not None:
                self._context_list.go_to(slot)
            if leader is not self._fold_tree and key is not None:
                self._fold_tree.reveal(key)
        if self.has_class("-detail"):
            self._show_detail(target)

    def _open(self, target: Target | None) -> None:
        """Select and show whole, from wherever it was found."""
        if target is None:
            return
        self.add_class("-detail")
        self.select(target)
        self.query_one(DocumentView).focus()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a row opens its detail."""
        target = self._target_in(event.line_list)
        if target is not None:
            self._open(target)

    def on_document_view_followed(self, event: DocumentView.Followed) -> None:
        """A link leads to another document."""
        self._follow(event.target)

    def on_document_view_went_back(self) -> None:
        """Backspace leads back, and in the end out of the detail."""
        if self._history:
            self.select(self._history.pop())
        else:
            self.action_back_out()

    # ── moving and looking ──

    def action_next_view(self) -> None:
        """Pruned, raw, both."""
        self._context_list.next_view()
        self._title_context()
        self._turn_to_context()

    def action_only_changes(self) -> None:
        """Hide or show what nothing happened to."""
        self._context_list.turn_only_changes()
        self._title_context()
        self._turn_to_context()

    def _turn_to_context(self) -> None:
        """What a key does to the context must be seen, also where one pane hides another."""
        if self.has_class("-narrow") or self.has_class("-both"):
            self.add_class("-on-context")
            self._context_list.focus()

    def action_change(self, step: int) -> None:
        """Go to the next or previous change."""
        self.add_class("-on-context")
        self._context_list.focus()
        if not self._context_list.go_to_change(step):
            self.notify("no more changes in that direction", markup=False)

    def action_toggle_detail(self) -> None:
        """Show or hide the detail."""
        if self.has_class("-detail"):
            self.action_back_out()
        elif (target := self._selected) is not None:
            self._target = target
            self.add_class("-detail")
            self._show_detail(target)

    def action_back_out(self) -> None:
        """Esc closes the detail, then clears the filter; it never quits."""
        if self.has_class("-detail"):
            self.remove_class("-detail")
            is_on_context = self.has_class("-on-context") or self.has_class("-both")
            (self._context_list if is_on_context else self._fold_tree).focus()
        else:
            self.query_one(TreePane).close_filter()

    def action_next_pane(self) -> None:
        """Tab goes round the panes; in a narrow terminal it turns the page."""
        if self.has_class("-narrow") and not self.has_class("-both"):
            self.toggle_class("-on-context")
            (self._context_list if self.has_class("-on-context") else self._fold_tree).focus()
        else:
            self.focus_next(LineList)
            self.set_class(self._context_list.has_focus, "-on-context")

    def action_filter(self) -> None:
        """Filter the tree as one types."""
        self.remove_class("-on-context", "-both")
        self.query_one(TreePane).open_filter()

    def action_sort(self) -> None:
        """File order, size, time."""
        self.query_one(TreePane).next_order()

    def action_open_whole(self) -> None:
        """The selected thing whole, in an overlay."""
        if document := self._selected_document():
            screen = others.WholeScreen(document, self.query_one(DocumentView).pattern)
            self.app.push_screen(screen, while_shown(lambda: self._picture, self._follow))

    def _follow(self, target: Target | None) -> None:
        if target is not None:
            if self._target:
                self._history.append(self._target)
            self.select(target)

    def _selected_document(self) -> Document | None:
        target = self._selected
        return None if target is None else self._picture.documents.document(target)

    @property
    def _selected(self) -> Target | None:
        """What the focused list's cursor is on; else what was selected last."""
        rows = self.focused
        return (self._target_in(rows) if isinstance(rows, LineList) else None) or self._target

    # ── asking and taking out ──

    def action_query(self) -> None:
        """Ask for outputs."""
        take = while_shown(lambda: self._picture, self._take_query_result)
        self.app.push_screen(others.QueryScreen(self._picture, self._queries), take)

    def _take_query_result(self, result: others.QueryResult | None) -> None:
        if result and result.to_export:
            self._export(result.to_export)
        elif result:
            self._open(result.target)

    def action_find(self) -> None:
        """Find text, also in what was pruned."""
        self.query_one(FindPane).open()

    def on_find_pane_reached(self, event: FindPane.Reached) -> None:
        """Open what holds the hit, wherever that is folded or dropped."""
        detail = self.query_one(DocumentView)
        detail.highlight(event.pattern)
        if event.hit is not None and event.picture is self._picture:
            self.add_class("-detail")
            self.select(event.hit.target)
            detail.go_to(event.hit.passage, event.hit.start)

    def on_find_pane_closed(self) -> None:
        """Go on where the last hit was."""
        is_open = self.has_class("-detail")
        (self.query_one(DocumentView) if is_open else self._fold_tree).focus()

    def action_findings(self, kind: str | None = None) -> None:
        """What is wrong, and what is worth knowing."""
        self._choose_in(others.FindingsScreen(self._picture, kind))

    def action_compare(self) -> None:
        """Beside what is sent now, what an old version of the extension would send."""
        self._choose_in(others.ComparisonScreen(self._picture))

    def _choose_in(self, screen: Screen[Target | None]) -> None:
        self.app.push_screen(screen, while_shown(lambda: self._picture, self._open))

    def on_status_bar_part_chosen(self, event: StatusBar.PartChosen) -> None:
        """Open what a part counts, or what it is set by."""
        if event.part is Part.PRUNE:
            self.app.run_worker(self.app.run_action("settings"))
            return
        target = first_counted(event.part, self._picture.inspection, self._picture.links)
        if target is None:
            self.action_findings(_KINDS.get(event.part))
        else:
            self._open(target)

    def action_export(self) -> None:
        """Write outputs, summaries or the context to files."""
        self._export((self._selected,) if self._selected else ())

    def _export(self, targets: Sequence[Target]) -> None:
        self.app.push_screen(others.ExportScreen(self._picture.documents, targets), self._say)

    def action_copy(self) -> None:
        """The selected thing's own text."""
        if document := self._selected_document():
            copy_document(self, document)

    def on_document_view_copy_asked(self, event: DocumentView.CopyAsked) -> None:
        """What the detail shows."""
        copy_document(self, event.document)

    def action_outside(self, program: str) -> None:
        """The selected body in the person's own pager or editor."""
        if document := self._selected_document():
            chosen, target = PAGER if program == PAGER.word else EDITOR, self._selected
            open_document(self, document, chosen, lambda: self._selected == target)

    def _say(self, sentence: str | None) -> None:
        if sentence:
            self.notify(sentence, markup=False)

    def action_help(self) -> None:
        """Every key."""
        self.app.push_screen(others.HelpScreen(self.commands))
