"""`repair`: a mended copy of a session, or the plan of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from condense_tui.cli.opening import CommandError
from condense_tui.cli.options import Flag, Output
from condense_tui.cli.output import complain, write_json, write_lines
from condense_tui.repairing.repair import Repair
from condense_tui.repairing.repair import repair as repaired
from condense_tui.repairing.table import FIX_OF_NAME, FIXES, USUAL_FIXES, Fix
from condense_tui.session.entries import Refusal
from condense_tui.store import read_bytes
from condense_tui.store_copies import Sidecars, copy_sidecars, write_copy
from condense_tui.store_writing import unwritable
from condense_tui.view.lines import line
from condense_tui.view.repair import repair_lines, repair_object
from condense_tui.view.words import counted

_INTERRUPTED = 130


def repair(
    session: Path,
    /,
    *,
    copy: Output = None,
    fix: str | None = None,
    all_fixes: Flag = False,
    dry_run: Flag = False,
    force: Flag = False,
    output_format: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
) -> int:
    """Write a mended copy of a session; the session itself is never changed.

    Parameters
    ----------
    session
        The session file.
    copy
        The file to write.
    fix
        Apply only these fixes, separated by commas.
    all_fixes
        Also apply what mends no damage: reused-ids.
    dry_run
        Show what would be changed, and write nothing.
    force
        Overwrite a file that exists.
    output_format
        Text for people or JSON for programs.
    """
    fixes = _chosen(fix, all_fixes)
    if copy is None and not dry_run:
        raise CommandError("repair needs the name of the copy, with -o, or --dry-run")
    target = None if dry_run else copy
    try:
        mended = _mended(session, target, fixes, force)
    except KeyboardInterrupt:
        raise CommandError("interrupted, nothing was written", _INTERRUPTED) from None
    sidecars = Sidecars(0, ()) if target is None else _sidecars(session, target, mended, force)
    if output_format == "json":
        write_json(_object(session, target, mended, sidecars), indent=2)
    else:
        _write_text(target, mended, sidecars)
    return 1 if mended.report.left or sidecars.troubles else 0


def _chosen(names: str | None, is_all: bool) -> tuple[Fix, ...]:
    if names is None:
        return FIXES if is_all else USUAL_FIXES
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in FIX_OF_NAME]
    if unknown or not wanted:
        what = f"no such fix: {', '.join(unknown)}" if unknown else "--fix names no fix"
        raise CommandError(f"{what}; there are {', '.join(FIX_OF_NAME)}")
    return tuple(FIX_OF_NAME[name] for name in wanted)


def _mended(session: Path, copy: Path | None, fixes: tuple[Fix, ...], is_forced: bool) -> Repair:
    """Read, mend and, unless it is a dry run, write."""
    if copy is not None:
        _unless(unwritable(copy, session, is_forced))
    raw = read_bytes(session)
    mended = raw if isinstance(raw, Refusal) else repaired(raw, fixes)
    if isinstance(mended, Refusal):
        raise CommandError(f"{session}: {mended.reason}")
    if copy is not None:
        _unless(write_copy(copy, mended.raw, session, is_forced))
    return mended


def _sidecars(session: Path, copy: Path, mended: Repair, is_forced: bool) -> Sidecars:
    try:
        return copy_sidecars(session, copy, mended.spill_paths, is_forced)
    except KeyboardInterrupt:
        what = f"interrupted; {copy} is whole, but spilled outputs may be missing beside it"
        raise CommandError(what, _INTERRUPTED) from None


def _unless(refused: Refusal | None) -> None:
    if refused:
        raise CommandError(refused.reason)


def _write_text(copy: Path | None, mended: Repair, sidecars: Sidecars) -> None:
    lines = list(repair_lines(mended.report))
    if copy is None:
        lines.append(line("nothing written: a dry run"))
    else:
        beside = f", and {counted(sidecars.copied, 'spilled output')}" if sidecars.copied else ""
        lines.append(line(f"written to {copy}{beside}"))
    write_lines(lines)
    for trouble in sidecars.troubles:
        complain(f"a spilled output was not copied: {trouble}")


def _object(
    session: Path, copy: Path | None, mended: Repair, sidecars: Sidecars
) -> dict[str, object]:
    return {
        "session": str(session),
        "copy": None if copy is None else str(copy),
        **repair_object(mended.report),
        "sidecars": {"copied": sidecars.copied, "failed": list(sidecars.troubles)},
    }
