"""The tables of docs/findings.md, from the codes: `python tests/make_findings_table.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from condense_tui.inspection.codes import (
    DIAGNOSTIC_CODES,
    FINDING_CODES,
    LEGACY_CODES,
    PAIRING_CODES,
    PROBLEM_CODES,
    RAW_PREFIX,
    Code,
)

PAGE = Path(__file__).resolve().parent.parent / "docs" / "findings.md"
_BETWEEN = re.compile(r"(?<=<!-- codes -->\n).*?(?=<!-- /codes -->)", re.DOTALL)


def sections() -> Mapping[str, Mapping[str, Code]]:
    """Each heading with its codes, in the order of the tables."""
    own = {
        code: row
        for code, row in FINDING_CODES.items()
        if code not in PAIRING_CODES
        and code not in LEGACY_CODES
        and not code.startswith(RAW_PREFIX)
    }
    return {
        "Will it send?": PAIRING_CODES,
        "Is it what one thinks?": own,
        "The file": {str(kind): row for kind, row in PROBLEM_CODES.items()},
        "Diagnostics of the extension": {str(kind): row for kind, row in DIAGNOSTIC_CODES.items()},
        "As version 2.5.0": LEGACY_CODES,
    }


def with_tables(page: str) -> str:
    """The page with the tables as they are now between its markers."""
    rows = "\n".join(row for title, codes in sections().items() for row in _section(title, codes))
    return _BETWEEN.sub(lambda _: f"{rows}\n\n", page)


def _section(title: str, codes: Mapping[str, Code]) -> Iterator[str]:
    yield from (f"\n## {title}\n", "| code | severity | why it matters | what to do |")
    yield "| --- | --- | --- | --- |"
    for code, row in codes.items():
        yield f"| `{code}` | {row.severity} | {row.why} | {row.advice} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
