"""`--summarizer`: consent to what it is going to be sent, and how far it is."""

from __future__ import annotations

import sys

from condense_tui.cli.opening import CommandError
from condense_tui.cli.output import complain
from condense_tui.condensing.amounts import cost_text
from condense_tui.condensing.condense import Condensed
from condense_tui.copies.summarisers import OFFLINE, ModelOptions, asking, model_for
from condense_tui.models.summariser import Model, ModelSummariser, Progress, Tell
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.view.condensing import sent_words
from condense_tui.view.copying import failed_count, failed_words, no_answer_words
from condense_tui.view.words import counted

_BAR_CELLS = 20
_NOTHING_WRITTEN = f"nothing was written; --summarizer {OFFLINE} needs no model"


def agreed_model(
    options: ModelOptions, is_agreed: bool, settings: CondenseSettings, expected: Condensed
) -> ModelSummariser:
    """A model, once it was agreed to what it is going to be sent; raises CommandError if not."""
    model = model_for(options, settings)
    questions = options.questions(expected.report)
    complain(sent_words(questions, model.address))
    if questions.count and not is_agreed:
        _ask_first()
    tell = _teller(model) if questions.count else tell_progress
    return asking(model, options, tell)


def _ask_first() -> None:
    """Raises CommandError where it is not wanted."""
    if not _is_person_there():
        raise CommandError("nothing was sent: --yes agrees")
    complain("go on? [y/N]")
    if not _says_yes():
        raise CommandError("nothing was sent")


def _is_person_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _says_yes() -> bool:
    try:
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _teller(model: Model) -> Tell:
    """A bar on a terminal; elsewhere a line that it begins, and one of the first failure."""
    is_quiet = _has_bar()
    if not is_quiet:
        complain(f"asking {model.name} at {model.address}")

    def tell(progress: Progress) -> None:
        nonlocal is_quiet
        if progress.reason and not is_quiet:
            is_quiet = True
            complain(f"a question failed: {progress.reason}")
        tell_progress(progress)

    return tell


def _has_bar() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def tell_progress(progress: Progress) -> None:
    """A bar on a terminal: questions, tokens and money so far."""
    if not _has_bar():
        return
    share = progress.done / progress.asked if progress.asked else 0
    bar = "█" * round(share * _BAR_CELLS)
    used = progress.usage
    amount = compact_count(used.input_tokens + used.output_tokens)
    failed = f" · {failed_count(progress.failed, progress.unsent)}" if progress.failed else ""
    end = "\n" if progress.done == progress.asked else ""
    sys.stderr.write(
        f"\r{bar:·<{_BAR_CELLS}} {progress.done - progress.unsent}/{progress.asked} · "
        f"{amount} tokens · {cost_text(used.cost)}{failed}\x1b[K{end}"
    )
    sys.stderr.flush()


def say_how_it_went(summariser: ModelSummariser, is_agreed: bool) -> None:
    """Where a model failed, or had answered before.

    Raises CommandError where it answered nothing, unless a person wants the copy all the same;
    who agreed beforehand has agreed to the model's summaries.
    """
    progress, model = summariser.progress, summariser.model
    if progress.kept:
        complain(f"{counted(progress.kept, 'answer')} kept from before: not asked again")
    failed, unsent = progress.failed, progress.unsent
    if progress.is_unanswered:
        failure = no_answer_words(model.name, model.address, progress.reason, failed, unsent)
        _offer_extracts(failure, is_agreed)
    elif failed:
        complain(failed_words(failed, progress.reason, unsent))


def _offer_extracts(failure: str, is_agreed: bool) -> None:
    if is_agreed or not _is_person_there():
        raise CommandError(f"{failure}; {_NOTHING_WRITTEN}")
    complain(failure)
    complain("write the copy with extracts instead? [y/N]")
    if not _says_yes():
        raise CommandError(_NOTHING_WRITTEN)
