"""`query`: whole outputs, every occurrence, oldest first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from condense_tui.cli.opening import CommandError, Look, opened
from condense_tui.cli.options import Config, Flag, Leaf, Ref
from condense_tui.cli.output import shows_exact, write_json, write_lines, write_session_text
from condense_tui.pruning.query import query, tool_answer
from condense_tui.store import sidecar_reader
from condense_tui.view.query import answer_lines, answer_object


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
