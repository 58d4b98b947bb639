"""Mutations of a file as bytes: what crashes, disks, editors and transports do to it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz.odd import NUMBERS

_RUNS = (
    b"\0",
    b"\n",
    b"\r\n",
    b"\r",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\x0c",
    b" ",
    b'"',
    b"\\",
    b"\\u0000",
    b"\\ud83d",
    b"{",
    b"}",
    b'{"',
    b"]",
    b",",
    b":",
    b"null",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 400,
    b'{"type":"session","id":"s2"}',
    b'\n{"type":"message","id":"e1"}\n',
)


def mutated_bytes(random: Random, raw: bytes) -> bytes:
    """One to four mutations, one after the other."""
    for _ in range(random.randrange(1, 5)):
        raw = random.choice(_MUTATIONS)(random, raw)
    return raw


def _place(random: Random, raw: bytes) -> int:
    return random.randrange(len(raw) + 1)


def _flip(random: Random, raw: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(random.choice((1, 1, 3, 20)) if raw else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut(random: Random, raw: bytes) -> bytes:
    start = _place(random, raw)
    return raw[:start] + raw[start + random.choice((1, 1, 5, 100, 2000)) :]


def _repeat(random: Random, raw: bytes) -> bytes:
    start = _place(random, raw)
    piece = raw[start : start + random.choice((1, 10, 300))]
    return raw[:start] + piece * random.choice((2, 2, 9, 40)) + raw[start:]


def _insert(random: Random, raw: bytes) -> bytes:
    start = _place(random, raw)
    return raw[:start] + random.choice(_RUNS) + raw[start:]


def _tear(random: Random, raw: bytes) -> bytes:
    """A file that ends too soon, as when the power went."""
    return raw[: len(raw) - random.choice((1, 2, 7, len(raw) // 2, len(raw)))]


def _weld(random: Random, raw: bytes) -> bytes:
    """Two lines on one: the line feed between them was never written."""
    lines = raw.split(b"\n")
    if len(lines) < 3:
        return raw
    at = random.randrange(1, len(lines))
    return b"\n".join([*lines[: at - 1], lines[at - 1] + lines[at], *lines[at + 1 :]])


def _carriage_returns(_random: Random, raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def _number(random: Random, raw: bytes) -> bytes:
    """The digits at some place are another number."""
    start = _place(random, raw)
    end = start
    while end < len(raw) and raw[end : end + 1].isdigit():
        end += 1
    number = random.choice((*map(str, NUMBERS), "1" * 5000, "1e400", "-", "01", "0x1", ".5"))
    return raw[:start] + number.encode() + raw[end:]


def _nest(random: Random, raw: bytes) -> bytes:
    """Brackets about what stands between two colons or commas, too deep to be held."""
    levels = random.choice((3, 500, 1100, 20_000))
    opening, closing = random.choice(((b"[", b"]"), (b'{"a":', b"}")))
    start = raw.find(b":", _place(random, raw)) + 1
    end = raw.find(b",", start)
    if not start or end < 0:
        return raw
    return raw[:start] + opening * levels + raw[start:end] + closing * levels + raw[end:]


def _swap_lines(random: Random, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


_MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _flip,
    _flip,
    _cut,
    _repeat,
    _insert,
    _insert,
    _tear,
    _weld,
    _carriage_returns,
    _number,
    _nest,
    _swap_lines,
)
