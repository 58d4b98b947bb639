"""Dates as JavaScript's `Date` reads and writes them.

pi turns an entry's `timestamp` into milliseconds with `new Date(value).getTime()`.  The ISO
forms are read exactly; a local time without an offset counts as UTC, so that the same file
gives the same answer on every machine; what only some engines accept is no date.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from condense_tui.session.jsontext import Number, as_number

_ISO = re.compile(
    r"(?P<year>(?!-000000)[+-]\d{6}|\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?:[Tt ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?"
    r"(?P<zone>[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?",
    re.ASCII,
)
_DAY_MS = 86_400_000
_MAX_TIME_MS = 8_640_000_000_000_000


def time_ms(value: object) -> Number | None:
    """Epoch milliseconds of an entry's `timestamp`; None where JavaScript gets NaN."""
    number = as_number(value)
    if number is not None:
        return int(number) if abs(number) <= _MAX_TIME_MS else None
    found = _ISO.fullmatch(value) if isinstance(value, str) else None
    return _iso_ms(found) if found else None


def _iso_ms(found: re.Match[str]) -> Number | None:
    year, month, day = (int(found[name] or 1) for name in ("year", "month", "day"))
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    is_midnight_24 = hour == 24 and minute == second == 0
    if not (1 <= month <= 12 and 1 <= day <= 31 and minute < 60 and second < 60):
        return None
    if hour > 23 and not is_midnight_24:
        return None
    millisecond = int(((found["fraction"] or "") + "000")[:3])
    days = _days_since_epoch(year, month) + day - 1
    clock_ms = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    ms = days * _DAY_MS + clock_ms - _offset_ms(found["zone"])
    return ms if abs(ms) <= _MAX_TIME_MS else None


def _days_since_epoch(year: int, month: int) -> int:
    """Days from 1970-01-01 to the first of the month, for years beyond `datetime`'s too."""
    cycles, year_in_cycle = divmod(year - 1, 400)
    in_range = date(year_in_cycle + 1, month, 1)
    return cycles * 146_097 + in_range.toordinal() - date(1970, 1, 1).toordinal()


def _offset_ms(zone: str | None) -> int:
    if zone is None or zone in "Zz":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return (-minutes if zone[0] == "-" else minutes) * 60_000


def iso_text(ms: Number) -> str | None:
    """`new Date(ms).toISOString()` for years 1 to 9999, else None."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(ms))
    except (OverflowError, ValueError):
        return None
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}.{int(ms) % 1000:03d}Z"
