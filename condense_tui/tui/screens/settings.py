"""`SettingsScreen`: the settings in force, where they come from, and what others would do.

A change is posted at once; the picture that results from it is shown as soon as it is there.
Nothing is written but through `SettingsFileScreen`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from condense_tui.inspection.settingsdraft import MISSING, SettingsDraft, default_at
from condense_tui.pruning.settings import SETTINGS_KEY, CondenseSettings
from condense_tui.session.jsontext import as_number
from condense_tui.store import LoadedSettings
from condense_tui.tui.picture import Picture
from condense_tui.tui.screens.settings_file import SettingsFileScreen
from condense_tui.tui.widgets.key_footer import KeyFooter
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.tui.widgets.printable_input import PrintableInput
from condense_tui.view.figures import figure_texts
from condense_tui.view.fitting import flowed
from condense_tui.view.lines import Line, text_of
from condense_tui.view.printable import one_line, printable
from condense_tui.view.settingrows import (
    editable_text,
    heading_row,
    next_choice,
    origin_line,
    setting_row,
    trap_text,
    typed_value,
)
from condense_tui.view.settingtable import Kind, Setting, settings_of

_LOW_ROWS = 30
_FIGURE_ROWS, _LOW_FIGURE_ROWS = 3, 2
_PADDING = 2
_FIXED = "changes nothing here: write it into the file"
_COMPUTING = "computing…"
_LIST_ACTIONS = ("change", "step", "to_default", "as_found", "write")


class SettingsScreen(ModalScreen[None]):
    """Shows one picture; `Changed` asks for another, which `show_picture` takes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,s,q", "close", "Close", key_display="Esc"),
        Binding("space", "change", "Change", key_display="⏎"),
        Binding("plus,right", "step(1)", "More", key_display="+"),
        Binding("minus,left", "step(-1)", "Less", key_display="-"),
        Binding("d", "to_default", "Default"),
        Binding("r", "as_found", "As found"),
        Binding("w", "write", "Write to a file"),
    ]
    DEFAULT_CSS = """
    SettingsScreen {
        align: center middle;
        & > Vertical { width: 96%; height: 94%; }
        & .looks { height: auto; max-height: 2; padding: 0 1; }
        & #figures { height: auto; padding: 0 1; }
        & #heading { height: 1; margin-top: 1; }
        & LineList { height: 1fr; min-height: 4; }
        & #about, & #origin { height: auto; max-height: 3; padding: 0 1; }
        & #trap { height: auto; max-height: 4; padding: 0 1; }
        & Input { padding: 0 1; display: none; }
        &.-editing Input { display: block; }
        &.-low #heading { margin-top: 0; }
    }
    """

    class Changed(Message):
        """The person wants to see what these settings would make of the session."""

        def __init__(self, settings: CondenseSettings) -> None:
            super().__init__()
            self.settings = settings

    def __init__(self, picture: Picture, found: LoadedSettings, preview: str = "") -> None:
        """`preview` are the words of a preview that lies below, empty where none does."""
        super().__init__()
        self._preview = preview
        self._before = picture
        self._picture = picture
        self._source = found.source
        self._trouble = found.trouble
        self._draft = SettingsDraft(found.value, picture.inspection.settings)

    def compose(self) -> ComposeResult:
        """What it was and is, the settings, what the one under the cursor does."""
        with Vertical() as frame:
            frame.border_title = f"Settings ({SETTINGS_KEY})"
            frame.border_subtitle = Content(one_line(self._found_words()))
            yield Static(id="before", classes="looks", markup=False)
            yield Static(id="now", classes="looks", markup=False)
            yield Static(id="preview", classes="looks", markup=False)
            yield Static(id="figures", markup=False)
            yield Static(id="heading", markup=False)
            yield LineList(id="settings")
            yield Static(id="about", markup=False)
            yield Static(id="origin", markup=False)
            yield Static(id="trap", markup=False)
            yield PrintableInput(id="value", compact=True, select_on_focus=False)
        yield KeyFooter()

    def _found_words(self) -> str:
        if self._trouble:
            return f"{self._trouble}: the defaults"
        if self._source is None:
            return "no settings found: the defaults"
        if self._draft.found is None:
            return f"no {SETTINGS_KEY} in {self._source}: the defaults"
        return f"from {self._source}"

    def on_mount(self) -> None:
        """Begin in the list."""
        self.show_picture(self._picture)
        self._rows.focus()

    def on_resize(self) -> None:
        """The columns fit the width, once the list has its own; a low screen is for the list."""
        self.set_class(self.size.height < _LOW_ROWS, "-low")
        self.call_after_refresh(self._show_all)

    def _show_all(self) -> None:
        self._show_figures()
        self._show_settings()

    def show_picture(self, picture: Picture) -> None:
        """Show what the settings of this picture brought about."""
        self._picture = picture
        self._show_all()

    def show_preview(self, words: str) -> None:
        """Show what the preview below has come to."""
        self._preview = words
        self._update("preview", f"copy    {words}")

    def _show_figures(self) -> None:
        now, before = self._picture.inspection, self._before.inspection
        is_current = now.settings == self._draft.settings
        is_changed = self._draft.settings != before.settings
        self._update("before", f"before  {before.status_line}" if is_changed else "")
        self._update("now", f"now     {now.status_line if is_current else _COMPUTING}")
        self._update("preview", f"copy    {self._preview}" if self._preview else "")
        self._update("figures", self._figures_text() if is_current else "")

    def _figures_text(self) -> str:
        texts = figure_texts(self._picture.inspection, self._before.inspection)
        rows = _LOW_FIGURE_ROWS if self.has_class("-low") else _FIGURE_ROWS
        width = self._rows.size.width - _PADDING
        return "\n".join(flowed(texts, width, rows)) if width > 0 else ""

    def _show_settings(self) -> None:
        rows, settings = self._rows, self._settings
        self._update("heading", text_of(heading_row(rows.size.width)))
        rows.show_lines(len(settings), self._line, rows.cursor)
        self._explain()

    def _line(self, row: int) -> Line:
        source = self._source.name if self._source else ""
        return setting_row(self._settings[row], self._draft, source, self._rows.size.width)

    def _explain(self) -> None:
        source = str(self._source) if self._source else ""
        self._update("about", self._setting.explanation)
        self._update("origin", origin_line(self._setting, self._draft, source))
        self._update("trap", trap_text(self._setting, self._draft))

    def _update(self, name: str, text: str) -> None:
        """A line with nothing to say takes no room."""
        widget = self.query_one(f"#{name}", Static)
        widget.update(Content(printable(text)))
        widget.display = bool(text)

    @property
    def _rows(self) -> LineList:
        return self.query_one("#settings", LineList)

    @property
    def _settings(self) -> tuple[Setting, ...]:
        return settings_of(self._draft)

    @property
    def _setting(self) -> Setting:
        return self._settings[self._rows.cursor]

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Explain the setting under the cursor."""
        event.stop()
        self._stop_editing()
        self._explain()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter changes."""
        event.stop()
        self.action_change()

    def on_key(self, event: events.Key) -> None:
        """A digit on a count begins to type another one."""
        is_digit = event.character is not None and event.character in "0123456789"
        if is_digit and self._rows.has_focus and self._setting.kind is Kind.COUNT:
            event.stop()
            self._edit(event.character or "")

    def action_change(self) -> None:
        """Turn a switch; begin to type anything else."""
        setting = self._setting
        match setting.kind:
            case Kind.SWITCH:
                value = self._draft.value(setting.path)
                self._set(setting, value is MISSING or not value)
            case Kind.CHOICE:
                self.action_step(1)
            case Kind.COUNT | Kind.TEXTS:
                self._edit(editable_text(setting, self._draft.value(setting.path)))
            case Kind.PART:
                self._say("choose one of the values below it")
            case Kind.FIXED:
                self._say(_FIXED)

    def action_step(self, step: int) -> None:
        """More or less of it; a switch on or off, a choice to the next one."""
        setting = self._setting
        value = self._draft.value(setting.path)
        match setting.kind:
            case Kind.SWITCH:
                self._set(setting, step > 0)
            case Kind.CHOICE:
                self._set(setting, next_choice(setting, value, step))
            case Kind.COUNT:
                number = int(as_number(value) or 0)
                self._set(setting, max(number + step * setting.step, setting.least))
            case Kind.FIXED:
                self._say(_FIXED)

    def _say(self, words: str) -> None:
        """Below the help of this setting, until another is looked at."""
        self._update("trap", words)

    def action_to_default(self) -> None:
        """The extension's default for this setting, or for a whole part."""
        value = default_at(self._setting.path)
        if value is not MISSING:
            self._set(self._setting, value)

    def action_as_found(self) -> None:
        """As it was before anything was changed here."""
        self._set(self._setting, self._draft.value_found(self._setting.path))

    def _set(self, setting: Setting, value: Any) -> None:
        if value == self._draft.value(setting.path):
            return
        self._draft = self._draft.with_value(setting.path, value)
        self._preview = self._preview and _COMPUTING
        self._show_all()
        self.post_message(self.Changed(self._draft.settings))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While one types, the keys of the list mean nothing."""
        return not (action in _LIST_ACTIONS and self.has_class("-editing"))

    def _edit(self, text: str) -> None:
        field = self.query_one(Input)
        field.placeholder = f"{self._setting.path[-1]}: Enter takes it, Esc leaves it"
        field.value = text
        self.add_class("-editing")
        field.focus()
        field.cursor_position = len(text)
        self.refresh_bindings()

    def _stop_editing(self) -> None:
        if self.has_class("-editing"):
            self.remove_class("-editing")
            self._rows.focus()
            self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was typed, or say what it should be."""
        event.stop()
        try:
            value = typed_value(self._setting, event.value)
        except ValueError as reason:
            self.notify(f"not taken: {reason}", severity="warning", markup=False)
            return
        self._stop_editing()
        self._set(self._setting, value)

    def action_close(self) -> None:
        """Leave the field, then the screen; what was changed stays in force."""
        if self.has_class("-editing"):
            self._stop_editing()
        else:
            self.dismiss(None)

    def action_write(self) -> None:
        """Ask for a file and write there."""
        self.app.push_screen(SettingsFileScreen(self._draft.given), self._tell)

    def _tell(self, written: str | None) -> None:
        if written:
            self.notify(written, markup=False)
