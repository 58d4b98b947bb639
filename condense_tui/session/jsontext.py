"""JSON as JavaScript reads and writes it.

pi and its extension are JavaScript: what they count as a size and what they put into a text
is JavaScript's idea of strings and numbers.  This is the one place that knows the differences
(source: the pruning rules, "JavaScript edges").  Strings may hold lone surrogates throughout.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

import orjson

Number = int | float

MAX_EXACT_INTEGER = 2**53
_FIXED_NOTATION_LIMIT = 1e21
_FIXED_NOTATION_FLOOR = 1e-6
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_PADDED_EXPONENT = re.compile(r"e([+-])0+(?=\d)")
_ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,9}", re.ASCII)
_MAX_ARRAY_INDEX = 2**32 - 2
# String.prototype.trim: the Unicode "space separator" class, line ends, tabs and U+FEFF.
_WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


class TooDeepError(ValueError):
    """JSON that pi may well read, but that is nested beyond what Python can hold."""


def parse_json(raw: bytes) -> Any:
    """The value that `JSON.parse` makes of `raw`, invalid UTF-8 read as U+FFFD.

    Raises ValueError with a short reason; `TooDeepError` is one.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return parse_json_text(raw.decode("utf-8", "replace"))


def parse_json_text(text: str) -> Any:
    """Like `parse_json`, for text, lone surrogates allowed."""
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_int=_parse_int, parse_float=float
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg.lower()} at column {error.pos + 1}") from None
    except RecursionError:
        raise TooDeepError("nested too deeply") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _parse_int(digits: str) -> Number:
    return int(digits) if len(digits) < 20 else float(digits)


def as_number(value: object) -> Number | None:
    """`value` as the double that JavaScript would hold, or None when it is no JSON number."""
    if type(value) is int and -MAX_EXACT_INTEGER <= value <= MAX_EXACT_INTEGER:
        return value
    if type(value) is not int and type(value) is not float:
        return None
    double = float(value)
    is_exact = double.is_integer() and abs(double) <= MAX_EXACT_INTEGER
    return int(double) if is_exact else double


def number_text(number: Number) -> str:
    """`String(number)` in JavaScript: `1e+21`, `1.5`, `-0` as `0`."""
    if type(number) is int and -MAX_EXACT_INTEGER <= number <= MAX_EXACT_INTEGER:
        return str(number)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    double = as_number(number)
    if isinstance(double, int):
        return str(double)
    digits = repr(double)
    if _FIXED_NOTATION_FLOOR <= abs(number) < _FIXED_NOTATION_LIMIT:
        return format(Decimal(digits), "f").removesuffix(".0")
    return _PADDED_EXPONENT.sub(r"e\1", digits)


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, which is JavaScript's `text.length`."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_head(text: str, units: int) -> str:
    """The first `units` code units: `text.slice(0, units)`; may end in half a character."""
    if text.isascii() or len(text) * 2 <= units:
        return text[:units]
    head = text.encode("utf-16-le", "surrogatepass")[: units * 2]
    return head.decode("utf-16-le", "surrogatepass")


def with_halves_joined(text: str) -> str:
    """Halves of a character that have come to stand side by side are one, as in JavaScript."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def utf16_sort_key(text: str) -> bytes:
    """A key that sorts strings by code unit, as JavaScript's default sort does."""
    return text.encode("utf-16-be", "surrogatepass")


def trim(text: str) -> str:
    """`text.trim()`."""
    return text.strip(_WHITE_SPACE)


def trim_start(text: str) -> str:
    """`text.trimStart()`."""
    return text.lstrip(_WHITE_SPACE)


def collapse_white_space(text: str) -> str:
    r"""`text.replace(/\s+/g, " ")`."""
    return re.sub(f"[{_WHITE_SPACE}]+", " ", text)


def string_json(text: str) -> str:
    """A JSON string literal, lone surrogates escaped in lower case as JavaScript does."""
    quoted = encode_basestring(text)
    if quoted.isascii():
        return quoted
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def json_text(value: Any, indent: int = 0) -> str:
    """`JSON.stringify(value, null, indent)` for a parsed JSON value.

    Written without recursion: session text decides how deep a value is.
    """
    pieces: list[str] = []
    pending: list[tuple[bool, Any, int]] = [(False, value, 0)]
    while pending:
        is_text, item, depth = pending.pop()
        if is_text:
            pieces.append(item)
        elif isinstance(item, dict) and item:
            pending.extend(_members(item, depth, indent))
        elif isinstance(item, (list, tuple)) and item:
            pending.extend(_elements(item, depth, indent))
        else:
            pieces.append(_scalar_json(item))
    return "".join(pieces)


def _members(item: dict[str, Any], depth: int, indent: int) -> list[tuple[bool, Any, int]]:
    colon = ": " if indent else ":"
    steps: list[tuple[bool, Any, int]] = []
    for key in object_keys(item):
        lead = "{" if not steps else ","
        text = lead + _line_break(depth + 1, indent) + string_json(key) + colon
        steps += [(True, text, 0), (False, item[key], depth + 1)]
    steps.append((True, _line_break(depth, indent) + "}", 0))
    return steps[::-1]


def _elements(item: Iterable[Any], depth: int, indent: int) -> list[tuple[bool, Any, int]]:
    steps: list[tuple[bool, Any, int]] = []
    for element in item:
        lead = "[" if not steps else ","
        steps += [(True, lead + _line_break(depth + 1, indent), 0), (False, element, depth + 1)]
    steps.append((True, _line_break(depth, indent) + "]", 0))
    return steps[::-1]


def _line_break(depth: int, indent: int) -> str:
    return "\n" + " " * (depth * indent) if indent else ""


def object_keys(item: dict[str, Any]) -> list[str]:
    """`Object.keys`: those that look like array indexes come first, in numeric order."""
    indexes = [key for key in item if _is_array_index(key)]
    if not indexes:
        return list(item)
    return sorted(indexes, key=int) + [key for key in item if not _is_array_index(key)]


def _is_array_index(key: str) -> bool:
    return bool(_ARRAY_INDEX.fullmatch(key)) and int(key) <= _MAX_ARRAY_INDEX


def _scalar_json(value: Any) -> str:
    if isinstance(value, str):
        return string_json(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value) if math.isfinite(value) else "null"
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, (list, tuple)):
        return "[]"
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def json_length(value: Any) -> int:
    """`JSON.stringify(value).length` in UTF-16 code units.

    orjson writes what JavaScript writes, but for lone surrogates and whole numbers beyond 2^53,
    which it refuses, and for some fractions.
    """
    try:
        written = orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
    except (orjson.JSONEncodeError, RecursionError):
        return utf16_length(json_text(value))
    units = len(written) if written.isascii() else utf16_length(written.decode())
    return units + sum(map(_longer_in_javascript, _fractions_in(value)))


def _longer_in_javascript(fraction: float) -> int:
    """How much longer, or shorter, than orjson writes it; mostly both write what Python does."""
    written = repr(fraction)
    is_alike = "e" not in written and not written.endswith(".0")
    if is_alike or not math.isfinite(fraction):
        return 0
    return len(number_text(fraction)) - len(orjson.dumps(fraction))


def _fractions_in(value: Any) -> list[float]:
    found: list[float] = []
    pending: list[Any] = [(value,)]
    while pending:
        item = pending.pop()
        for inner in item.values() if type(item) is dict else item:
            kind = type(inner)
            if kind is float:
                found.append(inner)
            elif kind in _CONTAINERS:
                pending.append(inner)
    return found


_CONTAINERS = frozenset({dict, list, tuple})
