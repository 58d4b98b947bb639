"""The hash by which the extension knows equal outputs.  (Source: the pruning rules, section 6.)"""

from __future__ import annotations

from hashlib import sha1

from condense_tui.session.jsontext import trim


def content_hash(tool_name: str, text: str) -> str:
    """SHA-1 of `tool_name NUL normalised text`, as 40 hex digits.

    Not a secret: it only tells equal outputs from different ones, in the extension's own way.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    normalised = trim("\n".join(line.rstrip(" \t") for line in lines))
    raw = utf8_bytes(f"{tool_name}\0{normalised}")
    return sha1(raw, usedforsecurity=False).hexdigest()


def utf8_bytes(text: str) -> bytes:
    """UTF-8 as JavaScript encodes it: half a character becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return whole.encode()
