"""`condense-tui serve`: the browser on a web page, by way of textual-serve, which is an extra."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from condense_tui.cli.opening import CommandError, Look, opened
from condense_tui.cli.options import Config, Leaf
from condense_tui.session.entries import Refusal
from condense_tui.store import load_settings

_LOOPBACK = "127.0.0.1"
_MISSING = "serve needs an extra: pip install 'condense-tui[serve]'"
_SERVED = "served"


def _is_port(_type: Any, port: int) -> None:
    if not 1 <= port <= 65535:
        raise ValueError("takes a number from 1 to 65535")


Port = Annotated[int, Parameter(validator=_is_port)]


def serve(
    session: Path,
    /,
    *,
    host: str = _LOOPBACK,
    port: Port = 8000,
    config: Config = None,
    leaf: Leaf = None,
) -> None:
    """Show a session in a web browser; only this machine can open the page.

    Parameters
    ----------
    session
        The session file.
    host
        Another address to listen on: whoever reaches it can read the session.
    port
        The port to listen on.
    config
        Settings to use instead of the agent's own.
    leaf
        Any entry id: look at the branch that ends there.
    """
    if importlib.util.find_spec("textual_serve") is None:
        raise CommandError(_MISSING)
    look = Look(config, leaf)
    opened(session, look)
    from condense_tui.cli.webpage import PageServer

    server = PageServer(_command_line(session, look), host, port, session.name)
    try:
        server.run()
    except OSError as error:
        reason = (error.strerror or str(error)).rpartition(": ")[2].lower()
        raise CommandError(f"cannot listen on {host}, port {port}: {reason}") from error


def _command_line(session: Path, look: Look) -> str:
    """What the server runs for every page; it hands the line to a shell."""
    words = [sys.executable, "-m", "condense_tui", _SERVED, str(session.absolute())]
    words += [f"--config={look.config.absolute()}"] if look.config else []
    words += [f"--leaf={look.leaf}"] if look.leaf else []
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def served(session: Path, /, *, config: Config = None, leaf: Leaf = None) -> None:
    """The browser behind one page; its standard output is the server's, and no terminal."""
    found = load_settings(config)
    if isinstance(found, Refusal):
        raise CommandError(found.reason)
    from condense_tui.tui.run import run_browser

    run_browser(session, found, leaf)
