"""`SummariserForm`: who makes the summaries of a copy, and what that costs."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from condense_tui.condensing.outcomes import Questions, Report
from condense_tui.copies.summarisers import (
    MISSING,
    MODEL_PREFIX,
    MOST_JOBS,
    OFFLINE,
    USUAL_JOBS,
    ModelOptions,
    is_extra_there,
)
from condense_tui.session.entries import Refusal
from condense_tui.tui.widgets.form_field import FormChoice, FormField
from condense_tui.tui.widgets.line_list import LineList
from condense_tui.view.copying import OFFLINE_COST, Who, cost_words
from condense_tui.view.lines import line

_FIELDS = {
    "name": ("model", "its name there"),
    "address": ("endpoint", "a URL; else $OPENAI_BASE_URL, else OpenAI's own"),
    "price": ("price", "dollars for a million tokens read/written, as 0.15/0.60"),
    "jobs": ("at once", f"how many questions, 1 to {MOST_JOBS}; else {USUAL_JOBS}"),
}
*_, _LAST_FIELD = _FIELDS


class SummariserForm(Vertical):
    """Offers what suits an offline run's report; a model has a name and an endpoint."""

    DEFAULT_CSS = """
    SummariserForm {
        height: auto; margin-top: 1;
        & #model, & #cost { height: auto; }
        & #cost { margin-top: 1; }
        & #model { display: none; }
        &.-model #model { display: block; }
        & Horizontal { height: 1; }
        & .name { width: 12; padding-left: 2; }
    }
    """

    class Changed(Message):
        """Something else was chosen or typed."""

    class Submitted(Message):
        """Enter was pressed where nothing more is to be said."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report
        has_fusions = report.fusions.count > 0
        self._choices: tuple[Who, ...] = (
            Who.EXTRACT,
            Who.MODEL,
            *((Who.FUSING,) if has_fusions else ()),
        )

    def compose(self) -> ComposeResult:
        """Who, which model, at what cost."""
        yield FormChoice(id="who")
        with Vertical(id="model"):
            for name, (label, placeholder) in _FIELDS.items():
                with Horizontal():
                    yield Static(label, classes="label name")
                    yield FormField(placeholder=placeholder, id=name, compact=True)
        yield Static(id="cost", classes="label", markup=False)

    def on_mount(self) -> None:
        """Offline, unless something else is chosen."""
        rows = self.query_one(LineList)
        rows.styles.height = len(self._choices)
        rows.show_rows([line(choice.value) for choice in self._choices])
        self._show_cost()

    @property
    def options(self) -> ModelOptions:
        """What is chosen and typed; it may have a refusal."""
        who = self._who
        if not who.is_model:
            return ModelOptions(OFFLINE)
        return ModelOptions(
            f"{MODEL_PREFIX}{self._typed('name')}",
            self._typed("address") or None,
            self._typed("price") or None,
            _count(self._typed("jobs")),
            fuses=who is Who.FUSING,
        )

    @property
    def refusal(self) -> Refusal | None:
        """What is lacking, in the words of the form."""
        if self._who.is_model and not self._typed("name"):
            return Refusal("no model is named")
        return self.options.refusal

    @property
    def questions(self) -> Questions:
        """What is going to be asked."""
        return self.options.questions(self._report)

    @property
    def cost(self) -> str:
        """What that costs, as far as it is known."""
        options = self.options
        if options.is_offline:
            return OFFLINE_COST
        return cost_words(self.questions, options.read_price) if is_extra_there() else MISSING

    @property
    def _who(self) -> Who:
        return self._choices[self.query_one(LineList).cursor]

    def _typed(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _show_cost(self) -> None:
        self.query_one("#cost", Static).update(Content(self.cost))

    def _change(self) -> None:
        self._show_cost()
        self.post_message(self.Changed())

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Only a model is asked for more."""
        event.stop()
        self.set_class(self._who.is_model, "-model")
        self._change()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another price is another cost."""
        event.stop()
        self._change()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Next comes the model's name, or there is nothing more to be said."""
        event.stop()
        if self._who.is_model:
            self.query_one("#name", Input).focus()
        else:
            self.post_message(self.Submitted())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Next comes the field below; behind the last one that is all."""
        event.stop()
        if event.input.id == _LAST_FIELD:
            self.post_message(self.Submitted())
        else:
            self.screen.focus_next()


def _count(typed: str) -> int:
    """0 where it is no number."""
    if not typed:
        return USUAL_JOBS
    return int(typed) if typed.isdecimal() else 0
