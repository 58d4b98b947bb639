"""What must survive any change: the one-way flow, and code that fits on a page."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import condense_tui

PACKAGE = Path(condense_tui.__file__).parent
MODULES = {
    ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)): path
    for path in sorted(PACKAGE.rglob("*.py"))
}

# Each room may know itself and the rooms that it names, and no other.
_CORE = ("session", "pruning", "inspection", "condensing", "repairing", "view")
ROOMS: dict[str, set[str]] = {
    "session": set(),
    "pruning": {"session"},
    "inspection": {"session", "pruning"},
    "repairing": {"session", "pruning", "inspection"},
    "condensing": {"session", "pruning", "inspection"},
    "view": {"session", "pruning", "inspection", "condensing", "repairing"},
    "store": {"session", "pruning"},
    "store_open": {"session", "store"},
    "store_writing": {"session", "pruning", "store"},
    "store_watch": {"session", "store_open"},
    "store_sessions": {"session", "store"},
    "store_copies": {"session", "store", "store_writing"},
    "store_condensed": {"session", "pruning", "store", "store_writing"},
    "models": {"session", "pruning", "condensing"},
    "store_answers": {"session", "pruning", "models", "store", "store_writing"},
    "copies": {
        *("session", "pruning", "inspection", "condensing", "models"),
        *("store", "store_writing", "store_condensed", "store_answers"),
    },
    "preferences": {"session", "pruning", "view", "store", "store_writing"},
    "tui": {
        *_CORE,
        *("store", "store_open", "store_watch", "store_writing", "store_sessions"),
        *("store_condensed", "models", "copies", "preferences"),
    },
    "demo": set(),
    "cli": {
        *_CORE,
        *("store", "store_open", "store_writing", "store_sessions", "store_copies"),
        *("store_condensed", "models", "store_answers", "copies", "tui"),
    },
}
CORE = set(_CORE)
FRONT_ENDS = {"textual", "rich", "cyclopts"}
OUTSIDE = {"os", "time", "io", "pathlib", "shutil", "subprocess", "socket", "tempfile", "sys"}

MAX_FUNCTION_LINES = 40
MAX_FILE_LINES = 350
MAX_CLASS_LINES = 220
# A screen also declares its keys and its layout.
MAX_SCREEN_LINES = 300
FORBIDDEN = "manager helper utils common data info obj handle process do tmp msg ctx cfg"


def room_of(module: str) -> str | None:
    """The room that a module lies in; the package itself and `__main__` are in none."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else None


def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imports_of(module: str) -> Iterator[str]:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            base = node.module or ""
            names = (f"{base}.{alias.name}" for alias in node.names)
            yield from (name if name in MODULES else base for name in names)


PURE_NAMES = {"pathlib": {"PurePath", "PurePosixPath"}, "sys": {"intern"}}
"""What may be taken from a module that could otherwise touch the system."""


def pure_imports_of(module: str) -> set[str]:
    """The modules of which nothing is taken but what touches no system."""
    names: dict[str, set[str]] = {}
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.module in PURE_NAMES:
            names.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return {name for name, taken in names.items() if taken <= PURE_NAMES[name]}


def in_core() -> list[str]:
    return [module for module in MODULES if room_of(module) in CORE]


# The flow


def test_every_module_lies_in_a_room() -> None:
    outside = {module for module in MODULES if room_of(module) is None}
    assert outside == {f"{PACKAGE.name}.__init__", f"{PACKAGE.name}.__main__"}


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    room = room_of(module)
    if room is None:
        return
    known = {room_of(name) for name in imports_of(module)} - {None, room}
    assert known <= ROOMS[room]


def test_there_are_no_import_cycles() -> None:
    packages = {name.removesuffix(".__init__"): name for name in MODULES}
    graph = {
        module: {packages.get(name, name) for name in imports_of(module)} & MODULES.keys()
        for module in MODULES
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


@pytest.mark.parametrize("module", in_core())
def test_the_core_knows_no_front_end_and_no_system(module: str) -> None:
    """Cell widths come from the table that the screen is laid out with; nothing else may."""
    allowed = {"rich"} if module == "condense_tui.view.cells" else set()
    roots = {name.split(".")[0] for name in imports_of(module)} - pure_imports_of(module)
    assert roots & (FRONT_ENDS | OUTSIDE) == allowed


@pytest.mark.parametrize("module", in_core())
def test_the_core_neither_opens_nor_prints_nor_asks_the_time(module: str) -> None:
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    assert called & {"open", "print", "input", "now", "today", "utcnow", "read_bytes"} == set()


@pytest.mark.parametrize(
    "module",
    ["condense_tui.pruning.render", "condense_tui.inspection.report", "condense_tui.view.overview"],
)
def test_the_core_loads_no_front_end(module: str) -> None:
    """In a fresh interpreter; a test process has long loaded everything."""
    script = f"import sys, {module}; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.decode().split()}
    assert "condense_tui" in loaded
    assert loaded & FRONT_ENDS == set()


def test_only_the_store_touches_the_disk() -> None:
    touching = {
        module
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    }
    assert touching == {"condense_tui.store"}


@pytest.mark.parametrize("module", MODULES)
def test_what_never_changes_is_declared_as_a_value(module: str) -> None:
    """To declare a frozen dataclass takes forty times as long, and is done at every start."""
    frozen = {
        node.name
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ClassDef)
        and any("frozen=True" in ast.unparse(each) for each in node.decorator_list)
    }
    assert frozen == set()


@pytest.mark.parametrize("module", MODULES)
def test_a_value_is_changed_by_what_knows_values(module: str) -> None:
    """`dataclasses.replace` takes none, which no type checker says."""
    source = MODULES[module].read_text(encoding="utf-8")
    imported = re.search(r"^from dataclasses import .*\breplace\b", source, re.MULTILINE)
    assert imported is None or "@dataclass" in source


# Lines


@pytest.mark.parametrize("module", MODULES)
def test_only_line_feeds_end_a_line(module: str) -> None:
    """`str.splitlines` also splits on U+2028 and its like, which session texts hold."""
    assert not re.search(r"\bsplitlines\(|\breadlines?\(", MODULES[module].read_text("utf-8"))


@pytest.mark.parametrize("module", MODULES)
def test_a_file_fits_the_head(module: str) -> None:
    assert MODULES[module].read_text("utf-8").count("\n") <= MAX_FILE_LINES


def test_functions_and_classes_fit_a_page() -> None:
    too_long = [
        f"{module}:{node.lineno} {node.name} has {lines} lines"
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and (lines := lines_of(node)) > most_lines(module, node)
    ]
    assert too_long == []


def most_lines(module: str, node: ast.FunctionDef | ast.ClassDef) -> int:
    if isinstance(node, ast.FunctionDef):
        return MAX_FUNCTION_LINES
    return MAX_SCREEN_LINES if room_of(module) == "tui" else MAX_CLASS_LINES


def lines_of(node: ast.FunctionDef | ast.ClassDef) -> int:
    """From the name to the end; a docstring is for the reader and does not count."""
    documented = ast.get_docstring(node, clean=False)
    docstring = node.body[0] if documented is not None else None
    without = (docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0
    return (node.end_lineno or 0) - node.lineno + 1 - without


# Words


def names_in(module: str) -> Iterator[str]:
    """Every name that this module itself gives to something."""
    yield from module.split(".")
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname


def words_of(name: str) -> set[str]:
    """The parts of snake_case and CamelCase names, in small letters."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


@pytest.mark.parametrize("module", MODULES)
def test_names_say_what_a_thing_is(module: str) -> None:
    assert {name for name in names_in(module) if words_of(name) & set(FORBIDDEN.split())} == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("read_bytes", {"read", "bytes"}),
        ("SettingsManager", {"settings", "manager"}),
        ("_DATA", {"data"}),
        ("database", {"database"}),
        ("JSONHelper2", {"json", "helper"}),
    ],
)
def test_words_of_a_name(name: str, words: set[str]) -> None:
    assert words_of(name) == words


# Promises of the rules


@pytest.mark.parametrize("module", MODULES)
def test_no_providers_error_text_decides_anything(module: str) -> None:
    """The orphan rule is structural."""
    text = MODULES[module].read_text("utf-8").lower()
    for words in ("tool_use_id", "400 ", "anthropic", "kimi", "unexpected `tool"):
        assert words not in text


@pytest.mark.parametrize("module", MODULES)
def test_public_functions_and_classes_are_explained(module: str) -> None:
    missing = [
        node.name
        for node in tree_of(module).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert missing == []


def test_colours_stand_in_the_stylesheet_alone() -> None:
    """What a widget or screen brings along is only its shape."""
    named = re.compile(
        r"^\s*(?:DEFAULT_CSS|.*\b(?:color|background|border)[a-z-]*:[^;\n]*\$)", re.M
    )
    coloured = [
        module
        for module in MODULES
        if module.startswith("condense_tui.tui")
        for css in re.findall(
            r'DEFAULT_CSS = """(.*?)"""', MODULES[module].read_text("utf-8"), re.S
        )
        if named.search(css)
    ]
    assert coloured == []
