"""Recovered outputs → files: safe names, exact bytes, a manifest."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.inspection.export import MANIFEST_NAME, Export, plan_export
from condense_tui.pruning.query import query
from tests.build import SessionBuilder, record, spilled
from tests.sessions import Json

SAFE = re.compile(r"[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,200}\.txt")
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{name}{n}" for name in ("com", "lpt") for n in range(10)),
}


def planned(session: SessionBuilder, *asked: str, body: bytes | None = None) -> Export:
    index = session.inspect().index
    keys = asked or [*index.records, *index.aliases]
    answers = query(index, keys, lambda _record: body)
    return plan_export((match for answer in answers for match in answer.matches), index, "s.jsonl")


def outputs(export: Export) -> list[Json]:
    manifest = json.loads(export.files[MANIFEST_NAME])
    assert manifest["session"] == "s.jsonl"
    rows: list[Json] = manifest["outputs"]
    return rows


def name_for(call_id: str, at: Any = None) -> str:
    (name,) = planned(SessionBuilder().index(record(call_id, at))).files.keys() - {MANIFEST_NAME}
    return name


# Names


@pytest.mark.parametrize(
    ("call_id", "at", "name"),
    [
        ("bash_23", 1766000001234, "bash_23@1766000001234.txt"),
        ("bash_23", None, "bash_23.txt"),
        ("bash:0", 5, "bash_0@5.txt"),
        ("call_a|fc_b", 5, "call_a_fc_b@5.txt"),
        ("a@7", None, "a@7.txt"),
        ("../../x", None, "_.._x.txt"),
        ("../../x", 5, "_.._x@5.txt"),
        ("/etc/passwd", None, "_etc_passwd.txt"),
        ("..", None, "_.txt"),
        ("...", None, "_.txt"),
        ("", None, "_.txt"),
        (".hidden", None, "hidden.txt"),
        ("a\0b\nc\x1b", None, "a_b_c_.txt"),
        ("ünï", None, "_n_.txt"),
        ("CON", None, "_CON.txt"),
        ("con.x", None, "_con.x.txt"),
        ("LPT9", None, "_LPT9.txt"),
        ("manifest", None, "_manifest.txt"),
        ("manifest.json", None, "_manifest.json.txt"),
        ("\ud83d", None, "_.txt"),
    ],
)
def test_names(call_id: str, at: Any, name: str) -> None:
    assert name_for(call_id, at) == name


@pytest.mark.parametrize("length", [119, 120, 121, 450, 5_000])
def test_long_ids_are_cut_and_stay_different(length: int) -> None:
    names = {name_for("x" * length + ending) for ending in "ab"}
    assert len(names) == 2
    assert max(map(len, names)) <= 130


def is_safe(name: str) -> bool:
    stem = name.split(".")[0].casefold()
    return bool(SAFE.fullmatch(name)) and stem not in DEVICES


@given(st.text(st.characters(), max_size=200) | st.from_regex(r"[./\\:]{0,6}(con|nul|a)[. ]{0,3}"))
def test_no_id_makes_an_unsafe_name(call_id: str) -> None:
    assert is_safe(name_for(call_id))


@given(st.lists(st.text(st.characters() | st.sampled_from("aA./_-2"), max_size=5), unique=True))
def test_every_occurrence_has_its_own_file_on_every_system(ids: list[str]) -> None:
    """Some file systems do not tell capitals from small letters."""
    export = planned(SessionBuilder().index(*(record(call_id) for call_id in ids)), *ids)
    names = export.files.keys() - {MANIFEST_NAME}
    assert len({name.casefold() for name in names}) == len(ids) == export.count


def test_names_that_differ_in_case_or_in_unsafe_signs_only() -> None:
    session = SessionBuilder().index(*(record(name) for name in ("a/b", "a_b", "A_B", "a_b-2")))
    names = [row["file"] for row in outputs(planned(session))]
    assert names == ["a_b.txt", "a_b-2.txt", "A_B-3.txt", "a_b-2-2.txt"]


# Bytes


@pytest.mark.parametrize(
    ("output", "raw"),
    [
        ("", b""),
        ("plain", b"plain"),
        ("a\r\nb\n\n", b"a\r\nb\n\n"),
        ("\x1b[31m\x00\t", b"\x1b[31m\x00\t"),
        ("é\u2028😀", "é\u2028😀".encode()),
        ("half \ud83d", b"half \xef\xbf\xbd"),
        ("x" * 200_000, b"x" * 200_000),
    ],
    ids=lambda value: repr(value)[:16],
)
def test_bytes_are_exact(output: str, raw: bytes) -> None:
    export = planned(SessionBuilder().index(record("a", 1, output)))
    assert export.files["a@1.txt"] == raw
    (row,) = outputs(export)
    assert (row["bytes"], row["sha256"]) == (len(raw), hashlib.sha256(raw).hexdigest())


def test_a_sidecar_is_copied_byte_by_byte() -> None:
    export = planned(SessionBuilder().index(spilled("a", 1)), body=b"\xff\xfe\r\n")
    assert export.files["a@1.txt"] == b"\xff\xfe\r\n"
    assert outputs(export)[0]["source"] == "sidecar"


# The manifest


def test_a_row_tells_all_about_an_output() -> None:
    session = SessionBuilder().archive("t1", "a", 5, "out")
    session.index(record("b", 6, "err", isError=True, toolName="edit", args={"k": [1, None]}))
    assert outputs(planned(session)) == [
        {
            "file": "a@5.txt",
            "ref": "t1",
            "occurrence": "a@5",
            "tool": "bash",
            "arguments": {},
            "status": "ok",
            "bytes": 3,
            "sha256": hashlib.sha256(b"out").hexdigest(),
            "source": "record",
        },
        {
            "file": "b@6.txt",
            "ref": None,
            "occurrence": "b@6",
            "tool": "edit",
            "arguments": {"k": [1, None]},
            "status": "error",
            "bytes": 3,
            "sha256": hashlib.sha256(b"err").hexdigest(),
            "source": "record",
        },
    ]


def test_a_preview_is_written_and_called_one() -> None:
    export = planned(SessionBuilder().index(spilled("a", 1, resultPreview="head")))
    assert export.files["a@1.txt"] == b"head"
    assert outputs(export)[0]["source"] == "preview only"


def test_an_output_that_cannot_be_had_is_listed_without_a_file() -> None:
    export = planned(SessionBuilder().index(spilled("a", 1)))
    assert export.files.keys() == {MANIFEST_NAME}
    assert export.count == 0
    (row,) = outputs(export)
    assert (row["file"], row["source"], row["occurrence"]) == (None, "unavailable", "a@1")


def test_an_alias_is_an_output_of_its_own() -> None:
    session = SessionBuilder().archive("t1", "a", 1, "same").alias(("b", 2), ("a", 1))
    rows = outputs(planned(session))
    assert [(row["file"], row["ref"]) for row in rows] == [("a@1.txt", "t1"), ("b@2.txt", "t1")]
    assert len({row["sha256"] for row in rows}) == 1


@pytest.mark.parametrize("asked", [["t1", "t1"], ["t1", "a"], ["a@1", "t1", "a"]])
def test_what_is_asked_for_twice_is_written_once(asked: list[str]) -> None:
    assert planned(SessionBuilder().archive("t1", "a", 1), *asked).count == 1


def test_a_bare_id_gives_every_occurrence() -> None:
    session = SessionBuilder().archive("t1", "a", 9, "new").archive("t2", "a", 5, "old")
    export = planned(session, "a")
    assert [row["occurrence"] for row in outputs(export)] == ["a@5", "a@9"]
    assert (export.files["a@5.txt"], export.files["a@9.txt"]) == (b"old", b"new")


def test_nothing_asked_for_is_an_empty_list() -> None:
    export = planned(SessionBuilder(), "zz")
    assert (outputs(export), export.count) == ([], 0)
