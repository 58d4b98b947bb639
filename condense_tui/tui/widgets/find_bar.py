"""`FindBar`: one line at the bottom: what to look for, how, and how much of it there is."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from condense_tui.inspection.patterns import BadPattern, SearchPattern, make_pattern
from condense_tui.tui.widgets.printable_input import PrintableInput

_OPTIONS = (
    ("c", "case", "Tell capital letters from small ones"),
    ("w", "word", "Find whole words only"),
    ("r", "regex", "Take it as a regular expression"),
)


def _option_binding(letter: str, name: str, explanation: str) -> Binding:
    """Of priority: a terminal sends the letter along, which the input would take."""
    return Binding(
        f"alt+{letter}",
        f"turn('{name}')",
        name.title(),
        tooltip=explanation,
        priority=True,
        key_display=f"Alt-{letter.upper()}",
    )


class _OptionMark(Static):
    """An option with a sign of whether it is on; a click turns it."""

    class Turned(Message):
        """The option was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, name: str) -> None:
        super().__init__(markup=False, id=name)
        self.show(False)

    def show(self, is_on: bool) -> None:
        """Show whether it is on."""
        self.update(Content(f"{'●' if is_on else '○'} {self.id}"))
        self.set_class(is_on, "-on")

    def on_click(self) -> None:
        """Ask to turn it."""
        self.post_message(self.Turned(str(self.id)))


class FindBar(Horizontal):
    """Says what is sought and where to step; whoever listens tells it the count."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", key_display="Esc"),
        Binding("down,ctrl+n,f3", "step(1)", "Next hit", key_display="↓ ↑"),
        Binding("up,shift+f3", "step(-1)", "Previous", show=False),
        *(_option_binding(*option) for option in _OPTIONS),
    ]
    DEFAULT_CSS = """
    FindBar {
        display: none;
        height: 1;
        padding: 0 1;
        & Input, & Input:focus { width: 1fr; height: 1; border: none; padding: 0; }
        & Static { width: auto; padding: 0 0 0 2; }
        & #sign { padding: 0 1 0 0; }
        & #count { min-width: 12; max-width: 50%; text-align: right; }
    }
    """

    class Sought(Message):
        """Another pattern is to be found; None is nothing."""

        def __init__(self, pattern: SearchPattern | None) -> None:
            super().__init__()
            self.pattern = pattern

    class Stepped(Message):
        """Go to the next hit, or to the previous one."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Closed(Message):
        """The person is done."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._options: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """The sign, the text, the options, the count."""
        yield Static("/", id="sign", markup=False)
        yield PrintableInput(placeholder="find in everything, pruned or not")
        for _, name, _ in _OPTIONS:
            yield _OptionMark(name)
        yield Static(id="count", markup=False)

    def open(self) -> None:
        """Show it; what was typed before is still there, to be typed over."""
        self.display = True
        field = self.query_one(Input)
        # At once: the next key is meant for it.
        self.screen.set_focus(field)
        if field.value:
            self.seek()

    def show_count(self, text: str, is_bad: bool = False) -> None:
        """Show how much was found, or why nothing can be."""
        count = self.query_one("#count", Static)
        count.update(Content(text))
        count.set_class(is_bad, "-bad")

    def seek(self) -> None:
        """Say what is sought now."""
        pattern = self._pattern()
        if isinstance(pattern, BadPattern):
            self.show_count(pattern.reason, is_bad=True)
            pattern = None
        else:
            self.show_count("")
        self.post_message(self.Sought(pattern))

    def _pattern(self) -> SearchPattern | BadPattern | None:
        text = self.query_one(Input).value
        if not text:
            return None
        return make_pattern(
            text,
            ignores_case="case" not in self._options,
            is_word="word" in self._options,
            is_regex="regex" in self._options,
        )

    @on(Input.Changed)
    def _text_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.seek()

    @on(Input.Submitted)
    def _text_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_step(1)

    @on(_OptionMark.Turned)
    def _option_turned(self, event: _OptionMark.Turned) -> None:
        event.stop()
        self.action_turn(event.name)

    def action_turn(self, name: str) -> None:
        """Turn an option and look again."""
        self._options ^= {name}
        self.query_one(f"#{name}", _OptionMark).show(name in self._options)
        self.seek()

    def action_step(self, step: int) -> None:
        """Go to another hit."""
        self.post_message(self.Stepped(step))

    def action_close(self) -> None:
        """Hide it."""
        self.display = False
        self.post_message(self.Closed())
