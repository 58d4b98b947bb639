"""A few of the many sessions that `tests.fuzz.run` judges, and the run itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condense_tui.session.jsontext import json_text
from tests.fuzz import judge as judging
from tests.fuzz.cases import make_case
from tests.fuzz.judge import Seen, judge
from tests.fuzz.material import is_shared_at_hand, material
from tests.fuzz.run import case_folder, outcome_of, run
from tests.fuzz.shrink import shrunk
from tests.vectors import mutated_sessions

OWN = material(is_shared=False)
SEED = 1
COUNT = 200


def digest(numbers: range) -> str:
    found = hashlib.sha256()
    for number in numbers:
        case = make_case(SEED, number, OWN)
        found.update(case.raw + b"\0" + case.settings)
    return found.hexdigest()


def test_a_short_run() -> None:
    tally = run(SEED, range(COUNT), OWN, jobs=1)
    assert [outcome.trouble for outcome in tally.troubled] == []
    assert tally.words.keys() == {"read", "refused"}
    assert tally.words["read"] > COUNT / 2
    assert tally.count == COUNT


@pytest.mark.skipif(not is_shared_at_hand(), reason="only what the project holds is here")
def test_a_short_run_over_the_public_sessions_too() -> None:
    tally = run(SEED, range(COUNT, COUNT + COUNT // 3), material(is_shared=True), jobs=1)
    assert [outcome.trouble for outcome in tally.troubled] == []


@settings(max_examples=30)
@given(mutated_sessions())
def test_what_hypothesis_makes_is_judged_too(mutated: tuple[bytes, Any]) -> None:
    raw, config = mutated
    with case_folder() as folder:
        judge(raw, b"" if config is None else json_text(config).encode(), folder)


@given(st.binary(max_size=300), st.binary(max_size=100))
def test_any_bytes_are_judged(raw: bytes, config: bytes) -> None:
    header = b'{"type":"session","version":3,"id":"s"}\n'
    with case_folder() as folder:
        judge(raw, config, folder)
        judge(header + raw, config, folder)


def test_the_same_number_is_the_same_case() -> None:
    assert digest(range(60)) == digest(range(60))
    assert digest(range(60)) != digest(range(1, 61))


def test_every_session_is_mutated_sooner_or_later() -> None:
    origins = {make_case(SEED, number, OWN).origin for number in range(1500)}
    assert {session.name for session in OWN} < origins


# What would be told


def judged_with(
    step: Callable[[Seen], None], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> tuple[str, str]:
    monkeypatch.setattr(judging, "STEPS", (step,))
    outcome = outcome_of(make_case(SEED, readable(), OWN), folder)
    return outcome.word, outcome.trouble


def readable() -> int:
    """The first number whose bytes are a session."""
    cases = (make_case(SEED, number, OWN) for number in range(100))
    return next(case.number for case in cases if case.kind == "made")


def test_an_exception_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(_seen: Seen) -> None:
        raise ValueError("no such thing")

    word, trouble = judged_with(fail, monkeypatch, tmp_path)
    assert word == "raised"
    assert "no such thing" in trouble


def append(seen: Seen) -> None:
    with seen.path.open("ab") as file:
        file.write(b"\n")


def rewrite(seen: Seen) -> None:
    """The same bytes, another moment."""
    seen.path.write_bytes(seen.path.read_bytes())


def add_a_file(seen: Seen) -> None:
    (seen.path.parent / "new").write_bytes(b"")


def change_a_value(seen: Seen) -> None:
    for entry in seen.inspection.branch.session.entries:
        entry.body["changed"] = True  # type: ignore[index]


@pytest.mark.parametrize("change", [append, rewrite, add_a_file, change_a_value])
def test_a_change_is_told(
    change: Callable[[Seen], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert judged_with(change, monkeypatch, tmp_path)[0] == "changed"


def test_a_failing_case_is_made_small() -> None:
    raw = b'{"type":"session"}\n{"a":[1,2,{"bad":"xxxx"}],"b":"yyyy"}\n{"c":3}\n'
    smallest, settings = shrunk(raw, b"{}", lambda raw, _settings: b'"bad"' in raw)
    assert (smallest, settings) == (b'{"a":[{"bad":"x"}]}', b"")
