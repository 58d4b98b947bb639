"""The key table of docs/browser.md, from the bindings: `python tests/make_key_table.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding

from condense_tui.tui.commands import COMMANDS, Group
from condense_tui.tui.screens.help import PANES, key_words

PAGE = Path(__file__).resolve().parent.parent / "docs" / "browser.md"
_BETWEEN = re.compile(r"(?<=<!-- keys -->\n).*?(?=<!-- /keys -->)", re.DOTALL)


def key_table() -> str:
    """The commands by group, then what each kind of pane adds."""
    sections = [
        (group.value, [(c.key_text, c.explanation) for c in COMMANDS if c.group is group])
        for group in Group
    ]
    for title, pane in PANES:
        bindings = [one for one in pane.__dict__["BINDINGS"] if isinstance(one, Binding)]
        sections.append(
            (title, [(key_words(one), one.tooltip or one.description) for one in bindings])
        )
    return "\n".join(row for title, keys in sections for row in _section(title, keys))


def _section(title: str, keys: list[tuple[str, str]]) -> Iterator[str]:
    yield from (f"\n**{title}**\n", "| key | what it does |", "| --- | --- |")
    for key, explanation in keys:
        names = " ".join(f"`{name}`" for name in key.split())
        yield f"| {names} | {explanation} |"


def with_table(page: str) -> str:
    """The page with the table as it is now between its markers."""
    return _BETWEEN.sub(lambda _: f"{key_table()}\n\n", page)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
