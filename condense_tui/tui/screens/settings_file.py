"""`SettingsFileScreen`: asks for a file and writes the settings there, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from condense_tui.pruning.settings import SETTINGS_KEY
from condense_tui.session.entries import Refusal
from condense_tui.session.jsontext import json_text
from condense_tui.store_sessions import typed_path
from condense_tui.store_writing import settings_holder, write_settings
from condense_tui.tui.screens.confirm import ConfirmScreen
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.lines import line
from condense_tui.view.printable import one_line


class SettingsFileScreen(ModalScreen[str | None]):
    """Answers with a sentence on what was written, or None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close", key_display="Esc")]
    DEFAULT_CSS = """
    SettingsFileScreen {
        align: center middle;
        & > Vertical {
            width: 76; max-width: 95%; height: 80%; max-height: 24;
            padding: 0 1;
        }
        & Input { margin-bottom: 1; }
        & #note { height: auto; max-height: 3; }
        & LineList { height: 1fr; }
    }
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__()
        self._given = given
        self._is_writing = False

    def compose(self) -> ComposeResult:
        """A field, and below it what is going to be written."""
        with Vertical() as frame:
            frame.border_title = "Write the settings"
            yield Static("to the file (nothing else is written)", classes="label")
            yield PrintableInput(
                placeholder="a JSON file, new or with other settings in it", compact=True
            )
            yield Static(id="note", markup=False)
            yield LineList()
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show the text; begin in the field."""
        text = json_text({SETTINGS_KEY: dict(self._given)}, indent=2)
        self.query_one(LineList).show_rows([line(row) for row in text.split("\n")])
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        """What was said of another name does not hold for this one."""
        self._say("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look at the file, ask if need be, write."""
        event.stop()
        typed = event.value.strip()
        if typed and not self._is_writing:
            self._write(typed_path(typed, Path.cwd()))

    @work(exclusive=True)
    async def _write(self, path: Path) -> None:
        holder = await asyncio.to_thread(settings_holder, path)
        if isinstance(holder, Refusal):
            self._say(f"{path}: {holder.reason}; it stays as it is")
            return
        if holder is not None and not await self._is_wanted(path, holder):
            return
        self._is_writing = True
        failed = await asyncio.to_thread(write_settings, path, self._given)
        self._is_writing = False
        if failed:
            self._say(failed.reason)
        else:
            self.dismiss(f"settings written to {path}")

    async def _is_wanted(self, path: Path, holder: Mapping[str, Any]) -> bool:
        question = f"{path} exists. Put these settings into it?"
        return await self.app.push_screen_wait(
            ConfirmScreen(question, _effects(holder), "write them into it", "leave it as it is")
        )

    def _say(self, note: str) -> None:
        self.query_one("#note", Static).update(Content(one_line(note)))

    def action_close(self) -> None:
        """Nothing is written; what is being written is waited for."""
        if not self._is_writing:
            self.dismiss(None)


def _effects(holder: Mapping[str, Any]) -> list[str]:
    """What becomes of the file that is there."""
    others = len(holder) - (SETTINGS_KEY in holder)
    rows = (
        [f"Its {SETTINGS_KEY} is replaced by the settings shown."] if SETTINGS_KEY in holder else []
    )
    return [*rows, f"Other keys of it that are kept: {others}."] if others else rows
