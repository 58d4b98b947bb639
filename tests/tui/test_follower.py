"""Step by step behind a file: what is shown equals what a fresh look would show."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from condense_tui.inspection.report import report
from condense_tui.pruning.settings import settings_from
from condense_tui.session.branch import branch_of, default_branch
from condense_tui.session.entries import Refusal, Session
from condense_tui.store_open import open_file
from condense_tui.tui.follower import FOLLOWING, Follower, Step
from condense_tui.tui.picture import Picture, read_picture, take_picture
from condense_tui.view.headline import headline
from condense_tui.view.lines import text_of
from condense_tui.view.treerows import TreeNode
from tests.build import SessionBuilder, ref, spilled
from tests.tui.stage import DEMO, SHARED

SETTINGS = settings_from(None)
SERIES = sorted((SHARED / "sessions" / "series").glob("*.jsonl"))
HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/w"}


def entry(name: str, parent: str | None, words: str = "words") -> bytes:
    message = {"role": "user", "content": words, "timestamp": 1}
    fields = {"type": "message", "id": name, "parentId": parent, "message": message}
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


START = json.dumps(HEADER).encode() + b"\n" + entry("a", None) + entry("b", "a")


class Followed:
    """A file that is written bit by bit, and the picture that follows it."""

    def __init__(self, path: Path, raw: bytes, leaf: str | None = None) -> None:
        self.path = path
        path.write_bytes(raw)
        picture = read_picture(path, leaf, SETTINGS)
        assert isinstance(picture, Picture)
        assert picture.file
        self.picture = picture
        self.is_pinned = leaf is not None
        self.follower = Follower(picture, picture.file)
        self.mark = FOLLOWING

    def append(self, raw: bytes) -> Step | None:
        with self.path.open("ab") as file:
            file.write(raw)
        return self.step()

    def step(self) -> Step | None:
        step = self.follower.step(self.picture, self.is_pinned)
        if step:
            self.picture, self.mark = step.picture or self.picture, step.mark
        return step

    def go_to_newest(self) -> None:
        """As someone does who is told that the session goes on elsewhere."""
        branch = default_branch(self.picture.inspection.branch.session)
        self.picture = take_picture(self.path, branch, SETTINGS, self.picture.file)
        self.mark = FOLLOWING

    @property
    def ids(self) -> list[str | None]:
        return [entry.id for entry in self.picture.inspection.branch.entries]


def fresh(path: Path, leaf: str | None = None) -> Picture:
    """As someone sees it who opens the file now and knows that it grows."""
    file = open_file(path)
    assert not isinstance(file, Refusal)
    session = file.read_on(is_growing=True)
    assert isinstance(session, Session)
    branch = branch_of(session, leaf)
    assert not isinstance(branch, Refusal)
    return take_picture(path, branch, SETTINGS)


def facts(picture: Picture) -> dict[str, Any]:
    inspection = picture.inspection
    return {
        "report": report(inspection),
        "slots": [
            (slot.place, slot.fates, *(message and message.body for message in both))
            for slot in inspection.plan.slots
            for both in [(slot.before, slot.after)]
        ],
        "sizes": list(inspection.plan.slot_chars),
        "status": inspection.status_line,
        "tree": list(tree_lines(picture.nodes)),
        "findings": [finding.code for finding in picture.findings],
        "headline": text_of(headline(inspection)),
    }


def tree_lines(nodes: Iterable[TreeNode], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    for node in nodes:
        yield depth, node.key, text_of(node.line)
        yield from tree_lines(node.children, depth + 1)


def assert_as_fresh(followed: Followed) -> None:
    """Beside a fresh look at the branch, which is the newest unless that was announced.

    Entries are compared by what they are in the file, for each reading has its own.
    """
    leaf = followed.picture.inspection.branch.leaf_id
    seen, wanted = facts(followed.picture), facts(fresh(followed.path, leaf))
    for name, fact in wanted.items():
        assert repr(without_places(seen[name])) == repr(without_places(fact)), name
    session = followed.picture.inspection.branch.session
    assert (default_branch(session).leaf_id == leaf) is (followed.mark == FOLLOWING)


def without_places(fact: Any) -> Any:
    if isinstance(fact, list | tuple):
        return [without_places(each) for each in fact]
    source = getattr(fact, "source", None)
    if hasattr(fact, "kind") and hasattr(fact, "reason"):
        known = fact.kind, fact.reason, fact.ref, fact.block, fact.key, fact.bare_ids, fact.place
        return (*known, source and source.index)
    return fact


# As a fresh look


@pytest.mark.skipif(len(SERIES) < 2, reason="needs the public sessions")
def test_a_real_session_that_grows(tmp_path: Path) -> None:
    states = [path.read_bytes() for path in SERIES]
    followed = Followed(tmp_path / "session.jsonl", states[0])
    for before, now in pairwise(states):
        assert now.startswith(before)
        step = followed.append(now[len(before) :])
        assert step
        assert step.mark == FOLLOWING
        assert_as_fresh(followed)


def line_ends(raw: bytes) -> list[int]:
    return [at + 1 for at, byte in enumerate(raw) if byte == ord("\n")]


def test_the_example_line_by_line(tmp_path: Path) -> None:
    """What is added is known whole, also the record of a chain among messages before it."""
    raw = DEMO.read_bytes()
    ends = line_ends(raw)
    followed = Followed(tmp_path / "session.jsonl", raw[: ends[4]])
    for start, end in zip(ends[4:-1:6], [*ends[10::6], len(raw)], strict=False):
        followed.append(raw[start:end])
        assert_as_fresh(followed)
        followed.go_to_newest()
    assert followed.path.read_bytes() == raw


def test_the_example_cut_anywhere(tmp_path: Path) -> None:
    """In the middle of lines and of characters; what is unfinished waits."""
    raw = DEMO.read_bytes()
    cuts = [*range(9_000, len(raw), 13_007), len(raw)]
    inner = next(at for at, byte in enumerate(raw) if byte >= 0x80 and at > 30_000) + 1
    cuts = sorted({*cuts, inner})
    followed = Followed(tmp_path / "session.jsonl", raw[: cuts[0]])
    for start, end in pairwise(cuts):
        followed.append(raw[start:end])
        assert_as_fresh(followed)
        followed.go_to_newest()


def test_byte_by_byte_a_line_waits_for_its_end(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    followed.step()
    line = entry("c", "b", "größer 😀")
    for at in range(len(line) - 1):
        assert followed.append(line[at : at + 1]) is None
    step = followed.append(b"\n")
    assert step
    assert followed.ids == ["a", "b", "c"]


def test_what_was_shown_unfinished_waits_once_it_is_followed(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START + entry("c", "b")[:-1])
    assert followed.ids == ["a", "b", "c"]
    assert followed.step()
    assert followed.ids == ["a", "b"]
    assert followed.append(b"\n")
    assert followed.ids == ["a", "b", "c"]


def test_nothing_new_is_no_step(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    assert [followed.step(), followed.step()] == [None, None]


def test_what_was_worked_out_of_a_file_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step reads what was added, and of what was there the last reply for the model's name."""
    followed = Followed(tmp_path / "session.jsonl", START + entry("c", "b", "x" * 2_000_000))
    followed.step()
    read: list[int] = []
    pread = os.pread

    def counted(descriptor: int, length: int, start: int) -> bytes:
        raw = pread(descriptor, length, start)
        read.append(len(raw))
        return raw

    monkeypatch.setattr(os, "pread", counted)
    with followed.path.open("ab") as file:
        file.write(entry("d", "c"))
    step = followed.step()
    assert step
    assert step.picture
    assert sum(read) < 200_000


def test_a_spilled_output_that_comes_back_is_no_longer_lost(tmp_path: Path) -> None:
    session = SessionBuilder().user().turn("a", at=5)
    session.summary(ref("t1", "a", 5)).index(spilled("a", 5, "s-blobs/x.txt"))
    followed = Followed(tmp_path / "session.jsonl", session.raw)
    followed.step()
    assert "file missing" in str(facts(followed.picture)["tree"])
    (tmp_path / "s-blobs").mkdir()
    (tmp_path / "s-blobs" / "x.txt").write_text("all of it")
    followed.append(entry("z", followed.ids[-1]))
    assert "file missing" not in str(facts(followed.picture)["tree"])
    assert_as_fresh(followed)


# Branches


def test_a_record_on_another_branch_is_announced_once(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    step = followed.append(entry("c", "a"))
    assert step
    assert "another branch" in step.said
    assert "another branch" in step.mark
    assert followed.ids == ["a", "b"]
    again = followed.append(entry("d", "c"))
    assert again
    assert (again.said, again.mark) == ("", step.mark)
    assert followed.ids == ["a", "b"]
    back = followed.append(entry("e", "b"))
    assert back
    assert back.mark == FOLLOWING
    assert followed.ids == ["a", "b", "e"]


def test_the_branch_that_is_shown_goes_on_as_far_as_it_does(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    followed.append(entry("c", "b") + entry("d", "a"))
    assert followed.ids == ["a", "b", "c"]


def test_a_pinned_end_stays(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START, leaf="b")
    step = followed.append(entry("c", "b"))
    assert step
    assert (step.said, step.mark) == ("", FOLLOWING)
    assert followed.ids == ["a", "b"]
    assert len(followed.picture.inspection.branch.session.entries) == 3


def test_where_pi_begins_anew_that_is_said(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    step = followed.append(entry("c", "nobody"))
    assert step
    assert "not in the file" in step.said
    assert followed.ids == ["c"]


def test_after_a_record_without_an_id_the_way_is_found_anew(tmp_path: Path) -> None:
    null_id = (
        entry("x", "b").replace(b'"id":"x"', b'"id":null').replace(b'"id": "x"', b'"id": null')
    )
    assert b"null" in null_id
    followed = Followed(tmp_path / "session.jsonl", START + null_id)
    followed.append(b"broken\n")
    followed.append(entry("d", "b"))
    followed.go_to_newest()
    assert followed.ids == ["a", "b", "d"]


def test_who_looks_at_the_newest_branch_is_behind_nothing(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    followed.append(entry("c", "a"))
    assert followed.follower.catch_up() == FOLLOWING


def test_where_a_look_leads_nowhere_it_says_why(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    followed.step()
    assert followed.follower.standing == "nothing was added to the file"
    followed.path.unlink()
    followed.step()
    assert "gone" in followed.follower.standing


# What else becomes of a file


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_line_in_the_middle_is_taken_out(number: int, tmp_path: Path) -> None:
    """The last record is where it was, and nothing has grown."""
    raw = START + entry("c", "b") + entry("d", "c")
    followed = Followed(tmp_path / "session.jsonl", raw)
    followed.step()
    lines = raw.splitlines(keepends=True)
    followed.path.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
    assert followed.step()
    assert_as_fresh(followed)


@pytest.mark.parametrize("words", ["rewritten", "cut off", "replaced"])
def test_another_file_is_read_again_and_that_is_said(words: str, tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START + entry("c", "b"))
    followed.step()
    raw = START[:-1].replace(b"words", b"swords") + b"\n"
    if words == "replaced":
        other = tmp_path / "other"
        other.write_bytes(raw)
        other.replace(followed.path)
    else:
        followed.path.write_bytes(raw + (entry("z", "b") * 2 if words == "rewritten" else b""))
    step = followed.step()
    assert step
    assert words in step.said
    assert_as_fresh(followed)
    assert followed.append(entry("n", followed.ids[-1]))
    assert followed.ids[-1] == "n"


def test_a_file_is_gone_and_comes_back(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    aside = followed.path.rename(tmp_path / "aside")
    step = followed.step()
    assert step
    assert step.picture is None
    assert "gone" in step.said
    assert "gone" in step.mark
    assert followed.step() is None
    assert followed.ids == ["a", "b"]
    aside.rename(followed.path)
    back = followed.step()
    assert back
    assert (back.said, back.mark) == ("the file is back", FOLLOWING)
    assert followed.append(entry("c", "b"))
    assert followed.ids == ["a", "b", "c"]


def test_what_is_no_session_any_more_is_said_once_and_what_was_read_stays(tmp_path: Path) -> None:
    followed = Followed(tmp_path / "session.jsonl", START)
    followed.path.write_bytes(b"")
    step = followed.step()
    assert step
    assert step.said == "the file cannot be read: the file is empty"
    assert followed.step() is None
    assert followed.ids == ["a", "b"]
    followed.path.write_bytes(START + entry("c", "b"))
    assert followed.step()
    assert followed.ids == ["a", "b", "c"]
