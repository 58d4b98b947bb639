"""`condense-tui context`: the messages themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from condense_tui.cli.check import AsVersion
from condense_tui.cli.opening import Look, opened
from condense_tui.cli.options import Config, Flag, Leaf
from condense_tui.cli.output import (
    complain,
    shows_exact,
    write_json,
    write_lines,
    write_session_text,
)
from condense_tui.inspection.comparison import compare
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.redaction import Redactor
from condense_tui.pruning.render import RenderPlan
from condense_tui.view.context import View, context_lines, context_objects
from condense_tui.view.markdown import context_markdown
from condense_tui.view.words import masked_words


def context(
    session: Path,
    /,
    *,
    view: Literal["pruned", "raw", "diff"] = "pruned",
    as_version: AsVersion = None,
    config: Config = None,
    leaf: Leaf = None,
    output_format: Annotated[
        Literal["text", "jsonl", "markdown"], Parameter(name="--format")
    ] = "text",
    raw: Flag = False,
    redact: Flag = False,
) -> None:
    """The messages themselves: what the model is sent, what pi built, or both.

    Parameters
    ----------
    session
        The session file.
    view
        pruned: what the model is sent; raw: before pruning; diff: both, change by change.
    as_version
        What this older version of the extension would send; diff then shows it beside now.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    output_format
        Text for people, one message a line as JSON, or what the model is sent as Markdown.
    raw
        Leave control characters of the session as they are, on a terminal too.
    redact
        Mask common shapes of credentials; their number goes to stderr.
    """
    inspection = opened(session, Look(config, leaf))
    plan, redactor = _plan(inspection, as_version is not None, View(view)), Redactor()
    if output_format == "jsonl":
        for message in context_objects(plan, View(view)):
            write_json(redactor.value(message) if redact else message)
    elif output_format == "markdown":
        body = context_markdown(plan, inspection.branch.session.title)
        write_session_text(redactor.text(body) if redact else body, raw)
    else:
        rewrite = redactor.text if redact else str
        lines = context_lines(plan, View(view), rewrite=rewrite)
        write_lines(lines, is_exact=shows_exact(raw))
    if redact:
        complain(masked_words(redactor.masked))


def _plan(inspection: Inspection, is_legacy: bool, view: View) -> RenderPlan:
    if not is_legacy:
        return inspection.plan
    then = inspection.legacy_plan
    return compare(inspection.plan, then).plan if view is View.DIFF else then
