"""docs/findings.md lists every code as the program has it."""

from __future__ import annotations

from condense_tui.inspection.codes import (
    DIAGNOSTIC_CODES,
    FINDING_CODES,
    PROBLEM_CODES,
    RAW_PREFIX,
    Severity,
)
from condense_tui.pruning.diagnostics import DiagnosticKind
from condense_tui.session.entries import ProblemKind
from tests.make_findings_table import PAGE, sections, with_tables


def test_the_tables_are_those_of_the_program() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "python tests/make_findings_table.py writes them anew"


def test_every_code_stands_in_one_section() -> None:
    listed = [code for codes in sections().values() for code in codes]
    own = [code for code in FINDING_CODES if not code.startswith(RAW_PREFIX)]
    assert sorted(listed) == sorted([*own, *PROBLEM_CODES, *DIAGNOSTIC_CODES])
    assert set(PROBLEM_CODES) == set(ProblemKind)
    assert set(DIAGNOSTIC_CODES) > set(DiagnosticKind)


def test_every_row_says_why_and_what_to_do_in_a_sentence() -> None:
    for codes in sections().values():
        for row in codes.values():
            assert row.why.endswith(".")
            assert row.advice.endswith(".")
            assert isinstance(row.severity, Severity)
