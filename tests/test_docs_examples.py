"""The pages show what the program says: every example is run on the bundled session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sessions import ran

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "condense_tui" / "demo" / "session.jsonl"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LEFT_OUT = "…"

Capture = pytest.CaptureFixture[bytes]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def examples() -> list[tuple[str, str]]:
    """A command, none where the page goes on with what it showed, and what it answers."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```text\n(.*?)```", text_of(page), re.S):
            shown = re.match(r"\$ condense-tui (.*)\n", block)
            found.append((shown[1], block[shown.end() :]) if shown else ("", block))
    return found


def is_shown(wanted: str, lines: list[str]) -> bool:
    """Whether the pieces stand there, each in one piece, one below the other."""
    at = 0
    for piece in re.split(rf"^{LEFT_OUT}\n", wanted, flags=re.M):
        rows = piece.strip("\n").split("\n") if piece.strip() else []
        starts = range(at, len(lines) - len(rows) + 1)
        start = next((n for n in starts if lines[n : n + len(rows)] == rows), None)
        if start is None:
            return False
        at = start + len(rows)
    return True


def test_the_examples_are_found() -> None:
    assert len(examples()) >= 5


@pytest.mark.parametrize(("command", "wanted"), examples(), ids=lambda text: text[:40])
def test_an_example_is_what_the_program_says(
    command: str, wanted: str, capsysbinary: Capture
) -> None:
    commands = [command] if command else ["$S", "context $S", "context $S --view diff"]
    answers = [
        ran(capsysbinary, *(token.replace("$S", str(DEMO)) for token in each.split())).words
        for each in commands
    ]
    assert any(is_shown(wanted, answer.split("\n")) for answer in answers)


# Links


def links() -> list[tuple[Path, str]]:
    return [
        (page, link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page))
        if "://" not in link
    ]


@pytest.mark.parametrize(("page", "link"), links(), ids=str)
def test_every_link_leads_somewhere(page: Path, link: str) -> None:
    path, _, heading = link.partition("#")
    target = page.parent / path if path else page
    assert target.exists()
    if heading:
        headings = re.findall(r"^#+ (.*)$", text_of(target), re.M)
        assert heading in [
            re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings
        ]


# Files that the pages name


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`([\w/]+\.py)`", text_of(ROOT / "docs" / "architecture.md"))))
)
def test_every_file_that_is_named_is_there(name: str) -> None:
    assert list((ROOT / "condense_tui").rglob(name)) or (ROOT / name).exists()
