"""`OpenAIModel`: any endpoint that speaks as OpenAI's does, through its client, an extra.

Answers are streamed, so that silence is noticed: an idle limit between two pieces, a total limit
for the whole.  What may pass is tried again, each time later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
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
_NO_KEY = "none"
_PASSING = (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError)


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
        self._client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.api_key or _NO_KEY,
            max_retries=0,
            timeout=endpoint.idle_s,
        )

    @property
    def address(self) -> str:
        """Where questions are sent."""
        return str(self._client.base_url)

    def close(self) -> None:
        """End every connection; questions that wait fail at once."""
        self._is_closed = True
        self._client.close()

    def ask(self, question: Question) -> Answer:
        """The answer, tried anew where that may help; raises ModelError."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._streamed(question)
            except _PASSING as error:
                reason = _reason(error)
            except openai.OpenAIError as error:
                raise ModelError(_reason(error), is_final=_is_final(error)) from error
            except (ValueError, TypeError, AttributeError) as error:
                raise ModelError("an answer that is not understood") from error
            if self._is_closed:
                break
            if attempt + 1 < _ATTEMPTS:
                self._pause(_FIRST_PAUSE_S * 2**attempt)
        raise ModelError(reason, is_final=self._is_closed)

    def _streamed(self, question: Question) -> Answer:
        deadline = time.monotonic() + self._endpoint.total_s
        pieces: list[str] = []
        stop_reason, usage = "", Usage(calls=1)
        with self._client.chat.completions.create(
            model=self._endpoint.model,
            messages=[
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.text},
            ],
            stream=True,
            stream_options={"include_usage": True},
        ) as stream:
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

    def _usage(self, told: Any) -> Usage:
        """Tokens as told; the cost as told, else by the prices."""
        read, written = (as_number(getattr(told, name, None)) or 0 for name in _TOKEN_FIELDS)
        prices = self._endpoint.prices
        cost = as_number(getattr(told, "cost", None))
        if cost is None:
            cost = (read * prices.read + written * prices.written) / _MILLION
        return Usage(int(read), int(written), cost, calls=1)


_TOKEN_FIELDS = ("prompt_tokens", "completion_tokens")


def _reason(error: openai.OpenAIError) -> str:
    """One line of what the endpoint or the client says."""
    status = getattr(error, "status_code", None)
    words = " ".join(str(getattr(error, "message", error)).split()) or type(error).__name__
    return f"{status}: {words}" if status else words


def _is_final(error: openai.OpenAIError) -> bool:
    """Whether asking something else would be refused the same way."""
    refusals = (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)
    return isinstance(error, refusals)
