"""`printable`: session text that a terminal may show.

A session holds whatever a program or a web page printed.  Control characters become visible
signs, so that none of it moves the cursor, names a window, fills the clipboard or turns the
direction of writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

NEWLINE_SIGN = "\u23ce"
_CONTROL_PICTURES = 0x2400
_DELETE = 0x7F
TAB_WIDTH = 4
_REPLACEMENT = "\ufffd"
_PIECE_CHARS = 65_536
_SHORT_CHARS = 1_000
_PLAIN_ASCII = bytes((0x0A, *range(0x20, _DELETE)))


def _ranges(*bounds: tuple[int, int]) -> Iterator[int]:
    for first, last in bounds:
        yield from range(first, last + 1)


def _escaped(codes: Iterable[int]) -> dict[int, str]:
    return {code: _escape(code) for code in codes}


def _escape(code: int) -> str:
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"


_C0 = {code: chr(_CONTROL_PICTURES + code) for code in range(0x20) if code not in (0x09, 0x0A)}
_C1 = _escaped(range(0x80, 0xA0))
# Marks and overrides of writing direction, line and paragraph separators, interlinear marks.
_DIRECTION = _escaped(
    _ranges(
        (0x061C, 0x061C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x206F), (0xFFF9, 0xFFFB)
    )
)
# What takes no place at all and can hide a text within another; joiners are part of emoji.
_UNSEEN = _escaped(
    _ranges(
        (0x00AD, 0x00AD), (0x200B, 0x200B), (0x2060, 0x2064), (0xFEFF, 0xFEFF), (0xE0000, 0xE007F)
    )
)
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), _REPLACEMENT)
_SIGNS = {**_C0, _DELETE: "\u2421", **_C1, **_DIRECTION, **_UNSEEN, **_SURROGATES}


def printable(text: str) -> str:
    """The text with every control character but newline made visible, and tabs as blanks."""
    # Whatever has a sign is not printable to Python either.
    if _is_plain(text):
        return text
    text = text.expandtabs(TAB_WIDTH)
    return text if _is_plain(text) else "".join(map(_with_signs, pieces(text)))


def _is_plain(text: str) -> bool:
    if len(text) <= _SHORT_CHARS:
        return text.isprintable() or ("\n" in text and text.replace("\n", " ").isprintable())
    return all(map(_is_plain_piece, pieces(text)))


def _is_plain_piece(piece: str) -> bool:
    """To take out of ASCII what is plain takes a fourth of the time of asking each character."""
    if piece.isascii():
        return not piece.encode().translate(None, _PLAIN_ASCII)
    return piece.replace("\n", " ").isprintable()


def _with_signs(text: str) -> str:
    """A text holds few kinds of them: to replace each is ten times as fast as to translate."""
    for char in set(text):
        if sign := _SIGNS.get(ord(char)):
            text = text.replace(char, sign)
    return text


def line_chunks(text: str) -> Iterator[str]:
    """The text in chunks of some lines each, the newline between two of them left out."""
    start = 0
    while (end := text.find("\n", start + _PIECE_CHARS)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def pieces(text: str) -> Iterator[str]:
    """The text bit by bit: what is done to all of it at once keeps every other thread waiting."""
    if len(text) <= _PIECE_CHARS:
        return iter((text,))
    return (text[start : start + _PIECE_CHARS] for start in range(0, len(text), _PIECE_CHARS))


def one_line(text: str) -> str:
    """The same on one line: newlines become visible too."""
    return printable(text).replace("\n", NEWLINE_SIGN)
