"""`ExportScreen`: what to write and where to, with every file that would be written or replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from condense_tui.inspection.export import Export
from condense_tui.inspection.links import Target
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.store_sessions import typed_path
from condense_tui.store_writing import existing_files, folder_refusal, write_files
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.detail import DocumentMaker
from condense_tui.view.exports import (
    ExportChoice,
    default_folder,
    export_choices,
    export_sentence,
    file_row,
)
from condense_tui.view.lines import Line, line
from condense_tui.view.printable import one_line
from condense_tui.view.words import counted, masked_words


class _Planned(Value, frozen=True):
    """What would be written, where, and which of it is there already or why none can be."""

    folder: Path
    export: Export
    existing: tuple[str, ...]
    refusal: Refusal | None
    is_masked: bool

    @property
    def tally(self) -> str:
        """How many files, and what becomes of them."""
        count = counted(len(self.export.files), "file")
        if self.refusal:
            return one_line(f"{count}; {self.refusal.reason}")
        existing = len(self.existing)
        fate = f"{existing} of them there already" if existing else "all of them new"
        masked = f"; {masked_words(self.export.masked)}" if self.is_masked else ""
        return f"{count}, {fate}{masked}"


def _looked_at(folder: Path, export: Export, is_masked: bool) -> _Planned:
    """In a thread: what the folder says to it."""
    existing = existing_files(folder, export.files)
    return _Planned(folder, export, existing, folder_refusal(folder), is_masked)


class ExportScreen(ModalScreen[str | None]):
    """Answers with a sentence on what was written, or None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "mask", "Mask credentials", key_display="^T"),
        Binding("escape", "close", "Close", key_display="Esc"),
    ]
    DEFAULT_CSS = """
    ExportScreen {
        align: center middle;
        & > Vertical {
            width: 90; max-width: 96%; height: 90%; max-height: 34;
            padding: 0 1;
        }
        & #where-label { margin-top: 1; }
        & Input { margin-bottom: 1; }
        & #files { height: 1fr; }
        & #note { height: auto; max-height: 3; }
    }
    """

    def __init__(self, documents: DocumentMaker, targets: Sequence[Target]) -> None:
        """`targets` are one thing of any kind, or calls, or nothing."""
        super().__init__()
        self._exact = export_choices(documents, targets)
        self._masked = export_choices(documents, targets, is_masked=True)
        self._is_masked = False
        self._session = Path(documents.inspection.path)
        self._folder = default_folder(documents)
        self._plan: tuple[ExportChoice, asyncio.Future[Export]] | None = None
        self._is_writing = False

    def compose(self) -> ComposeResult:
        """What, where, and the files that this makes."""
        with Vertical() as frame:
            frame.border_title = "Export"
            yield Static("what", classes="label")
            yield LineList(id="what")
            yield Static("into the folder (Enter writes)", classes="label", id="where-label")
            yield PrintableInput(self._folder, id="where", compact=True)
            yield Static(id="tally", classes="label", markup=False)
            yield LineList(id="files")
            yield Static(id="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin with the question what."""
        what = self.query_one("#what", LineList)
        what.styles.height = len(self._choices)
        what.show_rows([line(choice.title) for choice in self._choices])
        what.focus()
        self._look()

    @work(exclusive=True, group="plan")
    async def _look(self) -> None:
        """Work out, in a thread, what would be written; only the last question counts."""
        self._say("")
        self._show(await self._planned())

    async def _planned(self) -> _Planned:
        """What is chosen now, into the folder that is named now."""
        folder, is_masked = self._path, self._is_masked
        export = await asyncio.shield(self._plan_of(self._choice))
        return await asyncio.to_thread(_looked_at, folder, export, is_masked)

    def _plan_of(self, choice: ExportChoice) -> asyncio.Future[Export]:
        """Worked out once for a choice, however many folders are typed meanwhile."""
        if self._plan is None or self._plan[0] is not choice:
            self._plan = (choice, asyncio.ensure_future(asyncio.to_thread(choice.plan)))
        return self._plan[1]

    def _show(self, planned: _Planned) -> None:
        files, existing = list(planned.export.files.items()), frozenset(planned.existing)

        def file_line(row: int) -> Line:
            name, raw = files[row]
            is_there = None if planned.refusal else name in existing
            return file_row(name, len(raw), is_there)

        self.query_one("#files", LineList).show_lines(len(files), file_line)
        self.query_one("#tally", Static).update(Content(planned.tally))

    @property
    def _choices(self) -> tuple[ExportChoice, ...]:
        return self._masked if self._is_masked else self._exact

    @property
    def _choice(self) -> ExportChoice:
        return self._choices[self.query_one("#what", LineList).cursor]

    @property
    def _path(self) -> Path:
        return typed_path(self.query_one(Input).value.strip(), Path())

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Another thing to write is another list of files."""
        event.stop()
        if event.line_list.id == "what":
            self._look()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """What is chosen; next comes where to."""
        event.stop()
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        """Another folder has other files in it."""
        self._look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write, or ask first where something would be replaced."""
        event.stop()
        if self._is_writing:
            return
        if event.value.strip():
            self._write()
        else:
            self._say("no folder is named")

    @work(exclusive=True, group="write")
    async def _write(self) -> None:
        planned = await self._planned()
        self._show(planned)
        existing = planned.existing
        if existing and not await self._is_wanted(planned):
            return
        files = planned.export.files
        self._is_writing = True
        failed = await asyncio.to_thread(
            write_files, planned.folder, files, bool(existing), self._session
        )
        if failed:
            self._is_writing = False
            self._say(failed.reason)
        else:
            # It stays "writing": keys that are still on their way find nothing to do.
            self.dismiss(export_sentence(planned.export, planned.folder))

    async def _is_wanted(self, planned: _Planned) -> bool:
        count = counted(len(planned.existing), "file")
        return await self.app.push_screen_wait(
            ConfirmScreen(
                f"Replace {count} in {planned.folder}?",
                planned.existing,
                "replace",
                "leave everything as it is",
            )
        )

    def action_mask(self) -> None:
        """Mask common shapes of credentials in files and manifest, or leave everything exact."""
        if not self._is_writing:
            self._is_masked = not self._is_masked
            self._look()

    def _say(self, note: str) -> None:
        self.query_one("#note", Static).update(Content(one_line(note)))

    def action_close(self) -> None:
        """Nothing is written; what is being written is waited for."""
        if not self._is_writing:
            self.dismiss(None)
