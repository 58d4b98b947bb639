"""`--summarizer`: consent to what it is going to be sent, and how far it is."""

from __future__ import annotations

import sys

from condense_tui.cli.opening import CommandError
from condense_tui.cli.output import complain
from condense_tui.condensing.amounts import cost_text
from condense_tui.condensing.condense import Condensed
from condense_tui.condensing.summariser import Summariser
from condense_tui.copies.summarisers import ModelOptions, asking, model_for
from condense_tui.models.summariser import ModelSummariser, Progress
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.view.condensing import sent_words
from condense_tui.view.words import counted

_BAR_CELLS = 20


def agreed_model(
    options: ModelOptions, is_agreed: bool, settings: CondenseSettings, expected: Condensed
) -> ModelSummariser:
    """A model, once it was agreed to what it is going to be sent; raises CommandError if not."""
    model = model_for(options, settings)
    questions = options.questions(expected.report)
    complain(sent_words(questions, model.address))
    if questions.count and not is_agreed:
        _ask_first()
    return asking(model, options, tell_progress)


def _ask_first() -> None:
    """Raises CommandError where it is not wanted."""
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
