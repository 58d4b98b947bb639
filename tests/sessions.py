"""Session files line by line, and the command line run on them.

`tests.build` writes sessions that are well; here stands what is wrong with files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from condense_tui.cli.run import run
from condense_tui.session.branch import default_branch
from condense_tui.session.context import Context, build_context
from condense_tui.session.entries import Problem, ProblemKind, Refusal, Session
from condense_tui.session.messages import Message
from condense_tui.session.reading import read_session
from tests.build import SessionBuilder, call, record, ref, spilled, text

Json = dict[str, Any]

NOON = "2026-01-01T12:00:00.000Z"

# Text that wants to drive a terminal: colour, title, clipboard, cursor, writing direction.
HOSTILE = (
    "A\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b]52;c;aGk=\x07\r\x08\x00\x7f\x85\x9b5m"
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029Z"
)
DANGEROUS = sorted(set(HOSTILE) - set("A[31mred0]title52;caGk=Z"))


def header(**fields: Any) -> Json:
    return {"type": "session", "version": 3, "id": "s", "timestamp": NOON, "cwd": "/w"} | fields


def entry(entry_id: Any, parent: Any = None, kind: str = "custom", **fields: Any) -> Json:
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": NOON, **fields}


def message(entry_id: Any, parent: Any = None, **fields: Any) -> Json:
    body = {"role": "user", "content": "hello", "timestamp": 1, **fields}
    return entry(entry_id, parent, "message", message=body)


def hostile_session() -> SessionBuilder:
    """A session that tries it in every place that is ever shown."""
    bad = f"{HOSTILE}\nforged line"
    session = SessionBuilder(id=f"s{bad}", cwd=f"/w{bad}", version=99)
    session.entry("session_info", name=bad, id=f"i{bad}")
    session.user(bad, at=1000).assistant(call(bad, bad, arg=bad), text(bad), at=1100)
    session.result(bad, bad, at=1200, tool=bad, is_error=True)
    session.summary(ref(f"t1{bad}", bad, 1200), ref(f"t9{bad}", bad, 7), content=bad)
    session.index(record(bad, 1200, bad, toolName=bad, args={bad: bad}, isError=True))
    session.index(spilled(f"x{bad}", 5, f"s-blobs/{bad}", toolName=bad, resultPreview=bad))
    session.alias((f"y{bad}", 8), (bad, 1200))
    session.answer(bad, at=1300).custom_message(bad, bad).message(bad, bad)
    session.chain(f"b1{bad}", 1000, 1300, [f"{bad}@1200"], toolRefs=[f"t1{bad}", bad])
    session.chain(f"b2{bad}", 5, 6, [f"{bad}@1200"], toolRefs=[bad])
    session.custom("context-prune-frontier", {"lastAttemptedToolCallId": bad, bad: bad})
    session.custom("context-prune-diagnostic", {"kind": "orphan-sweep", "detail": bad})
    session.user("live", at=2000).turn(f"live{bad}", bad, at=2010, tool=bad)
    session.assistant(call(f"late{bad}")).custom_message(bad).result(f"late{bad}")
    session.line(f'{{"type":"{"x" * 9}').entry("label", id=f"i{bad}")
    return session


def line_of(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def file_of(*records: Any, ending: bytes = b"\n", last: bytes = b"\n") -> bytes:
    """A line a record; bytes stand as they are."""
    return ending.join(map(line_of, records)) + last


def read(*records: Any, **ends: bytes) -> Session:
    """The session of these records after a header."""
    return session_in(file_of(header(), *records, **ends))


def session_in(raw: bytes) -> Session:
    session = read_session(raw)
    assert isinstance(session, Session), session
    return session


def refusal_of(raw: bytes) -> str:
    refused = read_session(raw)
    assert isinstance(refused, Refusal)
    return refused.reason


def ids_of(session: Session) -> list[str | None]:
    return [found.id for found in session.entries]


def kinds_of(problems: tuple[Problem, ...]) -> list[tuple[int, ProblemKind]]:
    return [(problem.line, problem.kind) for problem in problems]


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


# Contexts


def shown(context: Context) -> list[str]:
    """Each message as its role and its words."""
    return [f"{message.role} {words_of(message)}".strip() for message in context.messages]


def words_of(message: Message) -> str:
    content = message.body.get("content", message.body.get("summary", ""))
    return content if isinstance(content, str) else message.text


def context_of(*records: Any) -> Context:
    return build_context(default_branch(read(*records)))


def row(*records: Json) -> list[Json]:
    """The records, each the child of the one before."""
    parents = [None, *(record["id"] for record in records[:-1])]
    return [record | {"parentId": parent} for record, parent in zip(records, parents, strict=True)]


def shown_row(*records: Json) -> list[str]:
    return shown(context_of(*row(*records)))


def user(entry_id: str) -> Json:
    return message(entry_id, content=entry_id)


def compaction(entry_id: str, first_kept: Any = None, **fields: Any) -> Json:
    kept = {} if first_kept is None else {"firstKeptEntryId": first_kept}
    fields = {"summary": entry_id, "tokensBefore": 7, **kept, **fields}
    return entry(entry_id, None, "compaction", **fields)


# Commands


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def words(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on stderr, without the program's name."""
        assert self.err.startswith("condense-tui: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err.removeprefix("condense-tui: ").rstrip("\n")


def ran(capture: pytest.CaptureFixture[bytes], *tokens: object) -> Ran:
    """Run a command line in this process."""
    capture.readouterr()
    code = run([str(token) for token in tokens])
    out, err = capture.readouterr()
    return Ran(code, out, err.decode())


def written(folder: Path, raw: bytes, name: str = "session.jsonl") -> Path:
    path = folder / name
    path.write_bytes(raw)
    return path
