"""`SoberApp`: an app that says shortly what it failed on."""

from __future__ import annotations

from textual.app import App


class SoberApp(App[None]):
    """Textual shows the values of all variables, and those of a large session have no end."""

    def _fatal_error(self) -> None:
        # Nobody waits for it at the start: it brings half a second of libraries with it.
        from rich.traceback import Traceback

        self.panic(Traceback(show_locals=False, width=None))
