"""What is looked for: literals, words and expressions, and those that are refused."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condense_tui.inspection.patterns import BadPattern, SearchPattern, make_pattern

# On a machine that does much else; a pattern that hangs takes hours.
A_WHILE = 5.0


def pattern(text: str, **options: bool) -> SearchPattern:
    made = make_pattern(text, **options)
    assert isinstance(made, SearchPattern), made
    return made


def matches(text: str, line: str, **options: bool) -> list[str]:
    return [line[slice(*span)] for span in pattern(text, **options).spans(line)]


@pytest.mark.parametrize(
    ("text", "options", "line", "expected"),
    [
        ("cent", {}, "Cents and cent", ["Cent", "cent"]),
        ("cent", {"ignores_case": False}, "Cents and cent", ["cent"]),
        ("cent", {"is_word": True}, "cents, cent, per_cent", ["cent"]),
        (".*", {}, "a.*b", [".*"]),
        ("(x", {"is_word": True}, "f (x)", ["(x"]),
        (r"t\d+", {"is_regex": True}, "t1 and T22", ["t1", "T22"]),
        (r"t\d+", {"is_regex": True, "ignores_case": False}, "t1 and T22", ["t1"]),
        ("a|b", {"is_regex": True, "is_word": True}, "a ab b", ["a", "b"]),
        ("x*", {"is_regex": True}, "axxb", ["xx"]),
        ("^b|a$", {"is_regex": True}, "ba", ["b", "a"]),
    ],
)
def test_finds_what_is_meant(
    text: str, options: dict[str, bool], line: str, expected: list[str]
) -> None:
    assert matches(text, line, **options) == expected


def test_a_literal_is_found_in_json_as_it_stands_there() -> None:
    line = r'{"command": "print(\"hi\")"}'
    (span,) = pattern('print("hi")').spans(line, is_json=True)
    assert line[slice(*span)] == r"print(\"hi\")"


@pytest.mark.parametrize(
    "text",
    [
        "(a+)+$",
        "(a|aa)+$",
        "(a|a?)+$",
        "(.*)*x",
        r"(\w+\s?)*$",
        "(x+x+)+y",
        "(a*)*",
        "((a{1,3}){1,3}){1,3}b",
        "a?" * 30 + "a" * 30,
        "(?:a?){30}a{30}",
        "(?=(a+)+b)",
        "([^a]|b)*c",
        r".*.*.*.*.*.*!",
        "x" * 1_000,
    ],
)
def test_what_could_take_forever_is_refused(text: str) -> None:
    assert isinstance(make_pattern(text, is_regex=True), BadPattern)


@pytest.mark.parametrize("text", ["[", "(?P<x", "a{2,1}", "*", "(" * 120 + ")" * 120 + "("])
def test_what_is_no_expression_is_refused_with_a_reason(text: str) -> None:
    made = make_pattern(text, is_regex=True)
    assert isinstance(made, BadPattern)
    assert made.reason.startswith("not a regex")


@pytest.mark.parametrize(
    "text",
    [
        r"^\s*def \w+\(",
        r"(\d{1,3}\.){3}\d{1,3}",
        r"error.*line \d+",
        r'"\w+":\s*"[^"]*",',
        r"(\w+)\s*=\s*(\w+)",
        "(foo|bar)+",
        r"(\w+\s+)+:",
        r"(?:\d+,)+;",
        "(a)?(?(1)b|c)",
        r"(?i:ERR)\b",
        "a++b",
        "(?>a+)b",
        r"(['\"]).*?\1",
    ],
)
def test_what_people_write_is_taken(text: str) -> None:
    assert pattern(text, is_regex=True).piece_chars >= 60


EVIL_LINES = ["a" * 20_000 + "!", "ab" * 10_000, " " * 20_000, "1a " * 7_000 + "c"]

ATOMS = st.sampled_from(["a", "b", ".", r"\w", r"\s", "[ab]", "[^a]", r"\d", r"\b", "^", "$"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2,4}", "*?", "{3}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=25, deadline=None)
@given(PATTERNS)
def test_one_piece_of_the_worst_text_is_done_in_a_moment(text: str) -> None:
    made = make_pattern(text, is_regex=True)
    if isinstance(made, BadPattern):
        return
    start = time.process_time()
    for line in EVIL_LINES:
        made.piece_spans(line, 0)
    assert time.process_time() - start < A_WHILE


@pytest.mark.parametrize(
    "text", [r".(?<=a)(?![ab]\w*)", r"(?=\w*)!", r"(?!\w*!)!", r"(?>\w*)!", r"a(?=.*)(?=\s)"]
)
def test_what_is_looked_over_from_every_character_is_reckoned(text: str) -> None:
    made = pattern(text, is_regex=True)
    start = time.process_time()
    for line in EVIL_LINES:
        made.piece_spans(line, 0)
    assert time.process_time() - start < A_WHILE / 5


@given(st.text("ab .", max_size=40), st.integers(0, 30))
def test_pieces_find_what_the_whole_line_holds(line: str, at: int) -> None:
    """A match no longer than half a piece is found wherever it stands."""
    made = pattern(r"n\d{1,4}!", is_regex=True)
    assert made.piece_chars >= 12
    small = SearchPattern(made.expression, made.expression, None, 12)
    text = line[:at] + "n12!" + line[at:] * 3 + "n3!"
    assert list(small.spans(text)) == [found.span() for found in made.expression.finditer(text)]
