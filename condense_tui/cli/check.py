"""`condense-tui check`: will this send, and is it what I think?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from condense_tui.cli.opening import Look, inspect_file, settings_for
from condense_tui.cli.options import Config, Flag, Leaf
from condense_tui.cli.output import complain, write_json, write_lines
from condense_tui.inspection.codes import Severity
from condense_tui.inspection.concerns import Concern, concerns
from condense_tui.inspection.findings import find
from condense_tui.pruning.settings import CondenseSettings
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal
from condense_tui.store import sidecar_finder
from condense_tui.view.checklines import check_lines, check_object, finding_object

Format = Literal["text", "json", "jsonl"]
AsVersion = Annotated[Literal["2.5", "2.5.0"] | None, Parameter(name="--as")]


def check(
    sessions: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    fail_on: Literal["error", "warning", "note"] = "error",
    as_version: AsVersion = None,
    config: Config = None,
    leaf: Leaf = None,
    follow_paths: Flag = False,
    output_format: Annotated[Format, Parameter(name="--format")] = "text",
) -> int:
    """Will the session send, and is it what one thinks?  Every finding with what to do.

    Parameters
    ----------
    sessions
        The session files.
    fail_on
        The mildest severity that makes the exit code 1.
    as_version
        Also what this older version of the extension would delete or orphan.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    follow_paths
        Also look for spilled outputs at the path that the session records.
    output_format
        text for people; json for one object (an array of them for several sessions);
        jsonl for one finding a line.
    """
    asked = _Asked(settings_for(Look(config)), leaf, follow_paths, as_version is not None)
    judged = [(path, asked.judge(path)) for path in sessions]
    if output_format == "text":
        _write_text(judged)
    else:
        _write_objects(judged, output_format == "jsonl")
    return _exit_code(judged, Severity(fail_on))


Judged = list[tuple[Path, tuple[Concern, ...] | Refusal]]


class _Asked(Value, frozen=True):
    settings: CondenseSettings
    leaf: str | None
    follows_paths: bool
    is_legacy: bool

    def judge(self, path: Path) -> tuple[Concern, ...] | Refusal:
        inspection = inspect_file(path, self.settings, self.leaf)
        if isinstance(inspection, Refusal):
            return inspection
        has_sidecar = sidecar_finder(path, self.follows_paths)
        return concerns(inspection, tuple(find(inspection, has_sidecar, self.is_legacy)))


def _write_text(judged: Judged) -> None:
    for number, (path, found) in enumerate(judged):
        if isinstance(found, Refusal):
            complain(f"{path}: {found.reason}")
        else:
            write_lines([*([()] if number else []), *check_lines(str(path), found)])


def _write_objects(judged: Judged, is_lines: bool) -> None:
    for path, found in judged:
        if isinstance(found, Refusal):
            complain(f"{path}: {found.reason}")
    if is_lines:
        for each in _finding_lines(judged):
            write_json(each)
        return
    objects = [_object(path, found) for path, found in judged]
    write_json(objects if len(objects) > 1 else objects[0], indent=2)


def _finding_lines(judged: Judged) -> Iterator[dict[str, Any]]:
    for path, found in judged:
        if isinstance(found, Refusal):
            yield _object(path, found)
        else:
            session = {"session": {"path": str(path)}}
            yield from ({**session, **finding_object(concern)} for concern in found)


def _object(path: Path, found: tuple[Concern, ...] | Refusal) -> dict[str, Any]:
    if isinstance(found, Refusal):
        return {"session": {"path": str(path)}, "error": found.reason}
    return check_object(str(path), found)


def _exit_code(judged: Judged, fail_on: Severity) -> int:
    """A session that cannot be opened weighs more than what is found in another."""
    if any(isinstance(found, Refusal) for _, found in judged):
        return 2
    every = (concern for _, found in judged if not isinstance(found, Refusal) for concern in found)
    return int(any(concern.severity.rank <= fail_on.rank for concern in every))
