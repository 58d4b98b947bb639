"""The browser on a web page: what serve refuses, whom it answers, and the page itself."""

import asyncio
import base64
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

import condense_tui.demo
from condense_tui.cli.run import run
from condense_tui.cli.webpage import is_loopback, is_own_request
from condense_tui.tui.commands import COMMANDS

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
CHROMIUM_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--window-size=1400,900", "--remote-debugging-port=0"),
)
PATIENCE_SECONDS = 60
EVERYWHERE = "0.0.0.0"  # noqa: S104


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class TestRefusals:
    """One line on standard error, and exit code 2."""

    def refused(self, capfd: pytest.CaptureFixture[str], *tokens: str) -> str:
        assert run(["serve", *tokens]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("condense-tui: ")
        assert err.count("\n") == 1
        return err

    def test_without_the_extra(
        self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "textual_serve", None)
        assert "pip install 'condense-tui[serve]'" in self.refused(capfd, str(DEMO))

    def test_a_session_that_cannot_be_opened(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert "no such file" in self.refused(capfd, "/no/such/session.jsonl")

    def test_a_leaf_that_is_not_there(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert "no entry has the id" in self.refused(capfd, str(DEMO), "--leaf=nobody")

    @pytest.mark.parametrize("port", ["0", "65536", "http"])
    def test_a_port_that_is_none(self, capfd: pytest.CaptureFixture[str], port: str) -> None:
        assert "--port" in self.refused(capfd, str(DEMO), f"--port={port}")


@pytest.mark.parametrize(
    ("bound", "asked", "origin", "is_answered"),
    [
        ("127.0.0.1", "127.0.0.1:8000", None, True),
        ("127.0.0.1", "localhost:8000", "http://localhost:8000", True),
        ("127.0.0.1", "localhost:9000", "http://localhost:9000", True),
        ("::1", "[::1]:8000", "http://[::1]:8000", True),
        ("127.0.0.1", "127.0.0.1:8000", "http://evil.example", False),
        ("127.0.0.1", "127.0.0.1:8000", "http://127.0.0.1:9999", False),
        ("127.0.0.1", "127.0.0.1:8000", "null", False),
        ("127.0.0.1", "evil.example:8000", None, False),
        ("127.0.0.1", "evil.example:8000", "http://evil.example:8000", False),
        ("127.0.0.1", "", None, False),
        (EVERYWHERE, "desk.example:8000", "http://desk.example:8000", True),
        (EVERYWHERE, "desk.example:8000", "http://evil.example", False),
    ],
)
def test_only_pages_of_the_server_are_answered(
    bound: str, asked: str, origin: str | None, is_answered: bool
) -> None:
    assert is_own_request(bound, asked, origin) is is_answered


@pytest.mark.parametrize(
    ("host", "is_one"),
    [("localhost", True), ("127.8.8.8", True), ("::1", True), (EVERYWHERE, False), ("a.b", False)],
)
def test_loopback(host: str, is_one: bool) -> None:
    assert is_loopback(host) is is_one


@asynccontextmanager
async def started(
    program: str, *arguments: str, **options: Any
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that is ended at the end."""
    process = await asyncio.create_subprocess_exec(program, *arguments, **options)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def served(port: int) -> AsyncIterator[str]:
    """The demo on a page; its address as the program says it."""
    words = ("-m", "condense_tui", "serve", str(DEMO), f"--port={port}")
    async with started(sys.executable, *words, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        said = (await server.stdout.readline()).decode()
        found = re.search(r"http://\S+", said)
        assert found, said
        yield found[0]


class Page:
    """A page of a real web browser, driven over its debugging socket."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._asked = 0
        self.screen = ""
        self.requested: list[str] = []
        self.blocked: list[str] = []

    async def ask(self, method: str, **parameters: Any) -> Any:
        self._asked += 1
        number = self._asked
        message = {"id": number, "method": method, "params": parameters}
        await self._socket.send_json(message)
        while (answer := await self._next()).get("id") != number:
            pass
        return answer["result"]

    async def seen(self, text: str) -> None:
        """Wait until the page was sent this text to show."""
        while text not in self.screen:
            await self._next()

    async def value(self, expression: str) -> Any:
        answer = await self.ask("Runtime.evaluate", expression=expression)
        return answer["result"].get("value")

    async def _next(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._socket.receive_json()
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.webSocketFrameReceived" if parameters["response"]["opcode"] == 2:
                drawn = base64.b64decode(parameters["response"]["payloadData"])
                self.screen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.decode())
            case "Network.requestWillBeSent":
                self.requested.append(parameters["request"]["url"])
            case "Network.loadingFailed":
                self.blocked.append(str(parameters.get("blockedReason")))
        return message


@asynccontextmanager
async def web_browser(profile: Path) -> AsyncIterator[Page]:
    options = (*CHROMIUM_OPTIONS, f"--user-data-dir={profile}", "about:blank")
    async with (
        started(str(CHROMIUM), *options, stderr=subprocess.PIPE) as browser,
        ClientSession() as client,
    ):
        assert browser.stderr is not None
        while not (found := re.search(rb"ws://([^/]+)/", await browser.stderr.readline())):
            pass
        targets = await (await client.get(f"http://{found[1].decode()}/json")).json()
        target = next(target for target in targets if target["type"] == "page")
        async with client.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as wire:
            yield Page(wire)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page with")
async def test_the_page_shows_the_session_and_takes_keys(tmp_path: Path) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with served(free_port()) as address, web_browser(tmp_path) as page:
            await page.ask("Network.enable")
            await page.ask("Page.navigate", url=address)
            await page.seen("refund rounding bug")
            await page.seen("prune: ON")
            assert await page.value("document.body.classList.contains('-first-byte')")
            assert await page.value("document.querySelectorAll('.xterm-screen canvas').length > 0")
            assert "\x1b]52" not in page.screen
            page.screen = ""
            await page.ask("Input.insertText", text="?")
            await page.seen(next(row.explanation for row in COMMANDS if row.action == "open_whole"))
    own = [url for url in page.requested if url.startswith(address)]
    others = [url for url in page.requested if not url.startswith(address)]
    assert own
    assert page.blocked.count("csp") == len(others), "what is not the page's own is not asked for"


async def test_another_site_s_page_gets_nothing() -> None:
    async with served(free_port()) as address, ClientSession() as client:
        assert (await client.get(address)).status == 200
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            for path in ("/", "/ws", "/static/js/textual.js"):
                assert (await client.get(address + path, headers=headers)).status == 403
