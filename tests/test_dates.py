"""Dates as JavaScript reads and writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from condense_tui.session.dates import iso_text, time_ms

DAY = 86_400_000


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01", 0),
        ("1970-01", 0),
        ("1970", 0),
        ("1970-01-02", DAY),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T00:00:00.000Z", 951_782_400_000),
        ("2026-01-01T12:00:00.5Z", 1_767_268_800_500),
        ("2026-01-01T12:00:00.123456Z", 1_767_268_800_123),
        ("2026-01-01T12:00:00.000+02:00", 1_767_261_600_000),
        ("2026-01-01T12:00:00.000-0030", 1_767_270_600_000),
        ("2026-01-01T12:00", 1_767_268_800_000),
        ("2026-01-01T24:00:00Z", 1_767_312_000_000),
        ("+010000-01-01T00:00:00.000Z", 253_402_300_800_000),
        ("-000001-01-01T00:00:00.000Z", -62_198_755_200_000),
        ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
        (1_767_268_800_000, 1_767_268_800_000),
        (1.9, 1),
        (-1.9, -1),
        (8.64e15, 8_640_000_000_000_000),
    ],
)
def test_what_is_a_date(written: object, ms: int) -> None:
    assert time_ms(written) == ms


@pytest.mark.parametrize(
    "written",
    [
        "",
        "t",
        "yesterday",
        "2026-13-01",
        "2026-01-32",
        "2026-00-10",
        "2026-01-01T25:00:00Z",
        "2026-01-01T24:00:01Z",
        "2026-01-01T12:60:00Z",
        "2026-01-01T12:00:00+2",
        "٢٠٢٦-01-01",
        "2026-01-01T12:00:00.000Z\n",
        "2026-01-01T12:00:00,5Z",
        "2026-01-01T12:00:00+24:00",
        "2026-01-01T12:00:00+01:60",
        "-000000-01-01",
        "+275761-01-01",
        None,
        True,
        [],
        {},
        8640000000000000.0 + 2,
        float("inf"),
        1e309,
    ],
)
def test_what_is_none(written: object) -> None:
    assert time_ms(written) is None


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_written_times_read_back(ms: int) -> None:
    assert time_ms(iso_text(ms)) == ms


@pytest.mark.parametrize("ms", [10**15, -(10**15), 1e300, float("inf"), float("-inf")])
def test_times_beyond_the_calendar_have_no_text(ms: float) -> None:
    assert iso_text(ms) is None


def test_iso_text_is_javascripts() -> None:
    assert iso_text(1_767_268_800_005) == "2026-01-01T12:00:00.005Z"
    assert iso_text(-1) == "1969-12-31T23:59:59.999Z"
    assert iso_text(1.9) == "1970-01-01T00:00:00.001Z"
    assert iso_text(-62_135_596_800_000) == "0001-01-01T00:00:00.000Z"
