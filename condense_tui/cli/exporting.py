"""`export`: recovered outputs, byte by byte, into files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from condense_tui.cli.opening import CommandError, Look, opened
from condense_tui.cli.options import Config, Flag, Leaf, Ref
from condense_tui.cli.output import complain, write_lines
from condense_tui.inspection.export import MANIFEST_NAME, Export, plan_export
from condense_tui.inspection.redaction import Redactor
from condense_tui.pruning.query import Answer, BodySource, Match, query
from condense_tui.store import sidecar_reader
from condense_tui.store_writing import write_files
from condense_tui.view.lines import line
from condense_tui.view.words import counted, masked_words


def export(
    session: Path,
    /,
    *refs: Ref,
    to: Path,
    all_outputs: Annotated[bool, Parameter(name="--all", negative=())] = False,
    force: Flag = False,
    redact: Flag = False,
    follow_paths: Flag = False,
    config: Config = None,
    leaf: Leaf = None,
) -> int:
    """Write recovered outputs, byte by byte, each occurrence to its own file, and a manifest.

    Parameters
    ----------
    session
        The session file.
    refs
        Short refs, bare ids or occurrence keys.
    to
        The folder to write into; made if it does not exist.
    all_outputs
        Every archived output.
    force
        Overwrite files that exist.
    redact
        Mask common shapes of credentials in files and manifest.
    follow_paths
        Also read spilled outputs at the path that the session records.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    """
    index = opened(session, Look(config, leaf)).index
    read_sidecar = sidecar_reader(session, follow_paths)
    answers = query(index, index.all_keys if all_outputs else refs, read_sidecar)
    matches = [match for answer in answers for match in answer.matches]
    if matches or all_outputs:
        redactor = Redactor() if redact else None
        planned = plan_export(matches, index, str(session), redactor=redactor)
        _write_export(planned, to, force, session)
        if redactor:
            complain(masked_words(redactor.masked))
    return _say_what_lacks(answers, matches)


def _write_export(planned: Export, to: Path, is_forced: bool, session: Path) -> None:
    failed = write_files(to, planned.files, is_forced, spared=session)
    if failed:
        raise CommandError(failed.reason)
    outputs = counted(planned.count, "output")
    write_lines([line(f"{outputs} and {MANIFEST_NAME} written to {to}")])


_LACKS = {
    BodySource.PREVIEW: "only the preview: the spilled file is missing",
    BodySource.NONE: "not written: the spilled file is missing, and there is no preview",
}


def _say_what_lacks(answers: list[Answer], matches: list[Match]) -> int:
    """What was not found, and what is not whole; the exit code."""
    missing = [answer.asked for answer in answers if not answer.matches]
    for asked in missing:
        complain(f"not found: {asked}")
    for match in matches:
        if lack := _LACKS.get(match.source):
            complain(f"{match.record.key}: {lack}")
    return 1 if missing else 0
