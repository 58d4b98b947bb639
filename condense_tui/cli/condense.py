"""`condense-tui condense`: a condensed copy of a session, or what one would save."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter

from condense_tui.cli.opening import CommandError, Look, inspected, settings_for
from condense_tui.cli.options import Config, Flag, Leaf, Output
from condense_tui.cli.output import write_json, write_lines
from condense_tui.cli.summarisers import agreed_model, say_how_it_went
from condense_tui.condensing.condense import Condensed, Mode, Order
from condense_tui.condensing.copying import why_no_copy
from condense_tui.condensing.extract import Extract
from condense_tui.condensing.summariser import Summariser
from condense_tui.copies.condensed import CopyPlace, condensed, new_header
from condense_tui.copies.summarisers import MOST_JOBS, OFFLINE, USUAL_JOBS, ModelOptions
from condense_tui.inspection.concerns import Concern, added_kinds, concerns
from condense_tui.inspection.findings import find
from condense_tui.inspection.inspection import Inspection
from condense_tui.session.compact import Value
from condense_tui.session.entries import Refusal, Session
from condense_tui.session.reading import read_session
from condense_tui.store import read_bytes
from condense_tui.store_writing import unwritable
from condense_tui.view.condensing import (
    added_lines,
    condensed_lines,
    condensed_object,
    total_lines,
)
from condense_tui.view.copying import asked_words
from condense_tui.view.lines import Line, line, strong
from condense_tui.view.words import counted


def _is_job_count(_wanted: object, count: int) -> None:
    if not 1 <= count <= MOST_JOBS:
        raise ValueError(f"is a number from 1 to {MOST_JOBS}")


Jobs = Annotated[int, Parameter(validator=_is_job_count)]
_T = TypeVar("_T")
_EXAMPLE = "condense: name the copy with -o, or look first with --dry-run"


def condense_session(
    session: Path,
    /,
    *,
    output: Output = None,
    mode: Literal["now", "replay"] = "now",
    compact: Flag = False,
    batching_mode: Annotated[
        Literal["turn", "agent-message"] | None, Parameter(name="--batching")
    ] = None,
    dry_run: Flag = False,
    force: Flag = False,
    summarizer: str = OFFLINE,
    base_url: str | None = None,
    price: str | None = None,
    jobs: Jobs = USUAL_JOBS,
    fuse: Flag = False,
    yes: Flag = False,
    config: Config = None,
    leaf: Leaf = None,
    output_format: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
) -> None:
    """Write a condensed copy of a session, which pi opens and goes on from.

    Parameters
    ----------
    session
        The session file; it stays as it is.
    output
        The copy to write; spilled outputs go into a folder beside it.
    mode
        now: everything that is pending at once; replay: flush by flush, as if the extension
        had been on from the start.
    compact
        Compress every chain, also the newest.
    batching_mode
        What a summary is of: the calls of one turn, or of one user message.
    dry_run
        Write nothing, and show what would become of each call and each chain.
    force
        Overwrite a file that exists.
    summarizer
        extract: offline, from what the calls say; openai:MODEL: a model at an endpoint that
        speaks as OpenAI's does. Nothing is sent anywhere without it.
    base_url
        The endpoint; else $OPENAI_BASE_URL. The key is $OPENAI_API_KEY, if it needs one.
    price
        IN/OUT: dollars for a million tokens read and written.
    jobs
        How many questions at a time.
    fuse
        Also have the summaries of each chain made into one.
    yes
        Send without asking.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: condense the branch that ends there.
    output_format
        Text for people or JSON for programs.
    """
    _refuse(None if output or dry_run else Refusal(_EXAMPLE))
    options = ModelOptions(summarizer, base_url, price, jobs, fuse)
    _refuse(options.form_refusal if dry_run else options.refusal)
    source, copy = _opened(session, Look(config, leaf)), None if dry_run else output
    if copy:
        _refuse(why_no_copy(source.inspection.branch) or unwritable(copy, session, force))
    place = CopyPlace(session, output or session, new_header(session))
    order = Order(place.blobs_folder, Mode(mode), compact, batching_mode)
    found = _condensed(source, Extract(), order)
    if copy and not options.is_offline:
        model = agreed_model(options, yes, source.inspection.settings, found)
        found = _condensed(source, model, order)
        say_how_it_went(model, yes)
    folders = _written(place, source, found, force) if copy else ()
    if output_format == "json":
        _show_object(found, copy)
    else:
        _show_lines(found, copy, folders, _asked(options, found))


class _Source(Value, frozen=True):
    path: Path
    raw: bytes
    session: Session
    inspection: Inspection


def _opened(path: Path, look: Look) -> _Source:
    settings = settings_for(look)
    raw = _accepted(read_bytes(path), path)
    session = _accepted(read_session(raw), path)
    inspection = _accepted(inspected(session, path, settings, look.leaf), path)
    return _Source(path, raw, session, inspection)


def _accepted(found: _T | Refusal, path: Path) -> _T:
    if isinstance(found, Refusal):
        raise CommandError(f"{path}: {found.reason}")
    return found


def _condensed(source: _Source, summariser: Summariser, order: Order) -> Condensed:
    return _accepted(condensed(source.inspection, summariser, order), source.path)


def _written(
    place: CopyPlace, source: _Source, found: Condensed, is_forced: bool
) -> tuple[str, ...]:
    """The folders that were written beside the copy."""
    written = place.write(source.raw, source.session, found, is_forced=is_forced)
    if isinstance(written, Refusal):
        raise CommandError(written.reason)
    return written


def _refuse(refusal: Refusal | None) -> None:
    if refusal:
        raise CommandError(refusal.reason)


def _added(found: Condensed) -> Mapping[str, int]:
    """By code, what `check` says of the copy and not of the session."""
    return added_kinds(_concerns(found.before), _concerns(found.after))


def _asked(options: ModelOptions, found: Condensed) -> str:
    """What the model that is named would be asked; empty where none is."""
    if options.is_offline:
        return ""
    questions = options.questions(found.report)
    return asked_words(options.model, options.shown_address, questions, options.read_price)


def _show_object(found: Condensed, copy: Path | None) -> None:
    told = condensed_object(found, _added(found))
    write_json({**told, "copy": copy and str(copy)}, indent=2)


def _show_lines(found: Condensed, copy: Path | None, folders: Sequence[str], asked: str) -> None:
    added = _added(found)
    if copy is None:
        write_lines(condensed_lines(found, added, asked))
    else:
        write_lines(_written_lines(found, copy, folders))
        write_lines(added_lines(added))


def _concerns(inspection: Inspection) -> tuple[Concern, ...]:
    return concerns(inspection, tuple(find(inspection)))


def _written_lines(found: Condensed, copy: Path, folders: Sequence[str]) -> Iterator[Line]:
    added = counted(len(found.entries), "entry", "entries")
    yield line(strong("copy"), f"       {copy}: {added} added")
    for folder in folders:
        yield line(strong("folder"), f"     {copy.parent / folder}: spilled outputs")
    yield from total_lines(found)
