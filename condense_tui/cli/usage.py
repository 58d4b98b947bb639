"""What a command line must not say, and how that is told: one rule, two tables.

The library that parses asks `given` for every value and `fits` for every command; whatever
they or it refuse is put into plain words by `explain`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    Token,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
    convert,
)

from condense_tui.cli.output import PROGRAM

# Words that many a program takes for a command, and what they are here.
_ALSO_TYPED = {"help": "--help", "version": "--version"}


def given(wanted: Any, tokens: Sequence[Token]) -> Any:
    """The value of an argument; an empty one comes of an unset variable, and is refused."""
    if any(token.value == "" for token in tokens):
        raise ValueError("must not be empty")
    return convert(wanted, tokens)


# What does not fit together

_ANY = object()
# Options of `condense` that say how a model is asked, and by which name.
_OF_A_MODEL = {
    name: f"{option} is for a model: name one with --summarizer openai:MODEL"
    for name, option in (
        ("base_url", "--base-url"),
        ("price", "--price"),
        ("jobs", "--jobs"),
        ("fuse", "--fuse"),
        ("yes", "--yes"),
    )
}
# Parameters with their values, and what to say where a command line gives them all.
_CLASHES: Sequence[tuple[Mapping[str, Any], str]] = (
    ({"session": _ANY, "latest": True}, "name a session or give --latest, not both"),
    ({"refs": _ANY, "all_outputs": True}, "name refs or give --all, not both"),
    (
        {"keys": _ANY, "output_format": "text"},
        "--keys chooses among JSON keys: use --format json or jsonl with it",
    ),
    (
        {"as_tool": True, "output_format": "json"},
        "--as-tool prints the tool's text: leave out --format json",
    ),
    ({"raw": True, "output_format": "json"}, "--raw is for text: leave it out with --format json"),
    (
        {"raw": True, "output_format": "jsonl"},
        "--raw is for text: leave it out with --format jsonl",
    ),
    ({"fix": _ANY, "all_fixes": True}, "name fixes or give --all-fixes, not both"),
    (
        {"view": _ANY, "output_format": "markdown"},
        "--format markdown is what the model is sent: leave out --view",
    ),
    (
        {"as_version": _ANY, "view": "raw"},
        "before pruning all versions are alike: leave out --as with --view raw",
    ),
    *(({name: _ANY, "summarizer": "extract"}, words) for name, words in _OF_A_MODEL.items()),
)
# A parameter, those of which it needs one, and what to say where there is none.
_NEEDS: Sequence[tuple[str, Sequence[str], str]] = (
    (
        "leaf",
        ("session", "sessions", "latest"),
        "--leaf is an entry of one session: name that, or give --latest",
    ),
    (
        "follow",
        ("session", "latest"),
        "--follow follows one session: name that, or give --latest",
    ),
    ("to", ("refs", "all_outputs"), "name the refs to export, or give --all"),
    *((name, ("summarizer",), words) for name, words in _OF_A_MODEL.items()),
)


def fits(**parameters: Any) -> None:
    """Refuse what does not fit together; the parameters are those that were given."""
    asked = {name: value for name, value in parameters.items() if value not in (False, ())}
    for clash, sentence in _CLASHES:
        if all(name in asked and value in (_ANY, asked[name]) for name, value in clash.items()):
            raise ValueError(sentence)
    for name, needed, sentence in _NEEDS:
        if name in asked and not asked.keys() & set(needed):
            raise ValueError(sentence)


# Plain words

_DASH = "-"
_NO_STREAMS = "- for standard input or output is not supported: name a file"


def doubt_of(word: str, app: App) -> str | None:
    """What to say of a word that is no file, where it looks like a command; else None."""
    names = {name: name for name in app if not name.startswith("-") and app[name].show}
    if word in names:
        return f"the command {word} must come first"
    if "." in word or "/" in word:
        return None
    meant = names | _ALSO_TYPED
    found = _nearest(word, meant)
    return f"there is no command {word}; did you mean {meant[found]}?" if found else None


def _nearest(word: str, among: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, list(among), n=1)), None)


def explain(error: CycloptsError) -> str:
    """What is wrong with a command line, in one sentence, and how to get help."""
    words = _WORDS.get(type(error), _as_it_is)(error)
    command = " ".join([PROGRAM, *(error.command_chain or ())])
    return f"{words.rstrip('.')} ({command} --help says more)"


def _as_it_is(error: Any) -> str:
    return str(error)


def _name_of(error: Any) -> str:
    """The option as it was typed, or what an argument without one is."""
    keyword = getattr(getattr(error, "token", None), "keyword", None)
    name = str(keyword or error.argument.name)
    return name if name.startswith("-") else f"a {name.lower().removesuffix('s')}"


def _of_missing(error: Any) -> str:
    if error.keyword:
        typed = error.root_input_tokens or ()
        is_dash = (error.keyword, _DASH) in pairwise(typed)
        return _NO_STREAMS if is_dash else f"{error.keyword} needs a value"
    return f"{_name_of(error)} is missing"


def _of_unfit(error: Any) -> str:
    name = _name_of(error)
    if error.msg is not None:
        return f"{name} {error.msg}"
    if error.target_type is bool:
        return f"{name} takes no value"
    return f"{name} takes {_values_of(error.target_type)}, not {error.token.value}"


def _values_of(wanted: Any) -> str:
    if get_origin(wanted) is Literal:
        *others, last = get_args(wanted)
        return f"{', '.join(others)} or {last}"
    return "a whole number" if wanted is int else "another value"


def _of_unknown(error: Any) -> str:
    name = str(error.token.keyword or error.token.value)
    if name == _DASH:
        return _NO_STREAMS
    known = [name for argument in error.argument_collection for name in argument.names]
    meant = _nearest(name, [option for option in known if option != name])
    return f"there is no option {name}" + (f"; did you mean {meant}?" if meant else "")


def _of_unused(error: Any) -> str:
    return f"{error.unused_tokens[0]} is one argument too many"


def _of_refused(error: Any) -> str:
    words: str = error.exception_message
    return f"{_name_of(error)} {words}" if error.argument else words


def _of_repeated(error: Any) -> str:
    return f"{error.token.keyword} is given twice"


_WORDS: Mapping[type[CycloptsError], Callable[[Any], str]] = {
    MissingArgumentError: _of_missing,
    CoercionError: _of_unfit,
    ValidationError: _of_refused,
    UnknownOptionError: _of_unknown,
    UnusedCliTokensError: _of_unused,
    RepeatArgumentError: _of_repeated,
}
