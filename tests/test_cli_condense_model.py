"""Condensing with a model: a fake endpoint on loopback answers, and the run ends well each time."""

from __future__ import annotations

import builtins
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

pytest.importorskip("openai")

from condense_tui.cli import summarisers
from condense_tui.cli.summarisers import tell_progress
from condense_tui.condensing.summariser import Usage
from condense_tui.copies import summarisers as asked
from condense_tui.inspection.inspection import Inspection
from condense_tui.models import client
from condense_tui.models.summariser import Progress
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Session
from condense_tui.store_open import open_session
from tests.build import SessionBuilder
from tests.endpoint import Json, Reply, Script, endpoint
from tests.sessions import ran, written

Capture = pytest.CaptureFixture[bytes]

LONG = "a line of output\n" * 100
OTHER = "another line of it\n" * 100
LABEL = re.compile(r"\[\[1:\w+\]\]")


def summary(request: Json, _number: int) -> Reply:
    """A bullet under the call's own label, or for a fusion one text."""
    label = LABEL.search(request["messages"][1]["content"])
    return Reply(f"- {label[0]} ", "told by a model") if label else Reply("fused ", "by a model")


@pytest.fixture(autouse=True)
def _quick_and_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting between attempts, no answers and no keys of the user."""
    monkeypatch.setattr(client, "_FIRST_PAUSE_S", 0.0)
    monkeypatch.setattr(asked, "answers_folder", lambda: tmp_path / "answers")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    session = SessionBuilder().user(at=1_100).turn("a", LONG).turn("b", OTHER).answer(at=1_200)
    return written(tmp_path, session.raw)


@pytest.fixture
def serve(source: Path, tmp_path: Path, capsysbinary: Capture) -> Iterator[Callable[..., Any]]:
    """Condense against an endpoint with this script: what was said, the summaries, the endpoint."""

    def run(script: Script, *options: str, config: Json | None = None) -> Any:
        settings = written(tmp_path, json.dumps(config or {}).encode(), "config.json")
        copy = tmp_path / "copy.jsonl"
        with endpoint(script) as told:
            done = ran(
                capsysbinary, "condense", source, "-o", copy, "--force", "--config", settings,
                "--summarizer", "openai:fake", "--base-url", told.url, "--yes", *options,
            )  # fmt: skip
        return done, Written(copy), told

    return run


class Written:
    """The copy, read."""

    def __init__(self, path: Path) -> None:
        session = open_session(path)
        assert isinstance(session, Session), session
        self.inspection = Inspection(default_branch(session), settings_from(None))

    @property
    def summaries(self) -> list[str]:
        return [found.text.split("\n\n---\n")[0] for found in self.inspection.index.summaries]

    @property
    def stats(self) -> Any:
        *_, last = (
            entry.body["data"]
            for entry in self.inspection.branch.entries
            if entry.body.get("customType") == "context-prune-stats"
        )
        return last


def test_a_model_answers_and_its_labels_become_refs(serve: Any) -> None:
    done, copy, told = serve(summary, "--price", "1/10")
    assert done.code == 0
    assert copy.summaries == ["- `t1` told by a model", "- `t2` told by a model"]
    assert copy.stats["callCount"] == 2
    assert (copy.stats["totalInputTokens"], copy.stats["totalOutputTokens"]) == (200, 20)
    assert copy.stats["totalCost"] == pytest.approx((200 * 1 + 20 * 10) / 1_000_000)
    assert {request["model"] for request in told.requests} == {"fake"}
    assert any(LONG[:200] in request["messages"][1]["content"] for request in told.requests)
    assert "2 questions" in done.err
    assert told.url in done.err


def test_a_cost_that_is_told_goes_before_prices(serve: Any) -> None:
    _, copy, _ = serve(lambda *_: Reply("short", usage={"cost": 0.25}), "--price", "1/10")
    assert copy.stats["totalCost"] == 0.5


def test_a_key_is_sent_where_there_is_one(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    _, _, told = serve(summary)
    assert set(told.keys) == {"Bearer sk-test"}


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500),
        Reply(status=429),
        Reply("half a sen", is_cut=True),
        Reply("half", finish=None),
        Reply("slow", silent_s=5),
    ],
    ids=["server error", "too many", "cut stream", "no end", "silence"],
)
def test_what_may_pass_is_tried_again(reply: Reply, serve: Any) -> None:
    _, copy, _ = serve(
        lambda request, number: reply if number == 1 else summary(request, number),
        "--jobs", "1", config={"summarizerIdleTimeoutMs": 300},
    )  # fmt: skip
    assert copy.summaries == ["- `t1` told by a model", "- `t2` told by a model"]
    assert "extractFallbacks" not in copy.stats


FAILURES = [
    (Reply(status=500), "500: as told", 3),
    (Reply(status=400), "400: as told", 1),
    (Reply("half", is_cut=True), "a stream that was cut", 3),
    (Reply(""), "empty answer", 1),
    (Reply("cut", finish="length"), "cut off", 1),
    (Reply("", raw=b"{not json"), "", None),
    (Reply("a", "b", "c", silent_s=0.2), "took too long", 1),
]


@pytest.mark.parametrize(("reply", "words", "asked"), FAILURES)
def test_where_a_model_fails_the_extract_stands_in(
    reply: Reply, words: str, asked: int | None, serve: Any
) -> None:
    """The other batch is answered."""

    def script(request: Json, number: int) -> Reply:
        return reply if LONG[:40] in request["messages"][1]["content"] else summary(request, number)

    done, copy, told = serve(script, "--jobs", "1", config={"summarizerMaxTimeoutMs": 300})
    assert done.code == 0
    instead, answered = copy.summaries
    assert "bash: ok, 100 lines" in instead
    assert answered == "- `t2` told by a model"
    assert copy.stats["extractFallbacks"] == 1
    assert "1 question failed, answered offline instead" in done.err
    assert words in done.err
    assert asked is None or len(told.requests) == asked + 1


@pytest.mark.parametrize(
    ("reply", "words", "asked"),
    [
        *((reply, words, asked and 2 * asked) for reply, words, asked in FAILURES),
        (Reply(status=401), "401: as told", 1),
        (Reply(status=404), "404: as told", 1),
    ],
)
def test_a_model_that_answers_nothing_writes_nothing(
    reply: Reply, words: str, asked: int | None, source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    settings = written(tmp_path, b'{"summarizerMaxTimeoutMs": 300}', "config.json")
    before = sorted(tmp_path.iterdir())
    with endpoint(lambda *_: reply) as told:
        done = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--config", settings,
            "--summarizer", "openai:fake", "--base-url", told.url, "--yes", "--jobs", "1",
        )  # fmt: skip
    assert done.code == 2
    assert f"fake at {told.url}/ gave no answer" in done.err
    assert words in done.err
    assert "nothing was written; --summarizer extract needs no model" in done.err
    assert sorted(tmp_path.iterdir()) == before
    assert asked is None or len(told.requests) == asked


def test_a_reason_is_short_and_holds_no_key(
    source: Path, tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    told_back = {"error": {"message": "sk-hidden is wrong" + " and so on" * 500}}
    reply = Reply(status=401, raw=json.dumps(told_back).encode())
    with endpoint(lambda *_: reply) as told:
        done = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--yes",
            "--summarizer", "openai:fake", "--base-url", told.url,
        )  # fmt: skip
    assert "401: [key] is wrong and so on" in done.err
    assert "sk-hidden" not in done.err
    assert max(map(len, done.err.splitlines())) < 400


def with_many_batches(folder: Path) -> Path:
    session = SessionBuilder().user()
    for number in range(40):
        session.turn(f"c{number}", f"{number} {LONG}")
    return written(folder, session.answer().raw)


def test_a_model_that_is_not_there_is_asked_no_more(tmp_path: Path, capsysbinary: Capture) -> None:
    """What the address keeps secret is not shown."""
    source = with_many_batches(tmp_path)
    tries: list[None] = []

    def tried(*arguments: Any) -> Any:
        tries.append(None)
        return streamed(*arguments)

    streamed = client.OpenAIModel._streamed
    with patch.object(client.OpenAIModel, "_streamed", tried):
        done = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--yes", "--jobs", "2",
            "--summarizer", "openai:fake", "--base-url", "http://me:hidden@127.0.0.1:9/v1?key=hidden",
        )  # fmt: skip
    assert done.code == 2
    assert "fake at http://127.0.0.1:9/v1/ gave no answer: Connection refused" in done.err
    assert "hidden" not in done.err
    assert len(tries) <= 2 * 3


def test_where_the_first_questions_all_fail_the_others_are_not_asked(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    source = with_many_batches(tmp_path)
    with endpoint(lambda *_: Reply(status=400)) as told:
        done = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--yes", "--jobs", "1",
            "--summarizer", "openai:fake", "--base-url", told.url,
        )  # fmt: skip
    assert done.code == 2
    assert len(told.requests) == 5
    begun, failed, end = done.err.splitlines()[1:]
    assert begun == f"condense-tui: asking fake at {told.url}/"
    assert failed.startswith("condense-tui: a question failed: 400: ")
    assert "(5 asked, 35 not sent)" in end


@pytest.mark.parametrize("url", ["localhost:8000/v1", "http://", "http://[::1", "gpt"])
def test_an_address_that_is_none_is_refused(
    url: str, source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    done = ran(
        capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--yes",
        "--summarizer", "openai:fake", "--base-url", url,
    )  # fmt: skip
    assert done.code == 2
    assert "an endpoint is a URL, as http://localhost:8000/v1" in done.err


def test_an_answer_that_is_too_long_is_rejected(serve: Any) -> None:
    _, copy, _ = serve(lambda *_: Reply("x" * 5_000))
    assert copy.summaries == []


def test_what_was_answered_is_not_asked_again(
    source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    with endpoint(summary) as told:
        arguments = ["--summarizer", "openai:x", "--yes", "--base-url", told.url]
        ran(capsysbinary, "condense", source, "-o", first, *arguments)
        done = ran(capsysbinary, "condense", source, "-o", second, *arguments)
        assert len(told.requests) == 2
    assert "2 answers kept from before" in done.err
    assert Written(second).summaries == Written(first).summaries
    assert Written(second).stats["callCount"] == 0


def test_chains_are_fused_where_asked_for(serve: Any) -> None:
    no_window = {
        "chainCompression": {"enabled": True, "rollingWindow": 0, "fuseRangeSummary": True}
    }
    _, copy, _ = serve(summary, "--fuse", config=no_window)
    (chain,) = copy.inspection.index.chains
    assert chain.range_summary == "fused by a model"
    assert copy.stats["rangesSummarized"] == 1
    _, copy, _ = serve(summary, config=no_window)
    assert copy.inspection.index.chains[0].range_summary is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--summarizer", "gpt"], "openai:MODEL"),
        (["--summarizer", "openai:"], "openai:MODEL"),
        (["--summarizer", "openai:x", "--price", "1"], "IN/OUT"),
        (["--summarizer", "openai:x"], "--yes agrees"),
    ],
)
def test_nothing_is_sent_without_consent(
    options: list[str], words: str, source: Path, tmp_path: Path, capsysbinary: Capture
) -> None:
    with endpoint(summary) as told:
        failed = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl", "--base-url", told.url,
            *options,
        )  # fmt: skip
    assert failed.code == 2
    assert words in failed.err
    assert told.requests == []


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A person at a terminal who gives these answers; after them the input is at its end."""

    class Keyboard:
        def isatty(self) -> bool:
            return True

    def type_answers(*answers: str) -> None:
        waiting = iter(answers)

        def answered() -> str:
            for answer in waiting:
                return answer
            raise EOFError

        monkeypatch.setattr(builtins, "input", answered)
        monkeypatch.setattr(summarisers.sys, "stdin", Keyboard())

    return type_answers


@pytest.mark.parametrize(("typed", "code"), [(["y"], 0), (["n"], 2), ([], 2)])
def test_a_person_is_asked(
    typed: list[str],
    code: int,
    source: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    type_in: Callable[..., None],
) -> None:
    type_in(*typed)
    with endpoint(summary) as told:
        arguments = ["-o", tmp_path / "c.jsonl", "--summarizer", "openai:x", "--base-url", told.url]
        assert ran(capsysbinary, "condense", source, *arguments).code == code
    assert bool(told.requests) == (code == 0)


@pytest.mark.parametrize(("typed", "code"), [(["y", "y"], 0), (["y", "n"], 2), (["y"], 2)])
def test_a_person_may_have_extracts_where_a_model_answers_nothing(
    typed: list[str],
    code: int,
    source: Path,
    tmp_path: Path,
    capsysbinary: Capture,
    type_in: Callable[..., None],
) -> None:
    type_in(*typed)
    copy = tmp_path / "c.jsonl"
    with endpoint(lambda *_: Reply(status=401)) as told:
        arguments = ["-o", copy, "--summarizer", "openai:x", "--base-url", told.url]
        done = ran(capsysbinary, "condense", source, *arguments)
    assert done.code == code
    assert "write the copy with extracts instead? [y/N]" in done.err
    assert copy.exists() == (code == 0)
    if copy.exists():
        assert Written(copy).stats["extractFallbacks"] == 2


def test_a_dry_run_asks_nobody(source: Path, capsysbinary: Capture) -> None:
    with endpoint(summary) as told:
        done = ran(
            capsysbinary, "condense", source, "--dry-run", "--summarizer", "openai:x",
            "--base-url", told.url.replace("//", "//me:hidden@"), "--price", "1000/0",
        )  # fmt: skip
    assert told.requests == []
    (line,) = (line for line in done.words.split("\n") if line.startswith("model"))
    words = rf"model +x at {re.escape(told.url)}: 2 questions, about \S+ tokens, \$\S+ to read"
    assert re.fullmatch(words, line)


def test_a_stop_ends_the_questions_and_keeps_what_was_answered(
    source: Path, tmp_path: Path, capsysbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run pays only for the rest."""

    def stopping(progress: Progress) -> None:
        if progress.done == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(summarisers, "tell_progress", stopping)
    copy = tmp_path / "c.jsonl"
    arguments = ["-o", copy, "--summarizer", "openai:x", "--yes", "--jobs", "1"]
    with endpoint(summary) as told:
        arguments += ["--base-url", told.url]
        assert ran(capsysbinary, "condense", source, *arguments).code == 130
        assert not copy.exists()
        kept = len(list((tmp_path / "answers").iterdir()))
        asked = len(told.requests)
        monkeypatch.setattr(summarisers, "tell_progress", lambda _progress: None)
        done = ran(capsysbinary, "condense", source, *arguments)
        assert kept >= 1
        assert f"{kept} answer" in done.err
        assert len(told.requests) - asked == 2 - kept


def test_a_bar_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Terminal:
        write = staticmethod(shown.append)

        def isatty(self) -> bool:
            return True

        def flush(self) -> None:
            return

    monkeypatch.setattr(summarisers.sys, "stderr", Terminal())
    tell_progress(Progress(asked=4, done=1, usage=Usage(1_000, 500, 0.02, 1)))
    tell_progress(Progress(asked=4, done=4, failed=4, unsent=3))
    assert shown[0].startswith("\r█████···············")
    assert "1/4 · 1.5k tokens · $0.020" in shown[0]
    assert "1/4 ·" in shown[1]
    assert "1 failed, 3 not sent" in shown[1]
    assert shown[1].endswith("\n")


def test_where_nothing_is_pending_nothing_is_to_be_sent(
    tmp_path: Path, capsysbinary: Capture
) -> None:
    source = written(tmp_path, SessionBuilder().user().answer().raw)
    with endpoint(summary) as told:
        done = ran(
            capsysbinary, "condense", source, "-o", tmp_path / "c.jsonl",
            "--summarizer", "openai:x", "--base-url", told.url,
        )  # fmt: skip
    assert (done.code, done.complaint) == (0, f"nothing is to be sent to {told.url}/")
