"""`--summarizer`: which one answers, what it is going to be sent, and how far it is."""

from __future__ import annotations

import importlib.util
import math
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense_tui.cli.opening import CommandError
from condense_tui.cli.output import complain
from condense_tui.condensing.amounts import cost_text
from condense_tui.condensing.condense import Condensed
from condense_tui.condensing.extract import Extract
from condense_tui.condensing.summariser import Summariser
from condense_tui.models.summariser import ModelSummariser, Progress
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.store_answers import KeptAnswers, answers_folder
from condense_tui.view.words import counted

if TYPE_CHECKING:
    from condense_tui.models.client import OpenAIModel

OFFLINE = "extract"
_PREFIX = "openai:"
_MISSING = "a model needs an extra: pip install 'condense-tui[openai]'"
_UNKNOWN = f"--summarizer is {OFFLINE} or {_PREFIX}MODEL"
_PRICE_FORM = "--price is IN/OUT: dollars for a million tokens read and written, as 0.15/0.60"
_BAR_CELLS = 20
_MS = 1000


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the command line says about a summariser."""

    name: str = OFFLINE
    base_url: str | None = None
    price: str | None = None
    jobs: int = 4
    fuses: bool = False
    is_agreed: bool = False

    @property
    def is_offline(self) -> bool:
        """Whether nothing is sent anywhere."""
        return self.name == OFFLINE

    def refuse_unknown(self, is_asked: bool) -> None:
        """Raises CommandError for a summariser that there is not, or not here if it is asked."""
        if self.is_offline:
            return
        if not self.name.removeprefix(_PREFIX) or not self.name.startswith(_PREFIX):
            raise CommandError(_UNKNOWN)
        self.price_numbers()
        if is_asked and importlib.util.find_spec("openai") is None:
            raise CommandError(_MISSING)

    def price_numbers(self) -> tuple[float, float]:
        """Of a million tokens read and written, in dollars; raises CommandError."""
        try:
            read, written = (float(price) for price in (self.price or "0/0").split("/"))
        except ValueError:
            raise CommandError(_PRICE_FORM) from None
        if not all(math.isfinite(price) and price >= 0 for price in (read, written)):
            raise CommandError(_PRICE_FORM)
        return read, written


def summariser_for(
    options: ModelOptions, settings: CondenseSettings, expected: Condensed
) -> Summariser:
    """The summariser, once it was agreed to what it is going to be sent."""
    if options.is_offline:
        return Extract()
    model = _model(options, settings)
    _ask_first(options, expected, model.address)
    answers = KeptAnswers(answers_folder(), model.address, options.name)
    return ModelSummariser(model, answers, tell_progress, jobs=options.jobs, fuses=options.fuses)


def _model(options: ModelOptions, settings: CondenseSettings) -> OpenAIModel:
    from condense_tui.models.client import Endpoint, OpenAIModel, Prices

    return OpenAIModel(
        Endpoint(
            model=options.name.removeprefix(_PREFIX),
            base_url=options.base_url or os.environ.get("OPENAI_BASE_URL") or None,
            api_key=os.environ.get("OPENAI_API_KEY") or None,
            idle_s=settings.merged["summarizerIdleTimeoutMs"] / _MS,
            total_s=settings.merged["summarizerMaxTimeoutMs"] / _MS,
            prices=Prices(*options.price_numbers()),
        )
    )


def _ask_first(options: ModelOptions, expected: Condensed, address: str) -> None:
    """Say what is sent, and how much; raises CommandError where that is not wanted."""
    report = expected.report
    questions, fusions = report.questions, report.fusions
    count = questions.count + (fusions.count if options.fuses else 0)
    chars = questions.chars + (fusions.chars if options.fuses else 0)
    complain(
        f"{counted(count, 'question')} with arguments and outputs of this session, about "
        f"{compact_count(tokens(chars))} tokens, will be sent to {address}"
    )
    if options.is_agreed or not count:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise CommandError("nothing was sent: --yes agrees")
    complain("go on? [y/N]")
    if not _says_yes():
        raise CommandError("nothing was sent")


def _says_yes() -> bool:
    try:
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        return False


def tell_progress(progress: Progress) -> None:
    """A bar on a terminal: questions, tokens and money so far."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    share = progress.done / progress.asked if progress.asked else 0
    bar = "█" * round(share * _BAR_CELLS)
    used = progress.usage
    amount = compact_count(used.input_tokens + used.output_tokens)
    end = "\n" if progress.done == progress.asked else ""
    sys.stderr.write(
        f"\r{bar:·<{_BAR_CELLS}} {progress.done}/{progress.asked} · "
        f"{amount} tokens · {cost_text(used.cost)}\x1b[K{end}"
    )
    sys.stderr.flush()


def say_how_it_went(summariser: Summariser) -> None:
    """Where a model failed, or had answered before."""
    if not isinstance(summariser, ModelSummariser):
        return
    progress = summariser.progress
    if progress.kept:
        complain(f"{counted(progress.kept, 'answer')} kept from before: not asked again")
    if progress.failed:
        why = f": {progress.reason}" if progress.reason else ""
        complain(f"{counted(progress.failed, 'question')} failed, answered offline instead{why}")
