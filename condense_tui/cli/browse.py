"""The default command; what it does is loaded when it is called."""

from __future__ import annotations

from pathlib import Path

from condense_tui.cli.options import Config, Flag, Leaf


def browse(
    session: Path | None = None,
    /,
    *,
    latest: Flag = False,
    follow: Flag = False,
    config: Config = None,
    leaf: Leaf = None,
) -> None:
    """Open a session in the browser; without one, choose among pi's sessions.

    Where nobody looks at a terminal, print the plan: every message and what happened to it.

    Parameters
    ----------
    session
        The session file.
    latest
        Open the newest session of this directory.
    follow
        Show what is added to the session as it grows.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there, so also at an earlier moment.
    """
    from condense_tui.cli.browsing import browse_session

    browse_session(session, latest, config, leaf, follow)
