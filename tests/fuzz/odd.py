"""What stands where it is not expected: values, texts, numbers and depths, over few ids."""

from __future__ import annotations

from random import Random
from typing import Any

# Few, so that they meet: an id is used twice, a time belongs to two messages, a ref to no call.
IDS = ("a", "b", "a@1100", "c", "bash_1", "", "x", "__proto__", "7")
ENTRY_IDS = ("e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "", None, "e1", 5)
REFS = ("t1", "t2", "t3", "t10", "t0", "x", "")
BLOCKS = ("b1", "b2", "b3", "b1 b2", "{b1}", "")
TIMES = (1000, 1100, 1200, 1300, 2000, 2100, 3000, 0, -1, 1100.5, 2**53 + 1, 1e21)
TOOLS = ("bash", "read", "write", "edit", "context_tree_query", "constructor", "")
PATHS = (
    "s-blobs/x.txt",
    "x-blobs/../../etc/passwd",
    "/dev/zero",
    "\0",
    "a\\b-blobs\\c",
    "-blobs/.",
)

TEXTS = (
    "words",
    "",
    " \n\t ",
    "line one\nline two\n\n",
    "a\r\nb\rc\u2028d\u2029e\x85f\x0bg\x0ch",
    "\x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07",
    "\ud83d \ude00 \ud83d\ude00",
    "\u202edirection\u2066\u200f\ufeff",
    "\0",
    "[bold]x[/bold] [/foo] [b +",
    "<compressed-chain id=\"b1\">{b2}{b1}</compressed-chain>",
    "# heading\n- item\n```\ncode\n| a | b |\n|--|--|\n**x*`",
    "漢字👩\u200d💻e\u0301" * 9,
    "x" * 1000,
    "# " * 200,
    "2026-01-01T12:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
    "9" * 40,
)  # fmt: skip
NUMBERS = (0, -0.0, -1, 1, 1.5, 2**31, 2**53, -(2**60), 2**70, 1e-7, 1e21, 1e308, 5e-324, 8.64e15)


def odd_value(random: Random) -> Any:
    """Anything that JSON can hold, now and then deep or long."""
    return random.choice(_KINDS)(random)


def deep_value(random: Random) -> Any:
    """Lists or objects within each other, about as deep as a reader may still hold."""
    value: Any = random.choice(TEXTS[:4])
    is_list = random.random() < 0.5
    for _ in range(random.choice((20, 200, 900, 980, 1020, 3000))):
        value = [value] if is_list else {"a": value}
    return value


def _container(random: Random) -> Any:
    inner = [random.choice((None, 0, "", "x", [], {})) for _ in range(random.randrange(4))]
    return inner if random.random() < 0.5 else dict(zip(IDS, inner, strict=False))


def _parts(random: Random) -> Any:
    kinds = ("text", "toolCall", "thinking", "image", ["text"], None, 5)
    return [
        {
            "type": random.choice(kinds),
            random.choice(("text", "id", "thinking", "data")): _word(random),
        }
        for _ in range(random.randrange(1, 4))
    ]


def _word(random: Random) -> Any:
    return random.choice((*IDS, *TEXTS[:4], None, 5))


_KINDS = (
    lambda _random: None,
    lambda random: random.random() < 0.5,
    lambda random: random.choice(NUMBERS),
    lambda random: random.choice(TIMES),
    lambda random: random.choice(TEXTS),
    lambda random: random.choice((*IDS, *REFS, *BLOCKS, *TOOLS, *PATHS)),
    _container,
    _container,
    _parts,
    lambda random: deep_value(random) if random.random() < 0.1 else [],
    lambda random: "y" * random.choice((10, 5000, 70_000)) if random.random() < 0.1 else "y",
)
