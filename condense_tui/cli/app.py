"""The commands.  Each opens, asks the core, and shows; nothing is worked out here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter, convert

from condense_tui import __version__
from condense_tui.cli.browse import Config, Flag, Leaf, browse, demo
from condense_tui.cli.check import check
from condense_tui.cli.condense import condense_session
from condense_tui.cli.context import context
from condense_tui.cli.opening import CommandError, Look, inspect_file, opened, settings_for
from condense_tui.cli.output import (
    complain,
    shows_exact,
    write_json,
    write_lines,
    write_session_text,
)
from condense_tui.cli.repair import repair
from condense_tui.cli.serve import serve, served
from condense_tui.cli.usage import PROGRAM, doubt_of, fits, given
from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.export import MANIFEST_NAME, Export, plan_export
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.redaction import Redactor
from condense_tui.inspection.report import REPORT_KEYS, report
from condense_tui.pruning.query import Answer, BodySource, Match, query, tool_answer
from condense_tui.session.entries import Refusal
from condense_tui.store import is_there, sidecar_finder, sidecar_reader
from condense_tui.store_writing import write_files
from condense_tui.view.lines import line
from condense_tui.view.overview import overview
from condense_tui.view.query import answer_lines, answer_object
from condense_tui.view.tree import tree_lines
from condense_tui.view.words import counted, masked_words

# Whatever is asked for is looked up, and an empty ref is one that is not found.
Ref = Annotated[str, Parameter(converter=convert)]


def _is_no_command(session: Path | None = None, **_others: Any) -> None:
    """A mistyped command is taken for a session, and pointed out where there is no such file."""
    if session is not None and not is_there(session) and (doubt := doubt_of(str(session), app)):
        raise ValueError(doubt)


app = App(
    name=PROGRAM,
    version=__version__,
    help="See what pi-condense pruned from a pi session, why, and get any output back.",
    default_parameter=Parameter(converter=given),
    validator=[fits, _is_no_command],
)

app.register_install_completion_command()
app.default(browse)
app.command(demo)
app.command(check, validator=fits)
app.command(condense_session, name="condense", validator=fits)
app.command(context, validator=fits)


@app.command(validator=fits)
def inspect(
    sessions: Annotated[list[Path], Parameter(negative=())],
    /,
    *,
    config: Config = None,
    leaf: Leaf = None,
    keys: str | None = None,
    output_format: Annotated[
        Literal["text", "json", "jsonl"] | None, Parameter(name="--format")
    ] = None,
) -> int:
    """Everything about one or more sessions at once.

    Parameters
    ----------
    sessions
        The session files.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    keys
        Limit the JSON object to these keys, separated by commas.
    output_format
        text for people; json for one object (an array of them for several sessions);
        jsonl for one object a line, in order. Text, unless keys are named.
    """
    wanted = _report_keys(keys)
    output_format = output_format or ("json" if wanted else "text")
    settings = settings_for(Look(config))
    seen = ((path, inspect_file(path, settings, leaf)) for path in sessions)
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


@app.command(name="query", validator=fits)
def query_command(
    session: Path,
    /,
    *refs: Ref,
    as_tool: Flag = False,
    config: Config = None,
    leaf: Leaf = None,
    follow_paths: Flag = False,
    output_format: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    raw: Flag = False,
) -> int:
    """Full outputs by ref, bare id or occurrence key; every occurrence, oldest first.

    Parameters
    ----------
    session
        The session file.
    refs
        Short refs (t7), bare ids (bash_23) or occurrence keys (bash_23@1766000001234).
    as_tool
        Print exactly what the model's context_tree_query would answer, cut included.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    follow_paths
        Also read spilled outputs at the path that the session records.
    output_format
        Text for people or JSON for programs.
    raw
        Leave control characters of the session as they are, on a terminal too.
    """
    if not refs:
        raise CommandError("query needs at least one ref, such as t7")
    inspection = opened(session, Look(config, leaf))
    read_sidecar = sidecar_reader(session, follow_paths)
    answers = query(inspection.index, refs, read_sidecar)
    if as_tool:
        write_session_text(tool_answer(inspection.index, refs, read_sidecar), raw)
    elif output_format == "json":
        write_json([answer_object(answer, inspection.index) for answer in answers], indent=2)
    else:
        write_lines(answer_lines(answers, inspection.index), is_exact=shows_exact(raw))
    return 0 if all(answer.matches for answer in answers) else 1


@app.command(validator=fits)
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


@app.command(validator=fits)
def tree(
    session: Path, /, *, config: Config = None, leaf: Leaf = None, follow_paths: Flag = False
) -> None:
    """Summaries and their calls, with what the extension's own tree hides.

    Parameters
    ----------
    session
        The session file.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    follow_paths
        Also look for spilled outputs at the path that the session records.
    """
    inspection = opened(session, Look(config, leaf))
    has_sidecar = sidecar_finder(session, follow_paths)
    write_lines(tree_lines(build_call_tree(inspection), inspection.pending, has_sidecar))


app.command(repair, validator=fits)
app.command(serve, validator=fits)
app.command(served, validator=fits, show=False)
