"""The page on the browser says what the program does."""

from condense_tui.tui.commands import COMMANDS
from condense_tui.tui.screens.help import help_lines
from condense_tui.view.lines import text_of
from condense_tui.view.words import FATE_SIGNS
from tests.make_key_table import PAGE, key_table, with_table


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_key_table_is_that_of_the_program() -> None:
    assert page() == with_table(page()), "python tests/make_key_table.py writes it anew"
    assert all(f"| {command.explanation} |" in page() for command in COMMANDS)


def test_help_and_key_table_name_the_same_keys() -> None:
    rows = [text_of(row).split() for row in help_lines()]
    table = key_table().replace("`", "").replace("|", " ")
    listed = [row.split() for row in table.splitlines()]
    assert [row for row in rows if row and row[0] not in ("Moving",)] == [
        row
        for row in ([word.strip("*") or word for word in words] for words in listed)
        if row and row[0] not in ("key", "---", "Moving")
    ]


def test_every_sign_is_explained() -> None:
    assert all(f"| `{sign}` |" in page() for sign in set(FATE_SIGNS.values()))
