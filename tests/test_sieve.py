"""What the sieve keeps back holds nothing: with it and without it the same is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import condense_tui.demo
from condense_tui.inspection.calltree import build_call_tree
from condense_tui.inspection.inspection import Inspection
from condense_tui.inspection.links import build_links
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.inspection.search import Hit, search
from condense_tui.inspection.searched import searched_texts, sifted_texts
from condense_tui.inspection.sieve import Sieve
from condense_tui.pruning.records import Record
from condense_tui.pruning.settings import settings_from
from condense_tui.session import linescan
from condense_tui.session.branch import default_branch
from condense_tui.session.entries import Refusal
from condense_tui.session.reading import SessionReader, read_session

DEMO = Path(next(iter(condense_tui.demo.__path__))) / "session.jsonl"
# Stubbed, spilled, edited, made of an entry without content, and compacted.
MADE = """\
{"type":"session","version":3,"id":"s"}
{"type":"compaction","id":"a","summary":"compacted wixks","firstKeptEntryId":"x"}
{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"edited away"}}
{"type":"message","id":"c","parentId":"b","message":{"role":"assistant","content":[\
{"type":"toolCall","id":"c2","name":"read","arguments":{}}]}}
{"type":"message","id":"d","parentId":"c","message":{"role":"toolResult","toolCallId":"c2",\
"toolName":"read","timestamp":5,"content":[{"type":"text","text":"out"}]}}
{"type":"custom","id":"e","parentId":"d","customType":"context-prune-index","data":{"toolCalls":[\
{"toolCallId":"c1","toolName":"read","args":{},"resultTimestamp":1,"contentHash":"0","spillPath":"x"},\
{"toolCallId":"c2","toolName":"read","args":{},"resultTimestamp":5,"resultText":"out"}]}}
{"type":"custom_message","id":"f","parentId":"e","customType":"context-prune-summary","content":\
"sum","details":{"toolCallRefs":[{"shortId":"t1","toolCallId":"c2","resultTimestamp":5}]}}
{"type":"context_edit","id":"g","parentId":"f","targetId":"b","replacement":{"content":"edited in"}}
{"type":"custom_message","id":"h","parentId":"g","customType":"custom-wixks"}
"""


@pytest.fixture(autouse=True, scope="module")
def _small_windows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linescan, "WINDOW_BYTES", 50)
        yield


def sidecar(record: Record) -> bytes | None:
    return b"spilled: type it, wixks" if record.tool_call_id == "c1" else None


def found_both_ways(inspection: Inspection, pattern: SearchPattern) -> tuple[list[Hit], list[Hit]]:
    links = build_links(inspection, build_call_tree(inspection))
    everything = searched_texts(inspection, links, sidecar)
    sifted = sifted_texts(inspection, links, sidecar, Sieve(pattern))
    slowly, fast = (
        [hit for found in search(texts, pattern, lambda: 0.0) for hit in found.hits]
        for texts in (everything, sifted)
    )
    return slowly, fast


# ── JSON as anyone may write it ──

LETTERS = 'wixksWIXKS\u0130\u0131\u017f\u212aßé0/\\", :\n\t\x1b\x7f\ud83d\U0001f600'
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t"}
NUMBERS = ["0", "10", "-0", "1.0", "1e1", "1E2", "0.10", "1e999", "1" + "0" * 20, "12.5e-9"]


def escaped(char: str, how: int) -> str:
    """One character in a JSON string: as itself where it may be, or in one of its escapes."""
    is_free = char not in '"\\' and char >= " " and not "\ud800" <= char <= "\udfff"
    if how < 6 and (is_free or char in SHORT_ESCAPES):
        return char if is_free and (how < 5 or char != "/") else SHORT_ESCAPES[char]
    units = char.encode("utf-16-be", "surrogatepass")
    form = "{:02x}{:02x}" if how % 2 else "{:02X}{:02X}"
    return "".join(f"\\u{form.format(*units[i : i + 2])}" for i in range(0, len(units), 2))


@st.composite
def written_strings(draw: st.DrawFn, texts: st.SearchStrategy[str] | None = None) -> str:
    text = draw(texts if texts is not None else words)
    hows = draw(st.lists(st.integers(0, 7), max_size=4)) or [0]
    return f'"{"".join(escaped(char, hows[i % len(hows)]) for i, char in enumerate(text))}"'


words = st.text(LETTERS, max_size=8) | st.sampled_from(["type", "image/png", "bytes", "wixks"])
strings = written_strings()
scalars = strings | st.sampled_from([*NUMBERS, "true", "false", "null"])


def braced(members: Iterable[str]) -> str:
    return "{" + ", ".join(members) + "}"


def written_object(written: Mapping[str, str]) -> str:
    return braced([f'"{key}":{value}' for key, value in written.items()])


def listed(values: list[str]) -> str:
    return f"[{', '.join(values)}]"


def objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.lists(st.tuples(strings, values), max_size=3)
    return pairs.map(lambda found: braced(map(": ".join, found)))


values = st.recursive(
    scalars, lambda inner: objects(inner) | st.lists(inner, max_size=3).map(listed), max_leaves=5
)


def fields(**of: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    drawn = {key: st.just(value) if isinstance(value, str) else value for key, value in of.items()}
    return st.fixed_dictionaries(drawn).map(written_object)


ids = st.sampled_from(['"c1"', '"c2"'])
parts = st.one_of(
    fields(type='"text"', text=scalars),
    fields(type='"thinking"', thinking=strings),
    fields(type='"toolCall"', id=ids, name='"read"', arguments=values),
    fields(type=written_strings(st.just("image")), mimeType=scalars, data=scalars),
    fields(type='"other"', wixks=values),
    values,
)
contents = strings | st.lists(parts, max_size=3).map(listed) | values
times = st.sampled_from(["1", "2", "3"])
roles = st.sampled_from(['"user"', '"assistant"', '"system"', '"hookMessage"', '"wixks"'])
calls = fields(type='"toolCall"', id=ids, name='"read"', arguments=values)
records = st.one_of(
    fields(
        toolCallId=ids, toolName='"read"', args=values, resultText=scalars, resultTimestamp=times
    ),
    fields(toolCallId=ids, args=values, resultPreview=strings, contentHash='"0"', spillPath='"x"'),
)
INDEX, SUMMARY = '"context-prune-index"', '"context-prune-summary"'
entries = st.one_of(
    fields(type='"message"', message=fields(role=roles, content=contents, timestamp=times)),
    fields(type='"message"', message=fields(role=roles, wixks=values, timestamp=times)),
    fields(
        type='"message"',
        message=fields(role='"assistant"', content=calls.map(lambda call: f"[{call}]")),
    ),
    fields(
        type='"message"',
        message=fields(
            role='"toolResult"', toolCallId=ids, toolName='"read"', timestamp=times,
            content=fields(type='"text"', text=strings).map(lambda part: f"[{part}]"),
        ),
    ),
    fields(
        type='"message"',
        message=fields(role='"bashExecution"', command=scalars, output=strings),
    ),
    fields(type='"custom_message"', customType='"wixks"', content=contents, timestamp=scalars),
    fields(type='"custom_message"', customType=strings, timestamp=scalars),
    fields(type='"custom"', customType=INDEX, data=fields(toolCalls=st.lists(records).map(listed))),
    fields(
        type='"custom_message"', customType=SUMMARY, content=strings,
        details=fields(toolCallRefs='[{"shortId":"t1","toolCallId":"c1","resultTimestamp":1}]'),
    ),
    fields(type='"compaction"', summary=strings, firstKeptEntryId='"e1"'),
    fields(type='"branch_summary"', summary=strings),
    fields(type='"context_edit"', targetId='"e1"', replacement=fields(content=contents)),
)  # fmt: skip


@st.composite
def sessions(draw: st.DrawFn) -> bytes:
    version = draw(st.sampled_from([3, 3, 3, 2, 1]))
    lines = [f'{{"type":"session","version":{version},"id":"s"}}']
    for number, entry in enumerate(draw(st.lists(entries, min_size=1, max_size=6))):
        parent = f'"e{number - 1}"' if number else "null"
        lines.append(f'{{"id":"e{number}","parentId":{parent},{entry[1:]}')
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(st.sampled_from(["wixks", "", '{"wixks"', "1"])))
    raw = "\n".join(lines).encode("utf-8", "surrogatepass")
    raw = raw.replace("ß".encode(), draw(st.sampled_from(["ß".encode(), b"\xff", b"\xed\xa0\xbd"])))
    return raw + draw(st.sampled_from([b"", b"\n"]))


@settings(deadline=None)
@given(sessions(), st.data(), st.booleans(), st.booleans())
def test_the_same_is_found_as_in_every_text(
    raw: bytes, data: st.DataObject, ignores_case: bool, is_word: bool
) -> None:
    session = read_session(raw)
    if isinstance(session, Refusal):
        return
    inspection = Inspection(default_branch(session), settings_from(None))
    links = build_links(inspection, build_call_tree(inspection))
    texts = [text.passage.text for text in searched_texts(inspection, links, sidecar)]
    shown = data.draw(st.sampled_from([*texts, "wixks"]))
    start = data.draw(st.integers(0, max(len(shown) - 1, 0)))
    literal = shown[start : start + data.draw(st.integers(1, 6))] or "wix"
    if ignores_case:
        literal = data.draw(st.sampled_from([literal, literal.swapcase(), literal.lower()]))
    pattern = make_pattern(literal, ignores_case=ignores_case, is_word=is_word)
    assert isinstance(pattern, SearchPattern)
    slowly, fast = found_both_ways(inspection, pattern)
    assert fast == slowly


@cache
def demo() -> tuple[Inspection, list[str]]:
    session = read_session(DEMO.read_bytes())
    assert not isinstance(session, Refusal)
    inspection = Inspection(default_branch(session), settings_from(None))
    links = build_links(inspection, build_call_tree(inspection))
    texts = {text.passage.text for text in searched_texts(inspection, links, sidecar)}
    return inspection, sorted(texts, key=lambda text: (len(text), text))


@given(st.data(), st.booleans())
def test_the_same_is_found_in_a_session_with_everything_in_it(
    data: st.DataObject, ignores_case: bool
) -> None:
    inspection, texts = demo()
    shown = data.draw(st.sampled_from([text for text in texts if text]))
    start = data.draw(st.integers(0, len(shown) - 1))
    literal = shown[start : start + data.draw(st.integers(4, 20))]
    pattern = make_pattern(literal, ignores_case=ignores_case)
    assert isinstance(pattern, SearchPattern)
    slowly, fast = found_both_ways(inspection, pattern)
    assert fast == slowly


# ── one by one ──


def one_message(content: str, role: str = "user") -> Inspection:
    lines = (
        '{"type":"session","version":3,"id":"s"}',
        f'{{"type":"message","id":"a","message":{{"role":"{role}","content":{content}}}}}',
        "",
    )
    session = read_session("\n".join(lines).encode())
    assert not isinstance(session, Refusal)
    return Inspection(default_branch(session), settings_from(None))


@pytest.mark.parametrize(
    ("content", "words", "count"),
    [
        (r'"a w\u0069xx"', "wixx", 1),
        (r'"a \u0057IXX"', "wixx", 1),
        (r'"a w\/x"', "w/x", 1),
        (r'"w\u0130xx"', "wixx", 1),
        (r'"W\u017FXX w\u017fxx"', "wsxx", 2),
        (r'"w\u017fxx"', "wsxx", 1),
        (r'"w\u212axx"', "wkxx", 1),
        (r'"w\u0131xx"', "wixx", 1),
        ('"w\u0131xx w\u0130xx"', "wixx", 2),
        ('"w\u212axx"', "wkxx", 1),
        ('"w\u017fxx"', "wsxx", 1),
        ('"straße"', "STRASSE", 0),
        ('"say \\"wixx\\""', 'say "wixx"', 1),
        ('[{"type":"toolCall","arguments":{"x":"a\\u000anwix"}}]', "nnwix", 1),
        ('[{"type":"toolCall","arguments":{"x":"\\uD83Dwix"}}]', "ud83dwix", 1),
        ('[{"type":"toolCall","arguments":{"x":1e3}}]', "1000", 1),
        ('[{"type":"toolCall","arguments":{"x":1e999}}]', "null", 1),
        ('[{"type":"toolCall","arguments":["wix","wax"]}]', 'wix",\n', 0),
        ('[{"type":"text","text":"wix"},{"type":"text","text":"wax"}]', "wixwax", 0),
        ('[{"type":"text","text":1e999}]', "infinity", 1),
        ('[{"type":"image","mimeType":"image/wix","data":"AAAA"}]', "wix, 3 by", 1),
        ('[{"type":"image","data":"AAAA"}]', "of no type", 1),
    ],
)
def test_what_is_written_otherwise_or_is_ours_is_found(
    content: str, words: str, count: int
) -> None:
    role = "assistant" if "toolCall" in content else "user"
    pattern = make_pattern(words)
    assert isinstance(pattern, SearchPattern)
    slowly, fast = found_both_ways(one_message(content, role), pattern)
    assert fast == slowly
    assert len(fast) == count


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("Summarized in pruner summary, ref `t1`", 1),
        ("spilled: type it, wixks", 1),
        ("edited away", 0),
        ("edited in", 1),
        ("custom-wixks", 1),
        ("timestamp", 1),
        ("compacted wixks", 1),
    ],
)
def test_what_does_not_stand_in_the_line_of_its_message_is_found(words: str, count: int) -> None:
    session = read_session(MADE.encode())
    assert not isinstance(session, Refusal)
    inspection = Inspection(default_branch(session), settings_from(None))
    pattern = make_pattern(words)
    assert isinstance(pattern, SearchPattern)
    slowly, fast = found_both_ways(inspection, pattern)
    assert fast == slowly
    assert len(fast) == count


def test_what_one_looks_for_may_begin_in_one_window_and_end_in_the_next() -> None:
    needles = '"' + "needle".center(49, ".") * 60 + '"'
    pattern = make_pattern("NEEDLE")
    assert isinstance(pattern, SearchPattern)
    slowly, fast = found_both_ways(one_message(needles), pattern)
    assert len(fast) == len(slowly) == 60


# ── a file that grows ──


@pytest.mark.parametrize("window_bytes", [50, 10_000])
def test_lines_that_were_added_to_a_window_are_looked_through_too(
    window_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linescan, "WINDOW_BYTES", window_bytes)
    raw = b""
    reader = SessionReader(lambda start, length: raw[start : start + length])
    pattern = make_pattern("WIXX")
    assert isinstance(pattern, SearchPattern)
    for number, piece in enumerate((b"wixx", b"w\\u0069xx", b"waxx", b"wixx")):
        line = b'{"parentId":"%d","type":"message","id":"%d","message":{"content":"%s"}}'
        header = b"" if number else b'{"type":"session","version":3,"id":"s"}\n'
        added = header + line % (number - 1, number, piece) + b"\n"
        raw += added
        reader.feed(added)
        session = reader.session()
        assert not isinstance(session, Refusal)
        inspection = Inspection(default_branch(session), settings_from(None))
        slowly, fast = found_both_ways(inspection, pattern)
        assert fast == slowly
        assert len(fast) == (1, 2, 2, 3)[number]
