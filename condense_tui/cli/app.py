"""The table of commands; each is loaded when it is called.

Each opens, asks the core, and shows; nothing is worked out here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App, Parameter

from condense_tui import __version__
from condense_tui.cli.browse import browse
from condense_tui.cli.output import PROGRAM
from condense_tui.cli.usage import doubt_of, fits, given
from condense_tui.store import is_there


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

_COMMANDS = {
    "demo": "browsing:demo",
    "check": "check:check",
    "condense": "condense:condense_session",
    "context": "context:context",
    "inspect": "inspect:inspect",
    "query": "querying:query_command",
    "export": "exporting:export",
    "tree": "tree:tree",
    "repair": "repair:repair",
    "serve": "serve:serve",
}

app.register_install_completion_command()
app.default(browse)
for _name, _place in _COMMANDS.items():
    app.command(f"condense_tui.cli.{_place}", name=_name, validator=fits)
app.command("condense_tui.cli.serve:served", name="served", validator=fits, show=False)


def load_commands() -> None:
    """The help says of each command what that says of itself."""
    for name in app:
        _ = app[name].help
