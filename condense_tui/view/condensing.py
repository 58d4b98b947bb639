"""What condensing did, or would do → lines for people, and one object for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from condense_tui.condensing.amounts import cost_text, progress_text
from condense_tui.condensing.condense import Condensed
from condense_tui.condensing.losses import Losses
from condense_tui.condensing.outcomes import (
    CallReport,
    ChainReport,
    Questions,
    Report,
)
from condense_tui.inspection.codes import CODES
from condense_tui.pruning.contenthash import utf8_bytes
from condense_tui.pruning.numbers import compact_count, tokens
from condense_tui.session.jsontext import utf16_length
from condense_tui.view.condensingrows import (
    CHAINS_HEADING,
    TURNS_HEADING,
    UNTRIED,
    by_turn,
    call_rows,
    chain_rows,
)
from condense_tui.view.lines import (
    Line,
    Span,
    Tone,
    dim,
    going,
    line,
    shrinking,
    strong,
)
from condense_tui.view.preview import preview_words
from condense_tui.view.words import SEVERITY_TONES, counted

_LABEL_WIDTH = 11
NOTHING_LEFT = "Nothing is left to condense."


def condensed_lines(found: Condensed, added: Mapping[str, int], asked: str = "") -> Iterator[Line]:
    """Turn by turn what becomes of the calls, chain by chain, and what it comes to.

    `added` counts by code what `check` says of the copy and not of the session; `asked` says
    what a model that is named would be asked.
    """
    report = found.report
    yield TURNS_HEADING
    for told, _ in call_rows(found):
        yield told
    if not report.calls:
        yield line(dim("  no output waits for a summary"))
    yield line()
    yield CHAINS_HEADING
    for told, _ in chain_rows(found):
        yield told
    if not report.chains:
        yield line(dim("  none is ready"))
    yield line()
    yield from total_lines(found, asked)
    yield from added_lines(added)


def total_lines(found: Condensed, asked: str = "") -> Iterator[Line]:
    """What it comes to: outputs, context, losses, files, and what a model would be asked."""
    report = found.report
    if not found.entries:
        yield line(NOTHING_LEFT)
        yield _total("context", *_context_words(found))
        return
    if report.batches:
        progress = going(f": {_progress(report)}", Tone.PLAIN)
        yield _total("summaries", *_batch_words(report), progress)
    if untried := _untried_words(report):
        yield _total("left alone", *untried)
    yield _total("context", *_context_words(found))
    if lost := losses_words(found.losses):
        yield _total("lost", Span(lost, Tone.WARNING))
    if found.files:
        size = sum(len(utf8_bytes(text)) for text in found.files.values())
        files = counted(len(found.files), "spilled output")
        yield _total("files", f"{files}, {compact_count(size)} bytes")
    yield _total("model", *(line(asked) if asked else _model_words(report)))


def _total(label: str, *told: Span | str) -> Line:
    return line(strong(label), " " * (_LABEL_WIDTH - len(label)), *told)


def added_lines(added: Mapping[str, int]) -> Iterator[Line]:
    """What one should know of the copy before there is one; nothing where it has no flaw more."""
    if not added:
        return
    words = [f"{code} ×{count}" if count > 1 else code for code, count in added.items()]
    tone = SEVERITY_TONES[CODES[next(iter(added))].severity]
    lead = Span(f"the copy would have {sum(added.values())} more: ", tone)
    yield _total("findings", lead, shrinking(", ".join(words)))


def losses_words(losses: Losses) -> str:
    """What nobody will get back, or not as it was; empty where nothing is lost."""
    unfound, altered = losses.unfound, losses.altered
    if unfound:
        more = f", {altered} changed" if altered else ""
        return f"{counted(unfound, 'output')} of the context will be found by no query{more}"
    return f"{counted(altered, 'output')} of the context will be found changed" if altered else ""


def _context_words(found: Condensed) -> Line:
    return line(preview_words(found), going(" (estimated: 4 characters a token)"))


def _untried_words(report: Report) -> Line:
    """How many outputs no batch took up, and why; empty where there are none."""
    counts = Counter(call.outcome for call in report.calls if call.outcome in UNTRIED)
    reasons = [
        (what.value.removeprefix("left alone: "), counts[what]) for what in UNTRIED if counts[what]
    ]
    if not reasons:
        return ()
    told = (f"{why} ×{count}" if len(reasons) > 1 else why for why, count in reasons)
    return line(f"{counted(counts.total(), 'output')}: ", shrinking(", ".join(told)))


def _batch_words(report: Report) -> Line:
    """The count of batches that a summary is asked for is that of the questions."""
    asked, batches = report.questions.count, counted(report.batches, "batch", "batches")
    flushes = going(f" in {counted(report.flushes, 'flush', 'flushes')}", Tone.PLAIN)
    if asked >= report.batches:
        return line(batches, flushes)
    left = "the others" if asked else "all"
    return line(f"{asked or 'none'} of {batches}", flushes, f", {left} too small or duplicates")


def _progress(report: Report) -> str:
    return progress_text(report.summary_chars, report.raw_chars)


def _model_words(report: Report) -> Line:
    """What was paid, or what a model would be asked in place of the extract."""
    usage = report.usage
    if usage.calls:
        read, wrote = compact_count(usage.input_tokens), compact_count(usage.output_tokens)
        asked = counted(usage.calls, "question")
        return line(f"{asked}, {read} tokens read, {wrote} written, {cost_text(usage.cost)}")
    summing, fusing = report.questions, report.fusions
    if not (summing.count or fusing.count):
        return line("none, and there would be nothing to ask one")
    if not summing.count:
        questions = f"{counted(fusing.count, 'question')} to fuse chains"
        return line(f"none; one would be asked {questions}", _aside(fusing))
    lead = f"none; one would be asked {counted(summing.count, 'question')}"
    if not fusing.count:
        return line(lead, _aside(summing))
    more = going(f", and {fusing.count} more to fuse chains", Tone.PLAIN)
    return line(lead, _aside(summing), more, _aside(fusing))


def _aside(questions: Questions) -> Span:
    return going(f" ({_about(questions)})", Tone.PLAIN)


def sent_words(questions: Questions, address: str) -> str:
    """What a model is going to be sent, and where: for the consent of a person."""
    if not questions.count:
        return f"nothing is to be sent to {address}"
    return (
        f"{counted(questions.count, 'question')} with arguments and outputs of this session, "
        f"{_about(questions)}, will be sent to {address}"
    )


def _about(questions: Questions) -> str:
    return f"about {compact_count(tokens(questions.chars))} tokens"


def condensed_object(found: Condensed, added: Mapping[str, int]) -> dict[str, Any]:
    """The same for programs."""
    report, usage = found.report, found.report.usage
    before, after = found.before.plan.pruned_chars, found.after.plan.pruned_chars
    return {
        "flushes": report.flushes,
        "batches": report.batches,
        "raw_chars": report.raw_chars,
        "summary_chars": report.summary_chars,
        "calls": [_call_object(call) for call in by_turn(report.calls)],
        "chains": [_chain_object(chain) for chain in report.chains],
        "context": {
            "chars": {"before": before, "after": after},
            "estimated_tokens": {"before": tokens(before), "after": tokens(after)},
        },
        "files": [
            {"path": path, "bytes": len(utf8_bytes(text))} for path, text in found.files.items()
        ],
        "entries": len(found.entries),
        "losses": {"unfound": found.losses.unfound, "altered": found.losses.altered},
        "findings": dict(added),
        "usage": {
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost": usage.cost,
            "fallbacks": usage.fallbacks,
        },
        "estimate": {
            "calls": report.questions.count,
            "input_tokens": tokens(report.questions.chars),
            "fusing_calls": report.fusions.count,
            "fusing_input_tokens": tokens(report.fusions.chars),
        },
    }


def _call_object(call: CallReport) -> dict[str, Any]:
    captured = call.captured
    return {
        "turn": call.turn_index,
        "key": captured.key,
        "tool": captured.call.name,
        "chars": utf16_length(captured.result_text),
        "outcome": call.outcome.name.lower(),
        "why": call.outcome.value,
        "ref": call.ref or None,
    }


def _chain_object(chain: ChainReport) -> dict[str, Any]:
    return {
        "block": chain.block_id or None,
        "calls": chain.calls,
        "outcome": chain.outcome.name.lower(),
        "why": chain.outcome.value,
        "backfilled": chain.backfilled,
    }
