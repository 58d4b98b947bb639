"""`Concern`s of one session → the lines and objects of `condense-tui check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from condense_tui.inspection.codes import Severity
from condense_tui.inspection.concerns import Concern, Source
from condense_tui.view.lines import Line, Span, accent, dim, line, strong
from condense_tui.view.words import SEVERITY_SIGNS, SEVERITY_TONES, tally

_PLACE = 22


def check_lines(path: str, found: Iterable[Concern]) -> Iterator[Line]:
    """A heading with the tally, then each code with its why and advice above its places."""
    by_kind: dict[tuple[str, Source], list[Concern]] = {}
    for concern in found:
        by_kind.setdefault((concern.kind, concern.source), []).append(concern)
    every = [concern for concerns in by_kind.values() for concern in concerns]
    yield line(strong(path), f": {tally(concern.severity for concern in every)}")
    for concerns in by_kind.values():
        yield line()
        yield from _kind_lines(concerns)


def _kind_lines(concerns: list[Concern]) -> Iterator[Line]:
    first = concerns[0]
    sign = f"{SEVERITY_SIGNS[first.severity]} {first.severity}"
    times = f" ×{len(concerns)}" if len(concerns) > 1 else ""
    yield line(Span(sign, SEVERITY_TONES[first.severity]), f" {first.kind}{times}")
    yield line(dim(f"  {first.code.why}"))
    yield line(dim(f"  {first.code.advice}"))
    for concern in concerns:
        yield line("  ", accent(f"{_place(concern):<{_PLACE}}"), f" {concern.what}")


def _place(concern: Concern) -> str:
    in_file = f"line {concern.line}" if concern.line else ""
    is_said = concern.place in ("", in_file)
    return in_file if is_said else " · ".join(filter(None, (in_file, concern.place)))


def check_object(path: str, found: Iterable[Concern]) -> dict[str, Any]:
    """One session: how many of each severity, and every finding."""
    findings = [finding_object(concern) for concern in found]
    counts = {
        f"{severity}s": sum(finding["severity"] == severity for finding in findings)
        for severity in Severity
    }
    return {"session": {"path": path}, **counts, "findings": findings}


def finding_object(concern: Concern) -> dict[str, Any]:
    """One finding; line, entry and slot are null where it has no such place."""
    return {
        "code": concern.kind,
        "severity": concern.severity.value,
        "source": concern.source.value,
        "line": concern.line,
        "entry": concern.entry,
        "slot": concern.slot,
        "place": concern.place,
        "what": concern.what,
        "why": concern.code.why,
        "advice": concern.code.advice,
    }
