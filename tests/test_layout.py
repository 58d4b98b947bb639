"""Documents laid out: rows, tones, links, folds, places and hits."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from condense_tui.inspection.links import CallTarget, SlotTarget, Target
from condense_tui.inspection.patterns import SearchPattern, make_pattern
from condense_tui.session.jsontext import json_text
from condense_tui.view.colouredlines import ColouredText, has_colours
from condense_tui.view.document import Block, Document, Form
from condense_tui.view.jsonlines import json_line
from condense_tui.view.layout import Folding, Layout, Place, Row, folded
from condense_tui.view.lines import Line, Tone, line, text_of
from condense_tui.view.markdownlines import markdown_lines
from condense_tui.view.printable import printable
from condense_tui.view.typesetting import typeset
from condense_tui.view.wrapping import Wrapping, row_starts

WHOLE = Folding(is_whole=True)
TEXTS = st.text(
    st.sampled_from('ab `*#-_>|"\\{}[]:0\n\t\x1b\x9b\x07é→漢字👩\u200d💻\ufe0f\u0301\ud83d\u202e'),
    max_size=80,
)


def document(text: str, form: Form = Form.OUTPUT, **fields: object) -> Document:
    block = Block(text=text, form=form, passage=0)
    return Document("title", (block,), text, **fields)  # type: ignore[arg-type]


def rows(layout: Layout) -> list[Row]:
    return [layout.row(number) for number in range(len(layout))]


def texts(layout: Layout) -> list[str]:
    return [text_of(row.line) for row in rows(layout)]


def tones(spans: Line) -> list[tuple[str, str]]:
    return [(span.text, span.tone.value) for span in spans]


def pattern(text: str, **options: bool) -> SearchPattern:
    made = make_pattern(text, **options)
    assert isinstance(made, SearchPattern)
    return made


# ── wrapping ──


@pytest.mark.parametrize(
    ("text", "width", "is_prose", "expected"),
    [
        ("", 5, False, [""]),
        ("abcde", 5, False, ["abcde"]),
        ("abcdef", 5, False, ["abcde", "f"]),
        ("one two three", 8, True, ["one two ", "three"]),
        ("one two three", 7, True, ["one two ", "three"]),
        ("a incomprehensibilities", 12, True, ["a incomprehe", "nsibilities"]),
        ("漢字漢字", 5, False, ["漢字", "漢字"]),
        ("漢字 漢字", 6, True, ["漢字 ", "漢字"]),
        ("e\u0301e\u0301e\u0301", 2, False, ["e\u0301e\u0301", "e\u0301"]),
        ("漢", 1, False, ["漢"]),
    ],
)
def test_rows_of_a_line(text: str, width: int, is_prose: bool, expected: list[str]) -> None:
    starts = [*row_starts(text, width, is_prose), len(text)]
    assert [text[a:b] for a, b in pairwise(starts)] == expected


@given(TEXTS, st.integers(2, 30), st.booleans())
def test_no_character_is_lost_and_no_row_is_too_wide(text: str, width: int, prose: bool) -> None:
    lines = list(map(printable, text.split("\n")))
    wrapping = Wrapping(lines, width, prose)
    seen = [""] * len(lines)
    for row in range(len(wrapping)):
        number, start, end = wrapping.place(row)
        seen[number] += lines[number][start:end]
        assert wrapping.row_at(number, start) == row
        assert cell_len(lines[number][start:end].rstrip(" ")) <= width
    assert seen == lines


def test_ten_megabytes_are_wrapped_by_arithmetic() -> None:
    """Not timed, but counted: neither lines nor rows of a long text are gone through."""
    starts = row_starts("x" * 10_000_000, 100)
    assert isinstance(starts, range)
    assert len(starts) == 100_000


# ── forms ──


@given(TEXTS, st.sampled_from(Form), st.booleans(), st.integers(4, 40))
def test_whatever_a_text_holds_its_rows_can_be_printed(
    text: str, form: Form, as_source: bool, width: int
) -> None:
    layout = Layout(document(text, form), width, Folding(as_source, is_whole=True))
    for row in rows(layout):
        shown = text_of(row.line)
        assert shown == printable(shown)
        assert "\n" not in shown
        assert cell_len(shown.rstrip(" ")) <= width + (2 if form is Form.MARKDOWN else 0)


@given(TEXTS, st.sampled_from(Form), st.booleans())
def test_a_text_has_as_many_lines_as_its_source_and_their_tones_join_to_them(
    text: str, form: Form, as_source: bool
) -> None:
    lines = typeset(text, form, as_source)
    assert len(lines.lines) == text.count("\n") + 1
    for number, shown in enumerate(lines.lines):
        assert text_of(lines.line_at(number)) == shown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## Goal ##", [("Goal", "strong")]),
        ("- `t1` ran", [("• ", "plain"), ("t1", "accent"), (" ran", "plain")]),
        ("  * x", [("  • ", "plain"), ("x", "plain")]),
        ("3. x", [("3. ", "plain"), ("x", "plain")]),
        ("a **b `c`** d", [("a ", "plain"), ("b ", "strong"), ("c", "accent"), (" d", "plain")]),
        ("a ** b", [("a ** b", "plain")]),
        ("2 * 3 * 4", [("2 * 3 * 4", "plain")]),
        ("one ` quote", [("one ` quote", "plain")]),
        ("> said", [("▎ ", "dim"), ("said", "dim")]),
        ("---", [("────────", "dim")]),
        ('<compressed-chain id="b1">', [('<compressed-chain id="b1">', "dim")]),
        ("#hash", [("#hash", "plain")]),
        ("", [("", "plain")]),
        ("[/x] [b]", [("[/x] [b]", "plain")]),
    ],
)
def test_light_markdown(source: str, expected: list[tuple[str, str]]) -> None:
    (rendered,) = markdown_lines(source)
    assert tones(rendered.line) == expected


def test_in_a_fence_nothing_is_rendered() -> None:
    rendered = [tones(each.line) for each in markdown_lines("```py\n# **x**\n~~~\n```\n# y")]
    assert rendered == [
        [("```py", "dim")],
        [("# **x**", "plain")],
        [("~~~", "plain")],
        [("```", "dim")],
        [("y", "strong")],
    ]


def test_json_has_tones() -> None:
    value = {"key": 'a "b" \\', "n": [-1.5e10, True, None], "t": ""}
    shown = [tones(json_line(each)) for each in json_text(value, indent=2).split("\n")]
    assert shown[1] == [
        ("  ", "dim"),
        ('"key"', "accent"),
        (": ", "dim"),
        (r'"a \"b\" \\"', "good"),
        (",", "dim"),
    ]
    words = [text for spans in shown for text, tone in spans if tone == "strong"]
    numbers = [text for spans in shown for text, tone in spans if tone == "warning"]
    assert words == ["true", "null"]
    assert numbers == ["-15000000000"]


ESC = "\x1b["


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"a{ESC}31mb{ESC}0mc", [("a", "plain"), ("b", "bad"), ("c", "plain")]),
        (f"{ESC}1;32mok{ESC}39mx", [("ok", "good"), ("x", "strong")]),
        (f"{ESC}2mfaint{ESC}22mx", [("faint", "dim"), ("x", "plain")]),
        (f"{ESC}38;5;9mx", [("x", "bad")]),
        (f"{ESC}38;2;31;31;31mx", [("x", "plain")]),
        (f"{ESC}48;5;1mx", [("x", "plain")]),
        (f"{ESC}38mx{ESC}38;5mx{ESC}38;5;mx", [("x", "plain")] * 3),
        (f"{ESC}90mx{ESC}mx", [("x", "dim"), ("x", "plain")]),
        (f"{ESC}31m{ESC}2Jx", [("␛[2Jx", "bad")]),
        (f"{ESC}31m\x1b]52;c;aGk=\x07", [("␛]52;c;aGk=␇", "bad")]),
        (f"a{ESC}31m\tb", [("a", "plain"), ("   b", "bad")]),
        (f"{ESC}{'9' * 400}mx", [("x", "plain")]),
    ],
)
def test_colours_become_tones_and_nothing_else_gets_through(
    source: str, expected: list[tuple[str, str]]
) -> None:
    assert has_colours(source)
    coloured = ColouredText(source)
    assert tones(coloured.line_at(0)) == expected
    assert coloured.lines == ["".join(text for text, _ in expected)]


def test_a_colour_goes_on_in_the_next_line() -> None:
    coloured = ColouredText(f"{ESC}31ma\nb\n{ESC}1m\nc{ESC}0m\nd")
    assert [coloured.line_at(number)[:1] for number in (1, 3, 4)] == [
        line(*[coloured.line_at(1)[0]]),
        line(*[coloured.line_at(3)[0]]),
        line(*[coloured.line_at(4)[0]]),
    ]
    assert [span.tone for number in (1, 3, 4) for span in coloured.line_at(number)] == [
        Tone.BAD,
        Tone.BAD,
        Tone.PLAIN,
    ]


# ── links ──


def named(name: str) -> Target | None:
    return {"t7": CallTarget("bash_7"), "b1": SlotTarget(1)}.get(name)


@pytest.mark.parametrize("as_source", [False, True])
def test_refs_in_backquotes_are_links_where_they_stand(as_source: bool) -> None:
    source = "- `t7` ran, `t8` did not, see `b1`\nt7 alone is a word"
    layout = Layout(document(source, Form.MARKDOWN, target_named=named), 80, Folding(as_source))
    first, second = rows(layout)
    linked = [text_of(first.line)[slice(*link.stretch)].strip("`") for link in first.links]
    assert linked == ["t7", "b1"]
    assert [link.target for link in first.links] == [CallTarget("bash_7"), SlotTarget(1)]
    assert second.links == ()


def test_links_keep_their_place_in_rows_that_are_indented() -> None:
    source = f"- {'word ' * 7}`t7`"
    layout = Layout(document(source, Form.MARKDOWN, target_named=named), 38, WHOLE)
    row = next(row for row in rows(layout) if row.links)
    assert text_of(row.line) == "  t7"
    assert row.links[0].stretch == (2, 4)


def test_what_a_query_asked_for_is_a_link() -> None:
    source = json_text({"toolCallIds": ["t7", "t9"]}, indent=2)
    layout = Layout(document(source, Form.JSON, target_named=named), 80, WHOLE)
    assert [link.target for row in rows(layout) for link in row.links] == [CallTarget("bash_7")]


# ── folds and places ──


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("", ""),
        ("x\n" * 199 + "x", ""),
        ("x\n" * 200, ""),
        ("x\n" * 200 + "y", "1 more line"),
        ("x\n" * 1_433 + "y", "1,234 more lines"),
        ("x" * 40_000, ""),
        ("x" * 41_234, "1,234 more characters"),
    ],
)
def test_long_texts_are_folded(text: str, rest: str) -> None:
    shown, more = folded(text)
    assert more == rest
    assert text.startswith(shown)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\n".join(map(str, range(500))), Place(0, 200)),
        ("\n".join(["x" * 30_000] * 2), Place(0, 1, 9_999)),
    ],
)
def test_the_sign_of_what_is_folded_stands_for_the_first_of_that(text: str, place: Place) -> None:
    source = Document("t", (Block(text=text, form=Form.OUTPUT),), text)
    layout, whole = Layout(source, 80, Folding()), Layout(source, 80, Folding(is_whole=True))
    assert layout.place_of(len(layout) - 1) == place
    assert whole.row_of(place) >= len(layout) - 2


def test_what_is_folded_is_said_and_can_be_unfolded() -> None:
    source = document("\n".join(map(str, range(500))))
    layout = Layout(source, 80, Folding())
    assert len(layout) == 201
    assert text_of(layout.row(200).line) == "… 300 more lines (Enter shows them)"
    assert layout.row(200).unfolds == 0
    assert len(Layout(source, 80, Folding(unfolded={0}))) == 500
    assert len(Layout(source, 80, WHOLE)) == 500


def test_a_line_that_is_too_long_is_wrapped_with_an_indent() -> None:
    layout = Layout(Document("t", (Block(line("word " * 12)),), ""), 20, WHOLE)
    assert texts(layout)[0] == "word word word word "
    assert all(text.startswith("  word") for text in texts(layout)[1:])


@given(TEXTS, st.integers(0, 80), st.sampled_from(Form), st.integers(3, 30))
def test_a_character_of_a_passage_has_a_row(text: str, offset: int, form: Form, width: int) -> None:
    offset = min(offset, len(text))
    layout = Layout(document(text, form), width, WHOLE)
    place = layout.place_in(0, offset)
    assert place is not None
    assert place.line == text.count("\n", 0, offset)
    assert layout.place_of(layout.row_of(place)).line == place.line
    assert 0 <= layout.row_of(place) < len(layout)


def test_the_row_of_a_character_shows_it() -> None:
    text = "\n".join(f"{number} {'x' * 50}" for number in range(30)) + "needle"
    layout = Layout(document(text), 20, WHOLE)
    place = layout.place_in(0, text.index("needle"))
    assert place
    assert "n" in text_of(layout.row(layout.row_of(place)).line)
    assert layout.place_in(1, 0) is None


def test_what_hides_a_character_is_known() -> None:
    text = "\n".join(["x"] * 500)
    layout = Layout(document(text), 20, Folding())
    assert layout.hides(0, 10) is None
    assert layout.hides(0, 900) == 0
    assert Layout(document(text), 20, WHOLE).hides(0, 900) is None


def test_a_place_is_the_same_at_another_width() -> None:
    text = "\n".join("word " * 40 for _ in range(10))
    narrow, wide = (Layout(document(text), width, WHOLE) for width in (20, 60))
    place = wide.place_of(17)
    assert narrow.place_of(narrow.row_of(place)) == Place(0, place.line, place.column)


# ── hits ──


def test_hits_are_marked_where_they_stand_over_the_edge_of_a_row_too() -> None:
    layout = Layout(document("a needle in a nee" + "dle stack"), 17, WHOLE)
    first, second = (layout.row(number, pattern("needle")) for number in (0, 1))
    assert first.hits == ((2, 8), (14, 17))
    assert second.hits == ((0, 3),)


def test_hits_in_json_are_those_of_what_it_means() -> None:
    layout = Layout(document(json_text({"c": 'say "x"'}, indent=2), Form.JSON), 40, WHOLE)
    assert layout.row(1, pattern('say "x"')).hits == ((8, 17),)


def test_only_texts_are_marked() -> None:
    blocks = (Block(line("needle")), Block(text="needle"))
    layout = Layout(Document("t", blocks, ""), 40, WHOLE)
    assert [bool(layout.row(number, pattern("needle")).hits) for number in (0, 1)] == [False, True]
