"""What condensing does to each call and each chain → one line for those that share a fate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from condense_tui.condensing.condense import Condensed
from condense_tui.condensing.outcomes import CallOutcome, CallReport, ChainReport
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count
from condense_tui.session.jsontext import utf16_length
from condense_tui.view.blocksizes import block_sizes
from condense_tui.view.lines import Line, Span, Tone, accent, dim, filling, line, shrinking, strong
from condense_tui.view.words import counted

TURNS_HEADING = line(strong("turns"), dim("   outputs -> summary, in chars"))
CHAINS_HEADING = line(strong("chains"), dim(" messages -> block, in chars"))
UNTRIED = (
    *(CallOutcome.PROTECTED, CallOutcome.UNSAFE),
    *(CallOutcome.UNSEEN, CallOutcome.BEYOND_TEXT),
)
"""What no batch takes up."""
_OUTCOME_TONES: Mapping[CallOutcome, Tone] = {
    CallOutcome.PROTECTED: Tone.GOOD,
    CallOutcome.UNSAFE: Tone.WARNING,
    CallOutcome.UNSEEN: Tone.DIM,
    CallOutcome.BEYOND_TEXT: Tone.WARNING,
    CallOutcome.DUPLICATE: Tone.ACCENT,
    CallOutcome.MISTAKEN: Tone.WARNING,
    CallOutcome.SPILLED: Tone.ACCENT,
    CallOutcome.TOO_SMALL: Tone.DIM,
    CallOutcome.SUMMARISED: Tone.PLAIN,
    CallOutcome.NOT_SHORTER: Tone.WARNING,
    CallOutcome.FAILED: Tone.BAD,
}
_REF_WORDS: Mapping[CallOutcome, str] = {
    CallOutcome.DUPLICATE: " of ",
    CallOutcome.MISTAKEN: ", that of ",
    CallOutcome.SUMMARISED: " as ",
}


def call_rows(found: Condensed) -> Iterator[tuple[Line, Sequence[CallReport]]]:
    """Turn by turn a line for the calls that share a fate, and these calls.

    The sizes are of the outputs and of the summary, which may be of several turns.
    """
    index = found.after.index
    for turn, calls in groupby(by_turn(found.report.calls), lambda call: call.turn_index):
        listed = list(calls)
        for outcome in CallOutcome:
            alike = [call for call in listed if call.outcome is outcome]
            if alike:
                yield _calls_line(str(turn), alike, index), alike


def by_turn(calls: Iterable[CallReport]) -> list[CallReport]:
    """In the order of the session; a spill is told before the summaries of its flush."""
    return sorted(calls, key=lambda call: call.turn_index)


def _calls_line(lead: str, alike: Sequence[CallReport], index: PruneIndex) -> Line:
    outcome = alike[0].outcome
    refs = ", ".join(dict.fromkeys(call.ref for call in alike if call.ref))
    return line(
        dim(f"{lead:>6}  "),
        _sizes_cell(_output_chars(alike), _summary_chars(alike[0], index)),
        Span(outcome.value, _OUTCOME_TONES[outcome]),
        _REF_WORDS.get(outcome, "") if refs else "",
        shrinking(refs, Tone.ACCENT),
        filling(f" · {_names(alike)}"),
    )


def folded_calls(sign: str, turns: Sequence[Sequence[CallReport]]) -> Line:
    """The calls of several turns in one line."""
    alike = [call for calls in turns for call in calls]
    outcome = alike[0].outcome
    return line(
        accent(f"{sign:>6}  "),
        _sizes_cell(_output_chars(alike), 0),
        Span(outcome.value, _OUTCOME_TONES[outcome]),
        f", {counted(len(turns), 'turn')}",
        filling(f" · {_names(alike)}"),
    )


def _output_chars(calls: Iterable[CallReport]) -> int:
    return sum(utf16_length(call.captured.result_text) for call in calls)


def _names(calls: Iterable[CallReport]) -> str:
    names = Counter(call.captured.call.name for call in calls)
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in names.items())


def _summary_chars(call: CallReport, index: PruneIndex) -> int:
    """0 where the call has no summary of its own."""
    if call.outcome is not CallOutcome.SUMMARISED:
        return 0
    return sum(map(utf16_length, index.summary_texts([call.captured.key])))


def _sizes_cell(before: int, after: int) -> str:
    """In characters; 0 is nothing to be told."""
    then = f" -> {compact_count(after)}" if after else ""
    return f"{compact_count(before) if before else '':>7}{then:<10}  "


def chain_rows(found: Condensed) -> Iterator[tuple[Line, ChainReport]]:
    """A line a chain: its block, what that takes the place of, what stands there or why not."""
    sizes = block_sizes(found.after.plan)
    for chain in found.report.chains:
        kept = f", {counted(chain.backfilled, 'output')} archived" if chain.backfilled else ""
        told = line(
            accent(f"{chain.block_id or '-':>6}  "),
            _sizes_cell(*sizes.get(chain.block_id, (0, 0))),
            chain.outcome.value,
            filling(f" · {counted(chain.calls, 'call')}{kept}"),
        )
        yield told, chain


def folded_chains(sign: str, alike: Sequence[ChainReport]) -> Line:
    """Several chains that were left alone for the same reason, in one line."""
    return line(
        accent(f"{sign:>6}  "),
        _sizes_cell(0, 0),
        f"{alike[0].outcome.value}, {counted(len(alike), 'chain')}",
        filling(f" · {counted(sum(chain.calls for chain in alike), 'call')}"),
    )
