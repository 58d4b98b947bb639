"""The tables of the pages list what the program has, all of it and no more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from condense_tui.cli.app import app
from condense_tui.inspection.report import REPORT_KEYS
from condense_tui.pruning.settings import DEFAULTS
from condense_tui.session.entries import ProblemKind
from condense_tui.view.words import FATE_SIGNS

DOCS = Path(__file__).parent.parent / "docs"
CLI = (DOCS / "cli.md").read_text(encoding="utf-8")
PRUNING = (DOCS / "pruning.md").read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    """From a heading to the next one of its level or above."""
    level, start = heading.split(" ")[0], page.index(f"\n{heading}\n") + 1
    end = re.compile(rf"^#{{1,{len(level)}}} ", re.M).search(page, start + len(heading))
    return page[start : end.start() if end else None]


def first_cells(page: str) -> list[str]:
    """The names in the first column of the tables, several in a cell one by one."""
    cells = re.findall(r"^\| (`.*?) \|", page, re.M)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def columns(page: str) -> Iterable[list[str]]:
    """The cells of every row that begins with a name."""
    return (
        [cell.strip() for cell in row.split("|")] for row in re.findall(r"^\| (`.*)", page, re.M)
    )


def test_the_json_keys() -> None:
    keys = section(CLI, "### Keys")
    assert first_cells(keys[: keys.index("Three counts")]) == list(REPORT_KEYS)


def test_the_kinds_of_problems() -> None:
    keys = section(CLI, "### Keys")
    kinds = first_cells(keys[keys.index("A problem's `kind`") :])
    assert sorted(kinds) == sorted(kind.value for kind in ProblemKind)


def test_the_signs_of_fates() -> None:
    rows = [row for row in columns(section(CLI, "## Text")) if row[0] != "sign"]
    listed = {kind: row[0].strip("`") for row in rows for kind in re.findall(r"`([^`]+)`", row[2])}
    assert listed.items() >= {kind.value: sign for kind, sign in FATE_SIGNS.items()}.items()


def test_the_options_and_commands() -> None:
    commands = {name: app[name] for name in app if not name.startswith("-") and app[name].show}
    assert [name for name in commands if f"    condense-tui {name}" not in CLI] == []
    options = {
        argument.name
        for command in (app, *commands.values())
        for argument in command.assemble_argument_collection()
        if argument.name.startswith("--")
    }
    assert len(options) > 10
    assert [option for option in options if not re.search(rf"{option}\b", CLI)] == []


def test_the_settings_and_their_defaults() -> None:
    page = section(PRUNING, "## Settings").split("###")[0]
    for name, default, *_ in columns(page):
        value = DEFAULTS
        for part in name.strip("`").split("."):
            value = value[part]
        assert json.loads(default.strip("`")) == value, name
