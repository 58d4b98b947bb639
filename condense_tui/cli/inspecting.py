"""`inspect`: everything about one or more sessions, as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from condense_tui.cli.opening import CommandError, Look, inspect_file, settings_for
from condense_tui.cli.output import complain, write_json, write_lines
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.report import REPORT_KEYS, report
from condense_tui.session.entries import Refusal
from condense_tui.view.lines import line
from condense_tui.view.overview import overview


def inspect_sessions(
    sessions: Sequence[Path],
    look: Look,
    keys: str | None = None,
    output_format: str | None = None,
) -> int:
    """The exit code; `output_format` is text, json or jsonl, and text unless keys are named."""
    wanted = _report_keys(keys)
    output_format = output_format or ("json" if wanted else "text")
    settings = settings_for(look)
    seen = ((path, inspect_file(path, settings, look.leaf)) for path in sessions)
    if output_format == "text":
        return _inspect_as_text(seen, len(sessions) > 1)
    return _inspect_as_json(seen, wanted, output_format == "jsonl", len(sessions) > 1)


def _report_keys(keys: str | None) -> list[str] | None:
    if keys is None:
        return None
    wanted = [key.strip() for key in keys.split(",") if key.strip()]
    if not wanted:
        raise CommandError("--keys names no key")
    unknown = [key for key in wanted if key not in REPORT_KEYS]
    if unknown:
        raise CommandError(f"no such key: {', '.join(unknown)}")
    return wanted


Seen = Iterable[tuple[Path, Inspection | Refusal]]


def _inspect_as_text(seen: Seen, is_several: bool) -> int:
    """Several are headed by their paths: a copy of a session tells the same of itself."""
    exit_code = 0
    for path, inspection in seen:
        if isinstance(inspection, Refusal):
            complain(f"{path}: {inspection.reason}")
            exit_code = 2
            continue
        lines = overview(inspection)
        write_lines([line(f"{path}:"), *lines, ()] if is_several else lines)
    return exit_code


def _inspect_as_json(seen: Seen, keys: list[str] | None, is_lines: bool, is_several: bool) -> int:
    exit_code = 0
    objects: list[dict[str, Any]] = []
    for path, inspection in seen:
        if isinstance(inspection, Refusal):
            complain(f"{path}: {inspection.reason}")
            exit_code = 2
            objects.append({"session": {"path": str(path)}, "error": inspection.reason})
        else:
            objects.append(report(inspection, keys))
        if is_lines:
            write_json(objects.pop())
    if not is_lines:
        write_json(objects if is_several else objects[0], indent=2)
    return exit_code
