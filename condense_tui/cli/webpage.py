"""`PageServer`: textual-serve, kept to pages of its own and to this machine's files.

A page on some other site may open a socket to any port of this machine; whatever it learns
would be a session.  So a request must come from a page of the address it asks, and on a
loopback address it must ask for it by a loopback name.
"""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

from condense_tui.cli.output import write_lines
from condense_tui.view.lines import line

# The page as it comes asks a font service who looks at it.
_POLICY = "default-src 'self' 'unsafe-inline' data: blob:; connect-src 'self' ws: wss:"
# The page as it comes wants a click before it takes a key.
_TAKE_KEYS = """
<script>
  addEventListener("load", () => setTimeout(
    () => document.querySelector(".xterm-helper-textarea").focus()));
</script>
"""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class PageServer(Server):
    """Serves one command to any number of pages."""

    def run(self) -> None:
        """Serve until Ctrl-C; raises OSError when the address cannot be listened on."""
        app = self._make_app()
        web.run_app(app, host=self.host, port=self.port, access_log=None, print=self._say_where)

    def _say_where(self, _banner: str) -> None:
        """Called once the address is listened on."""
        warning = "" if is_loopback(self.host) else "; whoever reaches it can read the session"
        write_lines([line(f"{self.title}: {self.public_url} (Ctrl-C ends{warning})")])
        sys.stdout.flush()

    async def on_startup(self, app: web.Application) -> None:
        """No banner."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._own_pages_only)
        app.on_response_prepare.append(_set_policy)
        return app

    @web.middleware
    async def _own_pages_only(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_own_request(self.host, request.host, request.headers.get("Origin")):
            raise web.HTTPForbidden(text="not a page of this server\n")
        return await handler(request)

    async def handle_index(self, request: web.Request) -> Any:
        """The page, whose links lead to the address that it was asked by."""
        self.public_url = f"{request.scheme}://{request.host}"
        page: Any = await super().handle_index(request)
        page.text = page.text.replace("</body>", f"{_TAKE_KEYS}</body>")
        return page


async def _set_policy(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Content-Security-Policy"] = _POLICY


def is_own_request(bound: str, asked: str, origin: str | None) -> bool:
    """Whether a request comes from a page of this server, or from none, and by its own name.

    `bound` is the host that is listened on, `asked` the Host header, `origin` the Origin one.
    """
    if origin is not None and urlsplit(origin).netloc != asked:
        return False
    return is_loopback(urlsplit(f"//{asked}").hostname or "") or not is_loopback(bound)


def is_loopback(host: str) -> bool:
    """Whether this name or address can only be this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
