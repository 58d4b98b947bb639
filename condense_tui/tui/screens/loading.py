"""`LoadingScreen`: a file is read in a thread; its end is shown at once, and a key gives it up."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import ProgressBar, Static

from condense_tui.session.compact import Value
from condense_tui.store import Progress
from condense_tui.tui.abandoned import in_abandoned_thread
from condense_tui.tui.collections_off import MANY_BYTES, without_collections
from condense_tui.tui.glimpse import Glimpse
from condense_tui.tui.marks import Mark, NodeMark
from condense_tui.tui.widgets.fold_tree import FoldTree
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_bar import LineBar
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.tree_pane import TreePane
from condense_tui.tui.width import mark_narrow
from condense_tui.view.contextrows import message_row
from condense_tui.view.preorder import Preorder
from condense_tui.view.printable import one_line
from condense_tui.view.sessionrows import byte_words, head_words, tail_line
from condense_tui.view.words import counted

_Result = TypeVar("_Result")
_SECONDS_BETWEEN_REPORTS = 0.05
# What is read sooner than this shows no box that would only flash.
_SECONDS_WITHOUT_ROWS = 0.7
# In all of it the first rows are drawn.
_SECONDS_TO_DRAW = 0.5
# Such a file is read before what its ends say could be shown.
_FEW_BYTES = 8 * 1024 * 1024


class Loaded(Value, Generic[_Result], frozen=True):
    """What the work returned, and what the person had selected in what was shown meanwhile."""

    result: _Result
    mark: Mark | None = None


class LoadingScreen(ModalScreen[Loaded[_Result] | None], Generic[_Result]):
    """Answers with what the work returned, or with None where the person gave it up.

    The work is called in a thread with a `Progress` to hand on to the store; once given up it
    is told so at its next report, and whatever it still returns is dropped.  `look_ahead` is
    called at its first report, unless there is little to read: what there is to show meanwhile.
    Where that has no rows, a box shows the rest.

    Nothing is composed before it is to be seen: most sessions are read by then.
    """

    # What is not there takes no keys.
    AUTO_FOCUS: ClassVar[str | None] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Cancel", key_display="Esc"),
        Binding("tab", "next_pane", "Next pane", key_display="Tab"),
        Binding("q", "app.quit", "Quit"),
    ]
    DEFAULT_CSS = """
    LoadingScreen {
        align: center middle;
        & > #box {
            width: 64; max-width: 95%; height: auto;
            padding: 1 2;
        }
        & #progress { height: auto; }
        & ProgressBar { width: 100%; margin-top: 1; }
        & ProgressBar Bar { width: 1fr; }
        & #ahead { margin-top: 1; }
        & > #headline, & > #panes { display: none; }
        &.-unseen { background: transparent; }
        &.-rows {
            & > #headline, & > #panes { display: block; }
            & > #box {
                width: 100%; max-width: 100%; height: 1; padding: 0 1;
            }
            & #name, & #ahead { display: none; }
            & #progress { layout: horizontal; }
            & #state { width: auto; margin-right: 2; }
            & ProgressBar { width: 1fr; margin-top: 0; }
        }
    }
    """

    class Progressed(Message):
        """So many bytes of so many were read."""

        def __init__(self, read: int, size: int) -> None:
            super().__init__()
            self.read = read
            self.size = size

    class Glimpsed(Message):
        """What the ends of the file say, long before the whole is read."""

        def __init__(self, glimpse: Glimpse) -> None:
            super().__init__()
            self.glimpse = glimpse

    class Finished(Message):
        """The work returned."""

        def __init__(self, result: Any) -> None:
            super().__init__()
            self.result = result

    def __init__(
        self,
        path: Path,
        work: Callable[[Progress], _Result],
        look_ahead: Callable[[], Glimpse],
    ) -> None:
        super().__init__(classes="-unseen")
        self._path = path
        self._work = work
        self._look_ahead = look_ahead
        self._is_in_sight = False
        self._unseen = ExitStack()
        self._is_drawn = Event()
        self._progressed: LoadingScreen.Progressed | None = None
        self._glimpse: Glimpse | None = None
        self._mark: Mark | None = None
        self._finished: LoadingScreen.Finished | None = None

    def compose(self) -> ComposeResult:
        """The places of the session screen, and the box; one of them is shown, if any."""
        if not self._is_in_sight:
            return
        yield LineBar(id="headline")
        with Horizontal(id="panes"):
            yield TreePane(id="tree-pane", classes="pane")
            with Vertical(id="context-pane", classes="pane"):
                yield LineList(id="context")
        with Vertical(id="box") as frame:
            frame.border_title = "Opening"
            yield Static(Content(one_line(str(self._path))), id="name")
            with Container(id="progress"):
                yield Static("reading", id="state", markup=False)
                yield ProgressBar(show_eta=False)
            yield Static(id="ahead", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin; until there is something to see, nothing is drawn either."""
        self._unseen.enter_context(self.app.batch_update())
        self.set_timer(_SECONDS_WITHOUT_ROWS, self._come_in_sight)
        self.run_worker(self._load(), exclusive=True)

    def on_unmount(self) -> None:
        """Others are seen."""
        self._unseen.close()

    def on_resize(self) -> None:
        """A narrow terminal shows one pane."""
        mark_narrow(self)

    # ── what is shown meanwhile ──

    async def on_loading_screen_glimpsed(self, event: Glimpsed) -> None:
        """Rows are shown at once; words about the session have time."""
        self._glimpse = event.glimpse
        if event.glimpse.messages or self._is_in_sight:
            await self._come_in_sight()

    async def _come_in_sight(self) -> None:
        """With the rows if they are known, and again when they are."""
        if not self._is_in_sight:
            self._is_in_sight = True
            await self.recompose()
            self._show_progress()
            self.remove_class("-unseen")
        if self._glimpse and not self.has_class("-rows"):
            self._show_glimpse(self._glimpse)
        self._unseen.close()
        self.call_after_refresh(self._is_drawn.set)

    def _show_glimpse(self, glimpse: Glimpse) -> None:
        self.query_one("#ahead", Static).update(Content(head_words(glimpse.head)))
        if glimpse.messages:
            self.add_class("-rows")
            self.query_one(LineBar).show(tail_line(glimpse.head, glimpse.entries))
            self._show_tree(glimpse)
            self._show_messages(glimpse)
            self._go_to_pane(is_context=not glimpse.nodes)
            self.refresh_bindings()

    def _show_tree(self, glimpse: Glimpse) -> None:
        pane = self.query_one(TreePane)
        pane.border_subtitle = "so far" if glimpse.nodes else "none so far"
        pane.show_nodes(Preorder(glimpse.nodes))
        if glimpse.nodes:
            with self.prevent(LineList.Highlighted):
                self.query_one(FoldTree).reveal(glimpse.nodes[-1].key)

    def _show_messages(self, glimpse: Glimpse) -> None:
        messages = glimpse.messages
        pane = self.query_one("#context-pane")
        pane.border_title = "Context: raw"
        pane.border_subtitle = f"the last {counted(len(messages), 'message')}"
        self._messages.show_lines(
            len(messages), lambda row: message_row(messages[row]), len(messages) - 1
        )

    @property
    def _messages(self) -> LineList:
        return self.query_one("#context", LineList)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Where the person goes, the session opens."""
        if not event.line_list.has_focus or self._glimpse is None:
            return
        if event.line_list is self._messages:
            self._mark = self._glimpse.mark_of(event.row)
        elif node := self.query_one(FoldTree).node:
            self._mark = NodeMark(node.key)

    def on_line_list_selected(self) -> None:
        """There is nothing to open yet."""
        self.notify("opens once everything is read", markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A box has one pane."""
        return action != "next_pane" or self.has_class("-rows")

    def action_next_pane(self) -> None:
        """The other list."""
        self._go_to_pane(is_context=not self._messages.has_focus)

    def _go_to_pane(self, is_context: bool) -> None:
        """In a narrow terminal it takes the place of the other one."""
        self.set_class(is_context, "-on-context")
        rows = self._messages if is_context else self.query_one(FoldTree)
        self.call_after_refresh(rows.focus)

    # ── the work ──

    async def _load(self) -> None:
        """The work, then one message; once this is cancelled the work is told so."""
        given_up = Event()
        try:
            result = await in_abandoned_thread(partial(self._run, given_up))
        finally:
            given_up.set()
        self.post_message(self.Finished(result))

    def _run(self, given_up: Event) -> _Result:
        """In a thread: the work."""
        surroundings = ExitStack()
        reported = 0.0

        def progress(read: int, size: int) -> bool:
            nonlocal reported
            is_first, now = not reported, time.monotonic()
            if now - reported > _SECONDS_BETWEEN_REPORTS or read == size:
                self.post_message(self.Progressed(read, size))
                reported = now
            if is_first:
                # Here and in no thread of its own, because what follows the reading lets none run.
                if size > _FEW_BYTES:
                    self._show_ahead(self._look_ahead())
                if size >= MANY_BYTES:
                    surroundings.enter_context(without_collections(is_other=True))
            return not given_up.is_set()

        with surroundings:
            return self._work(progress)

    def _show_ahead(self, glimpse: Glimpse) -> None:
        """In the thread, which leaves the processor to whoever draws it."""
        self.post_message(self.Glimpsed(glimpse))
        if glimpse.messages:
            self._is_drawn.wait(_SECONDS_TO_DRAW)

    def on_loading_screen_progressed(self, event: Progressed) -> None:
        """Show it where there is something to show it in."""
        self._progressed = event
        if self._is_in_sight:
            self._show_progress()

    def _show_progress(self) -> None:
        """What is read is not yet worked out, which has no end to measure."""
        if self._progressed is None:
            return
        read, size = self._progressed.read, self._progressed.size
        words = byte_words(size)
        said = f"{words} read, working it out" if read >= size else f"{byte_words(read)} of {words}"
        self.query_one("#state", Static).update(Content(said))
        self.query_one(ProgressBar).update(total=size, progress=read)

    def on_loading_screen_finished(self, event: Finished) -> None:
        """Hand the result on, at once or when nothing lies above this screen any more."""
        self._finished = event
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """Whatever lay above is gone."""
        if self._finished and self.is_active:
            self.dismiss(Loaded(self._finished.result, self._mark))

    def action_give_up(self) -> None:
        """Leave the work alone."""
        self.workers.cancel_node(self)
        self.dismiss(None)
