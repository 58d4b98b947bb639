"""`OpenAIModel`: any endpoint that speaks as OpenAI's does, through its client, an extra.

Answers are streamed, so that silence is noticed: an idle limit between two pieces, a total limit
for the whole.  What may pass is tried again, each time later.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from textwrap import shorten
from typing import Any

import openai

from condense_tui.condensing.summariser import Answer, Usage
from condense_tui.models.prompts import Question
from condense_tui.models.summariser import ModelError
from condense_tui.session.compact import Value
from condense_tui.session.jsontext import as_number

_ATTEMPTS = 3
_FIRST_PAUSE_S = 1.0
_MILLION = 1_000_000
# A local server needs no key, but the client wants one.
_NO_KEY = "no-key-given"
_REASON_CHARS = 200
_PASSING = (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError)
_REFUSALS = (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)
_NOBODY_THERE = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
_ERRNO = re.compile(r"^\[Errno -?\d+\] ")


class Prices(Value, frozen=True):
    """Dollars for a million tokens read and written."""

    read: float = 0
    written: float = 0


class Endpoint(Value, frozen=True):
    """Where a model is, and how long it may be silent and take in all, in seconds."""

    model: str
    base_url: str | None = None
    api_key: str | None = None
    idle_s: float = 20
    total_s: float = 180
    prices: Prices = Prices()


class OpenAIModel:
    """Asks one endpoint; `pause` waits between two attempts."""

    def __init__(self, endpoint: Endpoint, pause: Callable[[float], None] = time.sleep) -> None:
        self._endpoint = endpoint
        self._pause = pause
        self._is_closed = False
        self._is_met = False
        self._connections: set[socket.socket] = set()
        self._key = endpoint.api_key or _NO_KEY
        self._client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=self._key,
            max_retries=0,
            timeout=endpoint.idle_s,
        )

    @property
    def name(self) -> str:
        """What it is called there."""
        return self._endpoint.model

    @property
    def address(self) -> str:
        """Where questions are sent, to be shown: what may be secret in a URL is left out."""
        return str(self._client.base_url.copy_with(userinfo=b"", query=None, fragment=None))

    def close(self) -> None:
        """End every connection, so that answers which come fail at once.

        A question that nothing came of yet is left to the idle limit.
        """
        self._is_closed = True
        for connection in list(self._connections):
            # Closing alone does not wake the thread that reads, nor tell the endpoint.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._client.close()

    def ask(self, question: Question) -> Answer:
        """The answer, tried anew where that may help; raises ModelError."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._streamed(question)
            except _PASSING as error:
                reason = _reason(error, self._key)
                is_there = self._is_met or not _is_nobody_there(error)
            except openai.OpenAIError as error:
                reason = _reason(error, self._key)
                raise ModelError(reason, isinstance(error, _REFUSALS)) from error
            except (ValueError, TypeError, AttributeError) as error:
                raise ModelError("an answer that is not understood") from error
            if self._is_closed:
                break
            if attempt + 1 < _ATTEMPTS:
                self._pause(_FIRST_PAUSE_S * 2**attempt)
        raise ModelError(reason, is_final=self._is_closed or not is_there)

    def _streamed(self, question: Question) -> Answer:
        deadline = time.monotonic() + self._endpoint.total_s
        pieces: list[str] = []
        stop_reason, usage = "", Usage(calls=1)
        with (
            self._client.chat.completions.create(
                model=self._endpoint.model,
                messages=[
                    {"role": "system", "content": question.system},
                    {"role": "user", "content": question.text},
                ],
                stream=True,
                stream_options={"include_usage": True},
            ) as stream,
            self._connected(stream.response),
        ):
            self._is_met = True
            for chunk in stream:
                if time.monotonic() > deadline:
                    raise ModelError("took too long")
                for choice in chunk.choices:
                    pieces.append(choice.delta.content or "")
                    stop_reason = choice.finish_reason or stop_reason
                usage = self._usage(chunk.usage) if chunk.usage else usage
        if not stop_reason:
            raise openai.APIConnectionError(
                message="a stream that was cut", request=stream.response.request
            )
        return Answer("".join(pieces), usage, stop_reason)

    @contextmanager
    def _connected(self, response: Any) -> Iterator[None]:
        """Meanwhile the connection is one of those that `close` ends."""
        stream = response.extensions.get("network_stream")
        found = stream and stream.get_extra_info("socket")
        connections = {found} if found else set()
        self._connections |= connections
        try:
            if self._is_closed:
                self.close()
            yield
        finally:
            self._connections -= connections

    def _usage(self, told: Any) -> Usage:
        """Tokens as told; the cost as told, else by the prices."""
        read, written = (as_number(getattr(told, name, None)) or 0 for name in _TOKEN_FIELDS)
        prices = self._endpoint.prices
        cost = as_number(getattr(told, "cost", None))
        if cost is None:
            cost = (read * prices.read + written * prices.written) / _MILLION
        return Usage(int(read), int(written), cost, calls=1)


_TOKEN_FIELDS = ("prompt_tokens", "completion_tokens")


def _reason(error: openai.OpenAIError, key: str) -> str:
    """One line of what the endpoint says, else the system, else the client; never the key."""
    if isinstance(error, openai.APIStatusError):
        told = error.body.get("message") if isinstance(error.body, dict) else None
        words = f"{error.status_code}: {told or 'no reason given'}"
    else:
        # The client itself has the same words for every lost connection.
        words = _ERRNO.sub("", str(error.__cause__ or getattr(error, "message", error)))
    words = words.replace(key, "[key]") or type(error).__name__
    return shorten(words, _REASON_CHARS, placeholder=" …")


def _is_nobody_there(error: openai.OpenAIError) -> bool:
    """Whether there was no connection, and there is going to be none."""
    return any(isinstance(cause, _NOBODY_THERE) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause:
        yield cause
        cause = cause.__cause__ or cause.__context__
