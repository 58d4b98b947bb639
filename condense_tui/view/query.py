"""Answers of a query → text for people and objects for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from condense_tui.inspection.summarytree import call_text
from condense_tui.pruning.index import PruneIndex
from condense_tui.pruning.numbers import compact_count
from condense_tui.pruning.query import Answer, BodySource, Match
from condense_tui.session.dates import iso_text
from condense_tui.session.jsontext import number_text
from condense_tui.view.lines import Line, Span, Tone, accent, dim, line
from condense_tui.view.printable import one_line
from condense_tui.view.words import counted, shortened

_CALL_WIDTH = 100
SEPARATORS = re.compile(r"[\s,]+")
"""What stands between refs where several are typed into one line."""


def answer_lines(answers: Iterable[Answer], index: PruneIndex) -> Iterator[Line]:
    """Every occurrence whole, with a title each."""
    known: dict[str, str] = {}
    for answer in answers:
        if not answer.matches:
            known = known or {text.lower(): text for text in known_texts(index)}
            meant = _meant(answer.asked, known)
            hint = f"; did you mean {one_line(meant)}?" if meant else ""
            yield line(accent(one_line(answer.asked)), Span(f"  not found{hint}", Tone.BAD))
        elif len(answer.matches) > 1:
            count = counted(len(answer.matches), "occurrence")
            yield line(accent(one_line(answer.asked)), f"  {count}, oldest first")
        for match in answer.matches:
            yield from _match_lines(match, index)


def known_texts(index: PruneIndex) -> tuple[str, ...]:
    """Everything that can be typed and is known: refs, then bare ids, then occurrence keys."""
    known = (index.key_of_ref, index.keys_of_id, index.aliases_of_id, index.records, index.aliases)
    texts = dict.fromkeys(text for group in known for text in group)
    return tuple(text for text in texts if _is_typable(text))


def _is_typable(text: str) -> bool:
    return bool(text) and one_line(text) == text and not SEPARATORS.search(text)


def _meant(asked: str, known: Mapping[str, str]) -> str:
    """What is known by the same letters, large or small, with commas taken for blanks."""
    pieces = [known.get(piece.strip().lower()) for piece in asked.split(",")]
    meant = " ".join(piece for piece in pieces if piece)
    return meant if all(pieces) and meant != asked else ""


def _match_lines(match: Match, index: PruneIndex) -> Iterator[Line]:
    record = match.record
    ref = index.ref_of_key.get(match.key)
    turn = "?" if record.turn_index is None else number_text(record.turn_index)
    when = iso_text(record.result_timestamp) if record.result_timestamp is not None else None
    status = Span("error", Tone.BAD) if record.is_error else Span("ok", Tone.GOOD)
    yield line(
        accent(f"── {one_line(match.label)}"),
        f"  {shortened(one_line(call_text(record)), _CALL_WIDTH)}",
    )
    yield line(
        dim(f"   {ref or 'no ref'} · turn {turn} · "),
        status,
        dim(f" · {when or 'legacy, no time'} · {compact_count(len(match.raw))} bytes · "),
        _source_span(match.source),
    )
    for text in match.output.split("\n"):
        yield line(text)
    yield line()


def _source_span(source: BodySource) -> Span:
    is_whole = source in (BodySource.RECORD, BodySource.SIDECAR)
    return dim(f"from the {source.value}") if is_whole else Span(source.value, Tone.WARNING)


def answer_object(answer: Answer, index: PruneIndex) -> dict[str, Any]:
    """One answer for programs; outputs exact."""
    return {"asked": answer.asked, "matches": [_match_object(m, index) for m in answer.matches]}


def _match_object(match: Match, index: PruneIndex) -> dict[str, Any]:
    record = match.record
    return {
        "label": match.label,
        "occurrence": match.key,
        "ref": index.ref_of_key.get(match.key),
        "tool": record.tool_name,
        "arguments": record.arguments,
        "status": "error" if record.is_error else "ok",
        "turn": record.turn_index,
        "resultTimestamp": record.result_timestamp,
        "legacy": match.is_legacy,
        "source": match.source.value,
        "bytes": len(match.raw),
        "output": match.output,
    }
