"""Long texts of every kind that a session may hold: each a function, and the form that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from condense_tui.view.document import Form

MEGABYTE = 1_000_000
_OUTPUT = "src/cart.py:41: total = sum(line.amount for line in lines) and some more words\n"
_WIDE = "日本語のテキストが端末に表示される場合、幅は二倍になります。 wide\n"
_COLOURED = "\x1b[32mPASSED\x1b[0m tests/test_cart.py::\x1b[1mtest_cents\x1b[0m in 0.41 s\n"
_TABBED = "41\tsrc/cart.py\ttotal\tsum of the lines, cents are lost here\n"
_JSON = '  {"path": "src/cart.py", "line": 41, "text": "total = sum(lines)", "is_lost": true},\n'
_PROSE = "The refund is a cent short, so the rounding happens `before` the sum, not after it.  "


def _repeated(piece: str, megabytes: int, quote: str = "") -> str:
    """So many megabytes of UTF-8, the first and the last line its own; JSON needs a quote, as
    it is painted token by token."""
    times = megabytes * MEGABYTE // len(piece.encode())
    return f"{quote}first line of it{quote}\n{piece * times}{quote}last line of it{quote}"


def _one_line(piece: str, megabytes: int) -> str:
    times = megabytes * MEGABYTE // len(piece.encode())
    return f"first words of it {piece.rstrip() * times} last words of it"


SHORT = "400 lines"

TEXTS: Mapping[str, tuple[Callable[[], str], Form]] = {
    SHORT: (lambda: f"first line of it\n{_OUTPUT * 400}last line of it", Form.OUTPUT),
    "10 MB of output": (lambda: _repeated(_OUTPUT, 10), Form.OUTPUT),
    "10 MB of wide characters": (lambda: _repeated(_WIDE, 10), Form.OUTPUT),
    "10 MB with colours": (lambda: _repeated(_COLOURED, 10), Form.OUTPUT),
    "10 MB with tabs": (lambda: _repeated(_TABBED, 10), Form.OUTPUT),
    "10 MB of JSON": (lambda: _repeated(_JSON, 10, quote='"'), Form.JSON),
    "10 MB of prose": (lambda: _repeated(_PROSE * 3 + "\n", 10), Form.PROSE),
    "50 MB in one line": (lambda: _one_line(_OUTPUT, 50), Form.OUTPUT),
    "50 MB of wide characters in one line": (lambda: _one_line(_WIDE, 50), Form.OUTPUT),
}
