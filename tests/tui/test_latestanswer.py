"""One answer for all who ask the same: waited for, remembered, forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from condense_tui.tui.latestanswer import LatestAnswer


def kept(_answer: object) -> bool:
    return True


def test_only_the_latest_question_is_remembered() -> None:
    answers: LatestAnswer[str, int] = LatestAnswer()
    numbers = iter(range(9))

    def ask(question: str) -> int:
        return answers.to(question, lambda: next(numbers), kept)

    assert [ask(question) for question in "aabba"] == [0, 0, 1, 1, 2]


def test_what_is_not_kept_is_worked_out_again() -> None:
    answers: LatestAnswer[str, int] = LatestAnswer()
    numbers = iter(range(9))
    found = [answers.to("a", lambda: next(numbers), lambda _: False) for _ in range(2)]
    assert found == [0, 1]


def test_who_asks_meanwhile_waits_for_the_same_answer() -> None:
    answers: LatestAnswer[str, object] = LatestAnswer()
    begun, go_on = Event(), Event()

    def work() -> object:
        begun.set()
        assert go_on.wait(30)
        return object()

    with ThreadPoolExecutor() as pool:
        first = pool.submit(answers.to, "a", work, kept)
        assert begun.wait(30)
        second = pool.submit(answers.to, "a", object, kept)
        go_on.set()
        assert first.result(30) is second.result(30)


def test_a_failure_is_raised_and_forgotten() -> None:
    answers: LatestAnswer[str, float] = LatestAnswer()
    with pytest.raises(ZeroDivisionError):
        answers.to("a", lambda: 1 / 0, kept)
    assert answers.to("a", lambda: 1.0, kept) == 1.0
