"""`LatestAnswer`: one answer that takes time, for all who ask the same question."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

_Question = TypeVar("_Question")
_Answer = TypeVar("_Answer")


class LatestAnswer(Generic[_Question, _Answer]):
    """Remembers the answer to the latest question; asked from several threads.

    Who asks what is being worked out waits for it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._latest: tuple[_Question, Future[_Answer]] | None = None

    def to(
        self,
        question: _Question,
        work: Callable[[], _Answer],
        is_kept: Callable[[_Answer], bool],
    ) -> _Answer:
        """What the work returns or raises; only an answer that `is_kept` is remembered."""
        future, is_new = self._taken_up(question)
        if is_new:
            try:
                answer = work()
            except BaseException as error:
                self._forget(future)
                future.set_exception(error)
            else:
                if not is_kept(answer):
                    self._forget(future)
                future.set_result(answer)
        return future.result()

    def _taken_up(self, question: _Question) -> tuple[Future[_Answer], bool]:
        with self._lock:
            if self._latest and self._latest[0] == question:
                return self._latest[1], False
            future: Future[_Answer] = Future()
            self._latest = question, future
            return future, True

    def _forget(self, future: Future[_Answer]) -> None:
        with self._lock:
            if self._latest and self._latest[1] is future:
                self._latest = None
