"""The command `inspect`; what it does is loaded when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from condense_tui.cli.opening import Look
from condense_tui.cli.options import Config, Leaf


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
    from condense_tui.cli.inspecting import inspect_sessions

    return inspect_sessions(sessions, Look(config, leaf), keys, output_format)
