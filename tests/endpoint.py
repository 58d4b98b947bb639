"""A model's endpoint on loopback that answers as it is told: well, late, broken, or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


class Reply:
    """One reply: a status, pieces of text, why they end, and what goes wrong on the way."""

    def __init__(
        self,
        *pieces: str,
        status: int = 200,
        finish: str | None = "stop",
        usage: Json | None = None,
        silent_s: float = 0,
        is_cut: bool = False,
        raw: bytes | None = None,
    ) -> None:
        self.pieces = pieces
        self.status = status
        self.finish = finish
        self.usage = {"prompt_tokens": 100, "completion_tokens": 10} | (usage or {})
        self.silent_s = silent_s
        self.is_cut = is_cut
        self.raw = raw

    def chunks(self) -> Iterator[Json]:
        yield from ({"choices": [_choice(piece, None)]} for piece in self.pieces)
        if self.finish:
            yield {"choices": [_choice("", self.finish)]}
        yield {"choices": [], "usage": self.usage}


def _choice(text: str, finish: str | None) -> Json:
    return {"index": 0, "delta": {"content": text}, "finish_reason": finish}


Script = Callable[[Json, int], Reply]


class Endpoint:
    """`script` is given each request and its number; `requests` remembers them."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Json] = []
        self.keys: list[str | None] = []
        self.released = threading.Event()
        self._lock = threading.Lock()
        self.url = ""

    def reply_to(self, request: Json, key: str | None) -> Reply:
        with self._lock:
            self.requests.append(request)
            self.keys.append(key)
            return self.script(request, len(self.requests))


@contextmanager
def endpoint(script: Script) -> Iterator[Endpoint]:
    """Serve while the block lasts."""
    told = Endpoint(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = told.reply_to(request, self.headers.get("Authorization"))
            try:
                _send(self, reply, told.released)
            except OSError:
                return

        def log_message(self, *_arguments: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield told
    finally:
        told.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _send(handler: BaseHTTPRequestHandler, reply: Reply, released: threading.Event) -> None:
    handler.send_response(reply.status)
    if reply.status != 200 or reply.raw is not None:
        body = reply.raw or json.dumps({"error": {"message": "as told"}}).encode()
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
        return
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    for chunk in reply.chunks():
        body = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", **chunk}
        handler.wfile.write(f"data: {json.dumps(body)}\n\n".encode())
        handler.wfile.flush()
        if reply.silent_s:
            released.wait(reply.silent_s)
        if reply.is_cut:
            return
    handler.wfile.write(b"data: [DONE]\n\n")
